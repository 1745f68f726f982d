"""The gamma distribution."""

from operator import attrgetter
from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.distributions.defined import where_defined
from twinflow.distributions.distribution import FULLY_REPARAMETERIZED
from twinflow.distributions.kullback_leibler import RegisterKL
from twinflow.distributions.scalars import ScalarDistribution
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.compare import greater
from twinflow.ops.core.constant import identity
from twinflow.ops.core.elementwise import log, sqrt, square
from twinflow.ops.core.rounding import softplus
from twinflow.ops.debugging.checks import assert_positive
from twinflow.ops.debugging.static import assert_same_float_dtype, with_dependencies
from twinflow.ops.random.gamma import random_gamma
from twinflow.ops.special.gamma import digamma, lgamma
from twinflow.ops.special.igamma import igamma


class Gamma(ScalarDistribution):
    """The gamma distribution.

    p(x) = rate^c x^(c - 1) exp(-rate x) / Gamma(c), c the concentration

    Args:
        concentration: float[batch], > 0. rate: float[batch], > 0.
        validate_args: whether to check parameters and values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: the dtypes of concentration and rate differ.
    Example:
        tf.distributions.Gamma(concentration=3.0, rate=2.0).mean()  # 1.5
    """

    _broadcast = ("concentration", "rate")

    def __init__(
        self, concentration: TensorValue, rate: TensorValue,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Gamma",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[concentration, rate]) as name:
            given = (concentration, rate) if validate_args else ()
            with control_dependencies([assert_positive(t) for t in given]):
                self._concentration = identity(concentration, name="concentration")
                self._rate = identity(rate, name="rate")
                assert_same_float_dtype([self._concentration, self._rate])
        super().__init__(
            self._concentration.dtype, FULLY_REPARAMETERIZED, validate_args,
            allow_nan_stats, parameters, [self._concentration, self._rate], name,
        )  # fmt: skip

    concentration = property(
        attrgetter("_concentration"), doc="The concentration, float[batch]."
    )
    rate = property(attrgetter("_rate"), doc="The rate, float[batch].")

    def _sample_n(self, n, seed=None):
        """See tf.random_gamma."""
        return random_gamma(
            shape=[n], alpha=self.concentration, beta=self.rate, dtype=self.dtype,
            seed=seed,
        )  # fmt: skip

    def _log_prob(self, x):
        x = self._maybe_assert_valid_sample(x)
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _cdf(self, x):
        x = self._maybe_assert_valid_sample(x)
        return igamma(self.concentration, self.rate * x)

    def _log_unnormalized_prob(self, x):
        return (self.concentration - 1.0) * log(x) - self.rate * x

    def _log_normalization(self):
        c = self.concentration
        return lgamma(c) - c * log(self.rate)

    def _entropy(self):
        c = self.concentration
        return c - log(self.rate) + lgamma(c) + (1.0 - c) * digamma(c)

    def _mean(self):
        return self.concentration / self.rate

    def _variance(self):
        return self.concentration / square(self.rate)

    def _stddev(self):
        return sqrt(self.concentration) / self.rate

    def _mode(self):
        """(concentration - 1) / rate where concentration > 1, else nan."""
        mode = (self.concentration - 1.0) / self.rate
        text = "mode not defined when any concentration <= 1"
        return where_defined(
            self, mode, lambda: greater(self.concentration, 1.0),
            [(self.concentration, text)],
        )  # fmt: skip

    def _maybe_assert_valid_sample(self, x):
        assert_same_float_dtype(tensors=[x], dtype=self.dtype)
        if not self.validate_args:
            return x
        return with_dependencies([assert_positive(x)], x)


class GammaWithSoftplusConcentrationRate(Gamma):
    """A Gamma whose parameters are softplus of what is given; see Gamma."""

    def __init__(
        self, concentration: TensorValue, rate: TensorValue,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "GammaWithSoftplusConcentrationRate",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[concentration, rate]) as name:
            concentration = softplus(concentration, name="softplus_concentration")
            rate = softplus(rate, name="softplus_rate")
            super().__init__(concentration, rate, validate_args, allow_nan_stats, name)
        self._parameters = parameters


@RegisterKL(Gamma, Gamma)
def _kl_gamma_gamma(g0: Any, g1: Any, name: str | None = None) -> Any:
    values = [g0.concentration, g0.rate, g1.concentration, g1.rate]
    with name_scope(name, "kl_gamma_gamma", values=values):
        a, b = g0.concentration, g1.concentration
        return (
            (a - b) * digamma(a) + lgamma(b) - lgamma(a)
            + b * log(g0.rate) - b * log(g1.rate) + a * (g1.rate / g0.rate - 1.0)
        )  # fmt: skip
