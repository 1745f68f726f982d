"""Distributions over whole numbers: Poisson, geometric, binomial, negative binomial."""

from operator import attrgetter
from typing import Any

import numpy as np

from twinflow.base.operators import TensorValue
from twinflow.distributions.checks import (
    assert_integer_form,
    embed_check_nonnegative_integer_form,
)
from twinflow.distributions.distribution import NOT_REPARAMETERIZED
from twinflow.distributions.parameters import gen_new_seed, get_logits_and_probs
from twinflow.distributions.scalars import ScalarDistribution
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.compare import equal, greater_equal, less, where
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.creation import ones, ones_like, zeros, zeros_like
from twinflow.ops.core.elementwise import exp, expm1, log, log1p, maximum, sigmoid
from twinflow.ops.core.joining import concat
from twinflow.ops.core.rounding import floor, log_sigmoid, softplus
from twinflow.ops.core.shape import shape
from twinflow.ops.debugging.checks import (
    assert_less,
    assert_less_equal,
    assert_non_negative,
    assert_positive,
)
from twinflow.ops.debugging.static import with_dependencies
from twinflow.ops.random.draws import random_uniform
from twinflow.ops.random.gamma import random_gamma, random_poisson
from twinflow.ops.special.gamma import lgamma
from twinflow.ops.special.igamma import betainc, igammac


class Poisson(ScalarDistribution):
    """The Poisson distribution.

    P(k) = rate^k exp(-rate) / k!

    Args:
        rate: float[batch], > 0. log_rate: float[batch]; one of both is given.
        validate_args: whether to check rates, and that values are whole.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: both or none are given. TypeError: they are no floats.
    Example:
        tf.contrib.distributions.Poisson(rate=[1.0, 2.0]).mean()  # [1.0, 2.0]
    """

    _broadcast = ("rate",)

    def __init__(
        self, rate: Any = None, log_rate: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "Poisson",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[rate]) as name:
            if (rate is None) == (log_rate is None):
                raise ValueError("Must specify exactly one of `rate` and `log_rate`.")
            if log_rate is None:
                rate = _float(rate, "rate")
                with control_dependencies(
                    [assert_positive(rate)] if validate_args else []
                ):
                    self._rate = identity(rate, name="rate")
                    self._log_rate = log(rate, name="log_rate")
            else:
                log_rate = _float(log_rate, "log_rate")
                self._rate = exp(log_rate, name="rate")
                self._log_rate = convert_to_tensor(log_rate, name="log_rate")
        super().__init__(
            self._rate.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats,
            parameters, [self._rate], name,
        )  # fmt: skip

    rate = property(attrgetter("_rate"), doc="The rate, float[batch].")
    log_rate = property(attrgetter("_log_rate"), doc="Its logarithm, float[batch].")

    def _checked(self, x):
        if self.validate_args:
            return embed_check_nonnegative_integer_form(x)
        return x

    def _log_prob(self, x):
        """x is to be whole; others are taken as they are."""
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _log_cdf(self, x):
        return log(self.cdf(x))

    def _cdf(self, x):
        x = (
            self._checked(x)
            if self.validate_args
            else maximum(floor(x), zeros([], x.dtype) - 1)
        )
        return igammac(1.0 + x, self.rate)

    def _log_normalization(self):
        return self.rate

    def _log_unnormalized_prob(self, x):
        x = self._checked(x)
        return x * self.log_rate - lgamma(1.0 + x)

    def _mean(self):
        return identity(self.rate)

    def _variance(self):
        return identity(self.rate)

    def _mode(self):
        """The larger one where there are two."""
        return floor(self.rate)

    def _sample_n(self, n, seed=None):
        return random_poisson(self.rate, [n], dtype=self.dtype, seed=seed)


def _float(value, name):
    t = convert_to_tensor(value, name=name)
    if not t.dtype.is_floating:
        raise TypeError(f"{name}.dtype ({t.dtype.name}) is a not a float-type.")
    return t


