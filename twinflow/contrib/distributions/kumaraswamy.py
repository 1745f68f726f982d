"""The Kumaraswamy distribution."""

from operator import attrgetter
from typing import Any

import numpy as np

from twinflow.contrib.distributions.bijectors import cumulative
from twinflow.distributions.defined import where_defined
from twinflow.distributions.transformed_distribution import TransformedDistribution
from twinflow.distributions.uniform import Uniform
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import greater, logical_and
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones_like, zeros
from twinflow.ops.core.elementwise import exp, log, square
from twinflow.ops.special.gamma import digamma, lgamma


class Kumaraswamy(TransformedDistribution):
    """The Kumaraswamy distribution on (0, 1), near to the beta distribution.

    p(x) = a b x^(a - 1) (1 - x^a)^(b - 1), a and b the concentrations

    Args:
        concentration1: float[batch], a > 0. concentration0: float[batch], b > 0.
        validate_args: whether to check parameters and values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    """

    def __init__(
        self, concentration1: Any = None, concentration0: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "Kumaraswamy",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[concentration1, concentration0]) as name:
            a = convert_to_tensor(concentration1, name="concentration1")
            b = convert_to_tensor(concentration0, name="concentration0")
            uniform = Uniform(
                low=zeros([], dtype=a.dtype), high=ones_like(a + b),
                allow_nan_stats=allow_nan_stats,
            )  # fmt: skip
            super().__init__(
                uniform, cumulative.Kumaraswamy(a, b, validate_args=validate_args),
                batch_shape=None, name=name,
            )  # fmt: skip
        self._reparameterization_type, self._parameters = (
            uniform.reparameterization_type, parameters,
        )  # fmt: skip

    concentration1 = property(attrgetter("bijector.concentration1"), doc="a.")
    concentration0 = property(attrgetter("bijector.concentration0"), doc="b.")

    def _entropy(self):
        a, b = self.concentration1, self.concentration0
        harmonic = digamma(b + 1.0) + np.euler_gamma
        return (1 - 1.0 / a) + (1 - 1.0 / b) * harmonic + (log(a) + log(b))

    def _moment(self, n):
        """b B(1 + n / a, b)"""
        a, b = self.concentration1, self.concentration0
        total = lgamma(1 + n / a) + lgamma(b) - lgamma(1 + n / a + b)
        return b * exp(total)

    def _mean(self):
        return self._moment(1)

    def _variance(self):
        return self._moment(2) - square(self._moment(1))

    def _mode(self):
        """nan, or an error, where one of the concentrations is at most 1."""
        a, b = self.concentration1, self.concentration0
        mode = exp(log((a - 1) / (a * b - 1)) / a)
        return where_defined(
            self, mode, lambda: logical_and(greater(a, 1.0), greater(b, 1.0)),
            [
                (a, "Mode undefined for concentration1 <= 1."),
                (b, "Mode undefined for concentration0 <= 1."),
            ],
        )  # fmt: skip
