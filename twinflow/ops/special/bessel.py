"""Modified Bessel functions of the first kind."""

import numpy as np
from scipy import special

from twinflow.base import dispatch, factory
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.compare import greater, where
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.describe import unary_doc
from twinflow.ops.core.elementwise import (
    abs,
    add,
    exp,
    multiply,
    reciprocal,
    sign,
    subtract,
)
from twinflow.ops.core.infer import same
from twinflow.ops.core.sparse_values import sparse_too
from twinflow.ops.special import xla_forms
from twinflow.ops.special.scipy_kernels import through

BesselI0e = define(
    "BesselI0e",
    infer=same,
    kernel=through(special.i0e),
    lower=xla_forms.bessel_i0e,
    grad=[lambda dy, x, y: multiply(dy, subtract(bessel_i1e(x), multiply(sign(x), y)))],
)
bessel_i0e = factory.unary(
    BesselI0e, "bessel_i0e", unary_doc("exp(-|x|) I0(x)", "float"),
    slow=sparse_too(BesselI0e),
)  # fmt: skip


def _i1e_grad(dy, x, y):
    """I0e(x) - I1e(x) (sign(x) + 1 / x), which is 1/2 at 0."""
    eps = float(np.finfo(np.float32 if x.dtype.size < 4 else x.dtype.np).eps)
    far = greater(abs(x), eps)
    safe = where(far, x, multiply(ones_like(x), eps))
    slope = subtract(bessel_i0e(safe), multiply(y, add(sign(safe), reciprocal(safe))))
    return multiply(dy, where(far, slope, multiply(ones_like(x), 0.5)))


BesselI1e = define(
    "BesselI1e",
    infer=same,
    kernel=through(special.i1e),
    lower=xla_forms.bessel_i1e,
    grad=[_i1e_grad],
)
bessel_i1e = factory.unary(
    BesselI1e, "bessel_i1e", unary_doc("exp(-|x|) I1(x)", "float"),
    slow=sparse_too(BesselI1e),
)  # fmt: skip


def bessel_i0(x: TensorValue, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 0, elementwise.

    Args:
        x: float tensor of any shape. name: the name scope in a graph.
    Returns:
        A tensor like `x`; inf where |x| is large, for which see bessel_i0e.
    Example:
        tf.math.bessel_i0(0.0)  # 1.0
    """
    return _unscaled(bessel_i0e, x, name or "bessel_i0")


def bessel_i1(x: TensorValue, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 1, elementwise; see bessel_i0."""
    return _unscaled(bessel_i1e, x, name or "bessel_i1")


def _unscaled(function, x, name):
    with dispatch.current_mode().name_scope(name):
        x = convert_to_tensor(x, name="x")
        return multiply(exp(abs(x)), function(x))
