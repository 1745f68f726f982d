"""Distributions rounded up to whole numbers."""

from operator import attrgetter
from typing import Any

from twinflow.distributions.checks import assert_integer_form
from twinflow.distributions.distribution import NOT_REPARAMETERIZED, Distribution
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.compare import greater_equal, less, where
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.creation import ones_like, zeros_like
from twinflow.ops.core.elementwise import exp, log, log1p
from twinflow.ops.core.rounding import ceil, floor
from twinflow.ops.debugging.checks import assert_less
from twinflow.ops.debugging.static import assert_same_float_dtype, with_dependencies


def _logsum_expbig_minus_expsmall(big, small):
    """log(exp(big) - exp(small)), for big >= small."""
    with name_scope("logsum_expbig_minus_expsmall", values=[small, big]):
        return log1p(-exp(small - big)) + big


class QuantizedDistribution(Distribution):
    """The distribution of ceil(X), held between two whole numbers.

    P(y) = P(y - 1 < X <= y), all below low at low and all above high at high

    Args:
        distribution: that of X. low, high: whole floats, or None for no bound.
        validate_args: whether to check bounds and values. name: the scope of its ops.
    Raises:
        TypeError: distribution is something else.
    """

    def __init__(
        self, distribution: Any, low: Any = None, high: Any = None,
        validate_args: bool = False, name: str = "QuantizedDistribution",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        self._dist = distribution
        with name_scope(name, values=[*distribution._graph_parents, low, high]) as name:
            low, high = (
                None if t is None else convert_to_tensor(t, name=word)
                for t, word in ((low, "low"), (high, "high"))
            )
            assert_same_float_dtype([distribution, *_given(low, high)])
            checks = []
            if validate_args:
                if None not in (low, high):
                    text = "low must be strictly less than high."
                    checks.append(assert_less(low, high, message=text))
                checks += [assert_integer_form(t) for t in _given(low, high)]
            with control_dependencies(checks):
                self._low = None if low is None else self._bound(low)
                self._high = None if high is None else self._bound(high)
        super().__init__(
            distribution.dtype, NOT_REPARAMETERIZED, validate_args,
            distribution.allow_nan_stats, parameters,
            [*distribution._graph_parents, *_given(low, high)], name,
        )  # fmt: skip

    def _bound(self, t):
        return identity(t)

    distribution = property(attrgetter("_dist"), doc="The distribution of X.")
    low = property(attrgetter("_low"), doc="The least value, or None.")
    high = property(attrgetter("_high"), doc="The largest value, or None.")

    def _batch_shape_tensor(self):
        return self.distribution.batch_shape_tensor()

    def _batch_shape(self):
        return self.distribution.batch_shape

    def _event_shape_tensor(self):
        return self.distribution.event_shape_tensor()

    def _event_shape(self):
        return self.distribution.event_shape

    def _sample_n(self, n, seed=None):
        with name_scope("transform"):
            x = self.distribution.sample(n, seed=seed)
            y = ceil(x)
            if self._low is not None:
                low = self._low * ones_like(y)
                y = where(less(y, low), low, y)
            if self._high is not None:
                high = self._high * ones_like(y)
                y = where(greater_equal(y, high), high, y)
            return y

    def _log_prob(self, y):
        if not (
            hasattr(self.distribution, "_log_cdf") or hasattr(self.distribution, "_cdf")
        ):
            raise NotImplementedError(
                "'log_prob' not implemented unless the base distribution implements "
                "'log_cdf'"
            )
        y = self._check_integer(y)
        try:
            return self._log_prob_with_logsf_and_logcdf(y)
        except NotImplementedError:
            return self._log_prob_with_logcdf(y)

    def _log_prob_with_logcdf(self, y):
        return _logsum_expbig_minus_expsmall(self.log_cdf(y), self.log_cdf(y - 1))

    def _log_prob_with_logsf_and_logcdf(self, y):
        """By the tail in which the values are the smaller ones: that is exacter."""
        tails = self.log_survival_function(y), self.log_survival_function(y - 1)
        heads = self.log_cdf(y), self.log_cdf(y - 1)
        in_tail = less(tails[0], heads[0])
        big = where(in_tail, tails[1], heads[0])
        small = where(in_tail, tails[0], heads[1])
        return _logsum_expbig_minus_expsmall(big, small)

    def _prob(self, y):
        y = self._check_integer(y)
        try:
            return self._prob_with_sf_and_cdf(y)
        except NotImplementedError:
            return self._prob_with_cdf(y)

    def _prob_with_cdf(self, y):
        return self.cdf(y) - self.cdf(y - 1)

    def _prob_with_sf_and_cdf(self, y):
        tails = self.survival_function(y), self.survival_function(y - 1)
        heads = self.cdf(y), self.cdf(y - 1)
        in_tail = less(tails[0], heads[0])
        return where(in_tail, tails[1] - tails[0], heads[0] - heads[1])

    def _log_cdf(self, y):
        return self._of_floor("log_cdf", y, zeros_like, lambda t: log(zeros_like(t)))

    def _cdf(self, y):
        return self._of_floor("cdf", y, ones_like, zeros_like)

    def _log_survival_function(self, y):
        return self._of_floor(
            "log_survival_function", y, lambda t: log(zeros_like(t)), zeros_like
        )

    def _survival_function(self, y):
        return self._of_floor("survival_function", y, zeros_like, ones_like)

    def _of_floor(self, method, y, above, below):
        """What that of X says of floor(y); constant outside of the bounds."""
        y = self._check_integer(y)
        j = floor(y)
        found = getattr(self.distribution, method)(j)
        if self._low is not None:
            found = where(j < self._wide(self._low, found), below(found), found)
        if self._high is not None:
            found = where(j < self._wide(self._high, found), found, above(found))
        return found

    def _wide(self, bound, like):
        return bound + zeros_like(like)

    def _check_integer(self, value):
        with name_scope("check_integer", values=[value]):
            value = convert_to_tensor(value, name="value")
            if not self.validate_args:
                return value
            text = "value has non-integer components."
            return with_dependencies([assert_integer_form(value, message=text)], value)


def _given(*values):
    return [v for v in values if v is not None]
