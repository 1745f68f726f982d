"""Gradients that are rows (IndexedSlices) where they leave a loop or a branch.

In a loop each iteration's rows stay what they are and are joined behind it; in a branch
they are added up, and the sum is given as all of its rows.
"""

from typing import Any

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.op import Op, define
from twinflow.ops.core import array
from twinflow.ops.core.creation import range as numbers
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.core.infer import ints
from twinflow.ops.core.shape import shape as shape_of

StackRows = define(
    "TwinStackRows(stack: T, count: int32) -> (rows: T)",
    infer=lambda stack, count: (None, *stack._shape[2:]) if stack._shape else None,
    kernel=lambda xp: (
        lambda stack, count: stack[: int(count)].reshape(-1, *stack.shape[2:])
    ),
    grad=[lambda dy, count, shape_stack: apply(RowsBack, (dy, count, shape_stack))],
    host=True,
)


def _back(rows: Any, count: int, shape: Any) -> Any:
    out = np.zeros(ints(shape), rows.dtype)
    out[: int(count)] = rows.reshape(int(count), *out.shape[1:])
    return out


RowsBack: Op = define(
    "TwinRowsBack(rows: T, count: int32, shape: host int32) -> (stack: T)",
    infer=lambda rows, count, shape: None if shape is None else ints(shape),
    kernel=lambda xp: _back,
    grad=[lambda dy, count: apply(StackRows, (dy, count))],
    host=True,
)


def kept_rows(rows: Any) -> tuple | None:
    """The parts of IndexedSlices made in a loop, if each iteration has as many rows.

    Returns:
        (values, indices) as nodes of the loop, or None.
    """
    parts = rows.values, rows.indices
    if any(t._shape is None or None in t._shape or not t._shape for t in parts):
        return None
    return tuple(map(array.identity, parts))


def rows_behind(loop: Any, parts: Any, whole: Any) -> Any:
    """The rows of all iterations.

    Args:
        loop: the While node. parts: the `kept_rows` of its body.
        whole: a tensor of the shape of the whole.
    """
    extra = loop.extra
    count = extra.count(loop)
    stacks = [extra.export(loop, extra.body, t) for t in parts]
    values, indices = (apply(StackRows, (s, count)) for s in stacks)
    return IndexedSlices(values, indices, shape_of(whole))


def all_rows(t: Any) -> Any:
    """A tensor as IndexedSlices that name each of its rows."""
    shape = shape_of(t)
    return IndexedSlices(t, numbers(0, shape[0]), shape)
