"""Metrics of the curves that a moving threshold draws; see Note [Streaming metrics]."""

from twinflow.base import dtypes
from twinflow.base.logging import warning
from twinflow.graph.variable_scope import variable_scope
from twinflow.metrics.streaming import metric, safe_div
from twinflow.metrics.thresholds import confusion_at_thresholds
from twinflow.ops.core.compare import equal, logical_and, where
from twinflow.ops.core.constant import cast, to_int64
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.division import div
from twinflow.ops.core.elementwise import abs, log, maximum, minimum, multiply
from twinflow.ops.core.reduction import reduce_min, reduce_sum
from twinflow.ops.core.scan import cumsum
from twinflow.ops.math.positions import argmax, argmin

EPSILON = 1e-7
_KEYS = ("tp", "fn", "tn", "fp")


def evenly(count):
    """`count` thresholds, of which the first and last hold all and nothing."""
    inner = [(i + 1) * 1.0 / (count - 1) for i in range(count - 2)]
    return [0.0 - EPSILON, *inner, 1.0 + EPSILON]


@metric()
def auc(
    labels, predictions, weights=None, num_thresholds=200, *, curve="ROC", name=None,
    summation_method="trapezoidal",
):  # fmt: skip
    """The area under the ROC or the precision-recall curve, drawn in steps.

    Args:
        labels: a tensor, taken as bools. predictions: floats in [0, 1] of its shape.
        num_thresholds: the number of points of the curve.
        curve: "ROC" or "PR".
        summation_method: "trapezoidal", "careful_interpolation" (for PR), or
            "minoring" and "majoring" for sums of rectangles.
    Returns:
        (the area so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: there is no such curve or method.
        InvalidArgumentError: a prediction is not in [0, 1].
    Example:
        labels, scores = tf.constant([0, 0, 1, 1]), tf.constant([0.1, 0.4, 0.35, 0.8])
        value, update = tf.metrics.auc(labels, scores)
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        round(float(sess.run(update)), 3)  # 0.75
    Reference: Davis and Goadrich, The relationship between precision-recall and ROC
    curves (ICML 2006), section 4, for careful interpolation.
    """
    with variable_scope(name, "auc"):
        if curve not in ("ROC", "PR"):
            raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
        values, updates = confusion_at_thresholds(
            labels, predictions, evenly(num_thresholds), weights
        )
        area = _pr_area if curve == "PR" else _roc_area
        return (
            area(values, summation_method, "value"),
            area(updates, summation_method, "update_op"),
        )


def points(counts, curve):
    """The x and y of a curve from counts at thresholds."""
    tp, fn, tn, fp = (counts[k] for k in _KEYS)
    small = 1.0e-6
    recall = div(tp + small, tp + fn + small)
    if curve == "ROC":
        return div(fp, fp + tn + small), recall
    return recall, div(tp + small, tp + fp + small)


def _roc_area(counts, method, name):
    return _area(*points(counts, "ROC"), method, name)


def _pr_area(counts, method, name):
    if method == "careful_interpolation":
        return _interpolated(counts["tp"], counts["fn"], counts["fp"])
    if method == "trapezoidal":
        warning(
            "Trapezoidal rule is known to produce incorrect PR-AUCs; please switch to "
            '"careful_interpolation" instead.'
        )
    return _area(*points(counts, "PR"), method, name)


def _area(x, y, method, name):
    widths, left, right = x[:-1] - x[1:], y[:-1], y[1:]
    if method in ("trapezoidal", "careful_interpolation"):
        heights = (left + right) / 2.0
    elif method == "minoring":
        heights = minimum(left, right)
    elif method == "majoring":
        heights = maximum(left, right)
    else:
        raise ValueError(f"Invalid summation_method: {method}")
    return reduce_sum(multiply(widths, heights), name=name)


def _interpolated(tp, fn, fp):
    """The PR area where true and false positives grow in proportion in a step."""
    found = tp + fp
    here, last, more = found[:-1], found[1:], tp[:-1] - tp[1:]
    slope = safe_div(more, here - last, "prec_slope")
    intercept = tp[1:] - multiply(slope, last)
    both = logical_and(here > 0, last > 0)
    ratio = where(both, safe_div(here, last, "recall_relative_ratio"), ones_like(last))
    parts = safe_div(
        slope * (more + intercept * log(ratio)), tp[1:] + fn[1:], "pr_auc_increment"
    )
    return reduce_sum(parts, name="interpolate_pr_auc")


def _at(compute, of, point, labels, predictions, weights, count):
    """What a function computes at a point, from 0 to 1, of another measure."""
    if point < 0 or point > 1:
        raise ValueError(f"`{of}` must be in the range [0, 1].")
    values, updates = confusion_at_thresholds(
        labels, predictions, evenly(count), weights
    )
    return compute(values, point, "value"), compute(updates, point, "update_op")


def _sensitivity(counts, specificity, name):
    tp, fn, tn, fp = (counts[k] for k in _KEYS)
    return at_nearest(div(tn, tn + fp + EPSILON) - specificity, tp, fn, name)


def at_nearest(far, part, rest, name):
    """part / (part + rest) at the threshold where `far` is nearest to 0."""
    i = cast(argmin(abs(far), 0), dtypes.int32)
    return div(part[i], part[i] + rest[i] + EPSILON, name)


def _specificity(counts, sensitivity, name):
    tp, fn, tn, fp = (counts[k] for k in _KEYS)
    far = abs(div(tp, tp + fn + EPSILON) - sensitivity)
    nearest = to_int64(equal(far, reduce_min(far)))
    last = cast(argmax(cumsum(nearest), 0), dtypes.int32)
    return div(tn[last], tn[last] + fp[last] + EPSILON, name)


@metric()
def sensitivity_at_specificity(
    labels, predictions, specificity, weights=None, num_thresholds=200
):
    """How many true ones are found where so many false ones are left out.

    Args:
        labels: a tensor, taken as bools. predictions: floats in [0, 1] of its shape.
        specificity: the part of the false ones that is left out, in [0, 1].
        num_thresholds: how many are tried; the one that comes nearest is taken.
    Returns:
        (the sensitivity so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: `specificity` is not in [0, 1].
        InvalidArgumentError: a prediction is not in [0, 1].
    """
    return _at(
        _sensitivity,
        "specificity",
        specificity,
        labels,
        predictions,
        weights,
        num_thresholds,
    )


@metric()
def specificity_at_sensitivity(
    labels, predictions, sensitivity, weights=None, num_thresholds=200
):
    """How many false ones are left out where so many true ones are found.

    Args:
        sensitivity: the part of the true ones that is found, in [0, 1].
        Others: see sensitivity_at_specificity.
    Returns:
        (the specificity so far, the op that adds this batch), float32 scalars.
    Raises: see sensitivity_at_specificity.
    """
    return _at(
        _specificity,
        "sensitivity",
        sensitivity,
        labels,
        predictions,
        weights,
        num_thresholds,
    )
