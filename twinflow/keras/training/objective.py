"""Losses and metrics of samples as one number, with weights and masks."""

import contextlib

import numpy as np

from twinflow.distribute import contexts
from twinflow.distribute.replicas import ReduceOp
from twinflow.keras import metrics
from twinflow.keras.backend import defaults, math
from twinflow.losses.weights import broadcast_weights
from twinflow.metrics.streaming import aligned, safe_div
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.reduction import reduce_sum

KNOWN = frozenset(metrics.BY_NAME.values())


def weighted_mean(function, y_true, y_pred, weights=None, mask=None, total=reduce_sum):
    """The mean of a loss over samples.

    Args:
        function: a loss. y_true, y_pred: tensors.
        weights: float[batch] or float[batch, steps], or None.
        mask: bool[batch, ...], or None: where it is False, nothing counts.
        total: gives the sum of weights; see `mean_of_towers`.
    Returns:
        A scalar tensor.
    """
    if function in KNOWN and not y_true.dtype.is_floating:
        y_true = cast(y_true, y_pred.dtype.base_dtype)
    score = function(y_true, y_pred)
    if mask is not None:
        score, weights = _masked(score, cast(mask, y_pred.dtype.base_dtype), weights)
    if weights is not None:
        score = _weighted(score, weights, total)
    return math.mean(score)


def value_of(metric, y_true, y_pred, weights=None, mask=None):
    """The value of a metric for a batch; one that adds up gives that of all so far.

    Args: see weighted_mean.
    """
    if not isinstance(metric, metrics.Metric):
        return weighted_mean(metric, y_true, y_pred, weights, mask)
    if mask is not None:
        mask = cast(mask, y_pred.dtype.base_dtype)
        if weights is not None:
            mask, _, weights = aligned(mask, None, weights)
            with contextlib.suppress(ValueError):
                weights = broadcast_weights(weights, mask)
        weights = mask if weights is None else weights * mask
    return metric(y_true, y_pred, weights)


def _masked(score, mask, weights):
    if weights is None:
        return score, mask
    mask, _, weights = aligned(mask, None, weights)
    try:
        return score, broadcast_weights(weights, mask) * mask
    except ValueError:
        return score * mask / math.mean(mask), weights


def mean_of_towers(weights):
    """The sum of the weights of samples as the mean over all towers.

    The mean over towers of weighted sums divided by it is that of the whole batch.
    """
    tower, own = contexts.of_several_towers(), reduce_sum(weights)
    return own if tower is None else tower.all_reduce(ReduceOp.MEAN, own)


def _weighted(score, weights, total):
    score, _, weights = aligned(score, None, weights)
    try:
        weights = broadcast_weights(weights, score)
    except ValueError:
        axes = list(range(len(weights._shape), len(score._shape)))
        score = math.mean(score, axes)
    weights = cast(weights, score.dtype.base_dtype)
    return safe_div(reduce_sum(multiply(score, weights)), total(weights), "value")


def as_tensors(values, like=()):
    """Arrays of floats as tensors in `floatx`; None stays.

    Args:
        like: tensors whose dtypes arrays of numbers get.
    """
    given = [v if v is None else _as_tensor(v) for v in map(_of_kind, values, like)]
    return given + [v if v is None else _as_tensor(v) for v in values[len(given) :]]


def _of_kind(value, like):
    numbers = isinstance(value, np.ndarray) and value.dtype.kind in "biuf"
    return value.astype(like.dtype.base_dtype.np) if numbers else value


def _as_tensor(value):
    wanted = defaults.floatx()
    if isinstance(value, np.ndarray):
        floats = value.dtype.kind == "f" and value.dtype != wanted
        return convert_to_tensor(value.astype(wanted) if floats else value)
    value = convert_to_tensor(value)
    if value.dtype.is_floating and value.dtype.name != wanted:
        return cast(value, wanted)
    return value
