"""Discrete cosine transforms."""

import math

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import AxisValue
from twinflow.base.convert import is_tensor_like
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.complex import complex, real, with_zero_imag
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import fill
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.elementwise import maximum, multiply, rsqrt, sqrt
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.shape import shape
from twinflow.ops.math.trigonometry import cos, sin
from twinflow.ops.signal.fourier_real import irfft, rfft


def _check(type, n, axis, norm):
    if n is not None:
        raise NotImplementedError("The DCT length argument is not implemented.")
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if type not in (2, 3):
        raise ValueError("Only Types II and III (I)DCT are supported.")
    if norm not in (None, "ortho"):
        raise ValueError(
            f"Unknown normalization. Expected None or 'ortho', got: {norm}"
        )


def dct(
    input: TensorValue, type: int = 2, n: TensorValue | None = None,
    axis: AxisValue = -1, norm: str | None = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The discrete cosine transform of the last axis.

    Type 2: y[k] = 2 sum over j of x[j] cos(pi k (2 j + 1) / (2 n))
    Type 3: y[k] = x[0] + 2 sum over j > 0 of x[j] cos(pi j (2 k + 1) / (2 n))

    With norm="ortho" type 2 multiplies y[0] by sqrt(1 / (4 n)) and the others by
    sqrt(1 / (2 n)), and type 3 undoes it.

    Args:
        input: float32[..., n]. type: 2 or 3.
        n: None. axis: -1. norm: None or "ortho". name: the name of the scope.
    Returns:
        a tensor like `input`
    Raises:
        ValueError: another type or norm. NotImplementedError: another n or axis.
    Example:
        tf.spectral.dct([1., 1.])  # [4., 0.]
    """
    _check(type, n, axis, norm)
    with dispatch.current_mode().name_scope(name or "dct"):
        x = convert_to_tensor(input, dtypes.float32)
        known = x._shape[-1] if x._shape is not None else None
        size = shape(x)[-1] if known is None else known
        if type == 2:
            y = _cosines(x, size)
            return multiply(y, _weights(size, 2)) if norm else y
        factor = _weights(size, 3) if norm else _number(size)
        return _sums_of_cosines(multiply(x, factor), size)


def idct(
    input: TensorValue, type: int = 2, n: TensorValue | None = None,
    axis: AxisValue = -1, norm: str | None = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The inverse of `dct`, but for a factor of 2 n where norm is None.

    Args:
        input: float32[..., n].
        type, n, axis, norm: those of the `dct` to undo. name: the name of the scope.
    Returns:
        a tensor like `input`
    Example:
        tf.spectral.idct([4., 0.])  # [4., 4.]
    """
    _check(type, n, axis, norm)
    return dct(input, {2: 3, 3: 2}[type], n, axis, norm, name)


def _number(size):
    return cast(size, dtypes.float32) if is_tensor_like(size) else float(size)


def _turns(size, sign):
    """2 exp(sign i pi k / (2 n)) for each k."""
    if not is_tensor_like(size):
        angle = np.arange(size) * (math.pi / 2 / max(size, 1))
        turns = 2 * np.cos(angle) + sign * 2j * np.sin(angle)
        return constant(turns.astype(np.complex64))
    angle = cast(range_of(size), dtypes.float32) * (math.pi / 2) / _number(size)
    return complex(2.0 * cos(angle), (2.0 * sign) * sin(angle))


def _double(size):
    return stack([size * 2]) if is_tensor_like(size) else [2 * size]


def _cosines(x, size):
    spectrum = rfft(x, _double(size))[..., :size]
    return real(multiply(spectrum, _turns(size, -1)))


def _sums_of_cosines(x, size):
    spectrum = multiply(_turns(size, 1), with_zero_imag(x))
    return irfft(spectrum, _double(size))[..., :size]


def _weights(size, type):
    """What norm="ortho" multiplies by: one number first, another for the rest."""
    if is_tensor_like(size):
        n = _number(size)
        first, ratio = (0.5 * rsqrt(n), 2**0.5) if type == 2 else (sqrt(n), 0.5**0.5)
        ones = fill(stack([maximum(size - 1, 0)]), ratio)
        return multiply(concat([[1.0], ones], 0), first)
    n = max(size, 1)
    first, ratio = (0.5 / n**0.5, 2**0.5) if type == 2 else (n**0.5, 0.5**0.5)
    weights = np.full(size, first * ratio, np.float32)
    weights[:1] = first
    return constant(weights)
