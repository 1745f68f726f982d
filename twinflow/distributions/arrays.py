"""Triangles, diagonals, padding and turned axes, as distributions need them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.distributions.known import constant_value
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.arrays.padding import pad as pad_with
from twinflow.ops.arrays.rearrange import reverse
from twinflow.ops.core.compare import less, where
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.division import floormod
from twinflow.ops.core.elementwise import sqrt
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.shape import rank, reshape, shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.matrix.band import matrix_band_part
from twinflow.ops.matrix.diagonal import (
    matrix_diag,
    matrix_diag_part,
    matrix_set_diag,
)


def matrix_diag_transform(
    matrix: TensorValue,
    transform: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Tensor:
    """The matrices, with `transform` applied to their diagonals.

    Args:
        matrix: dtype[..., n, n]. transform: a function of dtype[..., n]; None leaves
            the matrices as they are. name: the name scope in a graph.
    Returns:
        dtype[..., n, n]
    """
    with name_scope(name, "matrix_diag_transform", [matrix]):
        matrix = convert_to_tensor(matrix, name="matrix")
        if transform is None:
            return matrix
        return matrix_set_diag(matrix, transform(matrix_diag_part(matrix)))


def rotate_transpose(
    x: TensorValue, shift: Any, name: str | None = "rotate_transpose"
) -> Tensor:
    """The tensor with its axes rotated to the right.

    Args:
        x: a tensor. shift: int scalar, by how many; to the left below 0.
        name: the name scope in a graph.
    Returns:
        A tensor; with shift 1 of a tensor [a, b, c] one of shape [c, a, b].
    """
    with name_scope(name, values=[x, shift]):
        x = convert_to_tensor(x, name="x")
        shift = convert_to_tensor(shift, name="shift")
        known, ndims = constant_value(shift), x.shape.ndims
        if known is not None and ndims is not None:
            turns = int(np.sign(known) * (abs(known) % max(ndims, 1)))
            if ndims < 2 or turns == 0:
                return x
            return transpose(x, perm=np.roll(np.arange(ndims), turns))
        ndims = rank(x)
        first = where(
            less(shift, 0), floormod(-shift, ndims), ndims - floormod(shift, ndims)
        )
        perm = concat([range_of(first, ndims), range_of(0, first)], 0)
        return transpose(x, perm=perm)


# ------------------------------------------------------------------ triangles
def fill_triangular(
    x: TensorValue, upper: bool = False, name: str | None = None
) -> Tensor:
    """Triangular matrices from vectors: they are filled in a spiral.

    Args:
        x: dtype[..., n (n + 1) / 2]. upper: whether the upper triangle is filled.
        name: the name scope in a graph.
    Returns:
        dtype[..., n, n]
    Raises:
        ValueError: no triangle has that many elements.
    Example:
        t = tf.contrib.distributions.fill_triangular([1, 2, 3, 4, 5, 6])
        t  # [[4, 0, 0], [6, 5, 0], [3, 2, 1]]
    """
    with name_scope(name, "fill_triangular", values=[x]):
        x = convert_to_tensor(x, name="x")
        m = x.shape.with_rank_at_least(1)[-1].value
        if m is not None:
            n, m = _side(m), np.int32(m)
            final = x.shape[:-1].concatenate([n, n])
        else:
            m = shape(x)[-1]
            n = cast(sqrt(0.25 + cast(2 * m, dtypes.float32)), dtypes.int32)
            final = x.shape.with_rank_at_least(1)[:-1].concatenate([None, None])
        # [x, the rest backwards]: row i begins where the triangle has its i-th row.
        tail = (
            [x, reverse(x[..., n:], [-1])] if upper else [x[..., n:], reverse(x, [-1])]
        )
        square = [n, n] if x.shape.is_fully_defined() else None
        to = final.as_list() if square else concat([shape(x)[:-1], [n, n]], 0)
        y = reshape(concat(tail, -1), to)
        y = matrix_band_part(y, 0 if upper else -1, -1 if upper else 0)
        y.set_shape(y.shape.merge_with(final))
        return y


def _side(m):
    """The side of a triangle of m elements."""
    n = np.sqrt(0.25 + 2.0 * m) - 0.5
    if n != np.floor(n):
        raise ValueError(
            f"Input right-most shape ({m}) does not correspond to a triangular matrix."
        )
    return np.int32(n)


def fill_triangular_inverse(
    x: TensorValue, upper: bool = False, name: str | None = None
) -> Tensor:
    """The vectors that `fill_triangular` makes such matrices of.

    Args:
        x: dtype[..., n, n]. upper: whether the upper triangle is read.
        name: the name scope in a graph.
    Returns:
        dtype[..., n (n + 1) / 2]
    """
    with name_scope(name, "fill_triangular_inverse", values=[x]):
        x = convert_to_tensor(x, name="x")
        n = x.shape.with_rank_at_least(2)[-1].value
        known = n is not None
        n = np.int32(n) if known else shape(x)[-1]
        m = (n * (n + 1)) // 2
        final = x.shape[:-2].concatenate([int(m) if known else None])
        if upper:
            first, rows = x[..., 0, :], x[..., 1:, :]
        else:
            first, rows = reverse(x[..., -1, :], [-1]), x[..., :-1, :]
        both = rows + reverse(reverse(rows, [-1]), [-2])
        rest = reshape(both, concat([shape(x)[:-2], [n * (n - 1)]], 0))
        y = concat([first, rest[..., : m - n]], -1)
        y.set_shape(y.shape.merge_with(final))
        return y


def tridiag(
    below: Any = None, diag: Any = None, above: Any = None, name: str | None = None
) -> Tensor:
    """Matrices that are 0 but on their diagonal and the two beside it.

    Args:
        below: dtype[..., n - 1], above: dtype[..., n - 1], diag: dtype[..., n]; those
            that are None are 0. name: the name scope in a graph.
    Returns:
        dtype[..., n, n]
    Raises:
        ValueError: all are None.
    """
    with name_scope(name, "tridiag", [below, diag, above]):
        parts = []
        if below is not None:
            parts.append(matrix_diag(_between_zeros(below))[..., :-1, 1:])
        if diag is not None:
            parts.append(matrix_diag(convert_to_tensor(diag, name="diag")))
        if above is not None:
            parts.append(matrix_diag(_between_zeros(above))[..., 1:, :-1])
        if not parts:
            raise ValueError("Must specify at least one of `below`, `diag`, `above`.")
        return sum(parts[1:], parts[0])


def _between_zeros(x):
    x = convert_to_tensor(x)
    z = zeros(concat([shape(x)[:-1], [1]], 0), dtype=x.dtype)
    return concat([z, x, z], -1)


# ------------------------------------------------------------------ padding
def pad(
    x: TensorValue, axis: Any, front: bool = False, back: bool = False,
    value: Any = 0, count: Any = 1, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The tensor with `value` before or after its elements along an axis.

    Args:
        x: a tensor. axis: int scalar. front, back: where to pad; one of them at least.
        value: scalar of the dtype of x. count: int scalar, how many.
        name: the name scope in a graph.
    Raises:
        ValueError: neither front nor back, or count is no integer.
    Example:
        distributions = tf.contrib.distributions
        distributions.pad([1, 2], axis=0, back=True, value=9)  # [1, 2, 9]
    """
    with name_scope(name, "pad", [x, value, count]):
        x = convert_to_tensor(x, name="x")
        value = convert_to_tensor(value, x.dtype, name="value")
        count = convert_to_tensor(count, name="count")
        if not count.dtype.is_integer:
            raise TypeError(f"`count.dtype` (`{count.dtype.name}`) must be `int`-like.")
        if not front and not back:
            raise ValueError("At least one of `front`, `back` must be `True`.")
        known, ndims = constant_value(axis), x.shape.ndims
        final = _padded_shape(x, known, count, front + back)
        ndims = rank(x) if ndims is None else ndims
        axis = known if known is not None else convert_to_tensor(axis, name="axis")
        axis = (
            where(less(axis, 0), ndims + axis, axis)
            if known is None
            else (ndims + known if known < 0 else known)
        )
        sides = stack([count if front else 0, count if back else 0])
        hot = one_hot(reshape(axis, [1]), depth=ndims, axis=0, dtype=dtypes.int32)
        y = pad_with(x, hot * sides, constant_values=value)
        y.set_shape(final)
        return y


def _padded_shape(x, axis, count, sides):
    """What is known of the padded shape."""
    if x.shape.ndims is None:
        return TensorShape(None)
    count, dims = constant_value(count), x.shape.as_list()
    if axis is None:
        return TensorShape([None] * len(dims))
    old = dims[int(axis)]
    dims[int(axis)] = None if None in (old, count) else old + int(count) * sides
    return TensorShape(dims)
