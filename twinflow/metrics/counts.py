"""Metrics that count right and wrong answers; see Note [Streaming metrics]."""

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.metrics.streaming import aligned, as_bool, metric, metric_variable, so_far
from twinflow.ops.core.compare import equal, greater, logical_and, where
from twinflow.ops.core.constant import identity, to_float
from twinflow.ops.core.division import div
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import rank
from twinflow.ops.debugging.static import assert_rank_in, assert_type
from twinflow.ops.variables.state import assign_add

# name: (the label, the prediction, what they are)
OUTCOMES = {
    "true_positives": (True, True, "are true and were predicted"),
    "true_negatives": (False, False, "are false and not predicted"),
    "false_positives": (False, True, "are false but were predicted"),
    "false_negatives": (True, False, "are true but not predicted"),
}
_TEXT = """How many {}.

    Args:
        labels, predictions: tensors of one shape, taken as bools.
    Returns:
        (the number so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """


def _of(name):
    """The metric that counts an outcome."""
    label, prediction, words = OUTCOMES[name]

    @metric(name=name, doc=_TEXT.format(words))
    def count(labels, predictions, weights=None):
        predictions, labels, weights = aligned(
            as_bool(predictions), as_bool(labels), weights
        )
        hits = logical_and(equal(labels, label), equal(predictions, prediction))
        return _counted(hits, weights)

    return count


def _counted(hits, weights):
    """The sum of the weights of true elements."""
    assert_type(hits, dtypes.bool)
    count = metric_variable([], dtypes.float32, name="count")
    hits = to_float(hits)
    if weights is not None:
        check = assert_rank_in(weights, (0, rank(hits)))
        with current_mode().control_dependencies([check]):
            hits = multiply(hits, to_float(weights))
    return identity(so_far(count)), assign_add(count, reduce_sum(hits))


true_positives = _of("true_positives")
true_negatives = _of("true_negatives")
false_positives = _of("false_positives")
false_negatives = _of("false_negatives")


def _ratio(hits, misses, name):
    both = hits + misses
    return where(greater(both, 0), div(hits, both), 0, name)


def share(part, rest, labels, predictions, weights):
    """part / (part + rest) of two counts"""
    predictions, labels, weights = aligned(
        as_bool(predictions), as_bool(labels), weights
    )
    hit, hits = part(labels, predictions, weights)
    miss, missed = rest(labels, predictions, weights)
    return _ratio(hit, miss, "value"), _ratio(hits, missed, "update_op")


@metric()
def precision(labels, predictions, weights=None):
    """How many of those that were predicted are true.

    Args:
        labels, predictions: tensors of one shape, taken as bools.
    Returns:
        (the precision so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    Example:
        value, update = tf.metrics.precision([0, 1, 1], [1, 1, 0])
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        sess.run(update)  # 0.5
    """
    return share(true_positives, false_positives, labels, predictions, weights)


@metric()
def recall(labels, predictions, weights=None):
    """How many of those that are true were predicted.

    Args, Raises: see precision.
    Returns:
        (the recall so far, the op that adds this batch), float32 scalars.
    """
    return share(true_positives, false_negatives, labels, predictions, weights)
