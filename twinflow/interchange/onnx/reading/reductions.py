"""Nodes that reduce axes, and softmax."""

from typing import Any

import numpy as np

from twinflow.base import dtypes


def _reduced(kind: str, before: Any = None, after: Any = None) -> Any:
    def read(r: Any, node: Any, x: Any, axes: Any = None) -> Any:
        axes = node.get("axes") if axes is None else r.numbers(axes, "the axes")
        if not axes and node.get("noop_with_empty_axes", 0):
            axes = []
        elif not axes:
            axes = list(range(r.rank(x)))
        x = x if before is None else before(r, x)
        keep = bool(node.get("keepdims", 1))
        y = r.op(kind, x, np.array(axes, np.int32), keep_dims=keep)
        return y if after is None else r.op(after, y)

    return read


def _one(kind: str) -> Any:
    return lambda r, x: r.op(kind, x)


def _arg(kind: str) -> Any:
    def read(r: Any, node: Any, x: Any) -> Any:
        if node.get("select_last_index", 0):
            r.refuse("select_last_index has no counterpart")
        axis = node.get("axis", 0)
        y = r.op(kind, x, np.int32(axis), output_type=dtypes.int64)
        return r.op("ExpandDims", y, np.int32(axis)) if node.get("keepdims", 1) else y

    return read


def _softmax(kind: str) -> Any:
    def read(r: Any, node: Any, x: Any) -> Any:
        rank = r.rank(x)
        axis = node.get("axis", -1 if r.opset >= 13 else 1) % rank
        if axis == rank - 1:
            return r.op(kind, x)
        if r.opset < 13:
            r.refuse("softmax over several axes has no counterpart")
        perm = [a for a in range(rank) if a != axis] + [axis]
        return r.transposed(r.op(kind, r.transposed(x, perm)), np.argsort(perm))

    return read


def _top_k(r: Any, node: Any, x: Any, k: Any) -> Any:
    if node.get("axis", -1) not in (-1, r.rank(x) - 1) or not node.get("largest", 1):
        r.refuse("only the largest of the last axis are found")
    count = r.op("Cast", r.op("Reshape", k, np.zeros(0, np.int32)), DstT=dtypes.int32)
    values, places = r.op("TopKV2", x, count)
    return [values, r.op("Cast", places, DstT=dtypes.int64)]


READERS = {
    "ReduceSum": _reduced("Sum"), "ReduceMean": _reduced("Mean"),
    "ReduceMax": _reduced("Max"), "ReduceMin": _reduced("Min"),
    "ReduceProd": _reduced("Prod"), "ReduceSumSquare": _reduced("Sum", _one("Square")),
    "ReduceL1": _reduced("Sum", _one("Abs")),
    "ReduceL2": _reduced("Sum", _one("Square"), "Sqrt"),
    "ReduceLogSum": _reduced("Sum", None, "Log"),
    "ReduceLogSumExp": _reduced("Sum", _one("Exp"), "Log"),
    "ArgMax": _arg("ArgMax"), "ArgMin": _arg("ArgMin"), "Softmax": _softmax("Softmax"),
    "LogSoftmax": _softmax("LogSoftmax"), "TopK": _top_k,
}  # fmt: skip
