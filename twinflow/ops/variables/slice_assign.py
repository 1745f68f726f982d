"""Assigning to a part of a variable: ``v[1:3].assign(x)``."""

import numpy as np

from twinflow.base import errors
from twinflow.base.op import InferError, bind_first, define
from twinflow.ops.core.infer import Shaped, ints, text
from twinflow.ops.core.slicing import index_items, single_places, strided_shape
from twinflow.ops.variables.scatter import nothing, of_reference, value_of, writable


def _items(begin, end, strides, masks):
    return tuple(index_items(ints(begin), ints(end), ints(strides), masks.values()))


def _infer(ref, begin, end, strides, value, *, shape, **masks):
    strided_shape(Shaped(shape), begin, end, strides, **masks)
    return shape


def _check(ref, begin, end, strides, value, shape=None, **masks):
    a = value_of(ref)
    try:
        found = strided_shape(Shaped(a.shape), begin, end, strides, **masks)
    except InferError as error:
        return str(error)
    if found == np.shape(value):
        return None
    raise errors.UnimplementedError(
        None, None,
        f"sliced l-value shape {text(found)} does not match r-value shape "
        f"{text(np.shape(value))}. Automatic broadcasting not yet implemented.",
    )  # fmt: skip


@bind_first
def _kernel(xp, cell, begin, end, strides, value, shape=None, **masks):
    a = writable(cell)
    a[_items(begin, end, strides, masks)] = value
    cell.write(a)
    return ()


@bind_first
def _step(xp, state, begin, end, strides, value, shape=None, **masks):
    new = state.at[_items(begin, end, strides, masks)].set(value)
    return (), new


def _define(kind, infer, attrs=None):
    return define(
        kind,
        on_host="begin end strides",
        attrs=attrs,
        infer=infer,
        kernel=_kernel,
        step=_step,
        cell="ref",
        check=_check,
        dynamic_host=single_places,
    )


StridedSliceAssign = _define("StridedSliceAssign", of_reference(_infer))
ResourceStridedSliceAssign = _define(
    "ResourceStridedSliceAssign", nothing(_infer), {"shape": None}
)
