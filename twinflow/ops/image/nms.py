"""The best of overlapping boxes: each suppresses the worse ones that overlap it."""

from typing import Any

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.infer import dim_is, one_int, ranked, same_dim, text
from twinflow.ops.image.check import first, wrong_boxes
from twinflow.ops.random.draws import scoped

_LOWEST = float("-inf")


# ------------------------------------------------------------------ checks
def _infer(pick):
    def infer(boxes, scores, max_output_size, *thresholds, **attrs):
        b = ranked(boxes._shape, 2)
        same_dim(b[0], ranked(scores._shape, 1)[0])
        _scalars(max_output_size, *thresholds)
        return pick(b, one_int(max_output_size), **attrs)

    return infer


def _scalars(count, *others):
    if isinstance(count, tuple) or np.ndim(count):
        raise InferError("Shape must be rank 0 but is rank 1")
    for x in others:
        ranked(x._shape, 0)


def _of_boxes(b, count, **_):
    dim_is(b[1], 4)
    return (None,)


def _padded(b, count, pad_to_max_output_size):
    dim_is(b[1], 4)
    return [(count if pad_to_max_output_size else None,), ()]


def _of_overlaps(b, count):
    same_dim(b[0], b[1])
    return (None,)


def _check(boxes, scores, max_output_size, *thresholds, **attrs):
    if np.ndim(max_output_size):
        found = text(np.shape(max_output_size))
        return f"max_output_size must be 0-D, got shape {found}"
    return first(
        _scalar_thresholds("iou", thresholds),
        _between(thresholds[0] if thresholds else attrs["iou_threshold"]),
        wrong_boxes(boxes),
        _check_scores(scores, len(boxes)),
    )


def _scalar_thresholds(what, thresholds):
    for name, x in zip((what, "score"), thresholds):
        if x.ndim:
            return f"{name}_threshold must be 0-D, got shape {text(x.shape)}"
    return None


def _between(threshold):
    return None if 0 <= threshold <= 1 else "iou_threshold must be in [0, 1]"


def _check_scores(scores, count):
    if scores.ndim != 1:
        return f"scores must be 1-D{text(scores.shape)}"
    return None if len(scores) == count else "scores has incompatible shape"


def _check_overlaps(overlaps, scores, max_output_size, *thresholds):
    if overlaps.ndim != 2:
        return f"overlaps must be 2-D{text(overlaps.shape)}"
    if overlaps.shape[0] != overlaps.shape[1]:
        return f"overlaps must be square{text(overlaps.shape)}"
    wrong = _scalar_thresholds("overlap", thresholds)
    return wrong or _check_scores(scores, len(overlaps))


# ------------------------------------------------------------------ kernels
def _selected(scores, count, least, suppressed):
    """Indices, best first, of what no better one suppresses; equals in order.

    Args:
        count: at most so many; all if it is negative.
        suppressed: ``(index, other indices) -> bool array``.
    """
    left = np.argsort(-scores.astype(np.float64), kind="stable")
    left = left[scores[left] > least]
    chosen: list = []
    while len(left) and len(chosen) != count:
        best, left = left[0], left[1:]
        chosen.append(best)
        left = left[~suppressed(best, left)]
    return np.array(chosen, np.int32)


def _overlap(boxes):
    """``(index, others) ->`` intersection over union; 0 where a box has no area."""
    boxes = boxes.astype(np.float32)
    low = np.minimum(boxes[:, :2], boxes[:, 2:])
    high = np.maximum(boxes[:, :2], boxes[:, 2:])
    area = np.prod(high - low, axis=1, dtype=np.float32)

    def overlap(i, others):
        span = np.minimum(high[i], high[others]) - np.maximum(low[i], low[others])
        common = np.prod(np.maximum(span, 0), axis=1, dtype=np.float32)
        union = area[i] + area[others] - common
        real = (area[i] > 0) & (area[others] > 0)
        return np.where(real, common / np.where(real, union, 1), 0)

    return overlap


def _suppress(boxes, scores, count, threshold, least=_LOWEST):
    overlap = _overlap(boxes)
    return _selected(
        scores, one_int(count), least, lambda i, others: overlap(i, others) > threshold
    )


def _suppress_padded(boxes, scores, count, threshold, least, pad_to_max_output_size):
    count = one_int(count)
    if pad_to_max_output_size and count < 0:
        raise invalid(f"max_output_size must be non-negative, got {count}")
    found = _suppress(boxes, scores, count, threshold, least)
    valid = np.array(len(found), np.int32)
    if pad_to_max_output_size:
        found = np.pad(found, (0, count - len(found)))
    return found, valid


