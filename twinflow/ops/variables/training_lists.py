"""The updates of several variables in one call (native/updates.c).

It computes what the rules of `training` compute, to the last bit, in the place of an
array that nobody but its cell holds. What it does not take
(variables on an accelerator's side of a graph, gradients of rows, half floats, arrays
that do not lie in one piece) is left to be updated one by one.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinflow.base import dispatch, native
from twinflow.base.state import Cell

_fast: Any = native.fast if hasattr(native.fast, "updated") else None
DESCEND, ROLL, LOOK_AHEAD, ADAPT = range(4)  # as in native/updates_loops.h
MOST = 1 << 16  # elements of a call: so the old values of most go before the new come
_FLOATS = (np.float32, np.float64)


def together(
    rule: int, numbers: Callable, pairs: list[tuple], slots: Sequence[dict]
) -> list[tuple]:
    """Update those variables that are plain, where ops run at once.

    Args:
        rule: DESCEND ... numbers: from a NumPy dtype to what the rule multiplies by, or
            None. pairs: (gradient, variable).
        slots: for each slot a dict from variables to it.
    Returns:
        The pairs that are left.
    """
    observers = dispatch.observers
    if _fast is None or (observers is not None and observers.tapes is None):
        return pairs
    dtype = pairs[0][1].dtype
    found = numbers(dtype.np) if dtype.np in _FLOATS else None
    taken = [p for p in pairs if _is_plain(*p, dtype)] if found is not None else ()
    if len({v._cell for _, v in taken}) < len(taken) or not taken:
        return pairs
    left = pairs if len(taken) < len(pairs) else ()
    left = [p for p in left if not _is_plain(*p, dtype)]
    for batch in _batches(taken):
        cells = [c for _, v in batch for c in (v._cell, *(s[v]._cell for s in slots))]
        done = renew(rule, found, cells, [g._a for g, _ in batch])
        left += [p for p, yes in zip(batch, done, strict=True) if not yes]
    return left


def _is_plain(grad, var, dtype):
    return (
        type(grad) is dispatch.EagerTensor
        and grad.dtype is dtype
        and var.dtype is dtype
        and grad._a.shape == var._shape
        and var.constraint is None
        and type(var._cell) is Cell
    )


def _batches(pairs):
    """Lists of some of the pairs, of about MOST elements each."""
    start = count = 0
    for i, (grad, _) in enumerate(pairs):
        count += grad._a.size
        if count >= MOST:
            yield pairs[start : i + 1]
            start, count = i + 1, 0
    if start < len(pairs):
        yield pairs[start:]


def renew(
    rule: int, numbers: tuple, cells: Sequence[Cell], grads: Sequence
) -> list[bool]:
    """Replace the values of variables and their slots.

    Args:
        rule, numbers: see `together`. cells: each variable's and those of its slots.
        grads: arrays.
    Returns:
        For each variable whether it was done.
    """
    done = _fast and _fast.updated(rule, numbers, tuple(cells), tuple(grads))
    return [False] * len(grads) if done is None else done


def floats(*numbers: Any) -> tuple | None:
    """The numbers of a step and zeros, four in all, if they are NumPy's floats."""
    for n in numbers:
        if type(n) not in _FLOATS:
            return None
    return (*numbers, 0.0, 0.0, 0.0, 0.0)[:4]


if _fast is not None:
    _fast.setup_cells(Cell)
