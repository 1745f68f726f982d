"""The categorical distribution over one-hot vectors."""

from operator import attrgetter
from typing import Any

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.distributions.distribution import NOT_REPARAMETERIZED, Distribution
from twinflow.distributions.kullback_leibler import RegisterKL
from twinflow.distributions.parameters import get_logits_and_probs
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.constant import cast
from twinflow.ops.core.creation import ones, ones_like, zeros
from twinflow.ops.core.joining import concat
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, rank, reshape, shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.debugging.checks import assert_near, assert_non_positive
from twinflow.ops.debugging.static import with_dependencies
from twinflow.ops.math.positions import argmax
from twinflow.ops.matrix.diagonal import matrix_set_diag
from twinflow.ops.nn.loss import softmax_cross_entropy_with_logits_v2
from twinflow.ops.nn.softmax import log_softmax, softmax
from twinflow.ops.random.choice import multinomial


class OfClasses(Distribution):
    """A distribution whose events are vectors with an element a class."""

    def _set_classes(self, logits, probs, validate_args, name, dtype=None):
        self._logits, self._probs = get_logits_and_probs(
            name=name, logits=logits, probs=probs, validate_args=validate_args,
            multidimensional=True, dtype=dtype,
        )  # fmt: skip
        known = self._logits.shape.with_rank_at_least(1)
        with name_scope("batch_rank"):
            if known.ndims is not None:
                self._batch_rank = known.ndims - 1
            else:
                self._batch_rank = rank(self._logits) - 1
        with name_scope("event_size"):
            if known[-1].value is not None:
                self._event_size = known[-1].value
            else:
                self._event_size = shape(self._logits)[self._batch_rank]

    event_size = property(attrgetter("_event_size"), doc="The number of classes.")
    logits = property(attrgetter("_logits"), doc="Logits, float[batch..., classes].")
    probs = property(
        attrgetter("_probs"), doc="Probabilities, float[batch..., classes]."
    )

    def _batch_shape_tensor(self):
        return shape(self.logits)[:-1]

    def _batch_shape(self):
        return self.logits.shape[:-1]

    def _event_shape_tensor(self):
        return shape(self.logits)[-1:]

    def _event_shape(self):
        return self.logits.shape.with_rank_at_least(1)[-1:]

    def _alike(self, x):
        """x and the logits, each as large as both, and as rows."""
        logits = self.logits
        known = x.shape.is_fully_defined() and logits.shape.is_fully_defined()
        if not known or x.shape != logits.shape:
            logits = ones_like(x, dtype=logits.dtype) * logits
            x = ones_like(logits, dtype=x.dtype) * x
        return x, logits


class OneHotCategorical(OfClasses):
    """The categorical distribution over vectors of which one element is 1.

    Args:
        logits: float[batch..., classes]. probs: float[batch..., classes]; one of both
            is given. dtype: that of samples. validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Example:
        d = tf.contrib.distributions.OneHotCategorical(probs=[0.25, 0.75])
        d.prob([0, 1])  # 0.75
    """

    def __init__(
        self, logits: Any = None, probs: Any = None, dtype: DTypeValue = dtypes.int32,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "OneHotCategorical",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs]) as name:
            self._set_classes(logits, probs, validate_args, name)
        super().__init__(
            dtypes.as_dtype(dtype), NOT_REPARAMETERIZED, validate_args, allow_nan_stats,
            parameters, [self._logits, self._probs], name,
        )  # fmt: skip

    def _sample_n(self, n, seed=None):
        whole = concat([[n], shape(self.logits)], 0)
        rows = self.logits
        if rows.shape.ndims != 2:
            rows = reshape(rows, [-1, self.event_size])
        draws = reshape(transpose(multinomial(rows, n, seed=seed)), [-1])
        found = reshape(one_hot(draws, self.event_size, dtype=self.dtype), whole)
        return found

    def _log_prob(self, x):
        x = self._assert_valid_sample(x)
        x, logits = self._alike(cast(x, self.logits.dtype))
        whole = shape(logits)
        found = -softmax_cross_entropy_with_logits_v2(
            labels=reshape(x, [-1, self.event_size]),
            logits=reshape(logits, [-1, self.event_size]),
        )
        found = reshape(found, whole[:-1])
        if logits.shape.ndims is not None:
            found.set_shape(logits.shape[:-1])
        return found

    def _entropy(self):
        return -reduce_sum(log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self):
        found = argmax(self.logits, axis=self._batch_rank)
        found = one_hot(found, self.event_size, dtype=self.dtype)
        found.set_shape(self.logits.shape)
        return found

    def _covariance(self):
        p = self.probs
        product = -matmul(expand_dims(p, -1), expand_dims(p, -2))
        return matrix_set_diag(product, self._variance())

    def _variance(self):
        return self.probs * (1.0 - self.probs)

    def _assert_valid_sample(self, x):
        if not self.validate_args:
            return x
        one, total = ones([], dtype=x.dtype), reduce_sum(x, axis=[-1])
        return with_dependencies(
            [assert_non_positive(x - one), assert_near(zeros([], x.dtype), total - one)]
            if x.dtype.is_floating
            else [assert_non_positive(x - one)],
            x,
        )


@RegisterKL(OneHotCategorical, OneHotCategorical)
def _kl_categorical_categorical(a: Any, b: Any, name: str | None = None) -> Any:
    with name_scope(name, "kl_categorical_categorical", [a.logits, b.logits]):
        delta = log_softmax(a.logits) - log_softmax(b.logits)
        return reduce_sum(softmax(a.logits) * delta, axis=-1)
