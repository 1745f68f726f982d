"""The uniform distribution."""

import math
from operator import attrgetter

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.distributions.distribution import FULLY_REPARAMETERIZED
from twinflow.distributions.scalars import ScalarDistribution
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.compare import greater_equal, less, logical_or, where
from twinflow.ops.core.constant import identity
from twinflow.ops.core.creation import ones, ones_like, zeros, zeros_like
from twinflow.ops.core.elementwise import log, square
from twinflow.ops.core.joining import concat
from twinflow.ops.core.rounding import is_nan
from twinflow.ops.core.shape import shape
from twinflow.ops.core.shape_arithmetic import broadcast_dynamic_shape
from twinflow.ops.debugging.checks import assert_less
from twinflow.ops.debugging.static import assert_same_float_dtype
from twinflow.ops.random.draws import random_uniform


class Uniform(ScalarDistribution):
    """The uniform distribution on [low, high).

    Args:
        low, high: float[batch], low < high.
        validate_args: whether to check that low < high.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: the dtypes of low and high differ.
    Example:
        tf.distributions.Uniform(low=3.0, high=[4.0, 5.0]).prob(3.5)  # [1.0, 0.5]
    """

    _broadcast = ("low", "high")

    def __init__(
        self, low: TensorValue = 0.0, high: TensorValue = 1.0,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "Uniform",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[low, high]) as name:
            text = "uniform not defined when low >= high."
            checks = [assert_less(low, high, message=text)] if validate_args else []
            with control_dependencies(checks):
                self._low = identity(low, name="low")
                self._high = identity(high, name="high")
                assert_same_float_dtype([self._low, self._high])
        super().__init__(
            self._low.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats,
            parameters, [self._low, self._high], name,
        )  # fmt: skip

    low = property(attrgetter("_low"), doc="The lower end, float[batch].")
    high = property(attrgetter("_high"), doc="The upper end, float[batch].")

    def range(self, name: str | None = "range") -> Tensor:
        """high - low, float[batch]."""
        with self._name_scope(name):
            return self.high - self.low

    def _sample_n(self, n, seed=None):
        to = concat([[n], self.batch_shape_tensor()], 0)
        u = random_uniform(shape=to, dtype=self.dtype, seed=seed)
        return self.low + self.range() * u

    def _prob(self, x):
        wide = x * ones(self.batch_shape_tensor(), dtype=x.dtype)
        outside = logical_or(less(wide, self.low), greater_equal(wide, self.high))
        inside = ones_like(wide) / self.range()
        return where(is_nan(wide), wide, where(outside, zeros_like(wide), inside))

    def _cdf(self, x):
        to = broadcast_dynamic_shape(shape(x), self.batch_shape_tensor())
        zero, one = zeros(to, dtype=self.dtype), ones(to, dtype=self.dtype)
        wide = x * one
        rising = where(less(x, self.low), zero, (wide - self.low) / self.range())
        return where(greater_equal(x, self.high), one, rising)

    def _entropy(self):
        return log(self.range())

    def _mean(self):
        return (self.low + self.high) / 2.0

    def _variance(self):
        return square(self.range()) / 12.0

    def _stddev(self):
        return self.range() / math.sqrt(12.0)
