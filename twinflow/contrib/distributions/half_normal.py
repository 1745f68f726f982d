"""The distribution of absolute values of normal numbers."""

from operator import attrgetter

import numpy as np

from twinflow.base.operators import TensorValue
from twinflow.distributions import special_math
from twinflow.distributions.distribution import FULLY_REPARAMETERIZED
from twinflow.distributions.scalars import ScalarDistribution
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.compare import less, where
from twinflow.ops.core.constant import identity
from twinflow.ops.core.creation import zeros, zeros_like
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.elementwise import exp, log, maximum, square
from twinflow.ops.core.joining import concat
from twinflow.ops.debugging.checks import assert_positive
from twinflow.ops.random.draws import random_normal
from twinflow.ops.special.error_function import erf


class HalfNormal(ScalarDistribution):
    """The distribution of |X|, X normal of mean 0.

    p(x) = sqrt(2 / pi) exp(-(x / scale)^2 / 2) / scale, x >= 0

    Args:
        scale: float[batch], > 0. validate_args: whether to check that scale > 0.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    """

    _broadcast = ("scale",)

    def __init__(
        self, scale: TensorValue, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "HalfNormal",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[scale]) as name:
            checks = [assert_positive(scale)] if validate_args else []
            with control_dependencies(checks):
                self._scale = identity(scale, name="scale")
        super().__init__(
            self._scale.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats,
            parameters, [self._scale], name,
        )  # fmt: skip

    scale = property(attrgetter("_scale"), doc="The scale, float[batch].")

    def _sample_n(self, n, seed=None):
        to = concat([[n], self.batch_shape_tensor()], 0)
        sampled = random_normal(
            shape=to, mean=0.0, stddev=1.0, dtype=self.dtype, seed=seed
        )
        return absolute(sampled * self.scale)

    def _prob(self, x):
        density = np.sqrt(2 / np.pi) / self.scale
        found = density * exp(-0.5 * square(x / self.scale))
        return where(less(x + zeros_like(found), 0.0), zeros_like(found), found)

    def _cdf(self, x):
        truncated = maximum(x, zeros([], self.dtype))
        return erf(truncated / self.scale / np.sqrt(2.0))

    def _entropy(self):
        return 0.5 * log(np.pi * square(self.scale) / 2.0) + 0.5

    def _mean(self):
        return self.scale * np.sqrt(2.0) / np.sqrt(np.pi)

    def _quantile(self, p):
        return np.sqrt(2.0) * self.scale * special_math.erfinv(p)

    def _mode(self):
        return zeros(self.batch_shape_tensor(), dtype=self.dtype)

    def _variance(self):
        return square(self.scale) * (1.0 - 2.0 / np.pi)
