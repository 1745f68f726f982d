"""tf.contrib.metrics: areas under curves from all predictions, which are kept.

See Note [Streaming metrics].
"""

import math
from collections import namedtuple
from statistics import NormalDist

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, group
from twinflow.graph.variable_scope import variable_scope
from twinflow.metrics.curves import EPSILON
from twinflow.metrics.streaming import (
    aligned,
    contrib_metric,
    metric_variable,
)
from twinflow.ops.arrays.padding import pad
from twinflow.ops.arrays.rearrange import reverse
from twinflow.ops.arrays.topk import top_k
from twinflow.ops.arrays.unique import unique, unique_with_counts
from twinflow.ops.core.compare import (
    equal,
    greater_equal,
    less,
    logical_and,
    logical_or,
    where,
)
from twinflow.ops.core.constant import cast, constant, convert_to_tensor, to_double
from twinflow.ops.core.creation import ones_like, zeros_like
from twinflow.ops.core.division import truediv
from twinflow.ops.core.elementwise import abs, exp, log, minimum, sqrt, square
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_max, reduce_min, reduce_sum
from twinflow.ops.core.rounding import ceil
from twinflow.ops.core.scan import cumsum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.size import size
from twinflow.ops.core.transposing import transpose
from twinflow.ops.debugging.checks import assert_greater_equal, assert_less_equal
from twinflow.ops.math.segment import segment_sum
from twinflow.ops.variables.state import assign


@contrib_metric()
def streaming_concat(values, axis=0, max_size=None):
    """All values, joined along an axis.

    Args:
        values: a tensor of known shape but for `axis`. axis: an int.
        max_size: how many are kept along the axis; the first ones. None for all.
    Returns:
        (the values so far, the op that adds this batch and gives their number, int32)
    Raises:
        RuntimeError: eager mode.
        ValueError: the shape is not known, or has no such axis.
    Example:
        value, update = tf.contrib.metrics.streaming_concat(tf.constant([1.0, 2.0]))
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        sess.run(update)
        sess.run(value)  # [1.0, 2.0]
    """
    values = convert_to_tensor(values)
    ndim = values.shape.ndims
    if ndim is None:
        raise ValueError("`values` must have known statically known rank")
    axis = axis + ndim if axis < 0 else axis
    if not 0 <= axis < ndim:
        raise ValueError(f"axis = {axis!r} not in [0, {ndim!r})")
    others = [d for i, d in enumerate(values.shape.as_list()) if i != axis]
    if None in others:
        raise ValueError(
            "all dimensions of `values` other than the dimension to concatenate "
            "along must have statically known size"
        )
    kept = metric_variable(
        [0, *others], values.dtype, validate_shape=False, name="array"
    )
    count = metric_variable([], dtypes.int32, name="size")
    front = [axis, *(i for i in range(ndim) if i != axis)]
    back = [front.index(i) for i in range(ndim)]
    old = kept.read_value()[: count.read_value()]
    old.set_shape([None, *others])
    added = transpose(values, front)
    if max_size is not None:
        added = added[: minimum(shape(added)[0], max_size - shape(old)[0])]
    value, new = transpose(old, back, name="concat"), concat([old, added], 0)
    with control_dependencies([assign(kept, new, validate_shape=False)]):
        return value, assign(count, shape(new)[0])


def _next_array_size(required_size, growth_factor=1.5):
    """The least power of a factor that is not below a size, int32[]."""
    steps = ceil(log(cast(required_size, dtypes.float32)) / math.log(growth_factor))
    return cast(ceil(growth_factor**steps), dtypes.int32)


def _labels_checked(labels):
    """Ops that fail unless all labels are 0 or 1."""
    words = "labels must be 0 or 1, at least one is %s"
    checks = [
        assert_greater_equal(labels, zeros_like(labels), message=words % "<0"),
        assert_less_equal(labels, ones_like(labels), message=words % ">1"),
    ]
    return [c for c in checks if c is not None]


def _kept(parts):
    """(tensor, name) pairs, joined over the batches, and the op that adds a batch."""
    pairs = [streaming_concat(t, name=n) for t, n in parts]
    kept, updates = zip(*pairs, strict=True)
    return kept, group(*updates)


def _flat(t, dtype):
    return reshape(cast(t, dtype), [-1])


@contrib_metric(collections=())
def streaming_dynamic_auc(labels, predictions, curve="ROC", *, name=None, weights=None):
    """The area under a curve with a point for each prediction so far.

    Args:
        labels: 0 or 1, any shape. predictions: numbers of its shape.
        curve: "ROC" or "PR". weights: numbers of its shape, at least 0.
    Returns:
        (the area so far, float64; the op that adds this batch). The area is 0 where
        all labels are the same.
    Raises:
        RuntimeError: eager mode. ValueError: there is no such curve.
        InvalidArgumentError: a label is not 0 or 1.
    """
    if curve not in ("PR", "ROC"):
        raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
    with variable_scope(name, "dynamic_auc"):
        labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
        labels.shape.assert_is_compatible_with(predictions.shape)
        predictions = _flat(predictions, dtypes.float64)
        labels = _flat(labels, dtypes.int64)
        with current_mode().control_dependencies(_labels_checked(labels)):
            parts = [(predictions, "concat_preds"), (labels, "concat_labels")]
            if weights is not None:
                parts.append((_flat(weights, dtypes.float64), "concat_weights"))
            kept, update = _kept(parts)
            return _dynamic_area(curve, *kept), update


