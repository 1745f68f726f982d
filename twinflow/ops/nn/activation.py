"""Activations: relu and its kin.

The gradient ops take what TensorFlow's take: those of relu, relu6, elu and selu the
output of the activation, those of softplus and softsign its input.
"""

import numpy as np

from twinflow.base import dtypes, factory
from twinflow.base.dispatch import current_mode
from twinflow.base.op import REAL, define
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


Relu = define(
    "Relu",
    infer=same,
    kernel=_relu_kernel,
    grad=[lambda dy, activations: relu_grad(dy, activations)],
    strict=True,
)
relu = factory.unary(
    Relu,
    "relu",
    unary_doc(
        "max(features, 0)",
        "float",
        "tf.nn.relu([-1., 2.])  # [0., 2.]",
        "features",
    ),
    arg="features",
)

ReluGrad = define(
    "ReluGrad",
    infer=same_pair,
    kernel=_relu_grad_kernel,
    grad=[lambda dy, features: relu_grad(dy, features), _zeros],
)
relu_grad = factory.binary(
    ReluGrad,
    "relu_grad",
    "The gradient of relu.",
    args=("gradients", "features"),
)


def _relu6_grad_kernel(xp):
    inside = lambda x: (x > 0) & (x < 6)
    if xp is not np:
        return _masked(xp, inside)
    return lambda dy, x: dy * inside(x).astype(dy.dtype)


Relu6 = define(
    "Relu6",
    infer=same,
    kernel=_relu6_kernel,
    grad=[lambda dy, activations: relu6_grad(dy, activations)],
    strict=True,
)
relu6 = factory.unary(
    Relu6, "relu6",
    unary_doc(
        "min(max(features, 0), 6)", "float",
        "tf.nn.relu6([-1., 2., 8.])  # [0., 2., 6.]", "features",
    ), arg="features",
)  # fmt: skip

Relu6Grad = define(
    "Relu6Grad",
    infer=same_pair,
    kernel=_relu6_grad_kernel,
    grad=[lambda dy, features: relu6_grad(dy, features), _zeros],
)
relu6_grad = factory.binary(
    Relu6Grad,
    "relu6_grad",
    "The gradient of relu6.",
    args=("gradients", "features"),
)


def _elu_kernel(xp):
    def kernel(x):
        return xp.where(x < 0, xp.expm1(xp.minimum(x, 0)), x).astype(x.dtype)

    return kernel


def _elu_grad_kernel(xp):
    return lambda dy, y: (dy * (xp.minimum(y, 0) + 1)).astype(dy.dtype)


def _selu_kernel(xp):
    def kernel(x):
        low = _ALPHA * xp.expm1(xp.minimum(x, 0))
        return (_SCALE * xp.where(x < 0, low, x)).astype(x.dtype)

    return kernel


def _selu_grad_kernel(xp):
    def kernel(dy, y):
        wide = y.astype(np.float32) if y.dtype.itemsize < 4 else y  # it cancels
        slope = xp.where(y < 0, wide + _SCALE * _ALPHA, _SCALE)
        return (dy * slope).astype(dy.dtype)

    return kernel


def _where_negative(dy, gradients, outputs):
    """dy * gradients where outputs < 0, else 0: the slope of a slope y + constant."""
    return relu_grad(multiply(dy, gradients), negative(outputs))


Elu = define(
    "Elu",
    infer=same,
    kernel=_elu_kernel,
    grad=[lambda dy, activations: elu_grad(dy, activations)],
    strict=True,
)
elu = factory.unary(
    Elu,
    "elu",
    unary_doc(
        "features where positive, else exp(features) - 1",
        "float",
        "tf.nn.elu([-1., 2.])  # [-0.632, 2.]",
        "features",
    ),
    arg="features",
)

EluGrad = define(
    "EluGrad",
    infer=same_pair,
    kernel=_elu_grad_kernel,
    grad=[lambda dy, outputs: elu_grad(dy, outputs), _where_negative],
)
elu_grad = factory.binary(
    EluGrad,
    "elu_grad",
    "The gradient of elu.",
    args=("gradients", "outputs"),
)


Selu = define(
    "Selu",
    infer=same,
    kernel=_selu_kernel,
    grad=[lambda dy, activations: selu_grad(dy, activations)],
    strict=True,
)
selu = factory.unary(
    Selu, "selu",
    unary_doc(
        "1.0507 * (features where positive, else 1.6733 * (exp(features) - 1))",
        "float", "tf.nn.selu([-1., 2.])  # [-1.111, 2.101]", "features",
    ), arg="features",
)  # fmt: skip

SeluGrad = define(
    "SeluGrad",
    infer=same_pair,
    kernel=_selu_grad_kernel,
    grad=[lambda dy, outputs: selu_grad(dy, outputs), _where_negative],
)
selu_grad = factory.binary(
    SeluGrad,
    "selu_grad",
    "The gradient of selu.",
    args=("gradients", "outputs"),
)


def _softsign_second(dy, gradients, features):
    s = softsign_grad(multiply(dy, gradients), features)
    return multiply(s, multiply(-2.0, subtract(sign(features), softsign(features))))


Softsign = define(
    "Softsign",
    infer=same,
    kernel=lambda xp: lambda x: (x / (1 + xp.abs(x))).astype(x.dtype),
    grad=[lambda dy, features: softsign_grad(dy, features)],
    strict=True,
)
softsign = factory.unary(
    Softsign, "softsign",
    unary_doc(
        "features / (abs(features) + 1)", "float",
        "tf.nn.softsign([-1., 3.])  # [-0.5, 0.75]", "features",
    ), arg="features",
)  # fmt: skip

SoftsignGrad = define(
    "SoftsignGrad",
    infer=same_pair,
    kernel=lambda xp: lambda dy, x: (dy / (1 + xp.abs(x)) ** 2).astype(dy.dtype),
    grad=[lambda dy, features: softsign_grad(dy, features), _softsign_second],
)
softsign_grad = factory.binary(
    SoftsignGrad,
    "softsign_grad",
    "The gradient of softsign.",
    args=("gradients", "features"),
)


def leaky_relu(features, alpha=0.2, name=None):
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


def crelu(features, name=None, axis=-1):
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


def swish(features):
    """features * sigmoid(features), elementwise.

    Args:
        features: a float tensor.
    Returns:
        a tensor like `features`
    Example:
        tf.nn.swish([0., 2.])  # [0., 1.762]
    """
    features = convert_to_tensor(features, name="features")
    return multiply(features, sigmoid(features))
