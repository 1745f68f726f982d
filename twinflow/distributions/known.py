"""Shapes, ranks and values that are known before a graph runs, where they are."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.annotations import Array
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor, TensorLike
from twinflow.graph import static
from twinflow.graph.cond import cond
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import equal, where
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.core.shape import rank, shape
from twinflow.ops.core.shape_arithmetic import (
    broadcast_dynamic_shape,
    broadcast_static_shape,
)
from twinflow.ops.core.slicing import slice as slice_of


def constant_value(t: Any) -> Array | None:
    """The array of a tensor where it is known now, else None."""
    t = convert_to_tensor(t)
    return static.constant_value(t) if t.symbolic else np.asarray(t.numpy())


def maybe_get_static_value(x: Any, dtype: Any = None) -> Any:
    """The value of `x` where it is known now, else None.

    Args:
        x: a tensor, or anything else, which is its own value.
        dtype: the dtype of NumPy that the value is to have.
    Returns:
        An array, `x` or None.
    """
    if x is None:
        return None
    found = constant_value(x) if isinstance(x, Tensor | TensorLike) else x
    return found if found is None or dtype is None else np.array(found, dtype)


def prefer_static_value(x: Any) -> Any:
    """The array of a tensor where it is known now, else the tensor."""
    found = constant_value(x)
    return x if found is None else found


def prefer_static_shape(x: TensorValue) -> Any:
    """The shape of a tensor: an array where it is known now, else a tensor."""
    return prefer_static_value(shape(x))


def prefer_static_rank(x: TensorValue) -> Any:
    """The rank of a tensor: an array where it is known now, else a tensor."""
    return prefer_static_value(rank(x))


def prefer_static_broadcast_shape(
    shape1: Any, shape2: Any, name: str | None = "prefer_static_broadcast_shape"
) -> Any:
    """The shape of the broadcast of two shapes.

    Args:
        shape1, shape2: TensorShapes or int32[rank]. name: the name scope in a graph.
    Returns:
        A TensorShape where both are known now, else int32[rank].
    """
    with name_scope(name, values=[shape1, shape2]):
        known = _known_shape(shape1), _known_shape(shape2)
        if None not in known:
            return broadcast_static_shape(*known)
        return broadcast_dynamic_shape(_shape_tensor(shape1), _shape_tensor(shape2))


def _known_shape(s):
    if isinstance(s, TensorShape):
        return s
    found = maybe_get_static_value(s)
    return None if found is None else TensorShape([int(d) for d in found])


def _shape_tensor(s):
    if not isinstance(s, TensorShape):
        return convert_to_tensor(s, dtypes.int32)
    if s.is_fully_defined():
        return convert_to_tensor(s.as_list(), dtypes.int32)
    raise ValueError("Cannot broadcast from partially defined `TensorShape`.")


def dimension_size(x: Tensor, axis: int) -> Any:
    """The size of an axis: an int where it is known now, else an int32 scalar."""
    known = x.shape.with_rank_at_least(abs(axis))[axis].value
    return shape(x)[axis] if known is None else known


def same_dynamic_shape(a: TensorValue, b: TensorValue) -> Tensor:
    """Whether two tensors have one shape, as a bool scalar."""
    a, b = convert_to_tensor(a, name="a"), convert_to_tensor(b, name="b")

    def same() -> Tensor:
        return reduce_all(
            equal(concat([shape(a), shape(b)], 0), concat([shape(b), shape(a)], 0))
        )

    return cond(equal(rank(a), rank(b)), same, lambda: constant(False))


def pick_vector(
    cond: TensorValue, true_vector: Any, false_vector: Any,
    name: str | None = "pick_vector",
) -> Any:  # fmt: skip
    """One of two vectors, whose lengths may differ.

    Args:
        cond: bool scalar. true_vector, false_vector: dtype[n] and dtype[m].
        name: the name scope in a graph.
    Returns:
        The vector as it was given where `cond` is known now, else a tensor.
    Raises:
        TypeError: `cond` is no bool, or the dtypes of the vectors differ.
    """
    with name_scope(name, values=(cond, true_vector, false_vector)):
        cond = convert_to_tensor(cond, name="cond")
        if cond.dtype != dtypes.bool:
            raise TypeError(f"{cond}.dtype={cond.dtype} which is not {dtypes.bool}")
        known = constant_value(cond)
        if known is not None:
            return true_vector if known else false_vector
        yes = convert_to_tensor(true_vector, name="true_vector")
        no = convert_to_tensor(false_vector, name="false_vector")
        if yes.dtype != no.dtype:
            raise TypeError(
                f"{yes}.dtype={yes.dtype} does not match {no}.dtype={no.dtype}"
            )
        n = shape(yes)[0]
        begin, size = [where(cond, 0, n)], [where(cond, n, -1)]
        return slice_of(concat([yes, no], 0), begin, size)
