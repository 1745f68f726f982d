"""The inverse gamma distribution."""

from operator import attrgetter

import numpy as np

from twinflow.base.operators import TensorValue
from twinflow.distributions.defined import where_defined
from twinflow.distributions.distribution import NOT_REPARAMETERIZED
from twinflow.distributions.scalars import ScalarDistribution
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.compare import greater, where
from twinflow.ops.core.constant import constant, identity
from twinflow.ops.core.creation import fill
from twinflow.ops.core.elementwise import log, square
from twinflow.ops.core.rounding import softplus
from twinflow.ops.debugging.checks import assert_less, assert_positive
from twinflow.ops.debugging.static import assert_same_float_dtype, with_dependencies
from twinflow.ops.random.gamma import random_gamma
from twinflow.ops.special.gamma import digamma, lgamma
from twinflow.ops.special.igamma import igammac


class InverseGamma(ScalarDistribution):
    """The distribution of 1 / X, X gamma distributed.

    p(x) = rate^c x^(-c - 1) exp(-rate / x) / Gamma(c), c the concentration

    Args:
        concentration: float[batch], > 0. rate: float[batch], > 0.
        validate_args: whether to check parameters and values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: the dtypes of concentration and rate differ.
    """

    _broadcast = ("concentration", "rate")

    def __init__(
        self, concentration: TensorValue, rate: TensorValue,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "InverseGamma",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[concentration, rate]) as name:
            given = (concentration, rate) if validate_args else ()
            with control_dependencies([assert_positive(t) for t in given]):
                self._concentration = identity(concentration, name="concentration")
                self._rate = identity(rate, name="rate")
                assert_same_float_dtype([self._concentration, self._rate])
        super().__init__(
            self._concentration.dtype, NOT_REPARAMETERIZED, validate_args,
            allow_nan_stats, parameters, [self._concentration, self._rate], name,
        )  # fmt: skip

    concentration = property(
        attrgetter("_concentration"), doc="The concentration, float[batch]."
    )
    rate = property(attrgetter("_rate"), doc="The rate, float[batch].")

    def _sample_n(self, n, seed=None):
        """See tf.random_gamma."""
        return 1.0 / random_gamma(
            shape=[n], alpha=self.concentration, beta=self.rate, dtype=self.dtype,
            seed=seed,
        )  # fmt: skip

    def _log_prob(self, x):
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _cdf(self, x):
        x = self._maybe_assert_valid_sample(x)
        return igammac(self.concentration, self.rate / x)

    def _log_unnormalized_prob(self, x):
        x = self._maybe_assert_valid_sample(x)
        return -(1.0 + self.concentration) * log(x) - self.rate / x

    def _log_normalization(self):
        c = self.concentration
        return lgamma(c) - c * log(self.rate)

    def _entropy(self):
        c = self.concentration
        return c + log(self.rate) + lgamma(c) - (1.0 + c) * digamma(c)

    def _mean(self):
        """rate / (concentration - 1) where concentration > 1, else nan."""
        mean = self.rate / (self.concentration - 1.0)
        text = "mean undefined when any concentration <= 1"
        return where_defined(
            self, mean, lambda: greater(self.concentration, 1.0),
            [(self.concentration, text)],
        )  # fmt: skip

    def _variance(self):
        """Defined where concentration > 2, else nan."""
        c = self.concentration
        variance = square(self.rate) / square(c - 1.0) / (c - 2.0)
        if self.allow_nan_stats:
            nan = fill(
                self.batch_shape_tensor(),
                np.array(np.nan, self.dtype.as_numpy_dtype), name="nan",
            )  # fmt: skip
            return where(greater(c, 2.0), variance, nan)
        text = "variance undefined when any concentration <= 2"
        check = assert_less(constant(2.0, dtype=self.dtype), c, message=text)
        return with_dependencies([check], variance)

    def _mode(self):
        """rate / (concentration + 1)."""
        return self.rate / (1.0 + self.concentration)

    def _maybe_assert_valid_sample(self, x):
        assert_same_float_dtype(tensors=[x], dtype=self.dtype)
        if not self.validate_args:
            return x
        return with_dependencies([assert_positive(x)], x)


class InverseGammaWithSoftplusConcentrationRate(InverseGamma):
    """An InverseGamma whose parameters are softplus of what is given."""

    def __init__(
        self, concentration: TensorValue, rate: TensorValue,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "InverseGammaWithSoftplusConcentrationRate",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[concentration, rate]) as name:
            concentration = softplus(concentration, name="softplus_concentration")
            rate = softplus(rate, name="softplus_rate")
            super().__init__(concentration, rate, validate_args, allow_nan_stats, name)
        self._parameters = parameters
