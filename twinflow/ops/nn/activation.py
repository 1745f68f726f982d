"""Activations: relu and its kin.

The gradient ops take what TensorFlow's take: those of relu, relu6, elu and selu the
output of the activation, those of softplus and softsign its input.
"""

from typing import Any

import numpy as np

from twinflow.base import dtypes, factory, native
from twinflow.base.annotations import AxisValue
from twinflow.base.dispatch import current_mode
from twinflow.base.op import REAL, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.describe import unary_doc
from twinflow.ops.core.elementwise import (
    maximum,
    multiply,
    negative,
    sigmoid,
    sign,
    subtract,
)
from twinflow.ops.core.infer import same, same_pair
from twinflow.ops.core.joining import concat

_ZERO = {t.np: np.zeros((), t.np) for t in REAL if t.np is not None}
_SCALE, _ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717


def _zeros(features):
    return zeros_like(features)


def _relu_kernel(xp):
    """-0. stays -0., as in TensorFlow."""
    if xp is not np:
        return lambda x: xp.where(x < 0, _ZERO[x.dtype], x)
    largest, zero = np.maximum, _ZERO

    def kernel(x):
        if x.dtype.char == "e":  # of equal ones NumPy takes the first, else the second
            return largest(x, zero[x.dtype])
        return largest(zero[x.dtype], x)

    return kernel


def _relu6_kernel(xp):
    relu = _relu_kernel(xp)
    return lambda x: xp.minimum(relu(x), x.dtype.type(6))


def _masked(xp, mask):
    """dy times a mask, also where dy is not finite: XLA makes a choice of a product."""
    return lambda dy, x: xp.where(mask(x), dy, dy * 0)


def _relu_grad_kernel(xp):
    if xp is not np:
        return _masked(xp, lambda x: x > 0)
    times, greater, zero = np.multiply, np.greater, _ZERO
    return lambda dy, x: times(dy, greater(x, zero[x.dtype]))


def _activation(kind, kernel, formula, example, grad):
    """An op of one tensor and its public function."""
    op, name = define(kind, infer=same, kernel=kernel, grad=[grad]), kind.lower()
    doc = unary_doc(formula, "float", f"tf.nn.{name}({example}", "features")
    return op, factory.unary(op, name, doc, arg="features")


def _slope(kind, kernel, grad, arg="features", quick=None):
    """The op of its gradient, at the input or output."""
    op = define(f"{kind}Grad", infer=same_pair, kernel=kernel, grad=grad, quick=quick)
    doc, name = f"The gradient of {kind.lower()}.", f"{kind.lower()}_grad"
    return op, factory.binary(op, name, doc, args=("gradients", arg))


Relu, relu = _activation(
    "Relu", _relu_kernel, "max(features, 0)", "[-1., 2.])  # [0., 2.]",
    lambda dy, activations: relu_grad(dy, activations),
)  # fmt: skip
ReluGrad, relu_grad = _slope(
    "Relu", _relu_grad_kernel, [lambda dy, features: relu_grad(dy, features), _zeros],
    quick=getattr(native.fast, "relu_slopes", None),
)  # fmt: skip


def _relu6_grad_kernel(xp):
    inside = lambda x: (x > 0) & (x < 6)
    if xp is not np:
        return _masked(xp, inside)
    return lambda dy, x: dy * inside(x).astype(dy.dtype)


Relu6, relu6 = _activation(
    "Relu6", _relu6_kernel, "min(max(features, 0), 6)",
    "[-1., 2., 8.])  # [0., 2., 6.]",
    lambda dy, activations: relu6_grad(dy, activations),
)  # fmt: skip
Relu6Grad, relu6_grad = _slope(
    "Relu6", _relu6_grad_kernel, [lambda dy, features: relu6_grad(dy, features), _zeros]
)


@bind_first
def _elu_kernel(xp, x):
    return xp.where(x < 0, xp.expm1(xp.minimum(x, 0)), x).astype(x.dtype)


def _elu_grad_kernel(xp):
    return lambda dy, y: (dy * (xp.minimum(y, 0) + 1)).astype(dy.dtype)