def _dynamic_area(curve, predictions, labels, weights=None):
    weights = to_double(ones_like(labels)) if weights is None else weights
    true = weights * to_double(labels)
    total, positive = reduce_sum(weights), reduce_sum(true)

    def area():
        ordered, order = top_k(predictions, k=size(predictions))
        ends = _before(cumsum(unique_with_counts(ordered)[2]))
        hits = gather(_before(cumsum(gather(true, order))), ends)
        found = gather(_before(cumsum(gather(weights, order))), ends)
        recall = truediv(hits, positive)
        if curve == "ROC":
            x, y = truediv(found - hits, total - positive), recall
        else:
            x, y = recall, where(ends > 0, truediv(hits, found), ones_like(hits))
        return reduce_sum((y[1:] + y[:-1]) / 2.0 * abs(x[1:] - x[:-1]))

    same = logical_or(equal(positive, 0), equal(positive, total))
    return cond(same, lambda: constant(0.0, dtypes.float64), area)


def _before(t):
    """A vector with a 0 before it."""
    return pad(t, [[1, 0]])


AucData = namedtuple("AucData", ["auc", "lower", "upper"])


@contrib_metric(collections=())
def auc_with_confidence_intervals(
    labels, predictions, weights=None, alpha=0.95, logit_transformation=True, *,
    name=None,
):  # fmt: skip
    """The area under the ROC curve, and where it lies with probability `alpha`.

    Args:
        labels: 0 or 1, any shape. predictions: numbers of its shape.
        weights: as for all metrics. alpha: in (0, 1).
        logit_transformation: whether the interval is symmetric in log(a / (1 - a)),
            which keeps it in [0, 1], or in the area a.
    Returns:
        ((auc, lower, upper) so far, float32 scalars; the op that adds this batch). All
        are 0 where this batch has only one kind of labels, or weights below 1 in sum.
    Raises:
        RuntimeError: eager mode. ValueError: `alpha` is not in (0, 1).
        InvalidArgumentError: a label is not 0 or 1.
    Reference: Sun and Xu, Fast implementation of DeLong's algorithm (2014).
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be between 0 and 1; currently {alpha:.02f}")
    weights = ones_like(predictions) if weights is None else weights
    with variable_scope(name, "auc_with_confidence_intervals"):
        predictions, labels, weights = aligned(predictions, labels, weights)
        enough = greater_equal(reduce_sum(weights), 1.0)
        labels = _flat(labels, dtypes.int64)
        with current_mode().control_dependencies(_labels_checked(labels)):
            parts = [
                (_flat(predictions, dtypes.float64), "concat_preds"),
                (labels, "concat_labels"),
                (reshape(weights, [-1]), "concat_weights"),
            ]
            kept, update = _kept(parts)
            kinds = equal(reduce_min(labels), 0), equal(reduce_max(labels), 1)
            valid = logical_and(logical_and(*kinds), enough)
            found = _interval(*_delong(*kept), alpha, logit_transformation)
            nothing = [constant(0.0)] * 3
            return AucData(*cond(valid, lambda: found, lambda: nothing)), update


def _delong(predictions, labels, weights):
    """The area, and its standard deviation."""
    best, order = top_k(predictions, k=size(predictions))
    groups = unique(reverse(best, [0]))[1]
    order = reverse(order, [0])
    weights = gather(weights, order)
    labels = cast(gather(labels, order), weights.dtype)
    kinds = 1.0 - labels, labels
    totals = [reduce_sum(weights * kind) for kind in kinds]

    def place(kind):
        """The part of the other kind that lies below each prediction, ties by half."""
        others = segment_sum(weights * kinds[1 - kind], groups)
        below = cumsum(others, exclusive=True) + others / 2.0
        part = gather(below / (reduce_sum(others) + EPSILON), groups)
        return part if kind else 1.0 - part

    areas, spreads = [], []
    for kind, (is_kind, total) in enumerate(zip(kinds, totals, strict=True)):
        own, placed = weights * is_kind, place(kind)
        area = reduce_sum(own * placed) / (total + EPSILON)
        squares = reduce_sum(own * square(placed - area))
        spread = squares / (total - 1.0 + EPSILON)
        areas.append(area)
        spreads.append(spread / (total + EPSILON))
    area = where(less(totals[0], totals[1]), areas[1], areas[0])
    return area, sqrt(spreads[0] + spreads[1])


def _interval(area, deviation, alpha, logit):
    """[area, lower, upper]; all the same where the area is 0 or 1."""
    z = NormalDist().inv_cdf((1.0 - alpha) / 2.0)
    ends = [area + z * deviation, area - z * deviation]
    if logit:
        middle = log(area / (1.0 - area + EPSILON))
        step = z * (deviation / (area * (1.0 - area + EPSILON)))
        ends = [1.0 / (1.0 + exp(-x) + EPSILON) for x in (middle + step, middle - step)]
    sure = logical_or(equal(area, 1.0), equal(area, 0.0))
    return [area, *(where(sure, area, end) for end in ends)]
