"""Local response normalization: each channel by the squares of those near it.

n = bias + alpha * (sum of x ** 2 over depth_radius channels on both sides), y = x /
n ** beta. The sums are products with a band matrix.

Reference: Krizhevsky, Sutskever, Hinton, ImageNet Classification with Deep
Convolutional Neural Networks (2012), section 3.3.
"""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import FLOAT, InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.compare import less_equal
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import range
from twinflow.ops.core.elementwise import abs, add, multiply, pow, realdiv, subtract
from twinflow.ops.core.infer import merge, ranked
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.nn.window import wide


def _infer(input, depth_radius, **_):
    if depth_radius < 0:
        raise InferError(f"depth_radius = {depth_radius} larger than int max")
    ranked(input._shape, 4, "in must be 4-dimensional")
    return input._shape


def _infer_grad(input_grads, input_image, output_image, **_):
    message = "input_grads, input_image, and out_image should have the same shape"
    s = merge(input_grads._shape, input_image._shape, message)
    return merge(s, output_image._shape, message)


def _near(xp, x, radius):
    """The sum of the channels within `radius` of each."""
    places = np.arange(x.shape[-1])
    band = np.abs(places[:, None] - places) <= radius
    return xp.tensordot(x, xp.asarray(band.astype(x.dtype)), 1)


@bind_first
def _kernel(xp, input, depth_radius, bias, alpha, beta):
    x = wide(input)
    norm = _near(xp, x * x, depth_radius) * alpha + bias
    return (x * norm**-beta).astype(input.dtype)


@bind_first
def _grad_kernel(
    xp, input_grads, input_image, output_image, depth_radius, bias, alpha, beta
):
    dy, x, y = wide(input_grads), wide(input_image), wide(output_image)
    norm = _near(xp, x * x, depth_radius) * alpha + bias
    around = _near(xp, dy * y / norm, depth_radius)
    dx = dy * norm**-beta - x * around * (2 * alpha * beta)
    return dx.astype(input_grads.dtype)


def _attrs(depth_radius, bias, alpha, beta):
    return {"depth_radius": depth_radius, "bias": bias, "alpha": alpha, "beta": beta}


LRN = define(
    "LRN",
    infer=_infer,
    kernel=quiet(_kernel),
    types=FLOAT,
    grad=[
        lambda dy, input, output, depth_radius, bias, alpha, beta: apply(
            LRNGrad, (dy, input, output), _attrs(depth_radius, bias, alpha, beta)
        )
    ],
)


def _summed(x, radius):
    """`_near`, of ops."""
    channels = (
        shape(x)[-1] if x._shape is None or x._shape[-1] is None else x._shape[-1]
    )
    places = range(channels)
    apart = abs(subtract(reshape(places, [-1, 1]), places))
    band = cast(less_equal(apart, radius), x.dtype)
    return reshape(matmul(reshape(x, [-1, channels]), band), x._shape_value())


def _second(
    dy, input_grads, input_image, output_image, depth_radius, bias, alpha, beta
):
    """The gradient of dx = d / n ** beta - 2 alpha beta x S(d y / n), S the sum nearby.

    S is its own transpose; y counts as an input of its own.
    """
    g, d, x, y = dy, input_grads, input_image, output_image
    norm = add(multiply(_summed(multiply(x, x), depth_radius), alpha), bias)
    weight, factor = pow(norm, -beta), 2.0 * alpha * beta
    around = multiply(_summed(multiply(x, g), depth_radius), factor)
    shares = realdiv(around, norm)
    g_d = subtract(multiply(g, weight), multiply(shares, y))
    g_y = multiply(multiply(shares, d), -1.0)
    inner = _summed(realdiv(multiply(d, y), norm), depth_radius)
    slope = multiply(realdiv(multiply(g, weight), norm), -beta)
    g_norm = multiply(d, add(slope, realdiv(multiply(shares, y), norm)))
    through = multiply(x, _summed(g_norm, depth_radius))
    g_x = subtract(multiply(through, 2.0 * alpha), multiply(multiply(g, inner), factor))
    return g_d, g_x, g_y


LRNGrad = define(
    "LRNGrad", infer=_infer_grad, kernel=quiet(_grad_kernel), types=FLOAT, grad=_second
)


def local_response_normalization(
    input: TensorValue, depth_radius: int = 5, bias: float = 1, alpha: float = 1,
    beta: Any = 0.5, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Each channel divided by the size of the channels near it.

    y[b, i, j, c] = x[b, i, j, c] / (bias + alpha * s) ** beta, s the sum of
    x[b, i, j, k] ** 2 over k from c - depth_radius to c + depth_radius

    Args:
        input: float[batch, height, width, channels].
        depth_radius: an int. bias, alpha, beta: numbers. name: the name of the call.
    Returns:
        a tensor like `input`
    Raises:
        tf.errors.InvalidArgumentError: `input` has not 4 axes.
    Example:
        tf.nn.lrn([[[[3.]]]], bias=0)  # 1
    """
    if not is_tensor_like(input):
        input = convert_to_tensor(input, dtypes.float32, name="input")
    attrs = _attrs(int(depth_radius), float(bias), float(alpha), float(beta))
    return apply(LRN, (input,), attrs, name)