class Geometric(ScalarDistribution):
    """The geometric distribution: how many trials fail before one succeeds.

    P(k) = (1 - p)^k p

    Args:
        logits: float[batch], log(p / (1 - p)). probs: float[batch], p in (0, 1]; one of
            both is given. validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    """

    _broadcast = ("probs",)

    def __init__(
        self, logits: Any = None, probs: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "Geometric",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs]) as name:
            self._logits, self._probs = get_logits_and_probs(
                logits, probs, validate_args=validate_args, name=name
            )
            checks = [assert_positive(self._probs)] if validate_args else []
            with control_dependencies(checks):
                self._probs = identity(self._probs, name="probs")
        super().__init__(
            self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats,
            parameters, [self._probs, self._logits], name,
        )  # fmt: skip

    logits = property(attrgetter("_logits"), doc="log(p / (1 - p)), float[batch].")
    probs = property(attrgetter("_probs"), doc="The probability, float[batch].")

    def _sample_n(self, n, seed=None):
        # 0 itself would give an infinite sample.
        low = np.finfo(self.dtype.as_numpy_dtype).tiny
        to = concat([[n], shape(self._probs)], 0)
        u = random_uniform(to, minval=low, maxval=1.0, seed=seed, dtype=self.dtype)
        return floor(log(u) / log1p(-self.probs))

    def _cdf(self, counts):
        if self.validate_args:
            counts = embed_check_nonnegative_integer_form(counts)
        else:
            counts = floor(counts)
        wide = counts + zeros_like(self.probs)
        found = -expm1((wide + 1) * log1p(-self.probs))
        return where(less(wide, 0.0), zeros_like(found), found)

    def _log_prob(self, counts):
        if self.validate_args:
            counts = embed_check_nonnegative_integer_form(counts)
        counts = counts + zeros_like(self.probs)
        probs = self.probs + zeros_like(counts)
        # 0 log(1 - 1) is 0.
        safe = where(equal(counts, 0.0), zeros_like(probs), probs)
        return counts * log1p(-safe) + log(probs)

    def _entropy(self):
        probs = self._probs
        if self.validate_args:
            text = "Entropy is undefined when logits = inf or probs = 1."
            check = assert_less(probs, ones([], self.dtype), message=text)
            probs = with_dependencies([check], probs)
        return softplus(self._logits) / probs - self._logits

    def _mean(self):
        return exp(-self._logits)

    def _variance(self):
        return self._mean() / self._probs

    def _mode(self):
        return zeros(self.batch_shape_tensor(), dtype=self.dtype)


class Binomial(ScalarDistribution):
    """The binomial distribution: how many of a number of trials succeed.

    P(k) = C(n, k) p^k (1 - p)^(n - k)

    Args:
        total_count: float[batch], n. logits: float[batch], log(p / (1 - p)).
        probs: float[batch]; one of both is given.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Example:
        tf.contrib.distributions.Binomial(4.0, probs=0.25).mean()  # 1.0
    """

    _broadcast = ("total_count", "probs")

    def __init__(
        self, total_count: TensorValue, logits: Any = None, probs: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "Binomial",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[total_count, logits, probs]) as name:
            self._total_count = self._maybe_assert_valid_total_count(
                convert_to_tensor(total_count, name="total_count"), validate_args
            )
            self._logits, self._probs = get_logits_and_probs(
                logits=logits, probs=probs, validate_args=validate_args, name=name
            )
        super().__init__(
            self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats,
            parameters, [self._total_count, self._logits, self._probs], name,
        )  # fmt: skip

    total_count = property(attrgetter("_total_count"), doc="n, float[batch].")
    logits = property(attrgetter("_logits"), doc="log(p / (1 - p)), float[batch].")
    probs = property(attrgetter("_probs"), doc="The probability, float[batch].")

    def _log_prob(self, counts):
        counts = self._maybe_assert_valid_sample(counts)
        return self._log_unnormalized_prob(counts) - self._log_normalization(counts)

    def _cdf(self, counts):
        counts = self._maybe_assert_valid_sample(counts)
        probs = self.probs
        counts, probs = counts + zeros_like(probs), probs + zeros_like(counts)
        n = self.total_count + zeros_like(counts)
        counts, probs = counts + zeros_like(n), probs + zeros_like(n)
        whole = greater_equal(counts, n)
        safe = where(whole, zeros_like(counts), counts)
        found = betainc(n - safe, 1.0 + safe, 1.0 - probs)
        return where(whole, ones_like(found), found)

    def _log_unnormalized_prob(self, counts):
        return counts * log(self.probs) + (self.total_count - counts) * log1p(
            -self.probs
        )

    def _log_normalization(self, counts):
        n = self.total_count
        return lgamma(1.0 + n - counts) + lgamma(1.0 + counts) - lgamma(1.0 + n)

    def _mean(self):
        return self.total_count * self.probs

    def _variance(self):
        return self._mean() * (1 - self.probs)

    def _mode(self):
        """The larger one where there are two."""
        return floor((1.0 + self.total_count) * self.probs)

    def _maybe_assert_valid_total_count(self, total_count, validate_args):
        if not validate_args:
            return total_count
        checks = [
            assert_non_negative(
                total_count, message="total_count must be non-negative."
            ),
            assert_integer_form(
                total_count,
                message="total_count cannot contain fractional components.",
            ),
        ]
        return with_dependencies(checks, total_count)

    def _maybe_assert_valid_sample(self, counts):
        if not self.validate_args:
            return counts
        counts = embed_check_nonnegative_integer_form(counts)
        text = "counts are not less than or equal to n."
        check = assert_less_equal(counts, self.total_count, message=text)
        return with_dependencies([check], counts)


