"""Bands around the diagonals of matrices."""

from typing import Any

import numpy as np

from twinflow.base import dtypes, native
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.op import bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import constant
from twinflow.ops.core.infer import text
from twinflow.ops.matrix.diagonal import ENTRIES


def _check_band(input, num_lower, num_upper):
    if np.ndim(input) < 2:
        return f"input must be at least 2-dim, received shape: {text(input.shape)}"
    bounds = ("num_lower", num_lower, "rows"), ("num_upper", num_upper, "columns")
    for (name, value, what), n in zip(bounds, input.shape[-2:], strict=True):
        if np.ndim(value):
            return f"{name} must be scalar, got shape {text(np.shape(value))}"
        if value > n:
            return (
                f"{name} must be negative or less or equal to number of {what} ({n}) "
                f"got: {value}"
            )
    return None


@bind_first
def _guard_band(xp, input, num_lower, num_upper):
    if _check_band(input, *np.zeros(2)) or np.ndim(num_lower) or np.ndim(num_upper):
        return xp.asarray(False)
    m, n = input.shape[-2:]
    return xp.logical_and(num_lower <= m, num_upper <= n)


def _bytes(x):
    """The memory of an array: bfloat16 has no buffer of its own."""
    return x.view(np.uint8) if x.dtype.kind == "V" else x


@bind_first
def _band_kernel(xp, input, num_lower, num_upper):
    m, n = input.shape[-2:]
    if xp is np and input.size and hasattr(native.fast, "band"):
        x, out = np.ascontiguousarray(input), np.empty(input.shape, input.dtype)
        sizes = input.itemsize, m, n, int(num_lower), int(num_upper)
        native.fast.band(_bytes(x), _bytes(out), *sizes)
        return out
    below = np.arange(m)[:, None] - np.arange(n)
    keep = (num_lower < 0) | (below <= num_lower)
    keep &= (num_upper < 0) | (-below <= num_upper)
    return xp.where(keep, input, xp.zeros_like(input))


MatrixBandPart = define(
    "MatrixBandPart",
    infer=lambda input, num_lower, num_upper: input._shape,
    kernel=_band_kernel,
    types=ENTRIES,
    guard=_guard_band,
    check=_check_band,
    grad=[
        lambda dy, num_lower, num_upper: matrix_band_part(dy, num_lower, num_upper),
        None,
        None,
    ],
)


def matrix_band_part(
    input: TensorValue, num_lower: Any, num_upper: Any, name: str | None = None
) -> Tensor:
    """Matrices with zeros outside a band around the diagonal.

    Args:
        input: a tensor[..., m, n].
        num_lower, num_upper: int scalars, how many diagonals to keep below and above
            the main one; negative = all.
        name: the name of the node in a graph.
    Returns:
        a tensor like `input`
    Raises:
        InvalidArgumentError: a bound is larger than the matrix.
    Example:
        tf.matrix_band_part([[1, 2], [3, 4]], -1, 0)  # [[1, 0], [3, 4]]
    """
    bounds = [_bound(num_lower, num_upper), _bound(num_upper, num_lower)]
    return apply(MatrixBandPart, (input, *bounds), None, name)


def _bound(value, other):
    """A bound as a tensor: int64, if neither bound is a tensor of another dtype."""
    if is_tensor_like(value):
        return value
    return constant(value, other.dtype if is_tensor_like(other) else dtypes.int64)
