"""Files of well-known data sets: where they are to be had, and look-alikes of them.

twinflow fetches nothing. Where a file is missing, the error says what it is and where
it goes; under `twinflow run --sample-data` a maker gives a look-alike in its place.
"""

import importlib.resources
import os
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple


class Known(NamedTuple):
    """A file: its set, its name, how many bytes it has, where it is to be had."""

    dataset: str
    name: str
    size: int
    url: str


maker: Callable[[Known], str] | None = None  # gives the path of a look-alike


@cache
def table() -> tuple[Known, ...]:
    """All of them."""
    text = importlib.resources.files("twinflow.base").joinpath("known_files.txt")
    lines = text.read_text("utf-8").splitlines()
    rows = (line.split() for line in lines if line[:1] not in ("", "#"))
    return tuple(Known(d, name, int(size), url) for d, name, size, url in rows)


def known(path: Any, url: Any = "") -> Known | None:
    """What a file is, by the address that a program gives, or else by its name."""
    places = [str(url), os.fspath(path) if isinstance(path, os.PathLike) else str(path)]
    for place in places:
        found = [k for k in table() if k.name == _name(place)]
        if len(found) > 1:  # MNIST and Fashion-MNIST name their files alike
            fashion = any("fashion" in p or "keras-datasets" in p for p in places)
            found = [k for k in found if (k.dataset == "Fashion-MNIST") == fashion]
        if found:
            return found[0]
    return None


def _name(place: str) -> str:
    name = place.replace("\\", "/").rpartition("/")[2]
    return {"aclImdb.tar.gz": "aclImdb_v1.tar.gz"}.get(name, name)


def stand_in(path: Any, url: Any = "") -> str | None:
    """The path of a look-alike for a file that is not there, if they are wanted."""
    found = None if maker is None else known(path, url)
    if maker is None or found is None or _has_others(path, found):
        return None
    return maker(found)


def _has_others(path: Any, found: Known) -> bool:
    """Whether real files of the set are there: made-up labels fit no real pictures."""
    folder = os.path.dirname(path)
    names = (k.name for k in table() if k.dataset == found.dataset)
    return bool(path) and any(os.path.exists(os.path.join(folder, n)) for n in names)


def readable(path: str) -> str:
    """The path itself, or of a look-alike where nothing is there."""
    if maker is None or "://" in path or os.path.exists(path):
        return path
    return stand_in(path) or path


def to_get(found: Known, folder: str) -> str:
    """Where a file is to be had, where it goes, and how to do without."""
    inside = "" if found.url.endswith(found.name) else f" (it holds {found.name})"
    return (
        f"get {found.name} of {found.dataset} ({found.size:,d} bytes) from {found.url}"
        f"{inside} and put it into {folder}. Or let `twinflow run --sample-data` make "
        "a look-alike, to see the program run."
    )
