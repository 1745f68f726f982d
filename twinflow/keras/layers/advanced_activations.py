"""Activations as layers, some with settings or weights of their own."""

from typing import Any

from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.keras import activations
from twinflow.keras.backend import defaults
from twinflow.keras.engine.constructors import settings
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.keras.layers.core import Elementwise
from twinflow.keras.saving.config import names_of
from twinflow.ops.core.compare import greater
from twinflow.ops.core.constant import cast
from twinflow.ops.core.elementwise import multiply, negative
from twinflow.ops.nn.activation import leaky_relu, relu


class LeakyReLU(Elementwise):
    """x where x > 0, else alpha * x."""

    config = ("alpha",)

    def __init__(self, alpha: float = 0.3, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.alpha = defaults.cast_to_floatx(alpha)

    def call(self, inputs: Any) -> Tensor:
        return leaky_relu(inputs, self.alpha)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "alpha": float(self.alpha)}


class PReLU(Elementwise):
    """x where x > 0, else alpha * x, alpha being trained.

    Args:
        alpha_initializer: a name or function. alpha_regularizer: a function from alpha
            to a loss. alpha_constraint: a function from the updated alpha to the kept.
        shared_axes: an int or ints: axes along which alpha is the same.
    Reference: He et al., Delving deep into rectifiers (ICCV 2015).
    """

    def __init__(
        self, alpha_initializer: Any = "zeros", alpha_regularizer: Any = None,
        alpha_constraint: Any = None, shared_axes: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._keep_of(locals())
        many = isinstance(shared_axes, list | tuple)
        self.shared_axes = shared_axes
        if shared_axes is not None:
            self.shared_axes = list(shared_axes) if many else [shared_axes]

    config = names_of(__init__)

    def build(self, input_shape: Any) -> None:
        shape = TensorShape(input_shape).as_list()[1:]
        for axis in self.shared_axes or ():
            shape[axis - 1] = 1
        self._add_own("alpha", shape)
        sizes = TensorShape(input_shape).as_list()
        free = {
            i: d for i, d in enumerate(sizes) if i and i not in (self.shared_axes or ())
        }
        self.input_spec = InputSpec(ndim=len(sizes), axes=free)
        self.built = True

    def call(self, inputs: Any, mask: Any = None) -> Tensor:
        return relu(inputs) + multiply(negative(self.alpha), relu(negative(inputs)))


class ELU(Elementwise):
    """x where x > 0, else alpha * (exp(x) - 1)."""

    config = ("alpha",)

    def __init__(self, alpha: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.alpha = defaults.cast_to_floatx(alpha)

    def call(self, inputs: Any) -> Tensor:
        return activations.elu(inputs, float(self.alpha))

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "alpha": float(self.alpha)}


class ThresholdedReLU(Elementwise):
    """x where x > theta, else 0."""

    config = ("theta",)

    def __init__(self, theta: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.theta = defaults.cast_to_floatx(theta)

    def call(self, inputs: Any, mask: Any = None) -> Tensor:
        return multiply(inputs, cast(greater(inputs, self.theta), inputs.dtype))

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "theta": float(self.theta)}


@settings(axis=-1)
class Softmax(Elementwise):
    """exp(x) / sum(exp(x)) along `axis`."""

    def call(self, inputs: Any) -> Tensor:
        return activations.softmax(inputs, self.axis)


class ReLU(Elementwise):
    """x within [threshold, max_value]; on the left negative_slope * (x - threshold).

    Args:
        max_value: the largest output, a float or None.
        negative_slope: the slope on the left. threshold: where the left begins.
    Raises:
        ValueError: one of them is negative.
    """

    config = ("max_value", "negative_slope", "threshold")

    def __init__(
        self, max_value: Any = None, negative_slope: float = 0, threshold: float = 0,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        if max_value is not None and max_value < 0.0:
            raise ValueError(
                "max_value of Relu layer cannot be negative value: " + str(max_value)
            )
        if negative_slope < 0.0:
            raise ValueError(
                "negative_slope of Relu layer cannot be negative value: "
                + str(negative_slope)
            )
        if max_value is not None:
            max_value = float(defaults.cast_to_floatx(max_value))
        self.max_value = max_value
        self.negative_slope = float(defaults.cast_to_floatx(negative_slope))
        self.threshold = float(defaults.cast_to_floatx(threshold))

    def call(self, inputs: Any) -> Tensor:
        options = (self.negative_slope, self.max_value, self.threshold)
        return activations.relu(inputs, *options)
