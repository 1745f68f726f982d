"""Which folders of exported models to keep: filters of lists of paths.

Each filter is a function from a list of Paths to those that it chooses, in order.
"""

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from twinflow.base import files

Filter = Callable[[list], list]


class Path(NamedTuple("Path", [("path", Any), ("export_version", Any)])):
    """A folder, and the number of the export in it, or None."""


def paths_of(base_dir: str, parser: Callable[..., Any]) -> list[Path]:
    """The Paths of the folders in a folder, sorted.

    Args:
        base_dir: the folder.
        parser: from a Path without a number to one with it, or None to leave it out.
    """
    names = (name.strip("/") for name in files.ListDirectory(base_dir))
    found = (parser(Path(os.path.join(base_dir, name), None)) for name in names)
    return sorted(path for path in found if path)


def largest_export_versions(n: int) -> Filter:
    """Those with the `n` largest numbers."""

    def keep(paths):
        numbered = [
            (p.export_version, p) for p in paths if p.export_version is not None
        ]
        return sorted(p for _, p in sorted(numbered)[-n or len(numbered) :])

    return keep


def one_of_every_n_export_versions(n: int) -> Filter:
    """The largest number among 1 to `n`, among n + 1 to 2 n, and so on."""

    def keep(paths):
        best: dict = {}
        for path in paths:
            if path.export_version is not None:
                interval = max(0, (path.export_version - 1) // n)
                known = best.setdefault(interval, path)
                best[interval] = max(known, path, key=lambda p: p.export_version)
        return sorted(best.values())

    return keep


def mod_export_version(n: int) -> Filter:
    """Those whose numbers `n` divides."""

    def keep(paths):
        numbered = (p for p in paths if p.export_version is not None)
        return [p for p in numbered if p.export_version % n == 0]

    return keep


def union(lf: Filter, rf: Filter) -> Filter:
    """Those that one of two filters chooses."""
    return lambda paths: sorted({*lf(paths), *rf(paths)})


def negation(f: Filter) -> Filter:
    """Those that a filter does not choose."""
    return lambda paths: sorted(set(paths) - set(f(paths)))
