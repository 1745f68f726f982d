"""Looking at variables without reading them whole, and counting with them."""

from typing import Any

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.ops.core.index import GatherV2, IndexedSlices, row_slices
from twinflow.ops.core.infer import text
from twinflow.ops.variables.scatter import value_of

VariableShape = define(
    "VariableShape",
    infer=lambda input, out_type: (None,),
    step=lambda xp: (
        lambda state, out_type: (
            np.array(state.shape, out_type.np),
            state,
        )
    ),
    cell="input",
    writes_cell=False,
)


def _infer_rows(resource, indices, dtype, shape, validate_indices):
    return None if None in (shape, indices._shape) else indices._shape + shape[1:]


def _taken(xp):
    gather = GatherV2.kernel(xp)

    def step(state, indices, dtype, shape, validate_indices):
        return gather(state, indices, 0), state

    return step


def _rows_grad(dy, indices, shape):
    if shape is None:
        return IndexedSlices(dy, indices, shape)
    return row_slices(dy, shape, indices)


ResourceGather = define(
    "ResourceGather",
    attrs={"shape": None},
    infer=_infer_rows,
    step=_taken,
    cell="resource",
    writes_cell=False,
    grad=[_rows_grad],
    guard=lambda xp: lambda state, indices, **_: GatherV2.guard(xp)(state, indices, 0),
    check=lambda resource, indices, **_: GatherV2.check(value_of(resource), indices, 0),
)


# ------------------------------------------------------------------ counting
def _count(cell, limit, T):
    value = cell.read()
    if value >= limit:
        raise errors.OutOfRangeError(None, None, f"Reached limit of {limit}")
    cell.write(value + value.dtype.type(1))
    return value


def _infer_count(ref, limit, T):
    if ref.dtype._is_ref_dtype and ref._shape:
        raise InferError(
            "input is not a scalar: " + text(ref._shape),
            f"Shape must be rank 0 but is rank {len(ref._shape)}",
        )
    return ()


def _define_count(kind, cell):
    return define(
        kind,
        attrs={"T": dtypes.int32},
        infer=_infer_count,
        kernel=lambda xp: _count,
        step=lambda xp: lambda state, limit, T: (state, state + 1),
        cell=cell,
        guard=lambda xp: lambda state, limit, T: state < limit,
    )


CountUpTo = _define_count("CountUpTo", "ref")
ResourceCountUpTo = _define_count("ResourceCountUpTo", "resource")


def count_up_to(ref: Any, limit: TensorValue, name: str | None = None) -> Tensor:
    """Add 1 to a variable until it reaches a limit.

    Args:
        ref: a variable that holds an int32 or int64 scalar. limit: an int.
        name: the name of the node in a graph.
    Returns:
        The value before, a tensor.
    Raises:
        OutOfRangeError: the value is `limit` already.
    Example:
        v = tf.Variable(3)
        tf.count_up_to(v, 5)  # 3
        v.numpy()  # 4
    """
    if not hasattr(ref, "dtype"):
        raise TypeError(f"tf.count_up_to needs a variable, got {ref!r}.")
    attrs = {"limit": limit, "T": dtypes.as_dtype(ref.dtype).base_dtype}
    if ref.dtype._is_ref_dtype:
        return apply(CountUpTo, (ref,), attrs, name)
    if not isinstance(ref, ResourceHandle):
        raise TypeError(f"tf.count_up_to needs a variable, got {ref!r}.")
    return apply(ResourceCountUpTo, (ref.handle,), attrs, name)
