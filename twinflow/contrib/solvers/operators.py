"""Linear operators as functions, and vectors."""

from collections import namedtuple
from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.compare import greater, where
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import sqrt
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, shape, squeeze

_LinearOperator = namedtuple(
    "LinearOperator", ["shape", "dtype", "apply", "apply_adjoint"]
)


def create_operator(matrix: TensorValue) -> Any:
    """A matrix as `shape`, `dtype`, `apply(x)` and `apply_adjoint(x)`, of columns x.

    Args:
        matrix: float[m, n].
    Example:
        double = tf.contrib.solvers.util.create_operator([[2., 0.], [0., 2.]])
        double.apply([[1.], [3.]])  # [[2.], [6.]]
    """
    matrix = convert_to_tensor(matrix)
    return _LinearOperator(
        _sizes(matrix), matrix.dtype, lambda x: matmul(matrix, x),
        lambda x: matmul(matrix, x, adjoint_a=True),
    )  # fmt: skip


def identity_operator(matrix: TensorValue) -> Any:
    """The operator that changes nothing, with the shape and dtype of a matrix."""
    matrix = convert_to_tensor(matrix)
    return _LinearOperator(_sizes(matrix), matrix.dtype, lambda x: x, lambda x: x)


def _sizes(matrix):
    """[m, n] where that is known, or the tensor of it."""
    known = matrix.shape
    return known.as_list() if known.is_fully_defined() else shape(matrix)


def dot(x: TensorValue, y: TensorValue) -> Tensor:
    """float[]: the inner product of two vectors or columns."""
    return reduce_sum(convert_to_tensor(x) * y)


def l2norm_squared(v: TensorValue) -> Tensor:
    """float[]: the sum of squares."""
    return dot(v, v)


def l2norm(v: TensorValue) -> Tensor:
    """float[]: the length of a vector."""
    return sqrt(l2norm_squared(v))


def l2normalize(v: TensorValue) -> tuple[Tensor, Tensor]:
    """A vector with length 1, and its length; of 0, itself and 0."""
    norm = l2norm(v)
    divisor = where(greater(norm, 0), norm, ones_like(norm))
    return convert_to_tensor(v) / divisor, norm


def column(v: TensorValue) -> Tensor:
    """A vector as [n, 1]."""
    return expand_dims(v, -1)


def vector(v: TensorValue) -> Tensor:
    """[n, 1] as a vector."""
    return squeeze(v, [-1])
