"""Images in other sizes, and the boxes in them."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.ops.image import sampling


def _resize(mode: str) -> Any:
    def write(w: Any, node: Any) -> str:
        t, size = node.inputs
        aligned = node.attrs["align_corners"]
        where = "align_corners" if aligned else "asymmetric"
        attrs = {"mode": mode, "coordinate_transformation_mode": where}
        if mode == "nearest":
            attrs["nearest_mode"] = "round_prefer_ceil" if aligned else "floor"
        name = w.value(t)
        if mode == "linear" and not t.dtype.is_floating:
            name = w.cast(name, dtypes.float32)
        name = w.transpose(name, [0, 3, 1, 2])
        lead = w.op("Shape", name, start=0, end=2)
        sizes = w.op("Concat", lead, w.sizes(size), axis=0)
        y = w.op("Resize", name, "", "", sizes, **attrs)
        return w.transpose(y, [0, 2, 3, 1])

    return write


def _weighted(weights: Any) -> Any:
    """Images as a product with the weights of each pixel, along both axes."""

    def write(w: Any, node: Any) -> str:
        t, size = node.inputs
        name = w.value(t)
        if not t.dtype.is_floating:
            name = w.cast(name, dtypes.float32)
        name = w.transpose(name, [0, 3, 1, 2])
        outs = w.needed(size, "the size")
        aligned = node.attrs["align_corners"]
        for axis, out in zip((1, 2), outs, strict=True):
            own = t._shape[axis] if t._shape else None
            if own is None:
                w.refuse("the sizes of its images have to be known")
            index, weight = weights(own, int(out), aligned)
            matrix = np.zeros((int(out), own), np.float32)
            np.add.at(matrix, (np.arange(int(out))[:, None], index), weight)
            if axis == 1:
                name = w.op("MatMul", w.constant(matrix), name)
            else:
                name = w.op("MatMul", name, w.constant(matrix.T.copy()))
        return w.transpose(name, [0, 2, 3, 1])

    return write


def _suppressed(w: Any, node: Any) -> str:
    boxes, scores, count, *limits = node.inputs
    names = [w.op("Unsqueeze", w.value(boxes), w.ints([0]))]
    names.append(w.op("Unsqueeze", w.value(scores), w.ints([0, 1])))
    names.append(w.op("Reshape", w.sizes(count), w.ints([1])))
    if limits:
        names += [w.op("Reshape", w.value(t), w.ints([1])) for t in limits]
    else:
        names.append(w.constant(np.array([node.attrs["iou_threshold"]], "f4")))
    found = w.op("NonMaxSuppression", *names)
    return w.cast(w.op("Gather", found, w.constant(np.int64(2)), axis=1), dtypes.int32)


WRITERS = {
    "ResizeArea": _weighted(sampling.area), "ResizeBicubic": _weighted(sampling.cubic),
    "ResizeBilinear": _resize("linear"), "ResizeNearestNeighbor": _resize("nearest"),
    **dict.fromkeys(("NonMaxSuppression", "NonMaxSuppressionV2",
                     "NonMaxSuppressionV3"), _suppressed),
}  # fmt: skip
