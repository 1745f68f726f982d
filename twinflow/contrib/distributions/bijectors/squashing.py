"""Bijectors that bend numbers: sigmoid, softplus, softsign, absolute values."""

from operator import attrgetter
from typing import Any

from twinflow.distributions.bijector import Bijector
from twinflow.distributions.numbers import softplus_inverse
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.elementwise import expm1, log, log1p, sigmoid
from twinflow.ops.core.rounding import softplus
from twinflow.ops.debugging.checks import (
    assert_greater,
    assert_less,
    assert_non_negative,
    assert_none_equal,
)
from twinflow.ops.debugging.static import with_dependencies


class Sigmoid(Bijector):
    """y = 1 / (1 + exp(-x)).

    Args:
        validate_args: whether to check values. name: the scope of its ops.
    Example:
        tf.contrib.distributions.bijectors.Sigmoid().forward(0.0)  # 0.5
    """

    def __init__(self, validate_args: bool = False, name: str = "sigmoid") -> None:
        super().__init__(
            forward_min_event_ndims=0, validate_args=validate_args, name=name
        )

    def _forward(self, x):
        return sigmoid(x)

    def _inverse(self, y):
        return log(y) - log1p(-y)

    def _inverse_log_det_jacobian(self, y):
        return -log(y) - log1p(-y)

    def _forward_log_det_jacobian(self, x):
        return -softplus(-x) - softplus(x)


class Softplus(Bijector):
    """y = c log(1 + exp(x / c)), c the softness of the hinge.

    Args:
        hinge_softness: float, not 0; 1 if None.
        validate_args: whether to check values. name: the scope of its ops.
    Example:
        tf.contrib.distributions.bijectors.Softplus().forward(100.0)  # 100.0
    """

    def __init__(
        self, hinge_softness: Any = None, validate_args: bool = False,
        name: str = "softplus",
    ) -> None:  # fmt: skip
        with name_scope(name, values=[hinge_softness]):
            c = hinge_softness
            if c is not None:
                c = convert_to_tensor(c, name="hinge_softness")
            if c is not None and validate_args:
                zero = constant(0, dtype=c.dtype.base_dtype)
                text = "hinge_softness must be non-zero"
                c = with_dependencies([assert_none_equal(zero, c, message=text)], c)
            self._hinge_softness = c
        super().__init__(
            forward_min_event_ndims=0, validate_args=validate_args, name=name
        )

    hinge_softness = property(
        attrgetter("_hinge_softness"), doc="The softness of the hinge, or None."
    )

    def _softness(self, like):
        return cast(self.hinge_softness, like.dtype)

    def _forward(self, x):
        if self.hinge_softness is None:
            return softplus(x)
        c = self._softness(x)
        return c * softplus(x / c)

    def _inverse(self, y):
        if self.hinge_softness is None:
            return softplus_inverse(y)
        c = self._softness(y)
        return c * softplus_inverse(y / c)

    def _inverse_log_det_jacobian(self, y):
        """-log(1 - exp(-y / c))."""
        if self.hinge_softness is not None:
            y = y / self._softness(y)
        return -log(-expm1(-y))

    def _forward_log_det_jacobian(self, x):
        if self.hinge_softness is not None:
            x = x / self._softness(x)
        return -softplus(-x)


class Softsign(Bijector):
    """y = x / (1 + |x|).

    Args:
        validate_args: whether to check values. name: the scope of its ops.
    Example:
        tf.contrib.distributions.bijectors.Softsign().forward(1.0)  # 0.5
    """

    def __init__(self, validate_args: bool = False, name: str = "softsign") -> None:
        super().__init__(
            forward_min_event_ndims=0, validate_args=validate_args, name=name
        )

    def _forward(self, x):
        return x / (1.0 + absolute(x))

    def _inverse(self, y):
        y = self._maybe_assert_valid_y(y)
        return y / (1.0 - absolute(y))

    def _forward_log_det_jacobian(self, x):
        return -2.0 * log1p(absolute(x))

    def _inverse_log_det_jacobian(self, y):
        y = self._maybe_assert_valid_y(y)
        return -2.0 * log1p(-absolute(y))

    def _maybe_assert_valid_y(self, y):
        if not self.validate_args:
            return y
        word = "Inverse transformation input must be"
        one = cast(1, y.dtype.base_dtype)
        checks = [
            assert_greater(y, -one, message=f"{word} greater than -1."),
            assert_less(y, one, message=f"{word} less than 1."),
        ]
        return with_dependencies(checks, y)


class AbsoluteValue(Bijector):
    """y = |x|, which each y > 0 has two x of: `inverse` gives (-y, y).

    Args:
        validate_args: whether to check values. name: the scope of its ops.
    """

    def __init__(
        self, validate_args: bool = False, name: str = "absolute_value"
    ) -> None:
        super().__init__(
            forward_min_event_ndims=0, is_constant_jacobian=True,
            validate_args=validate_args, name=name,
        )  # fmt: skip

    def _forward(self, x):
        return absolute(x)

    def _inverse(self, y):
        y = self._checked(y)
        return -y, y

    def _inverse_log_det_jacobian(self, y):
        zero = self._checked(y, zeros([], dtype=y.dtype.base_dtype))
        return zero, zero

    def _checked(self, y, value=None):
        value = y if value is None else value
        if not self.validate_args:
            return value
        text = "Argument y was negative"
        return with_dependencies([assert_non_negative(y, message=text)], value)

    @property
    def _is_injective(self):
        return False
