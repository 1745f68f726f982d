"""Ops on variables that parts of tf.contrib had: zeros, sums at places, next elements.

Each takes the reference of a variable, as its cell (Note [Cells]).
"""

import numpy as np

from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.ops.core.infer import ranked


# ------------------------------------------------------------------------ zeros
def _no_value_yet(cell):
    return "input is already initialized" if cell.initialized else None


def _zeros(xp):
    return lambda cell: (cell.write(np.zeros(cell.shape, cell.dtype.np)), ())[1]


ZeroInitializer = define(
    "ZeroInitializer",
    infer=lambda ref: ref._shape,
    kernel=_zeros,
    check=_no_value_yet,
    guard=lambda xp: lambda cell: np.bool_(not cell.initialized),
    stateful=True,
    host=True,
)


def _zeros_by_handle(cell, dtype, shape):
    if not cell.initialized:
        cell.write(np.zeros(shape, dtype.np))
    return cell


ZeroVarInitializer = define(
    "ZeroVarInitializer",
    infer=lambda *_, **__: (),
    host=_zeros_by_handle,
    stateful=True,
)


# ------------------------------------------------------------------------ forests
def _scattered(cell, indices, deltas):
    """Add to the elements, or to the last axes, that each row of indices names."""
    value = np.array(cell.read())
    depth = indices.shape[1]
    rows = value.reshape(*value.shape[:depth], -1)
    if deltas.size != len(indices) * rows.shape[-1]:
        raise invalid(
            f"deltas must have {len(indices)} rows of {rows.shape[-1]} numbers, not "
            f"the shape {list(deltas.shape)}"
        )
    limits = value.shape[:depth]
    if ((indices < 0) | (indices >= limits)).any():
        raise invalid(f"indices must lie in {list(limits)}: {indices.tolist()}")
    np.add.at(rows, tuple(indices.T), deltas.reshape(len(indices), -1))
    cell.write(value)
    return ()


def _infer_scatter(input, indices, deltas):
    ranked(indices._shape, 2)
    return []


ScatterAddNdim = define(
    "ScatterAddNdim", infer=_infer_scatter, host=_scattered, stateful=True
)


# ------------------------------------------------------------------------ lists
def _next(list, counter):
    if not len(list):
        raise invalid("Empty list")
    place = (int(counter.read()) + 1) % len(list)
    counter.write(np.asarray(place, np.int64))
    return np.asarray(list[place], object)


ObtainNext = define(
    "ObtainNext", infer=lambda list, counter: (), host=_next, stateful=True
)