def _suppress_overlaps(overlaps, scores, count, threshold, least):
    return _selected(
        scores, one_int(count), least,
        lambda i, others: overlaps[others, i] > threshold,
    )  # fmt: skip


# ------------------------------------------------------------------ ops


def _define(version, infer, kernel, check):
    return define(
        f"NonMaxSuppression{version}",
        on_host="max_output_size",
        infer=_infer(infer),
        kernel=quiet(lambda xp: kernel),
        check=check,
        strict=True,
        host=True,
    )


def _suppress_fixed(boxes, scores, count, iou_threshold):
    return _suppress(boxes, scores, count, iou_threshold)


NonMaxSuppression = _define("", _of_boxes, _suppress_fixed, _check)
NonMaxSuppressionV2 = _define("V2", _of_boxes, _suppress, _check)
NonMaxSuppressionV3 = _define("V3", _of_boxes, _suppress, _check)
NonMaxSuppressionV4 = _define("V4", _padded, _suppress_padded, _check)
NonMaxSuppressionWithOverlaps = _define(
    "WithOverlaps", _of_overlaps, _suppress_overlaps, _check_overlaps
)


def non_max_suppression(
    boxes: TensorValue, scores: TensorValue, max_output_size: Any,
    iou_threshold: Any = 0.5, score_threshold: Any = _LOWEST, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The best boxes, without those that overlap a better one.

    Args:
        boxes: float32[n, 4], (y1, x1, y2, x2) of any two opposite corners.
        scores: float32[n]; the first of equal ones wins.
        max_output_size: int32 scalar, at most so many.
        iou_threshold: float in [0, 1]; a box goes if its intersection with a better
            one, divided by their union, is larger.
        score_threshold: boxes whose score is not larger are left out.
        name: the name scope in a graph.
    Returns:
        int32[m], the indices of the boxes, best first.
    Raises:
        tf.errors.InvalidArgumentError (eager) or ValueError (graph): a shape is not as
            above. InvalidArgumentError: `iou_threshold` is not in [0, 1].
    Example:
        tf.image.non_max_suppression([[0., 0., 1., 1.]] * 2, [0.5, 0.9], 5)  # [1]
    """
    with scoped(name, "non_max_suppression"):
        thresholds = _thresholds(iou_threshold, score_threshold)
        inputs = (boxes, scores, max_output_size, *thresholds)
        return apply(NonMaxSuppressionV3, inputs)


def _thresholds(overlap, score):
    return (
        convert_to_tensor(overlap, name="iou_threshold"),
        convert_to_tensor(score, name="score_threshold"),
    )


def non_max_suppression_padded(
    boxes: TensorValue, scores: TensorValue, max_output_size: Any,
    iou_threshold: Any = 0.5, score_threshold: Any = _LOWEST,
    pad_to_max_output_size: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """As `tf.image.non_max_suppression`, with zeros at the end if asked for.

    Args:
        boxes, scores, max_output_size, iou_threshold, score_threshold, name: see there.
        pad_to_max_output_size: make the result `max_output_size` long.
    Returns:
        (int32[m], the indices; int32[], how many of them are real)
    Example:
        boxes = [[0., 0., 1., 1.]] * 2
        chosen, count = tf.image.non_max_suppression_padded(
            boxes, [0.5, 0.9], 3, pad_to_max_output_size=True)
        chosen  # [1, 0, 0]
        count  # 1
    """
    with scoped(name, "non_max_suppression_padded"):
        thresholds = _thresholds(iou_threshold, score_threshold)
        inputs = (boxes, scores, max_output_size, *thresholds)
        attrs = {"pad_to_max_output_size": pad_to_max_output_size}
        return tuple(apply(NonMaxSuppressionV4, inputs, attrs))


def non_max_suppression_overlaps(
    overlaps: Any, scores: TensorValue, max_output_size: Any,
    overlap_threshold: Any = 0.5, score_threshold: Any = _LOWEST,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """As `tf.image.non_max_suppression`, for overlaps computed elsewhere.

    Args:
        overlaps: float32[n, n], how much any two boxes overlap, in any measure.
        scores, max_output_size, score_threshold, name: see there.
        overlap_threshold: a box goes if it overlaps a better one by more.
    Returns:
        int32[m], the indices of the boxes, best first.
    Example:
        overlaps = [[1., 0.], [0., 1.]]
        tf.image.non_max_suppression_overlaps(overlaps, [0.5, 0.9], 5)  # [1, 0]
    """
    with scoped(name, "non_max_suppression_overlaps"):
        threshold = convert_to_tensor(overlap_threshold, name="overlap_threshold")
        inputs = (overlaps, scores, max_output_size, threshold, score_threshold)
        return apply(NonMaxSuppressionWithOverlaps, inputs)
