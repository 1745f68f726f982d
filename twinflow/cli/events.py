"""`twinflow events`: what is in event files."""

import math
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from twinflow.base import errors, stores
from twinflow.cli import curves, drawing
from twinflow.formats.tensor_proto import make_ndarray
from twinflow.summary.writer import summary_iterator

_MARK = "tfevents"


class Series(NamedTuple):
    """The values of a tag: (step, value) of scalars, and (step, nan) of others."""

    kind: str
    points: list[tuple[int, float]]


def ls(path: str, as_json: bool = False) -> int:
    """List the tags."""

    def work() -> int:
        found = series(path)
        if as_json:
            drawing.write_json({tag: _facts(one) for tag, one in found.items()})
            return 0
        rows = [(tag, one.kind, len(one.points), *_ends(one)) for tag, one in
                sorted(found.items())]  # fmt: skip
        titles = ("tag", "kind", "count", "first", "last")
        drawing.show(rows, titles, right=("count",))
        print(f"{len(found)} tags in {path}")
        return 0

    return drawing.guarded("events", work)


def plot(path: str, tags: tuple[str, ...] = (), width: int | None = None,
         height: int = 12) -> int:  # fmt: skip
    """Draw the curves of scalars; all, where no tag is given."""

    def work() -> int:
        found = series(path)
        scalars = sorted(tag for tag, one in found.items() if one.kind == "scalar")
        missing = [tag for tag in tags if tag not in scalars]
        if missing or not scalars:
            known = ", ".join(scalars) or "none"
            lacks = f"{path} has no scalar {', '.join(missing)}".rstrip()
            raise ValueError(f"{lacks}; there are: {known}")
        for tag in tags or scalars:
            print("\n".join(curves.drawn(tag, found[tag].points, width, height)))
        return 0

    return drawing.guarded("events", work)


def series(path: str) -> dict[str, Series]:
    """{tag: its Series} of an event file, or of all in a folder and below it."""
    found: dict[str, Series] = {}
    names = list(_files(path))
    if not names:
        raise ValueError(f"there is no event file in {path}")
    for name in names:
        for tag, kind, step, value in _values(name, path if len(names) > 1 else ""):
            found.setdefault(tag, Series(kind, [])).points.append((step, value))
    return found


def _files(path: str) -> Iterator[str]:
    if not stores.isdir(path):
        yield path
        return
    for folder, _, names in os.walk(path):
        yield from (os.path.join(folder, n) for n in sorted(names) if _MARK in n)


def _values(name: str, root: str) -> Iterator[tuple[str, str, int, float]]:
    """(tag, kind, step, value); the tags of a folder's folders begin with its path."""
    inner = os.path.relpath(os.path.dirname(name), root) if root else "."
    front = "" if inner == "." else f"{inner}: "
    try:
        for event in summary_iterator(name):
            for value in event.summary.value:
                kind, number = _kind(value)
                yield front + value.tag, kind, event.step, number
    except errors.DataLossError as error:
        if "truncated" not in str(error):  # its writer is at work, or was killed
            raise


def _kind(value: Any) -> tuple[str, float]:
    kind = value.WhichOneof("value") or "nothing"
    if kind == "simple_value":
        return "scalar", value.simple_value
    if kind != "tensor":
        return {"histo": "histogram"}.get(kind, kind), math.nan
    plugin = value.metadata.plugin_data.plugin_name
    if plugin == "scalars":
        return "scalar", float(np.asarray(make_ndarray(value.tensor)))
    return plugin.removesuffix("s") or "tensor", math.nan


def _facts(one: Series) -> dict:
    first, last = one.points[0], one.points[-1]
    facts = {"kind": one.kind, "count": len(one.points), "first_step": first[0],
             "last_step": last[0]}  # fmt: skip
    if one.kind == "scalar":
        facts |= {"first": first[1], "last": last[1]}
    return facts


def _ends(one: Series) -> list[str]:
    """The first and the last step, and value."""
    return [
        f"step {step:,d}" + (f": {value:.6g}" if one.kind == "scalar" else "")
        for step, value in (one.points[0], one.points[-1])
    ]
