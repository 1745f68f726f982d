"""Norms of vectors and matrices."""

import numbers
from typing import Any

import numpy as np

from twinflow.base import dispatch
from twinflow.base.annotations import AxisValue
from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.broadcast import kept_shape
from twinflow.ops.core.complex import conj
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.elementwise import abs as abs_of
from twinflow.ops.core.elementwise import pow, sqrt
from twinflow.ops.core.joining import stack
from twinflow.ops.core.reduction import ReducedFirst, reduce_max, reduce_sum
from twinflow.ops.core.shape import expand_dims, renamed, reshape, shape, squeeze
from twinflow.ops.core.transposing import transpose
from twinflow.ops.matrix.svd import svd

_OF_MATRICES = ["euclidean", "fro", 1, 2, np.inf]
_BAD_AXIS = "'axis' must be None, an integer, or a tuple of 2 unique integers"


def norm(
    tensor: TensorValue, ord: Any = "euclidean", axis: AxisValue | None = None,
    keepdims: bool | None = None, name: str | None = None,
    keep_dims: bool | None = None,
) -> Tensor:  # fmt: skip
    """The norm of vectors, of matrices, or of all elements.

    Args:
        tensor: float or complex tensor.
        ord: of vectors "euclidean" or a number p > 0, for sum(|x|^p)^(1/p); np.inf for
            max |x|. Of matrices "euclidean" or "fro" for the root of the sum of
            squares, 1 and np.inf for the largest sum of a column and of a row, 2 for
            the largest singular value.
        axis: None for all elements as one vector, an int for vectors along one axis, a
            pair of ints for matrices with these axes as rows and columns.
        keepdims: keep the axes, with size 1. name: the name of the scope in a graph.
        keep_dims: the old name of `keepdims`.
    Returns:
        a tensor without the axes
    Raises:
        ValueError: there is no such norm.
    Example:
        tf.norm([3., 4.])  # 5.
    """
    keepdims = bool(renamed("keepdims", keepdims, "keep_dims", keep_dims))
    axes = _axes_of(axis)
    if axes is not None and len(axes) == 2:
        if not any(ord == known for known in _OF_MATRICES):
            raise ValueError(
                f"'ord' must be a supported matrix norm in {_OF_MATRICES}, got {ord}"
            )
    elif not (ord == "euclidean" or (isinstance(ord, numbers.Real) and ord > 0)):
        raise ValueError(f"'ord' must be a supported vector norm, got {ord}")
    with dispatch.current_mode().name_scope(name or "norm"):
        result = _norm(convert_to_tensor(tensor), ord, axes)
        return result if keepdims else squeeze(result, axes)


def _axes_of(axis):
    """None, one axis, or two of them, as a list."""
    if axis is None:
        return None
    if isinstance(axis, int):
        return [axis]
    pair = list(axis) if isinstance(axis, list | tuple) else []
    if len(pair) != 2 or pair[0] == pair[1] or not all(type(a) is int for a in pair):
        raise ValueError(_BAD_AXIS)
    return pair


def _norm(x, ord, axes):
    """The norm, with the axes kept."""
    of_matrices = axes is not None and len(axes) == 2
    if ord == 2 and of_matrices:
        return _largest_singular_value(x, axes)
    if ord in ("euclidean", "fro", 2):
        return sqrt(reduce_sum(x * conj(x), axes, keepdims=True))
    size, first = abs_of(x), None if axes is None else axes[0]
    if ord == 1:
        total = reduce_sum(size, first, keepdims=True)
        return reduce_max(total, axes[1], keepdims=True) if of_matrices else total
    if ord == np.inf:
        if of_matrices:
            size = reduce_sum(size, axes[1], keepdims=True)
        return reduce_max(size, first, keepdims=True)
    total = reduce_sum(pow(size, ord), axes, keepdims=True)
    return pow(total, 1.0 / ord)


def _largest_singular_value(x, axes):
    if x._shape is None:
        return _largest_of_any_rank(x, axes)
    n = len(x._shape)
    rows, columns = (a % n for a in axes)
    others = [a for a in range(n) if a not in (rows, columns)]
    turned = transpose(x, [*others, rows, columns])
    largest = reduce_max(svd(turned, compute_uv=False), -1, keepdims=True)
    back = [*others, rows, columns]
    return transpose(expand_dims(largest, -1), [back.index(a) for a in range(n)])


def _largest_of_any_rank(x, axes):
    s = shape(x)
    perm, sizes = apply(ReducedFirst, (s, axes))
    sides = stack([s[perm[0]], s[perm[1]], sizes[1]])
    matrices = transpose(reshape(transpose(x, perm), sides), (2, 0, 1))
    largest = reduce_max(svd(matrices, compute_uv=False), -1)
    return reshape(largest, kept_shape(s, axes))
