"""The normal distribution."""

import math
from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.distributions import special_math
from twinflow.distributions.kullback_leibler import RegisterKL
from twinflow.distributions.scalars import LocationScale
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import constant
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import log, square
from twinflow.ops.core.joining import concat
from twinflow.ops.core.rounding import softplus
from twinflow.ops.random.draws import random_normal


class Normal(LocationScale):
    """The normal distribution.

    p(x) = exp(-((x - loc) / scale)^2 / 2) / (scale sqrt(2 pi))

    Args:
        loc: float[batch], the mean. scale: float[batch], the standard deviation, > 0.
        validate_args: whether to check that scale > 0.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: the dtypes of loc and scale differ.
    Example:
        d = tf.distributions.Normal(loc=0.0, scale=[1.0, 2.0])
        d.cdf(0.0)  # [0.5, 0.5]
    """

    def __init__(
        self, loc: TensorValue, scale: TensorValue, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "Normal",
    ) -> None:  # fmt: skip
        self._begin(dict(locals()))

    def _sample_n(self, n, seed=None):
        to = concat([[n], self.batch_shape_tensor()], 0)
        sampled = random_normal(
            shape=to, mean=0.0, stddev=1.0, dtype=self.loc.dtype, seed=seed
        )
        return sampled * self.scale + self.loc

    def _log_cdf(self, x):
        return special_math.log_ndtr(self._z(x))

    def _cdf(self, x):
        return special_math.ndtr(self._z(x))

    def _log_survival_function(self, x):
        return special_math.log_ndtr(-self._z(x))

    def _survival_function(self, x):
        return special_math.ndtr(-self._z(x))

    def _log_unnormalized_prob(self, x):
        return -0.5 * square(self._z(x))

    def _log_normalization(self):
        return 0.5 * math.log(2.0 * math.pi) + log(self.scale)

    def _entropy(self):
        scale = self.scale * ones_like(self.loc)
        return 0.5 * math.log(2.0 * math.pi * math.e) + log(scale)

    def _mean(self):
        return self.loc * ones_like(self.scale)

    def _quantile(self, p):
        return self._inv_z(special_math.ndtri(p))

    def _stddev(self):
        return self.scale * ones_like(self.loc)

    def _mode(self):
        return self._mean()

    def _inv_z(self, z):
        with name_scope("reconstruct", values=[z]):
            return z * self.scale + self.loc


class NormalWithSoftplusScale(Normal):
    """A Normal whose standard deviation is softplus of what is given; see Normal."""

    def __init__(
        self, loc: TensorValue, scale: TensorValue, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "NormalWithSoftplusScale",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[scale]) as name:
            positive = softplus(scale, name="softplus_scale")
            super().__init__(loc, positive, validate_args, allow_nan_stats, name)
        self._parameters = parameters


@RegisterKL(Normal, Normal)
def _kl_normal_normal(n_a: Any, n_b: Any, name: str | None = None) -> Any:
    with name_scope(name, "kl_normal_normal", [n_a.loc, n_b.loc]):
        one, two, half = (constant(c, dtype=n_a.loc.dtype) for c in (1, 2, 0.5))
        a, b = square(n_a.scale), square(n_b.scale)
        ratio = a / b
        far = square(n_a.loc - n_b.loc) / (two * b)
        return far + half * (ratio - one - log(ratio))
