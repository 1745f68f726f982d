"""Images in other sizes, and the boxes in them."""

from typing import Any

import numpy as np

from twinflow.base import dtypes


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
    "ResizeBilinear": _resize("linear"), "ResizeNearestNeighbor": _resize("nearest"),
    **dict.fromkeys(("NonMaxSuppression", "NonMaxSuppressionV2",
                     "NonMaxSuppressionV3"), _suppressed),
}  # fmt: skip
