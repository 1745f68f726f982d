"""get_file: files of the local cache; twinflow fetches nothing.

Under `twinflow run --sample-data` a file of a well-known set that is not there is a
look-alike, in a folder of its own.
"""

import contextlib
import hashlib
import os
import shutil
import tarfile
import tempfile
import zipfile

from twinflow.base import known_files, progress
from twinflow.base.damage import reported
from twinflow.base.errors import NotFoundError


def get_file(
    fname: str, origin: str, untar: bool = False, md5_hash: str | None = None,
    file_hash: str | None = None, cache_subdir: str = "datasets",
    hash_algorithm: str = "auto", extract: bool = False, archive_format: str = "auto",
    cache_dir: str | None = None,
) -> str:  # fmt: skip
    """The path of a file in the local cache.

    Args:
        fname: its name. origin: where it comes from: a file://, which is copied, or
            another address, for the error.
        untar: whether it is `fname`.tar.gz, to be unpacked to `fname`.
        md5_hash: the older form of `file_hash`. file_hash: what it must have.
        cache_subdir: the folder in the cache. hash_algorithm: "md5", "sha256", "auto".
        extract: whether to unpack it. archive_format: "auto", "tar", "zip".
        cache_dir: the cache; ~/.keras if not given.
    Raises:
        NotFoundError: it is not there. ValueError: it has another hash, its name leaves
            the cache, or it cannot be unpacked.
    """
    folder = os.path.join(cache_dir or os.path.expanduser("~/.keras"), cache_subdir)
    target = _inside(folder, fname)
    path = f"{target}.tar.gz" if untar else target
    if untar and os.path.exists(target) and not os.path.exists(path):
        return target
    with progress.operation(fname):
        if not os.path.exists(path):
            sample = _sample(path, origin)
            if sample:
                folder, path = os.path.dirname(sample), sample
                target = os.path.join(folder, fname) if untar else path
                file_hash = md5_hash = ""
            else:
                _copy(origin, path)
        file_hash = file_hash or md5_hash
        if file_hash and not _fits(path, file_hash, hash_algorithm):
            raise ValueError(
                f"{path} is damaged or another file: its hash is not {file_hash}. Get "
                f"{origin} anew."
            )
        if untar and not os.path.exists(target):
            _extract(path, folder, "tar")
        if extract:
            _extract(path, folder, archive_format)
    return target if untar else path


def _inside(folder, fname):
    """The path of a file of the cache; an absolute one may only name what is there.

    Raises:
        ValueError: it would be outside.
    """
    path = os.path.normpath(os.path.join(folder, fname))
    inside = path.startswith(os.path.join(os.path.normpath(folder), ""))
    if inside or (os.path.isabs(fname) and os.path.exists(path)):
        return path
    raise ValueError(
        f"get_file keeps files below {folder}, and {fname!r} is not there: give the "
        "name of a file, and other folders by cache_dir and cache_subdir."
    )


def _sample(path, origin):
    """The path of a look-alike, if there is one and it is wanted; or None."""
    local = str(origin).startswith("file://")
    return None if local else known_files.stand_in(path, origin)


def _copy(origin, path):
    """Copy a local file into the cache.

    Raises:
        NotFoundError: the origin is elsewhere.
    """
    scheme, _, source = str(origin).partition("://")
    if scheme != "file" or not os.path.isfile(source):
        raise NotFoundError(None, None, _to_get(origin, path))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(source, "rb") as old, open(part, "wb") as new:
            for block in progress.blocks("copying", old, os.path.getsize(source)):
                new.write(block)
        os.replace(part, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(part)


def _to_get(origin, path):
    missing = f"{path} is not there, and twinflow fetches nothing: "
    found = known_files.known(path, origin)
    if found is None:
        return f"{missing}get {origin} and put it there."
    name, folder = os.path.basename(path), os.path.dirname(path)
    renamed = "" if name == found.name else f" Its name there has to be {name}."
    return missing + known_files.to_get(found, folder) + renamed


def _fits(path, wanted, algorithm):
    sha = algorithm == "sha256" or (algorithm == "auto" and len(wanted) == 64)
    digest = hashlib.sha256() if sha else hashlib.md5()
    with open(path, "rb") as file:
        for block in progress.blocks("checking", file, os.path.getsize(path)):
            digest.update(block)
    return digest.hexdigest() == wanted


def _extract(path, folder, wanted):
    """Unpack an archive, whatever its name: all of it, or nothing.

    Raises:
        ValueError: it is damaged, no archive, or has members outside of `folder`.
    """
    with (
        reported(path),
        tempfile.TemporaryDirectory(dir=folder, prefix=".unpacked-") as part,
    ):
        if wanted in ("auto", "tar") and tarfile.is_tarfile(path):
            with tarfile.open(path) as archive:
                members = progress.over("unpacking", archive)
                archive.extractall(part, members, filter="data")
        elif wanted in ("auto", "zip") and zipfile.is_zipfile(path):
            _unzip(path, part)
        else:
            known = {"auto": "tar or zip archive"}.get(wanted, f"{wanted} archive")
            raise ValueError(f"{path} cannot be unpacked: it is no {known}")
        _forget_links(part, folder)
        shutil.copytree(part, folder, symlinks=True, dirs_exist_ok=True)


def _forget_links(part, folder):
    """Remove the links that an earlier unpacking made: copytree replaces files only."""
    for parent, folders, names in os.walk(part):
        for name in [*folders, *names]:
            link = os.path.join(
                folder, os.path.relpath(os.path.join(parent, name), part)
            )
            if os.path.islink(link):
                os.remove(link)


def _unzip(path, folder):
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        for name in names:
            if os.path.isabs(name) or ".." in name.replace("\\", "/").split("/"):
                raise ValueError(f"{path} has a member outside of its folder: {name!r}")
        for name in progress.over("unpacking", names):
            archive.extract(name, folder)