@bind_first
def _selu_kernel(xp, x):
    low = _ALPHA * xp.expm1(xp.minimum(x, 0))
    return (_SCALE * xp.where(x < 0, low, x)).astype(x.dtype)


@bind_first
def _selu_grad_kernel(xp, dy, y):
    wide = y.astype(np.float32) if y.dtype.itemsize < 4 else y  # it cancels
    slope = xp.where(y < 0, wide + _SCALE * _ALPHA, _SCALE)
    return (dy * slope).astype(dy.dtype)


def _where_negative(dy, gradients, outputs):
    """dy * gradients where outputs < 0, else 0: the slope of a slope y + constant."""
    return relu_grad(multiply(dy, gradients), negative(outputs))


Elu, elu = _activation(
    "Elu", _elu_kernel, "features where positive, else exp(features) - 1",
    "[-1., 2.])  # [-0.632, 2.]",
    lambda dy, activations: elu_grad(dy, activations),
)  # fmt: skip
EluGrad, elu_grad = _slope(
    "Elu", _elu_grad_kernel,
    [lambda dy, outputs: elu_grad(dy, outputs), _where_negative], "outputs",
)  # fmt: skip
Selu, selu = _activation(
    "Selu", _selu_kernel,
    "1.0507 * (features where positive, else 1.6733 * (exp(features) - 1))",
    "[-1., 2.])  # [-1.111, 2.101]",
    lambda dy, activations: selu_grad(dy, activations),
)  # fmt: skip
SeluGrad, selu_grad = _slope(
    "Selu", _selu_grad_kernel,
    [lambda dy, outputs: selu_grad(dy, outputs), _where_negative], "outputs",
)  # fmt: skip


def _softsign_second(dy, gradients, features):
    s = softsign_grad(multiply(dy, gradients), features)
    return multiply(s, multiply(-2.0, subtract(sign(features), softsign(features))))


Softsign, softsign = _activation(
    "Softsign",
    lambda xp: lambda x: (x / (1 + xp.abs(x))).astype(x.dtype),
    "features / (abs(features) + 1)", "[-1., 3.])  # [-0.5, 0.75]",
    lambda dy, features: softsign_grad(dy, features),
)  # fmt: skip
SoftsignGrad, softsign_grad = _slope(
    "Softsign",
    lambda xp: lambda dy, x: (dy / (1 + xp.abs(x)) ** 2).astype(dy.dtype),
    [lambda dy, features: softsign_grad(dy, features), _softsign_second],
)


def leaky_relu(
    features: TensorValue, alpha: Any = 0.2, name: str | None = None
) -> Tensor:
    """max(features, alpha * features), elementwise.

    Args:
        features: a real tensor; integers are converted to float32.
        alpha: the slope where features < 0. name: the name of the call.
    Returns:
        float of the shape of `features`
    Example:
        tf.nn.leaky_relu([-1., 2.])  # [-0.2, 2.]
    """
    with current_mode().name_scope(name or "LeakyRelu") as scope:
        features = convert_to_tensor(features, name="features")
        if features.dtype.is_integer:
            features = cast(features, dtypes.float32, "ToFloat")
        alpha = convert_to_tensor(alpha, features.dtype, "alpha")
        return maximum(multiply(alpha, features, "mul"), features, scope)


def crelu(
    features: TensorValue, name: str | None = None, axis: AxisValue = -1
) -> Tensor:
    """relu of features and of -features, joined along `axis`.

    Args:
        features: a real tensor. name: the name of the call. axis: an int.
    Returns:
        a tensor like `features`, twice as long along `axis`
    Example:
        tf.nn.crelu([-1., 2.])  # [0., 2., 1., 0.]
    """
    with current_mode().name_scope(name or "CRelu") as scope:
        features = convert_to_tensor(features, name="features")
        both = concat([features, negative(features, "Neg")], axis, scope)
        return relu(both)


def swish(features: TensorValue) -> Tensor:
    """features * sigmoid(features), elementwise.

    Args:
        features: a float tensor.
    Returns:
        a tensor like `features`
    Example:
        tf.nn.swish([0., 2.])  # [0., 1.762]
    """
    features = convert_to_tensor(features, name="features")
    current_mode().leave_ids(-1)  # one function there
    return multiply(features, sigmoid(features))
