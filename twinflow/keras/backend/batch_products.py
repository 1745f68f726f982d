"""Products of batches."""

from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, squeeze
from twinflow.ops.core.transposing import transpose
from twinflow.ops.matrix.contraction import einsum


def batch_dot(x: TensorValue, y: TensorValue, axes: Any = None) -> Tensor:
    """The products of the vectors along axes of `x` and `y`, for each batch entry.

    Args:
        x, y: float tensors with the batch first.
        axes: an int, or two: the axes of the vectors.
    Returns:
        float[batch, the other axes of x, those of y]; [batch, 1] where there are none;
        of two tensors with four axes and more, products of their last two
    """
    if axes is None:
        axes = (len(x._shape) - 1, max(len(y._shape) - 2, 1))
    i, j = (axes, axes) if isinstance(axes, int) else axes
    m, n = len(x._shape), len(y._shape)
    i, j = i % m, j % n
    if m == n > 3:  # further axes are of batches too, as in matmul
        return matmul(x, y, adjoint_a=i != m - 1, adjoint_b=j == n - 1)
    if m == n == 2 and i == j == 1:
        return expand_dims(reduce_sum(multiply(x, y), 1), 1)
    x = transpose(x, [*(k for k in range(m) if k != i), i]) if i != m - 1 else x
    y = transpose(y, [0, j, *(k for k in range(1, n) if k != j)]) if j != 1 else y
    if m <= 3 and n <= 3:
        return _matrices(x, y, m, n)
    left, right = "abcdefgh"[:m], "a" + "abcdefgh"[m - 1] + "ijklmnop"[: n - 2]
    return einsum(f"{left},{right}->{left[:-1]}{right[2:]}", x, y)


def _matrices(x, y, m, n):
    """The same for matrices and vectors."""
    x = expand_dims(x, 1) if m == 2 else x
    y = expand_dims(y, 2) if n == 2 else y
    product = matmul(x, y)
    if m == 2:
        product = squeeze(product, [1])
    return squeeze(product, [-1]) if n == 2 and m > 2 else product
