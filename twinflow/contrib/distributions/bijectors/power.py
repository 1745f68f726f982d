"""Powers and exponentials of numbers."""

from operator import attrgetter
from typing import Any

import numpy as np

from twinflow.distributions.bijector import Bijector
from twinflow.distributions.known import constant_value
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.elementwise import exp, log, log1p, sqrt, square
from twinflow.ops.debugging.checks import (
    assert_greater_equal,
    assert_non_negative,
    assert_positive,
)
from twinflow.ops.debugging.static import with_dependencies


class PowerTransform(Bijector):
    """y = (1 + power x)^(1 / power), and exp(x) for power 0.

    Args:
        power: float >= 0, known when the graph is built.
        validate_args: whether to check values. name: the scope of its ops.
    Raises:
        ValueError: the power is below 0 or not known.
    Example:
        tf.contrib.distributions.bijectors.PowerTransform(0.5).forward(2.0)  # 4.0
    """

    def __init__(
        self, power: Any = 0.0, validate_args: bool = False,
        name: str = "power_transform",
    ) -> None:  # fmt: skip
        with name_scope(name, values=[power]):
            power = constant_value(convert_to_tensor(power, name="power"))
        if power is None or power < 0:
            raise ValueError("`power` must be a non-negative TF constant.")
        self._power = power.item()
        super().__init__(
            forward_min_event_ndims=0, validate_args=validate_args, name=name
        )

    power = property(attrgetter("_power"), doc="The power, a float.")

    def _forward(self, x):
        x = self._maybe_assert_valid_x(x)
        if self.power == 0.0:
            return exp(x)
        return exp(log1p(x * self.power) / self.power)

    def _inverse(self, y):
        y = self._maybe_assert_valid_y(y)
        if self.power == 0.0:
            return log(y)
        return (y**self.power - 1.0) / self.power

    def _inverse_log_det_jacobian(self, y):
        y = self._maybe_assert_valid_y(y)
        return (self.power - 1.0) * log(y)

    def _forward_log_det_jacobian(self, x):
        x = self._maybe_assert_valid_x(x)
        if self.power == 0.0:
            return x
        return (1.0 / self.power - 1.0) * log1p(x * self.power)

    def _maybe_assert_valid_x(self, x):
        if not self.validate_args or self.power == 0.0:
            return x
        least = -1.0 / self.power
        text = f"Forward transformation input must be at least {least}."
        bound = constant(least, x.dtype.base_dtype)
        return with_dependencies([assert_greater_equal(x, bound, message=text)], x)

    def _maybe_assert_valid_y(self, y):
        if not self.validate_args:
            return y
        text = "Inverse transformation input must be greater than 0."
        return with_dependencies([assert_positive(y, message=text)], y)


class Exp(PowerTransform):
    """y = exp(x).

    Args:
        validate_args: whether to check values. name: the scope of its ops.
    Example:
        tf.contrib.distributions.bijectors.Exp().inverse(1.0)  # 0.0
    """

    def __init__(self, validate_args: bool = False, name: str = "exp") -> None:
        super().__init__(power=0.0, validate_args=validate_args, name=name)


class Square(Bijector):
    """y = x^2, for x >= 0.

    Args:
        validate_args: whether to check values. name: the scope of its ops.
    """

    def __init__(self, validate_args: bool = False, name: str = "square") -> None:
        super().__init__(
            forward_min_event_ndims=0, validate_args=validate_args, name=name
        )

    def _forward(self, x):
        return square(self._maybe_assert_valid(x))

    def _inverse(self, y):
        return sqrt(self._maybe_assert_valid(y))

    def _forward_log_det_jacobian(self, x):
        return np.log(2.0) + log(self._maybe_assert_valid(x))

    def _maybe_assert_valid(self, t):
        if not self.validate_args:
            return t
        text = "All elements must be non-negative."
        return with_dependencies([assert_non_negative(t, message=text)], t)
