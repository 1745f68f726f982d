"""Bijectors that are distribution functions, and the bending of tails."""

from operator import attrgetter
from typing import Any

import numpy as np

from twinflow.base.operators import TensorValue
from twinflow.distributions.bijector import Bijector
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import greater, where
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones, ones_like
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.elementwise import exp, expm1, log, log1p, sqrt
from twinflow.ops.debugging.checks import (
    assert_less_equal,
    assert_non_negative,
    assert_positive,
)
from twinflow.ops.debugging.static import assert_same_float_dtype, with_dependencies
from twinflow.ops.math.trigonometry import asinh, cosh, sinh

_INVERSE = "Inverse transformation input must be"


def _in_unit(y, text_low, text_high):
    """`y`, once it is known to lie in [0, 1]."""
    low = assert_non_negative(y, message=text_low)
    top = assert_less_equal(y, ones([], y.dtype.base_dtype), message=text_high)
    return with_dependencies([low, top], y)


def _checked_y(y):
    return _in_unit(
        y, f"{_INVERSE} greater than 0.", f"{_INVERSE} less than or equal to 1."
    )


class Gumbel(Bijector):
    """y = exp(-exp(-(x - loc) / scale)), the Gumbel distribution function.

    Args:
        loc: float. scale: float, > 0. validate_args: whether to check values.
        name: the scope of its ops.
    """

    def __init__(
        self, loc: TensorValue = 0.0, scale: TensorValue = 1.0,
        validate_args: bool = False, name: str = "gumbel",
    ) -> None:  # fmt: skip
        with name_scope(name, values=[loc, scale]):
            self._loc = convert_to_tensor(loc, name="loc")
            self._scale = convert_to_tensor(scale, name="scale")
            assert_same_float_dtype([self._loc, self._scale])
            if validate_args:
                text = "Argument scale was not positive"
                check = assert_positive(self._scale, message=text)
                self._scale = with_dependencies([check], self._scale)
        super().__init__(
            validate_args=validate_args, forward_min_event_ndims=0, name=name
        )

    loc = property(attrgetter("_loc"), doc="The location.")
    scale = property(attrgetter("_scale"), doc="The scale.")

    def _forward(self, x):
        z = (x - self.loc) / self.scale
        return exp(-exp(-z))

    def _inverse(self, y):
        y = self._maybe_assert_valid_y(y)
        return self.loc - self.scale * log(-log(y))

    def _inverse_log_det_jacobian(self, y):
        y = self._maybe_assert_valid_y(y)
        return log(self.scale / (-log(y) * y))

    def _forward_log_det_jacobian(self, x):
        z = (x - self.loc) / self.scale
        return -z - exp(-z) - log(self.scale)

    def _maybe_assert_valid_y(self, y):
        return _checked_y(y) if self.validate_args else y


class Weibull(Bijector):
    """y = 1 - exp(-(x / scale)^concentration), the Weibull distribution function.

    Args:
        scale: float, > 0. concentration: float, > 0.
        validate_args: whether to check values. name: the scope of its ops.
    """

    def __init__(
        self, scale: TensorValue = 1.0, concentration: TensorValue = 1.0,
        validate_args: bool = False, name: str = "weibull",
    ) -> None:  # fmt: skip
        with name_scope(name, values=[scale, concentration]):
            found = []
            for word, t in ("scale", scale), ("concentration", concentration):
                t = convert_to_tensor(t, name=word)
                if validate_args:
                    text = f"Argument {word} was not positive"
                    t = with_dependencies([assert_positive(t, message=text)], t)
                found.append(t)
            self._scale, self._concentration = found
        super().__init__(
            forward_min_event_ndims=0, validate_args=validate_args, name=name
        )

    scale = property(attrgetter("_scale"), doc="The scale.")
    concentration = property(attrgetter("_concentration"), doc="The concentration.")

    def _forward(self, x):
        x = self._maybe_assert_valid_x(x)
        return -expm1(-((x / self.scale) ** self.concentration))

    def _inverse(self, y):
        y = self._maybe_assert_valid_y(y)
        return self.scale * (-log1p(-y)) ** (1 / self.concentration)

    def _inverse_log_det_jacobian(self, y):
        y = self._maybe_assert_valid_y(y)
        c = self.concentration
        return -log1p(-y) + (1 / c - 1) * log(-log1p(-y)) + log(self.scale / c)

    def _forward_log_det_jacobian(self, x):
        x = self._maybe_assert_valid_x(x)
        c, scale = self.concentration, self.scale
        return -((x / scale) ** c) + (c - 1) * log(x) + log(c) + -c * log(scale)

    def _maybe_assert_valid_x(self, x):
        if not self.validate_args:
            return x
        text = "Forward transformation input must be at least 0."
        return with_dependencies([assert_non_negative(x, message=text)], x)

    def _maybe_assert_valid_y(self, y):
        return _checked_y(y) if self.validate_args else y


