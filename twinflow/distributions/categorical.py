"""The categorical distribution."""

from operator import attrgetter
from typing import Any

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.shapes import TensorShape
from twinflow.distributions.checks import embed_check_integer_casting_closed
from twinflow.distributions.distribution import NOT_REPARAMETERIZED, Distribution
from twinflow.distributions.kullback_leibler import RegisterKL
from twinflow.distributions.parameters import get_logits_and_probs
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays.gather_batch import sequence_mask
from twinflow.ops.core.compare import where
from twinflow.ops.core.constant import cast, constant, convert_to_tensor, identity
from twinflow.ops.core.creation import ones, ones_like, zeros_like
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, rank, reshape, shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.math.positions import argmax
from twinflow.ops.nn.loss import sparse_softmax_cross_entropy_with_logits
from twinflow.ops.nn.softmax import log_softmax, softmax
from twinflow.ops.random.choice import multinomial


class Categorical(Distribution):
    """The categorical distribution: one of the classes 0, 1, ... classes - 1.

    Args:
        logits: float[batch..., classes], logarithms of probabilities, which need not
            be normalized. probs: float[batch..., classes]; one of both is given.
        dtype: that of samples. validate_args: whether to check what is given.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: both of logits and probs are given, or none.
    Example:
        tf.distributions.Categorical(probs=[0.25, 0.75]).prob([1, 0])  # [0.75, 0.25]
    """

    def __init__(
        self, logits: Any = None, probs: Any = None, dtype: DTypeValue = dtypes.int32,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "Categorical",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        dtype = dtypes.as_dtype(dtype)
        with name_scope(name, values=[logits, probs]) as name:
            self._logits, self._probs = get_logits_and_probs(
                logits=logits, probs=probs, validate_args=validate_args,
                multidimensional=True, name=name,
            )  # fmt: skip
            self._find_sizes()
        super().__init__(
            dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._logits, self._probs], name,
        )  # fmt: skip

    def _find_sizes(self):
        """The rank and shape of the batch and the number of classes, as tensors."""
        known = self._logits.shape.with_rank_at_least(1)
        if known.ndims is not None:
            self._batch_rank = convert_to_tensor(
                known.ndims - 1, dtype=dtypes.int32, name="batch_rank"
            )
        else:
            with name_scope("batch_rank"):
                self._batch_rank = rank(self._logits) - 1
        whole = shape(self._logits, name="logits_shape")
        if known[-1].value is not None:
            self._event_size = convert_to_tensor(
                known[-1].value, dtype=dtypes.int32, name="event_size"
            )
        else:
            with name_scope("event_size"):
                self._event_size = whole[self._batch_rank]
        if known[:-1].is_fully_defined():
            self._batch_shape_val = constant(
                known[:-1].as_list(), dtype=dtypes.int32, name="batch_shape"
            )
        else:
            with name_scope("batch_shape"):
                self._batch_shape_val = whole[:-1]

    event_size = property(
        attrgetter("_event_size"), doc="The number of classes, int32[]."
    )
    logits = property(attrgetter("_logits"), doc="Logits, float[batch..., classes].")
    probs = property(
        attrgetter("_probs"), doc="Probabilities, float[batch..., classes]."
    )

    def _batch_shape_tensor(self):
        return identity(self._batch_shape_val)

    def _batch_shape(self):
        return self.logits.shape[:-1]

    def _event_shape_tensor(self):
        return constant([], dtype=dtypes.int32)

    def _event_shape(self):
        return TensorShape([])

    def _sample_n(self, n, seed=None):
        rows = self.logits
        if rows.shape.ndims != 2:
            rows = reshape(rows, [-1, self.event_size])
        drawn = dtypes.int64 if self.dtype.size > 4 else dtypes.int32
        draws = multinomial(rows, n, seed=seed, output_dtype=drawn)
        draws = reshape(transpose(draws), concat([[n], self.batch_shape_tensor()], 0))
        return cast(draws, self.dtype)

    def _cdf(self, k):
        k = convert_to_tensor(k, name="k")
        if self.validate_args:
            k = embed_check_integer_casting_closed(k, target_dtype=dtypes.int32)
        k, probs = _broadcast(k, self.probs, self.dtype.base_dtype)
        rows = reshape(probs, [-1, self._event_size])
        below = sequence_mask(reshape(k, [-1]), self._event_size)
        total = reduce_sum(where(below, rows, zeros_like(rows)), -1)
        found = reshape(total, shape(k))
        found.set_shape(k.shape)
        return found

    def _log_prob(self, k):
        k = convert_to_tensor(k, name="k")
        if self.validate_args:
            k = embed_check_integer_casting_closed(k, target_dtype=dtypes.int32)
        k, logits = _broadcast(k, self.logits, self.dtype.base_dtype)
        return -sparse_softmax_cross_entropy_with_logits(labels=k, logits=logits)

    def _entropy(self):
        return -reduce_sum(log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self):
        found = cast(argmax(self.logits, axis=self._batch_rank), self.dtype)
        found.set_shape(self.batch_shape)
        return found


def _broadcast(event, params, base_dtype):
    """Classes of shape [...] and parameters [..., classes], each as large as both."""
    if event.dtype.is_floating:
        event = cast(event, dtypes.int32)
    elif not event.dtype.is_integer:
        raise TypeError(
            f"`value` should have integer `dtype` or `self.dtype` ({base_dtype})"
        )
    known = event.shape.is_fully_defined() and params.shape.ndims is not None
    lead = params.shape[:-1]
    if not known or not lead.is_fully_defined() or lead != event.shape:
        params = params * ones_like(expand_dims(event, -1), dtype=params.dtype)
        event = event * ones(shape(params)[:-1], dtype=event.dtype)
        if params.shape.ndims is not None:
            event.set_shape(params.shape[:-1])
    return event, params


@RegisterKL(Categorical, Categorical)
def _kl_categorical_categorical(a: Any, b: Any, name: str | None = None) -> Any:
    with name_scope(name, "kl_categorical_categorical", [a.logits, b.logits]):
        delta = log_softmax(a.logits) - log_softmax(b.logits)
        return reduce_sum(softmax(a.logits) * delta, axis=-1)
