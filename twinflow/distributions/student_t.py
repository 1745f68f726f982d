"""Student's t distribution."""

from operator import attrgetter

import numpy as np

from twinflow.base.operators import TensorValue
from twinflow.distributions.defined import where_defined
from twinflow.distributions.distribution import FULLY_REPARAMETERIZED
from twinflow.distributions.parameters import gen_new_seed
from twinflow.distributions.scalars import ScalarDistribution
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.compare import greater, less, where
from twinflow.ops.core.constant import identity
from twinflow.ops.core.creation import fill, ones, ones_like
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.elementwise import log, log1p, rsqrt, square
from twinflow.ops.core.joining import concat
from twinflow.ops.core.rounding import floor, softplus
from twinflow.ops.core.shape import expand_dims
from twinflow.ops.debugging.checks import assert_positive
from twinflow.ops.debugging.static import assert_same_float_dtype
from twinflow.ops.random.draws import random_normal
from twinflow.ops.random.gamma import random_gamma
from twinflow.ops.special.gamma import digamma, lbeta, lgamma
from twinflow.ops.special.igamma import betainc


class StudentT(ScalarDistribution):
    """Student's t distribution.

    p(x) ~ (1 + ((x - loc) / scale)^2 / df)^(-(df + 1) / 2)

    Args:
        df: float[batch], the degrees of freedom, > 0. loc: float[batch], the center.
        scale: float[batch]. validate_args: whether to check that df > 0.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: the dtypes of the parameters differ.
    Example:
        tf.distributions.StudentT(df=3.0, loc=1.0, scale=2.0).variance()  # 12.0
    """

    _broadcast = ("df", "loc", "scale")

    def __init__(
        self, df: TensorValue, loc: TensorValue, scale: TensorValue,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "StudentT",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[df, loc, scale]) as name:
            checks = [assert_positive(df)] if validate_args else []
            with control_dependencies(checks):
                self._df = identity(df, name="df")
                self._loc = identity(loc, name="loc")
                self._scale = identity(scale, name="scale")
                parents = [self._df, self._loc, self._scale]
                assert_same_float_dtype(parents)
        super().__init__(
            self._scale.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats,
            parameters, parents, name,
        )  # fmt: skip

    df = property(attrgetter("_df"), doc="The degrees of freedom, float[batch].")
    loc = property(attrgetter("_loc"), doc="The center, float[batch].")
    scale = property(attrgetter("_scale"), doc="The scale, float[batch].")

    def _sample_n(self, n, seed=None):
        """A normal number by the root of a gamma distributed one."""
        to = concat([[n], self.batch_shape_tensor()], 0)
        normal = random_normal(to, dtype=self.dtype, seed=seed)
        df = self.df * ones(self.batch_shape_tensor(), dtype=self.dtype)
        gamma = random_gamma(
            [n], 0.5 * df, beta=0.5, dtype=self.dtype,
            seed=gen_new_seed(seed, salt="student_t"),
        )  # fmt: skip
        return normal * rsqrt(gamma / df) * self.scale + self.loc

    def _log_prob(self, x):
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _log_unnormalized_prob(self, x):
        y = (x - self.loc) / self.scale
        return -0.5 * (self.df + 1.0) * log1p(y**2.0 / self.df)

    def _log_normalization(self):
        return (
            log(absolute(self.scale)) + 0.5 * log(self.df) + 0.5 * np.log(np.pi)
            + lgamma(0.5 * self.df) - lgamma(0.5 * (self.df + 1.0))
        )  # fmt: skip

    def _cdf(self, x):
        y = (x - self.loc) / absolute(self.scale)
        tail = 0.5 * betainc(0.5 * self.df, 0.5, self.df / (y**2.0 + self.df))
        return where(less(y, 0.0), tail, 1.0 - tail)

    def _entropy(self):
        one = expand_dims(ones(self.batch_shape_tensor(), dtype=self.dtype), -1)
        both = concat([one * expand_dims(self.df, -1), one], -1) / 2.0
        return (
            log(absolute(self.scale)) + 0.5 * log(self.df) + lbeta(both)
            + 0.5 * (self.df + 1.0)
            * (digamma(0.5 * (self.df + 1.0)) - digamma(0.5 * self.df))
        )  # fmt: skip

    def _mean(self):
        """loc where df > 1, else nan."""
        mean = self.loc * ones(self.batch_shape_tensor(), dtype=self.dtype)
        text = "mean not defined for components of df <= 1"
        return where_defined(self, mean, self._above_one, [(self.df, text)])

    def _above_one(self):
        return greater(self.df, ones(self.batch_shape_tensor(), dtype=self.dtype))

    def _variance(self):
        """scale^2 df / (df - 2) where df > 2, infinity where 1 < df <= 2, else nan."""
        to, kind = self.batch_shape_tensor(), self.dtype.as_numpy_dtype
        rest = where(greater(self.df, 2.0), self.df - 2.0, ones_like(self.df))
        finite = ones(to, dtype=self.dtype) * square(self.scale) * self.df / rest
        infinity = fill(to, np.array(np.inf, kind), name="inf")
        two = fill(to, np.array(2, kind))
        variance = where(greater(self.df, two), finite, infinity)
        text = "variance not defined for components of df <= 1"
        return where_defined(self, variance, self._above_one, [(self.df, text)])

    def _mode(self):
        return identity(self.loc)


class StudentTWithAbsDfSoftplusScale(StudentT):
    """A StudentT of df = floor(|df|) and scale = softplus(scale); see StudentT."""

    def __init__(
        self, df: TensorValue, loc: TensorValue, scale: TensorValue,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "StudentTWithAbsDfSoftplusScale",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[df, scale]) as name:
            df = floor(absolute(df))
            scale = softplus(scale, name="softplus_scale")
            super().__init__(df, loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters
