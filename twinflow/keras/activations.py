"""tf.keras.activations: functions of one tensor, by name."""

from collections.abc import Callable
from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.keras.saving.named_objects import looked_up
from twinflow.ops.core import rounding as special
from twinflow.ops.core.compare import greater, where
from twinflow.ops.core.constant import cast
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.elementwise import add, minimum, multiply
from twinflow.ops.core.elementwise import sigmoid as _sigmoid
from twinflow.ops.core.elementwise import tanh as _tanh
from twinflow.ops.math.clip import clip_by_value
from twinflow.ops.nn import activation as nn_activation
from twinflow.ops.nn import softmax as nn_softmax


def linear(x: TensorValue) -> Any:
    """x."""
    return x


def relu(
    x: TensorValue, alpha: Any = 0.0, max_value: Any = None, threshold: float = 0
) -> Tensor:
    """max(x, 0), and its variants.

    x up to `max_value` where x >= threshold, else alpha * (x - threshold).

    Args:
        x: a float tensor. alpha: the slope on the left. max_value: the largest output.
        threshold: where the left side begins.
    """
    if alpha == 0 and threshold == 0:
        if max_value == 6:
            return nn_activation.relu6(x)
        y = nn_activation.relu(x)
    elif threshold == 0:
        y = nn_activation.leaky_relu(x, alpha)
    else:
        left = multiply(x - threshold, alpha) if alpha else zeros_like(x)
        y = where(greater(x, threshold), x, left)
    return y if max_value is None else minimum(y, cast(max_value, x.dtype))


def elu(x: TensorValue, alpha: float = 1.0) -> Tensor:
    """x where x > 0, else alpha * (exp(x) - 1)."""
    y = nn_activation.elu(x)
    return y if alpha == 1 else where(greater(x, 0.0), y, multiply(y, alpha))


def selu(x: TensorValue) -> Tensor:
    """scale * elu(x, alpha) with the constants that keep mean 0 and variance 1."""
    return nn_activation.selu(x)


def softplus(x: TensorValue) -> Tensor:
    """log(1 + exp(x))."""
    return special.softplus(x)


def softsign(x: TensorValue) -> Tensor:
    """x / (1 + |x|)."""
    return nn_activation.softsign(x)


def tanh(x: TensorValue) -> Tensor:
    """The hyperbolic tangent."""
    return _tanh(x)


def sigmoid(x: TensorValue) -> Tensor:
    """1 / (1 + exp(-x))."""
    return _sigmoid(x)


def hard_sigmoid(x: TensorValue) -> Tensor:
    """0.2 x + 0.5, kept within 0 and 1."""
    return clip_by_value(add(multiply(x, 0.2), 0.5), 0.0, 1.0)


def softmax(x: TensorValue, axis: int = -1) -> Tensor:
    """exp(x) / sum(exp(x)) along `axis`.

    Raises:
        ValueError: x has one axis only.
    """
    if x._shape is not None and len(x._shape) < 2:
        raise ValueError(f"Cannot apply softmax to a tensor that is 1D. Got {x}.")
    return nn_softmax.softmax(x, axis)


_BY_NAME = {
    f.__name__: f
    for f in (
        linear, relu, elu, selu, softplus, softsign, tanh, sigmoid, hard_sigmoid,
        softmax,
    )
}  # fmt: skip


def get(identifier: Any) -> Callable[..., Any]:
    """An activation from its name; None is `linear`, functions are themselves.

    Raises:
        ValueError: there is none of this name.
    """
    if identifier is None:
        return linear
    return looked_up(identifier, _BY_NAME, "activation function")


def serialize(activation: Callable[..., Any]) -> str:
    """The name of an activation."""
    return activation.__name__


def deserialize(name: str, custom_objects: Any = None) -> Callable[..., Any]:
    """The activation of this name."""
    return looked_up(
        name, {**_BY_NAME, **(custom_objects or {})}, "activation function"
    )
