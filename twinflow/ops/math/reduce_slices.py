"""Reductions of slices of an axis, which tensors name: tf.contrib.reduce_slice_ops."""

import functools
from typing import Any

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.dtypes import from_numpy
from twinflow.base.op import INDEX, REAL, InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import dim_is, one_int

_ENDS = {"Max": "min", "Min": "max"}  # what integers start with


def _infer(data, indices, axis):
    s, i, axis = data._shape, indices._shape, one_int(axis)
    if i is not None and len(i) not in (1, 2):
        raise InferError(f"Shape must be at most rank 2 but is rank {len(i)}")
    if i is not None and len(i) == 2:
        dim_is(i[1], 2)
    if s is None or axis is None:
        return None if s is None else (None,) * len(s)
    if not 0 <= axis < len(s):
        raise InferError(
            f"Out of range dim_index {axis} for shape with {len(s)} dimensions"
        )
    count = None if i is None else i[0]
    if count is not None and len(i) == 1:
        count = max(count - 1, 0)
    return (*s[:axis], count, *s[axis + 1 :])


def _nothing(kind, dtype):
    """What a slice without elements gives."""
    if kind in ("Sum", "Prod"):
        return int(kind == "Prod")
    if from_numpy(dtype).is_floating:
        return -np.inf if kind == "Max" else np.inf
    return getattr(np.iinfo(dtype), _ENDS[kind])


def _reduced(kind, ufunc, data, indices, axis):
    rows = np.moveaxis(data, one_int(axis), 0)
    pairs = indices if indices.ndim == 2 else np.stack([indices[:-1], indices[1:]], 1)
    shape = (len(pairs), *rows.shape[1:])
    out = np.full(shape, _nothing(kind, data.dtype), data.dtype)
    for place, (start, end) in enumerate(np.clip(pairs, 0, len(rows)).tolist()):
        if end > start:
            out[place] = ufunc.reduce(rows[start:end], 0)
    return np.ascontiguousarray(np.moveaxis(out, 0, one_int(axis)))


def _define(kind, ufunc):
    return define(
        f"ReduceSlice{kind}(data: T, indices: Tindices, axis: host int64) -> "
        "(output: T)",
        infer=_infer,
        host=functools.partial(_reduced, kind, ufunc),
        types={"T": REAL, "Tindices": INDEX},
    )


_UFUNCS = {"Sum": np.add, "Prod": np.multiply, "Max": np.maximum, "Min": np.minimum}
_OPS = {kind.lower(): _define(kind, ufunc) for kind, ufunc in _UFUNCS.items()}


def _function(kind, words):
    def run(
        data: TensorValue, indices: TensorValue, axis: Any, name: str | None = None
    ) -> Tensor:
        return apply(_OPS[kind], (data, indices, axis), None, name)

    run.__name__ = run.__qualname__ = f"reduce_slice_{kind}"
    run.__doc__ = f"""The {words} of slices along an axis.

    Args:
        data: numbers. indices: int32 or int64, [n, 2]: start and end of each slice; or
            [n + 1], sorted: each slice ends where the next one begins.
        axis: an int. name: the name of the node in a graph.
    Returns:
        As `data`, with n entries along the axis.
    Raises:
        tf.errors.InvalidArgumentError: there is no such axis, or the indices are no
            pairs.
    """
    return run


reduce_slice_sum = _function("sum", "sums")
reduce_slice_prod = _function("prod", "products")
reduce_slice_max = _function("max", "largest elements")
reduce_slice_min = _function("min", "smallest elements")
