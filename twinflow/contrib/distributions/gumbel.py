"""The Gumbel distribution."""

from operator import attrgetter

import numpy as np

from twinflow.base.operators import TensorValue
from twinflow.distributions.distribution import FULLY_REPARAMETERIZED
from twinflow.distributions.scalars import ScalarDistribution
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.constant import identity
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import exp, log
from twinflow.ops.core.joining import concat
from twinflow.ops.debugging.checks import assert_positive
from twinflow.ops.debugging.static import assert_same_float_dtype
from twinflow.ops.random.draws import random_uniform


class _Gumbel(ScalarDistribution):
    """The Gumbel distribution.

    p(x) = exp(-(z + exp(-z))) / scale, z = (x - loc) / scale

    Args:
        loc: float[batch]. scale: float[batch], > 0.
        validate_args: whether to check that scale > 0.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: the dtypes of loc and scale differ.
    """

    def __init__(
        self, loc: TensorValue, scale: TensorValue, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "Gumbel",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[loc, scale]) as name:
            checks = [assert_positive(scale)] if validate_args else []
            with control_dependencies(checks):
                self._loc = identity(loc, name="loc")
                self._scale = identity(scale, name="scale")
                assert_same_float_dtype([self._loc, self._scale])
        super().__init__(
            self._scale.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats,
            parameters, [self._loc, self._scale], name,
        )  # fmt: skip

    loc = property(attrgetter("_loc"), doc="The location, float[batch].")
    scale = property(attrgetter("_scale"), doc="The scale, float[batch].")

    def _sample_n(self, n, seed=None):
        # 0 itself would give an infinite sample.
        low = np.finfo(self.dtype.as_numpy_dtype).tiny
        to = concat([[n], self.batch_shape_tensor()], 0)
        u = random_uniform(to, minval=low, maxval=1.0, dtype=self.dtype, seed=seed)
        return -log(-log(u)) * self.scale + self.loc

    def _log_prob(self, x):
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _log_cdf(self, x):
        return -exp(-self._z(x))

    def _cdf(self, x):
        return exp(-exp(-self._z(x)))

    def _log_unnormalized_prob(self, x):
        z = self._z(x)
        return -z - exp(-z)

    def _log_normalization(self):
        return log(self.scale)

    def _entropy(self):
        return 1 + log(self.scale * ones_like(self.loc)) + np.euler_gamma

    def _mean(self):
        return self.loc + self.scale * np.euler_gamma

    def _stddev(self):
        return self.scale * ones_like(self.loc) * np.pi / np.sqrt(6)

    def _mode(self):
        return self.loc * ones_like(self.scale)

    def _z(self, x):
        """From the scale of the distribution to that of loc 0 and scale 1."""
        with name_scope("standardize", values=[x]):
            return (x - self.loc) / self.scale
