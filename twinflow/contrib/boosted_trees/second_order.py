"""Gradients and hessians of a loss, as the statistics of trees take them."""

from typing import Any, NamedTuple

from twinflow.base import dtypes
from twinflow.base.shapes import TensorShape
from twinflow.formats import decision_protos
from twinflow.graph.gradients import gradients as gradients_of
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import stack
from twinflow.ops.core.reduction import reduce_mean, reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape, squeeze
from twinflow.ops.core.transposing import transpose
from twinflow.ops.matrix.diagonal import trace


def _strategies():
    return decision_protos.learner.LearnerConfig


def _of(values, by, name=None):
    return gradients_of(values, by, name=name)[0]


def _diagonal(gradients, logits):
    """float32[batch, classes]: the slope of each gradient by its own logit."""
    classes = logits.shape[1].value
    if classes == 1:
        return _of(gradients, logits, "Hessian")
    rows = [_of(gradients[:, i], logits)[:, i] for i in range(classes)]
    return stack(rows, axis=1)


def _full(gradients, logits):
    """float32[batch, classes, classes]"""
    classes = logits.shape[1].value
    return stack([_of(gradients[:, i], logits) for i in range(classes)], axis=2)


def _column(values, number):
    """Column `number`, a tensor, of float32[batch, classes]: float32[batch]."""
    return squeeze(transpose(gather(transpose(values), reshape(number, [1]))), [1])


class Slopes(NamedTuple):
    """What the examples of a batch add to the statistics.

    Attributes:
        gradients, hessians: float32[batch, ...]. weights: float32[batch, 1], of the
            numbers in quantiles. raw: float32[batch, classes], the gradients.
        logits: float32[batch, classes].
    """

    gradients: Any
    hessians: Any
    weights: Any
    raw: Any
    logits: Any

    @classmethod
    def of(cls, loss, logits, strategy, class_id):
        """The Slopes of a loss, by the strategy of a LearnerConfig."""
        raw, known = _of(loss, logits, "Gradients"), _strategies()
        if logits.shape[1].value == 1:
            hessians = squeeze(_diagonal(raw, logits), [1])
            return cls(squeeze(raw, [1]), hessians, hessians[:, None], raw, logits)
        if strategy == known.FULL_HESSIAN:
            hessians = _full(raw, logits)
            return cls(raw, hessians, expand_dims(trace(hessians), 1), raw, logits)
        hessians = _diagonal(raw, logits)
        if strategy == known.DIAGONAL_HESSIAN:
            weights = reduce_mean(hessians, 1, keepdims=True)
            return cls(raw, hessians, weights, raw, logits)
        hessians = _column(hessians, class_id)
        return cls(_column(raw, class_id), hessians, hessians[:, None], raw, logits)

    def shapes(self):
        """The TensorShapes of an example's gradient and hessian."""
        return TensorShape(self.gradients.shape[1:]), TensorShape(
            self.hessians.shape[1:]
        )

    def none(self):
        """Gradients and hessians of no examples."""
        return tuple(zeros([0, *s.as_list()], dtypes.float32) for s in self.shapes())

    def of_bias(self):
        """float32[classes]: the sums of the gradients, and their slopes."""
        sums = reduce_sum(self.raw, 0)
        slopes = _diagonal(self.raw, self.logits)
        return sums, reduce_sum(slopes, 0)
