"""The beta distribution."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.distributions.defined import where_defined
from twinflow.distributions.distribution import FULLY_REPARAMETERIZED
from twinflow.distributions.kullback_leibler import RegisterKL
from twinflow.distributions.parameters import gen_new_seed
from twinflow.distributions.scalars import ScalarDistribution
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import greater, logical_and
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones, ones_like
from twinflow.ops.core.elementwise import exp, log, log1p
from twinflow.ops.core.rounding import softplus
from twinflow.ops.debugging.checks import assert_less, assert_positive
from twinflow.ops.debugging.static import assert_same_float_dtype, with_dependencies
from twinflow.ops.random.gamma import random_gamma
from twinflow.ops.special.gamma import digamma, lgamma
from twinflow.ops.special.igamma import betainc


class Beta(ScalarDistribution):
    """The beta distribution on (0, 1).

    p(x) = x^(a - 1) (1 - x)^(b - 1) / B(a, b), a and b the concentrations

    Args:
        concentration1: float[batch], a > 0. concentration0: float[batch], b > 0.
        validate_args: whether to check parameters and values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: the dtypes of both differ.
    Example:
        tf.distributions.Beta(3.0, 1.0).mean()  # 0.75
    """

    _broadcast = ("concentration1", "concentration0")

    def __init__(
        self, concentration1: Any = None, concentration0: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Beta",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[concentration1, concentration0]) as name:
            self._concentration1, self._concentration0 = (
                self._maybe_assert_valid_concentration(
                    convert_to_tensor(value, name=word), validate_args
                )
                for word, value in (
                    ("concentration1", concentration1),
                    ("concentration0", concentration0),
                )
            )
            both = [self._concentration1, self._concentration0]
            assert_same_float_dtype(both)
            self._total_concentration = self._concentration1 + self._concentration0
        super().__init__(
            self._total_concentration.dtype, FULLY_REPARAMETERIZED, validate_args,
            allow_nan_stats, parameters, [*both, self._total_concentration], name,
        )  # fmt: skip

    concentration1 = property(
        attrgetter("_concentration1"), doc="The concentration near 1, float[batch]."
    )
    concentration0 = property(
        attrgetter("_concentration0"), doc="The concentration near 0, float[batch]."
    )
    total_concentration = property(
        attrgetter("_total_concentration"), doc="The sum of both, float[batch]."
    )

    def _batch_shape(self):
        return self.total_concentration.shape

    def _sample_n(self, n, seed=None):
        like = self.total_concentration
        one = ones_like(like, dtype=self.dtype) * self.concentration1
        zero = ones_like(like, dtype=self.dtype) * self.concentration0
        a = random_gamma(shape=[n], alpha=one, dtype=self.dtype, seed=seed)
        seed = gen_new_seed(seed, "beta")
        b = random_gamma(shape=[n], alpha=zero, dtype=self.dtype, seed=seed)
        return a / (a + b)

    def _log_prob(self, x):
        """x must have the dtype of the distribution and lie in [0, 1]."""
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _prob(self, x):
        """x must have the dtype of the distribution and lie in [0, 1]."""
        return exp(self._log_prob(x))

    def _log_cdf(self, x):
        """x must have the dtype of the distribution and lie in [0, 1]."""
        return log(self._cdf(x))

    def _cdf(self, x):
        """x must have the dtype of the distribution and lie in [0, 1]."""
        return betainc(self.concentration1, self.concentration0, x)

    def _log_unnormalized_prob(self, x):
        x = self._maybe_assert_valid_sample(x)
        return (self.concentration1 - 1.0) * log(x) + (
            self.concentration0 - 1.0
        ) * log1p(-x)

    def _log_normalization(self):
        return (
            lgamma(self.concentration1)
            + lgamma(self.concentration0)
            - lgamma(self.total_concentration)
        )

    def _entropy(self):
        a, b, total = self.concentration1, self.concentration0, self.total_concentration
        return (
            self._log_normalization()
            - (a - 1.0) * digamma(a)
            - (b - 1.0) * digamma(b)
            + (total - 2.0) * digamma(total)
        )

    def _mean(self):
        return self._concentration1 / self._total_concentration

    def _variance(self):
        return self._mean() * (1.0 - self._mean()) / (1.0 + self.total_concentration)

    def _mode(self):
        """nan, or an error, where one of the concentrations is at most 1."""
        a, b = self.concentration1, self.concentration0
        mode = (a - 1.0) / (self.total_concentration - 2.0)
        return where_defined(
            self, mode, lambda: logical_and(greater(a, 1.0), greater(b, 1.0)),
            [
                (a, "Mode undefined for concentration1 <= 1."),
                (b, "Mode undefined for concentration0 <= 1."),
            ],
        )  # fmt: skip

    def _maybe_assert_valid_concentration(self, concentration, validate_args):
        if not validate_args:
            return concentration
        text = "Concentration parameter must be positive."
        return with_dependencies(
            [assert_positive(concentration, message=text)], concentration
        )

    def _maybe_assert_valid_sample(self, x):
        if not self.validate_args:
            return x
        checks = [
            assert_positive(x, message="sample must be positive"),
            assert_less(
                x, ones([], self.dtype), message="sample must be less than `1`."
            ),
        ]
        return with_dependencies(checks, x)


class BetaWithSoftplusConcentration(Beta):
    """A Beta whose concentrations are softplus of what is given; see Beta."""

    def __init__(
        self, concentration1: TensorValue, concentration0: TensorValue,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "BetaWithSoftplusConcentration",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[concentration1, concentration0]) as name:
            one = softplus(concentration1, name="softplus_concentration1")
            zero = softplus(concentration0, name="softplus_concentration0")
            super().__init__(one, zero, validate_args, allow_nan_stats, name)
        self._parameters = parameters


@RegisterKL(Beta, Beta)
def _kl_beta_beta(d1: Any, d2: Any, name: str | None = None) -> Any:
    def delta(of: Callable) -> Any:
        return of(d2) - of(d1)

    values = [d1.concentration1, d1.concentration0, d1.total_concentration]
    values += [d2.concentration1, d2.concentration0, d2.total_concentration]
    with name_scope(name, "kl_beta_beta", values=values):
        return (
            delta(lambda d: d._log_normalization())
            - digamma(d1.concentration1) * delta(lambda d: d.concentration1)
            - digamma(d1.concentration0) * delta(lambda d: d.concentration0)
            + digamma(d1.total_concentration) * delta(lambda d: d.total_concentration)
        )
