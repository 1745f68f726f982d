"""The Laplace distribution."""

import math

import numpy as np

from twinflow.base.operators import TensorValue
from twinflow.distributions import special_math
from twinflow.distributions.scalars import LocationScale
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.elementwise import exp, log, log1p, sign
from twinflow.ops.core.joining import concat
from twinflow.ops.core.rounding import softplus
from twinflow.ops.random.draws import random_uniform


class Laplace(LocationScale):
    """The Laplace distribution, of two exponential tails.

    p(x) = exp(-|x - loc| / scale) / (2 scale)

    Args:
        loc: float[batch], the mean. scale: float[batch], > 0.
        validate_args: whether to check that scale > 0.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: the dtypes of loc and scale differ.
    Example:
        tf.distributions.Laplace(loc=0.0, scale=0.5).prob(0.0)  # 1.0
    """

    def __init__(
        self, loc: TensorValue, scale: TensorValue, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "Laplace",
    ) -> None:  # fmt: skip
        self._begin(dict(locals()))

    def _sample_n(self, n, seed=None):
        to = concat([[n], self.batch_shape_tensor()], 0)
        # -1 itself would give an infinite sample.
        kind = self.dtype.as_numpy_dtype
        low = np.nextafter(kind(-1.0), kind(0.0))
        u = random_uniform(to, minval=low, maxval=1.0, dtype=self.dtype, seed=seed)
        return self.loc - self.scale * sign(u) * log1p(-absolute(u))

    def _log_cdf(self, x):
        return special_math.log_cdf_laplace(self._z(x))

    def _log_survival_function(self, x):
        return special_math.log_cdf_laplace(-self._z(x))

    def _cdf(self, x):
        z = self._z(x)
        return 0.5 + 0.5 * sign(z) * (1.0 - exp(-absolute(z)))

    def _log_unnormalized_prob(self, x):
        return -absolute(self._z(x))

    def _log_normalization(self):
        return math.log(2.0) + log(self.scale)

    def _entropy(self):
        scale = self.scale + zeros_like(self.loc)
        return math.log(2.0) + 1.0 + log(scale)

    def _mean(self):
        return self.loc + zeros_like(self.scale)

    def _stddev(self):
        return math.sqrt(2.0) * self.scale + zeros_like(self.loc)

    def _median(self):
        return self._mean()

    def _mode(self):
        return self._mean()

    def _z(self, x):
        return (x - self.loc) / self.scale


class LaplaceWithSoftplusScale(Laplace):
    """A Laplace whose scale is softplus of what is given; see Laplace."""

    def __init__(
        self, loc: TensorValue, scale: TensorValue, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "LaplaceWithSoftplusScale",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[loc, scale]) as name:
            positive = softplus(scale, name="softplus_scale")
            super().__init__(loc, positive, validate_args, allow_nan_stats, name)
        self._parameters = parameters
