"""Values as texts: what a tensor holds, its numbers in short, its histogram."""

from typing import Any

import numpy as np

from twinflow.base.state import Cell
from twinflow.base.tensor import Tensor

_BARS = 40  # characters of the longest bar of a histogram
_MOST = 200  # entries that are printed in full


def array_of(value: Any) -> Any:
    """The array of a tensor, number or variable; None for what has none."""
    if isinstance(value, Cell):
        found = value.read() if value.initialized else None
        return found if isinstance(found, np.ndarray) else None
    if isinstance(value, Tensor):
        return None if value.symbolic else value.numpy()
    if isinstance(value, np.ndarray | np.generic | int | float | complex):
        return np.asarray(value)
    return None


def short(value: Any) -> str:
    """dtype, shape and statistics in one line.

    Example: short(np.array([1., 2.])) is "float64[2] min 1 max 2 mean 1.5 std 0.5"
    """
    if isinstance(value, list | tuple):
        return "[" + ", ".join(short(v) for v in value) + "]"
    if isinstance(value, Cell):
        inner = short(value.read()) if value.initialized else "not initialised"
        return f"variable {value.name}: {inner}"
    array = array_of(value)
    if array is None:
        return repr(value)
    kind = _kind(array)
    return f"{kind}[{','.join(map(str, array.shape))}] {_numbers(array)}".rstrip()


def _kind(array: np.ndarray) -> str:
    return "string" if array.dtype.kind in "OSU" else array.dtype.name


def _numbers(array: np.ndarray) -> str:
    if array.size == 0:
        return "empty"
    if array.dtype.kind in "OSUV" and array.dtype.name != "bfloat16":
        return "" if array.size > 8 else str(array.tolist())
    if array.size == 1:
        return str(array.reshape(-1)[0])
    if array.dtype == bool:
        return f"{int(array.sum())} of {array.size} true"
    return _statistics(array)


def _statistics(array: np.ndarray) -> str:
    wide = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
    good = wide[np.isfinite(wide)]
    parts = []
    if good.size:
        numbers = dict(mean=good.mean(), std=good.std())
        if wide.dtype.kind == "f":
            numbers = dict(min=good.min(), max=good.max(), **numbers)
        parts = [f"{k} {v:.6g}" for k, v in numbers.items()]
    nans, infs = int(np.isnan(wide).sum()), int(np.isinf(wide).sum())
    parts += [f"{count} {k}" for k, count in (("nan", nans), ("inf", infs)) if count]
    return " ".join(parts)


def shown(value: Any) -> str:
    """The line of `short`, and the entries, shortened where there are many."""
    if isinstance(value, list | tuple) and any(array_of(v) is not None for v in value):
        return "\n".join(f"[{i}] {shown(v)}" for i, v in enumerate(value))
    array = array_of(value)
    if array is None:
        return short(value) if isinstance(value, Cell) else repr(value)
    if not array.ndim:
        return short(value)
    text = np.array2string(array, threshold=_MOST, edgeitems=3, precision=6)
    return f"{short(value)}\n{text}"


def as_output(value: Any, old: Any) -> Any:
    """A value that a debugger gave, as the array that an op gives in place of `old`.

    Raises:
        ValueError, TypeError: it has another shape, or is no number.
    """
    found, like = array_of(value), np.asarray(old)
    try:
        array = np.array(value if found is None else found, like.dtype)
        array = np.array(np.broadcast_to(array, like.shape))
    except ValueError:
        dims = ",".join(map(str, like.shape))
        text = f"the op gives {like.dtype.name}[{dims}], and got {short(value)}"
        raise ValueError(text) from None
    array.setflags(write=False)
    return array


def is_bad(value: Any) -> bool:
    """Whether a value has an infinite entry or one that is no number."""
    if isinstance(value, list | tuple):
        return any(map(is_bad, value))
    if not isinstance(value, np.ndarray | np.generic) or not is_inexact(value):
        return False
    return not bool(np.isfinite(value).all())


def is_inexact(value: Any) -> bool:
    """Whether an array holds floats or complex numbers."""
    return value.dtype.kind in "fc" or value.dtype.name == "bfloat16"


def histogram(value: Any, bins: int = 12) -> str:
    """A histogram of the finite entries, a line a bin.

    Raises:
        ValueError: the value has no numbers.
    """
    array = array_of(value)
    if array is None or array.dtype.kind in "OSUVc":
        raise ValueError(f"no histogram of {short(value)}")
    flat = array.astype(np.float64).reshape(-1)
    good = flat[np.isfinite(flat)]
    lines = [short(value)]
    if good.size:
        counts, edges = np.histogram(good, bins)
        most = max(int(counts.max()), 1)
        for count, low, high in zip(counts, edges, edges[1:]):
            bar = "#" * -(-int(count) * _BARS // most)
            lines.append(f"{low:>12.5g} .. {high:<12.5g}{count:>8} {bar}".rstrip())
    return "\n".join(lines)
