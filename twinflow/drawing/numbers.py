"""What a large array looks like: its statistics, and a heat map or a histogram."""

from typing import Any

import numpy as np

from twinflow.base.annotations import Array
from twinflow.drawing import plots
from twinflow.drawing.cards import (
    Markup,
    beside,
    card,
    code,
    folded,
    shape_text,
    size_text,
    table,
    text,
)

SMALL = 100  # elements up to which an array is shown by its values
_SAMPLE = 1 << 20  # elements that are looked at, at the most
_SHOWN_STRINGS = 10
_CHANNELS = (1, 3, 4)


def array_card(what: str, array: Any, type_name: str) -> Markup | None:
    """The card of an array, or None: a small one is shown by its repr.

    Args:
        what: the first words of the title. array: with `size`, or anything else.
        type_name: the name of its dtype.
    """
    if not isinstance(array, np.ndarray) or array.size <= SMALL:
        return None
    title = f"{what} {type_name}{shape_text(array.shape)}"
    return card(title, *array_parts(array))


def array_parts(array: Array) -> list[Markup]:
    """What stands in the card of an array, or of what holds one."""
    shown = beside(table(_statistics(array), numbers=[1]), _picture(array))
    if array.dtype.hasobject:  # strings, each of which may be a file
        return [shown]
    values = np.array2string(array, threshold=SMALL, edgeitems=3)
    return [shown, folded("values", code(values))]


def _statistics(array: Array) -> list[tuple]:
    rows: list = [("elements", f"{array.size:,}")]
    if array.dtype.hasobject:
        first = [text(_start(v), 60) for v in array.flat[:_SHOWN_STRINGS]]
        return [*rows, ("the first", Markup("<br>".join(first)))]
    rows.append(("memory", size_text(array.nbytes)))
    part = _sample(array)
    if part.size < array.size:
        rows.append(("looked at", f"{part.size:,}"))
    if part.dtype == bool:
        return [*rows, ("true", f"{part.mean():.1%}")]
    found = _numbers(part)
    bad = ~np.isfinite(found)
    if bad.any():
        missing = int(np.isnan(found).sum())
        rows += [("NaN", f"{missing:,}"), ("infinite", f"{bad.sum() - missing:,}")]
        found = found[~bad]
    if not found.size:
        return rows
    with np.errstate(all="ignore"):
        facts = {"least": found.min(), "most": found.max(),
                 "mean": found.mean(), "deviation": found.std()}  # fmt: skip
    rows += [(name, plots.number_text(float(v))) for name, v in facts.items()]
    return [*rows, ("zeros", f"{float((found == 0).mean()):.1%}")]


def _start(value: Any) -> Any:
    """The beginning of a string; other objects as they are."""
    return value[:60] if isinstance(value, bytes | str) else value


def _sample(array: Array) -> Array:
    """The elements as a vector; every n-th where there are too many."""
    every = -(-array.size // _SAMPLE)
    return array.reshape(-1)[::every] if every > 1 else array.reshape(-1)


def _numbers(array: Array) -> Array:
    """As float64; complex numbers by how large they are."""
    with np.errstate(all="ignore"):
        return np.asarray(np.abs(array) if array.dtype.kind == "c" else array, "f8")


def _picture(array: Array) -> Markup:
    if array.dtype.hasobject:
        return Markup("")
    flat = _matrix(array)
    if flat is not None:
        return plots.heat_map(flat)
    found = _numbers(_sample(array))
    return plots.histogram(found[np.isfinite(found)])


def _matrix(array: Array) -> Array | None:
    """The matrix that is drawn of an array: itself, or the first of its images."""
    if array.ndim == 4 and array.shape[-1] in _CHANNELS and min(array.shape[1:3]) > 3:
        array = array[0]
    if array.ndim == 3 and array.shape[-1] in _CHANNELS and min(array.shape[:2]) > 3:
        return _coarse(array).mean(-1)
    if array.ndim == 2 and min(array.shape) > 1:
        return _coarse(array)
    return None


def _coarse(array: Array) -> Array:
    """Every n-th row and column, where there are more than are looked at."""
    every = int(np.ceil(np.sqrt(max(1.0, array.size / _SAMPLE))))
    return _numbers(array[::every, ::every])
