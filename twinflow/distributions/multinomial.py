"""The multinomial distribution."""

from operator import attrgetter
from typing import Any

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.distributions.checks import embed_check_nonnegative_integer_form
from twinflow.distributions.dirichlet import outer
from twinflow.distributions.distribution import NOT_REPARAMETERIZED, Distribution
from twinflow.distributions.numbers import log_combinations
from twinflow.distributions.parameters import get_logits_and_probs
from twinflow.graph.map_fn import map_fn
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.constant import cast, convert_to_tensor, identity
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.debugging.checks import assert_equal
from twinflow.ops.debugging.static import with_dependencies
from twinflow.ops.matrix.diagonal import matrix_set_diag
from twinflow.ops.nn.softmax import log_softmax
from twinflow.ops.random.choice import multinomial as drawn_classes


class Multinomial(Distribution):
    """Counts of k classes in a number of independent trials.

    Args:
        total_count: float[batch...], the number of trials.
        logits: float[batch..., k]. probs: float[batch..., k], one of both is given.
        validate_args: whether to check parameters and values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: both of logits and probs are given, or none.
    Example:
        tf.distributions.Multinomial(4.0, probs=[0.25, 0.75]).mean()  # [1.0, 3.0]
    """

    def __init__(
        self, total_count: TensorValue, logits: Any = None, probs: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "Multinomial",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[total_count, logits, probs]) as name:
            self._total_count = convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self._total_count = embed_check_nonnegative_integer_form(
                    self._total_count
                )
            self._logits, self._probs = get_logits_and_probs(
                logits=logits, probs=probs, multidimensional=True,
                validate_args=validate_args, name=name,
            )  # fmt: skip
            self._mean_val = expand_dims(self._total_count, -1) * self._probs
        super().__init__(
            self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats,
            parameters, [self._total_count, self._logits, self._probs], name,
        )  # fmt: skip

    total_count = property(
        attrgetter("_total_count"), doc="The number of trials, float[batch...]."
    )
    logits = property(attrgetter("_logits"), doc="Logits, float[batch..., k].")
    probs = property(attrgetter("_probs"), doc="Probabilities, float[batch..., k].")

    def _batch_shape_tensor(self):
        return shape(self._mean_val)[:-1]

    def _batch_shape(self):
        return self._mean_val.shape.with_rank_at_least(1)[:-1]

    def _event_shape_tensor(self):
        return shape(self._mean_val)[-1:]

    def _event_shape(self):
        return self._mean_val.shape.with_rank_at_least(1)[-1:]

    def _sample_n(self, n, seed=None):
        trials = cast(self.total_count, dtype=dtypes.int32)
        k = self.event_shape_tensor()[0]
        trials = ones_like(self.logits[..., 0], dtype=trials.dtype) * trials
        like = ones_like(expand_dims(trials, -1), dtype=self.logits.dtype)
        rows = reshape(like * self.logits, [-1, k])
        counts = n * reshape(trials, [-1])

        def of_row(row: Any) -> Any:
            draws = drawn_classes(expand_dims(row[0], 0), row[1], seed=seed)
            hot = one_hot(reshape(draws, shape=[n, -1]), depth=k)
            return cast(reduce_sum(hot, axis=-2), self.dtype)

        x = transpose(map_fn(of_row, [rows, counts], dtype=self.dtype), [1, 0, 2])
        return reshape(x, concat([[n], self.batch_shape_tensor(), [k]], 0))

    def _log_prob(self, counts):
        """counts must be whole, at least 0, and sum to total_count."""
        return self._log_unnormalized_prob(counts) - self._log_normalization(counts)

    def _log_unnormalized_prob(self, counts):
        counts = self._maybe_assert_valid_sample(counts)
        return reduce_sum(counts * log_softmax(self.logits), -1)

    def _log_normalization(self, counts):
        counts = self._maybe_assert_valid_sample(counts)
        return -log_combinations(self.total_count, counts)

    def _mean(self):
        return identity(self._mean_val)

    def _all_probs(self):
        return self.probs * expand_dims(ones_like(self.total_count), -1)

    def _covariance(self):
        p = self._all_probs()
        return matrix_set_diag(-outer(self._mean_val, p), self._variance())

    def _variance(self):
        return self._mean_val - self._mean_val * self._all_probs()

    def _maybe_assert_valid_sample(self, counts):
        if not self.validate_args:
            return counts
        counts = embed_check_nonnegative_integer_form(counts)
        text = "counts must sum to `self.total_count`"
        total = reduce_sum(counts, -1)
        return with_dependencies(
            [assert_equal(self.total_count, total, message=text)], counts
        )
