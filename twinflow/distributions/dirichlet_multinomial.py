"""The Dirichlet-multinomial distribution."""

from operator import attrgetter

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.distributions.checks import (
    embed_check_categorical_event_shape,
    embed_check_nonnegative_integer_form,
)
from twinflow.distributions.dirichlet import outer
from twinflow.distributions.distribution import NOT_REPARAMETERIZED, Distribution
from twinflow.distributions.numbers import log_combinations
from twinflow.distributions.parameters import gen_new_seed
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import exp, log, sqrt
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.debugging.checks import assert_equal, assert_positive
from twinflow.ops.debugging.static import with_dependencies
from twinflow.ops.matrix.diagonal import matrix_set_diag
from twinflow.ops.random.choice import multinomial
from twinflow.ops.random.gamma import random_gamma
from twinflow.ops.special.gamma import lbeta


class DirichletMultinomial(Distribution):
    """Counts of k classes whose probabilities come from a Dirichlet distribution.

    Args:
        total_count: float[batch...], the number of trials.
        concentration: float[batch..., k], > 0, k >= 2.
        validate_args: whether to check parameters and values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Example:
        tf.distributions.DirichletMultinomial(4.0, [1.0, 3.0]).mean()  # [1.0, 3.0]
    """

    def __init__(
        self, total_count: TensorValue, concentration: TensorValue,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "DirichletMultinomial",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[total_count, concentration]) as name:
            self._total_count = convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self._total_count = embed_check_nonnegative_integer_form(
                    self._total_count
                )
            self._concentration = self._maybe_assert_valid_concentration(
                convert_to_tensor(concentration, name="concentration"), validate_args
            )
            self._total_concentration = reduce_sum(self._concentration, -1)
        super().__init__(
            self._concentration.dtype, NOT_REPARAMETERIZED, validate_args,
            allow_nan_stats, parameters, [self._total_count, self._concentration], name,
        )  # fmt: skip

    total_count = property(
        attrgetter("_total_count"), doc="The number of trials, float[batch...]."
    )
    concentration = property(
        attrgetter("_concentration"), doc="The concentrations, float[batch..., k]."
    )
    total_concentration = property(
        attrgetter("_total_concentration"), doc="Their sums, float[batch...]."
    )

    def _batch_shape_tensor(self):
        return shape(self.total_concentration)

    def _batch_shape(self):
        return self.total_concentration.shape

    def _event_shape_tensor(self):
        return shape(self.concentration)[-1:]

    def _event_shape(self):
        return self.concentration.shape.with_rank_at_least(1)[-1:]

    def _sample_n(self, n, seed=None):
        trials = cast(self.total_count, dtype=dtypes.int32)
        k = self.event_shape_tensor()[0]
        gamma = random_gamma(
            shape=[n], alpha=self.concentration, dtype=self.dtype, seed=seed
        )
        draws = multinomial(
            logits=reshape(log(gamma), shape=[-1, k]), num_samples=trials,
            seed=gen_new_seed(seed, salt="dirichlet_multinomial"),
        )  # fmt: skip
        counts = reduce_sum(one_hot(draws, depth=k), -2)
        to = concat([[n], self.batch_shape_tensor(), [k]], 0)
        return cast(reshape(counts, to), self.dtype)

    def _log_prob(self, counts):
        """counts must be whole, at least 0, and sum to total_count."""
        counts = self._maybe_assert_valid_sample(counts)
        ordered = lbeta(self.concentration + counts) - lbeta(self.concentration)
        return ordered + log_combinations(self.total_count, counts)

    def _prob(self, counts):
        """counts must be whole, at least 0, and sum to total_count."""
        return exp(self._log_prob(counts))

    def _trials(self):
        """The number of trials, as it is broadcast against vectors of classes."""
        n, c = self.total_count, self.concentration
        ranks = n.shape.ndims, c.shape.ndims
        if None not in ranks and 0 < ranks[0] == ranks[1] - 1:
            return expand_dims(n, -1)
        return n

    def _mean(self):
        c = self.concentration
        return self._trials() * (c / expand_dims(self.total_concentration, -1))

    def _covariance(self):
        """n p_i (1 - p_i) (n + A) / (1 + A), and -n p_i p_j (n + A) / (1 + A)."""
        x = self._variance_scale_term() * self._mean()
        return matrix_set_diag(-outer(x, x), self._variance())

    def _variance(self):
        scale = self._variance_scale_term()
        x = scale * self._mean()
        return x * (self._trials() * scale - x)

    def _variance_scale_term(self):
        """The root of (1 + A / n) / (1 + A), A the sum of concentrations."""
        total = expand_dims(self.total_concentration, -1)
        return sqrt((1.0 + total / self._trials()) / (1.0 + total))

    def _maybe_assert_valid_concentration(self, concentration, validate_args):
        if not validate_args:
            return concentration
        concentration = embed_check_categorical_event_shape(concentration)
        text = "Concentration parameter must be positive."
        return with_dependencies(
            [assert_positive(concentration, message=text)], concentration
        )

    def _maybe_assert_valid_sample(self, counts):
        if not self.validate_args:
            return counts
        counts = embed_check_nonnegative_integer_form(counts)
        text = "counts last-dimension must sum to `self.total_count`"
        total = reduce_sum(counts, -1)
        return with_dependencies(
            [assert_equal(self.total_count, total, message=text)], counts
        )