class NegativeBinomial(ScalarDistribution):
    """How many trials succeed before a number of them has failed.

    P(k) = C(f + k - 1, k) p^k (1 - p)^f

    Args:
        total_count: float[batch], f > 0. logits: float[batch], log(p / (1 - p)).
        probs: float[batch]; one of both is given.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    """

    _broadcast = ("total_count", "probs")

    def __init__(
        self, total_count: TensorValue, logits: Any = None, probs: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "NegativeBinomial",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[total_count, logits, probs]) as name:
            self._logits, self._probs = get_logits_and_probs(
                logits, probs, validate_args=validate_args, name=name
            )
            checks = [assert_positive(total_count)] if validate_args else []
            with control_dependencies(checks):
                self._total_count = identity(total_count, name="total_count")
        super().__init__(
            self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats,
            parameters, [self._total_count, self._probs, self._logits], name,
        )  # fmt: skip

    total_count = property(attrgetter("_total_count"), doc="f, float[batch].")
    logits = property(attrgetter("_logits"), doc="log(p / (1 - p)), float[batch].")
    probs = property(attrgetter("_probs"), doc="The probability, float[batch].")

    def _sample_n(self, n, seed=None):
        """A Poisson number whose rate is gamma distributed."""
        rate = random_gamma(
            shape=[n], alpha=self.total_count, beta=exp(-self.logits),
            dtype=self.dtype, seed=seed,
        )  # fmt: skip
        seed = gen_new_seed(seed, "negative_binom")
        return random_poisson(rate, shape=[], dtype=self.dtype, seed=seed)

    def _cdf(self, x):
        if self.validate_args:
            x = embed_check_nonnegative_integer_form(x)
        return betainc(self.total_count, 1.0 + x, 1.0 - self.probs)

    def _log_prob(self, x):
        return self._log_unnormalized_prob(x) - self._log_normalization(x)

    def _log_unnormalized_prob(self, x):
        if self.validate_args:
            x = embed_check_nonnegative_integer_form(x)
        return self.total_count * log_sigmoid(-self.logits) + x * log_sigmoid(
            self.logits
        )

    def _log_normalization(self, x):
        if self.validate_args:
            x = embed_check_nonnegative_integer_form(x)
        f = self.total_count
        return -lgamma(f + x) + lgamma(1.0 + x) + lgamma(f)

    def _mean(self):
        return self.total_count * exp(self.logits)

    def _mode(self):
        adjusted = where(
            less(1.0, self.total_count),
            self.total_count - 1.0,
            zeros_like(self.total_count),
        )
        return floor(adjusted * exp(self.logits))

    def _variance(self):
        return self._mean() / sigmoid(-self.logits)