class Kumaraswamy(Bijector):
    """y = (1 - (1 - x)^(1 / b))^(1 / a), of a uniform x a Kumaraswamy y.

    Args:
        concentration1: float, a > 0. concentration0: float, b > 0.
        validate_args: whether to check values. name: the scope of its ops.
    """

    def __init__(
        self, concentration1: Any = None, concentration0: Any = None,
        validate_args: bool = False, name: str = "kumaraswamy",
    ) -> None:  # fmt: skip
        with name_scope(name, values=[concentration1, concentration0]):
            self._concentration1, self._concentration0 = (
                self._maybe_assert_valid_concentration(
                    convert_to_tensor(t, name=word), validate_args
                )
                for word, t in (
                    ("concentration1", concentration1),
                    ("concentration0", concentration0),
                )
            )
        super().__init__(
            forward_min_event_ndims=0, validate_args=validate_args, name=name
        )

    concentration1 = property(attrgetter("_concentration1"), doc="a.")
    concentration0 = property(attrgetter("_concentration0"), doc="b.")

    def _forward(self, x):
        x = self._maybe_assert_valid(x)
        rest = log1p(-exp(log1p(-x) / self.concentration0))
        return exp(rest / self.concentration1)

    def _inverse(self, y):
        y = self._maybe_assert_valid(y)
        rest = (1.0 - y**self.concentration1) ** self.concentration0
        return exp(log1p(-rest))

    def _inverse_log_det_jacobian(self, y):
        y = self._maybe_assert_valid(y)
        a, b = self.concentration1, self.concentration0
        return log(a) + log(b) + (a - 1) * log(y) + (b - 1) * log1p(-(y**a))

    def _maybe_assert_valid_concentration(self, concentration, validate_args):
        if not validate_args:
            return concentration
        text = "Concentration parameter must be positive."
        check = assert_positive(concentration, message=text)
        return with_dependencies([check], concentration)

    def _maybe_assert_valid(self, x):
        if not self.validate_args:
            return x
        low, high = "sample must be non-negative", "sample must be no larger than `1`."
        return _in_unit(x, low, high)


class SinhArcsinh(Bijector):
    """y = sinh((asinh(x) + skewness) tailweight).

    Args:
        skewness: float, 0 if None. tailweight: float, > 0, 1 if None.
        validate_args: whether to check values. name: the scope of its ops.
    """

    def __init__(
        self, skewness: Any = None, tailweight: Any = None,
        validate_args: bool = False, name: str = "SinhArcsinh",
    ) -> None:  # fmt: skip
        with name_scope(name, values=[skewness, tailweight]):
            tailweight = 1.0 if tailweight is None else tailweight
            skewness = 0.0 if skewness is None else skewness
            self._skewness = convert_to_tensor(skewness, name="skewness")
            self._tailweight = convert_to_tensor(
                tailweight, name="tailweight", dtype=self._skewness.dtype
            )
            assert_same_float_dtype([self._skewness, self._tailweight])
            if validate_args:
                text = "Argument tailweight was not positive"
                check = assert_positive(self._tailweight, message=text)
                self._tailweight = with_dependencies([check], self._tailweight)
        super().__init__(
            forward_min_event_ndims=0, validate_args=validate_args, name=name
        )

    skewness = property(attrgetter("_skewness"), doc="The skewness.")
    tailweight = property(attrgetter("_tailweight"), doc="The weight of the tails.")

    def _forward(self, x):
        return sinh((asinh(x) + self.skewness) * self.tailweight)

    def _inverse(self, y):
        return sinh(asinh(y) / self.tailweight - self.skewness)

    def _inverse_log_det_jacobian(self, y):
        slope = cosh(asinh(y) / self.tailweight - self.skewness) / _hypotenuse(y)
        return log(slope) - log(self.tailweight)

    def _forward_log_det_jacobian(self, x):
        slope = cosh((asinh(x) + self.skewness) * self.tailweight) / _hypotenuse(x)
        return log(slope) + log(self.tailweight)


def _hypotenuse(x):
    """sqrt(x^2 + 1), also where x^2 is too large for the dtype."""
    limit = 1.0 / np.sqrt(np.finfo(x.dtype.as_numpy_dtype).eps)
    large = greater(absolute(x), limit)
    small = where(large, ones_like(x), x)
    return where(large, absolute(x), sqrt(small**2.0 + 1.0))
