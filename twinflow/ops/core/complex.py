"""Complex numbers from their parts, and back.

Note [Complex gradients]: the gradient of a real number with respect to z = a + ib is
d/da + i d/db, as in TensorFlow. So the rule of a holomorphic f is dz = dy conj(f'(z)):
every rule that multiplies by a derivative conjugates it first, with `conjugated`, which
costs real numbers one look at the dtype.
"""

import numpy as np

from twinflow.base import dtypes, factory
from twinflow.base.dispatch import apply
from twinflow.base.op import bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.broadcast import unbroadcast
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.infer import broadcast, same

_OF_PARTS = {dtypes.float32: dtypes.complex64, dtypes.float64: dtypes.complex128}


# ------------------------------------------------------------------ together
@bind_first
def _complex_kernel(xp, real, imag, Tout):
    out = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imag)), Tout.np)
    out.real, out.imag = real, imag
    return out


@bind_first
def _lower_complex(jax, real, imag, Tout):
    return jax.lax.complex(*jax.numpy.broadcast_arrays(real, imag))


Complex = define(
    "Complex",
    infer=lambda real, imag, Tout: broadcast(real, imag),
    kernel=_complex_kernel,
    lower=_lower_complex,
    grad=[
        lambda dy, shape_real: unbroadcast(real(dy), shape_real),
        lambda dy, shape_imag: unbroadcast(imag(dy), shape_imag),
    ],
)


def complex(real: TensorValue, imag: TensorValue, name: str | None = None) -> Tensor:
    """real + i imag, elementwise with broadcasting.

    Args:
        real, imag: float32 or float64 tensors of one dtype.
        name: the name of the node in a graph.
    Returns:
        complex64 or complex128, of the broadcast shape.
    Raises:
        TypeError: the parts have other dtypes, or two.
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.complex([1.0, 2.0], [3.0, 4.0])  # [1+3j, 2+4j]
    """
    real = convert_to_tensor(real, name="real")
    imag = convert_to_tensor(imag, name="imag")
    kind = real.dtype.base_dtype
    if kind is not imag.dtype.base_dtype or kind not in _OF_PARTS:
        raise TypeError(
            f"real and imag have incorrect types: {real.dtype.name} "
            f"{imag.dtype.name}; both must be float32, or both float64."
        )
    return apply(Complex, (real, imag), {"Tout": _OF_PARTS[kind]}, name)


def with_zero_imag(x):
    """A real tensor as a complex one."""
    return complex(x, zeros_like(x))


# ------------------------------------------------------------------ parts
Real = define(
    "Real",
    infer=same,
    kernel=lambda xp: lambda input, Tout: xp.real(input).astype(Tout.np),
    grad=[lambda dy: with_zero_imag(dy)],
)

Imag = define(
    "Imag",
    infer=same,
    kernel=lambda xp: lambda input, Tout: xp.imag(input).astype(Tout.np),
    grad=[lambda dy: complex(zeros_like(dy), dy)],
)


def part(op, x, name):
    return apply(op, (x,), {"Tout": x.dtype.real_dtype}, name)


def real(input: TensorValue, name: str | None = None) -> Tensor:
    """The real part, elementwise.

    Args:
        input: a numeric tensor; a real one is returned as it is.
        name: the name of the node in a graph.
    Returns:
        float32 of complex64, float64 of complex128.
    Example:
        tf.real(tf.constant([1 + 2j]))  # [1.]
    """
    x = convert_to_tensor(input, name="input")
    return part(Real, x, name) if x.dtype.is_complex else x


def imag(input: TensorValue, name: str | None = None) -> Tensor:
    """The imaginary part, elementwise: zeros for real numbers.

    Args:
        input: a numeric tensor. name: the name of the node in a graph.
    Returns:
        float32 of complex64, float64 of complex128, else the dtype of `input`.
    Example:
        tf.imag(tf.constant([1 + 2j]))  # [2.]
    """
    x = convert_to_tensor(input, name="input")
    return part(Imag, x, name) if x.dtype.is_complex else zeros_like(x)


# ------------------------------------------------------------------ conjugate
Conj = define("Conj", infer=same, kernel=lambda xp: xp.conj, grad=[lambda dy: conj(dy)])


def _conj_of_any(fast, inputs, name):
    x = convert_to_tensor(inputs[0], name="x")
    if x.dtype.is_complex:
        return apply(Conj, (x,), None, name)
    if not x.dtype.is_number:
        raise TypeError(
            f"Expected numeric or variant tensor, got dtype {x.dtype!r}. "
            "Use tf.cast to make it numeric."
        )
    return x


conj = factory.unary(
    Conj,
    "conj",
    """The complex conjugate a - ib of a + ib, elementwise.

    Args:
        x: a numeric tensor; a real one is returned as it is.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    Raises:
        TypeError: `x` is not numeric.
    Example:
        tf.conj(tf.constant([1 + 2j]))  # [1-2j]
    """,
    slow=_conj_of_any,
)


def conjugated(x):
    """`x`, or its conjugate if it is complex; see Note [Complex gradients]."""
    return conj(x) if x.dtype.is_complex else x
