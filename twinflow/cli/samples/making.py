"""Makes the look-alikes that programs ask for, in a folder of their own."""

import atexit
import contextlib
import os
import sys
import urllib.request
from pathlib import Path

from twinflow.base import known_files, spawn_hooks
from twinflow.base.known_files import Known
from twinflow.cli.samples import passages, pictures, tables, texts

_VERSION = "1"  # another one when what is made changes
_MAKERS = {
    **pictures.MAKERS, **tables.MAKERS, **texts.MAKERS, **passages.MAKERS
}  # fmt: skip
_said: set[str] = set()


def root() -> Path:
    """The folder of the look-alikes."""
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(base or Path.home() / ".cache") / "twinflow" / "sample-data" / _VERSION


def made(found: Known) -> str:
    """The path of a look-alike, made if it is not there; warns once for each set."""
    path = root() / found.dataset / found.name
    if found.dataset not in _said:
        _said.add(found.dataset)
        print(
            f"twinflow: WARNING: {found.dataset} is not on this machine; --sample-data "
            f"puts MADE-UP data in its place, from {path.parent}. Losses and "
            "accuracies say nothing about the real data.",
            file=sys.stderr,
        )
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{os.getpid()}.{path.name}")
        try:
            _MAKERS[found.dataset](part, found.name)
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)
    return str(path)


def install() -> None:
    """Let this process, and those that it starts, find look-alikes."""
    known_files.maker = made
    urllib.request.urlretrieve = _retriever(urllib.request.urlretrieve)
    spawn_hooks.call_first(install)


def _retriever(before):
    """urlretrieve: for a file of a known set, a link to its look-alike.

    The link goes when the program ends, so that nobody takes it for the real file.
    """

    def urlretrieve(url, filename=None, *args, **kwargs):
        there = filename and os.path.exists(filename)
        path = None if there else known_files.stand_in(filename or "", url)
        if path is None:
            return before(url, filename, *args, **kwargs)
        if filename is None:
            return path, {}
        os.symlink(path, filename)
        atexit.register(_unlink, os.path.abspath(filename), path)
        return filename, {}

    return urlretrieve


def _unlink(link, target):
    with contextlib.suppress(OSError):
        if os.path.islink(link) and os.readlink(link) == target:
            os.remove(link)
