"""get_file: files of the local cache; twinflow fetches nothing."""

import contextlib
import hashlib
import os
import shutil
import tarfile
import zipfile

from twinflow.base.errors import NotFoundError


def get_file(
    fname, origin, untar=False, md5_hash=None, file_hash=None, cache_subdir="datasets",
    hash_algorithm="auto", extract=False, archive_format="auto", cache_dir=None,
):  # fmt: skip
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
        NotFoundError: it is not there. ValueError: it has another hash.
    """
    folder = os.path.join(cache_dir or os.path.expanduser("~/.keras"), cache_subdir)
    target = os.path.join(folder, fname)
    path = f"{target}.tar.gz" if untar else target
    if untar and os.path.exists(target) and not os.path.exists(path):
        return target
    if not os.path.exists(path):
        _copy(origin, path)
    file_hash = file_hash or md5_hash
    if file_hash is not None and not _fits(path, file_hash, hash_algorithm):
        raise ValueError(
            f"{path} is damaged or another file: its hash is not {file_hash}. Get "
            f"{origin} anew."
        )
    if untar and not os.path.exists(target):
        _extract(path, folder, "tar")
    if extract:
        _extract(path, folder, archive_format)
    return target if untar else path


def _copy(origin, path):
    """Copy a local file into the cache.

    Raises:
        NotFoundError: the origin is elsewhere.
    """
    scheme, _, source = str(origin).partition("://")
    if scheme != "file" or not os.path.isfile(source):
        raise NotFoundError(
            None,
            None,
            f"{path} is not there, and twinflow fetches nothing: get {origin} and put "
            "it there.",
        )
    os.makedirs(os.path.dirname(path), exist_ok=True)
    part = f"{path}.{os.getpid()}.part"
    try:
        shutil.copyfile(source, part)
        os.replace(part, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(part)


def _fits(path, wanted, algorithm):
    sha = algorithm == "sha256" or (algorithm == "auto" and len(wanted) == 64)
    digest = hashlib.sha256() if sha else hashlib.md5()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest() == wanted


def _extract(path, folder, kind):
    """Unpack an archive, whatever its name; what is none is left as it is."""
    if kind in ("auto", "tar") and tarfile.is_tarfile(path):
        shutil.unpack_archive(path, folder, "tar", filter="data")
    elif kind in ("auto", "zip") and zipfile.is_zipfile(path):
        shutil.unpack_archive(path, folder, "zip")
