"""tf.contrib.metrics: metrics of many predictions, counted in buckets.

See Note [Streaming metrics].
"""

from collections import namedtuple
from typing import Any

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.graph.scopes import group
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.metrics.streaming import aligned, contrib_streaming, metric_variable
from twinflow.metrics.thresholds import checks_of_range
from twinflow.ops.arrays.boolean_mask import boolean_mask
from twinflow.ops.arrays.rearrange import reverse
from twinflow.ops.core.compare import equal, logical_not
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import linspace
from twinflow.ops.core.division import truediv
from twinflow.ops.core.elementwise import add, maximum
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.rounding import floor
from twinflow.ops.core.scan import cumsum
from twinflow.ops.core.shape import rank, reshape, shape
from twinflow.ops.debugging.checks import Assert
from twinflow.ops.debugging.static import assert_type
from twinflow.ops.math.confusion_matrix import remove_squeezable_dimensions
from twinflow.ops.math.counting import histogram_fixed_width
from twinflow.ops.random.initializers_plain import Zeros
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.parts import scatter_add

PrecisionRecallData = namedtuple(
    "PrecisionRecallData", ["tp", "fp", "tn", "fn", "precision", "recall", "thresholds"]
)


@contrib_streaming
def precision_recall_at_equal_thresholds(
    labels: Any, predictions: Any, weights: Any = None, num_thresholds: Any = None,
    use_locking: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Counts, precision and recall at evenly spaced thresholds.

    Each prediction is looked at once: for many predictions and thresholds.

    Args:
        labels: bool, any shape. predictions: floats in [0, 1] of its shape.
        weights: a tensor that broadcasts to it. num_thresholds: n, 201 by default.
        use_locking: accepted: updates are never lost. name: the variable scope.
    Returns:
        ((tp, fp, tn, fn, precision, recall, thresholds) so far, each [n] of the dtype
        of the predictions; the op that adds this batch). A prediction counts as
        positive where it is at least the threshold.
    Raises:
        RuntimeError: eager mode. TypeError: the labels are not bools.
        InvalidArgumentError: a prediction is not in [0, 1].
    """
    count = 201 if num_thresholds is None else num_thresholds
    assert_type(labels, dtypes.bool)
    with variable_scope(name, "precision_recall_at_equal_thresholds"):
        with current_mode().control_dependencies(checks_of_range(predictions)):
            predictions, labels, weights = aligned(
                predictions, labels, 1.0 if weights is None else weights
            )
        true, weights = (cast(t, dtypes.float64) for t in (labels, weights))
        flat = reshape(predictions, [-1])
        buckets = cast(floor(flat * (count - 1)), dtypes.int32)
        with current_mode().name_scope("variables"):
            held = [
                metric_variable([count], dtypes.float64, name=n)
                for n in ("tp_buckets", "fp_buckets")
            ]
        hits = (reshape(t * weights, [-1]) for t in (true, 1.0 - true))
        updates = [scatter_add(v, buckets, t) for v, t in zip(held, hits, strict=True)]
        tp, fp = (cumsum(v, reverse=True) for v in held)
        tn, fn, small = fp[0] - fp, tp[0] - tp, 1e-7
        parts = (
            tp, fp, tn, fn, tp / maximum(tp + fp, small), tp / maximum(tp + fn, small),
            linspace(0.0, 1.0, count),
        )  # fmt: skip
        value = PrecisionRecallData(*(cast(t, predictions.dtype) for t in parts))
        return value, group(*updates)


def strict_1d_cumsum(tensor: Any, len_tensor: Any) -> Any:
    """The sums of the first 1, 2 ... numbers of a vector of a known length."""
    with current_mode().name_scope("strict_1d_cumsum"):
        return cumsum(reshape(tensor, [len_tensor]))


@contrib_streaming
def auc_using_histogram(
    boolean_labels: Any, scores: Any, score_range: Any, nbins: Any = 100,
    collections: Any = None, check_shape: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """The area under the ROC curve, from histograms of the scores of both kinds.

    Args:
        boolean_labels: bool[n]. scores: numbers[n].
        score_range: [lowest, highest] of the dtype of the scores; what lies outside
            counts for the first or last bin.
        nbins: the number of bins. collections: of the histograms, LOCAL_VARIABLES by
            default. check_shape: whether to check that both are vectors.
        name: the variable scope.
    Returns:
        (the area so far, a float32 scalar; the op that adds this batch)
    Raises:
        RuntimeError: eager mode. ValueError: the labels are not bools.
    Reference: Bouckaert, Efficient AUC learning curve calculation (2006).
    """
    collections = [GraphKeys.LOCAL_VARIABLES] if collections is None else collections
    with variable_scope(name, "auc_using_histogram"):
        scores, labels = remove_squeezable_dimensions(scores, boolean_labels)
        if labels.dtype != dtypes.bool:
            raise ValueError(
                "Argument boolean_labels should have dtype bool.  "
                f"Found: {labels.dtype}"
            )
        score_range = convert_to_tensor(score_range, name="score_range")
        checks = _are_vectors(labels, scores) if check_shape else []
        with current_mode().control_dependencies(checks):
            kinds = {
                "hist_true": boolean_mask(scores, labels),
                "hist_false": boolean_mask(scores, logical_not(labels)),
            }
        with variable_scope(None, "hist_accumulate"):
            held, updates = [], []
            for key, values in kinds.items():
                added = histogram_fixed_width(
                    values, score_range, nbins, dtypes.int64, name=key
                )
                total = get_variable(
                    f"{key}_acc", [nbins], dtypes.int64, Zeros(), trainable=False,
                    collections=collections,
                )  # fmt: skip
                held.append(total)
                updates.append(total.assign_add(added))
            update = group(*updates, name="update_op")
        return _area(*held), update


def _are_vectors(labels, scores):
    checks = (
        Assert(
            equal(1, rank(t)),
            [f"Argument {name} should have rank 1.  Found: ", t.name, shape(t)],
        )
        for name, t in (("boolean_labels", labels), ("scores", scores))
    )
    return [c for c in checks if c is not None]


def _area(true, false):
    """The area by trapezoids, from the highest bin down."""
    dy, dx = (
        cast(reverse(truediv(t, reduce_sum(t)), [0]), dtypes.float32)
        for t in (true, false)
    )
    y = cumsum(dy)
    first = dx[0] * y[0] / 2.0
    return add(first, reduce_sum(dx[1:] * (y[1:] + y[:-1]) / 2.0), name="auc")
