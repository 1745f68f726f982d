"""Sums, means and the like over axes; softmax and the losses made of it."""

from typing import Any

import numpy as np

from twinflow.base import dtypes


def reduced(w: Any, kind: str, name: str, axes: Any, keep: bool) -> str:
    """A reduction over known axes, before the Transpose of its input if it has one."""
    axes = [int(a) for a in np.ravel(axes)]
    perm = w.perm(name)
    if perm is not None:
        axes = [a % len(perm) for a in axes]
        left = [p for a, p in enumerate(perm) if a not in axes]
        if not keep and left == sorted(left):
            source = w.made[name].inputs[0]
            return reduced(w, kind, source, sorted(perm[a] for a in axes), keep)
    flags = {"keepdims": int(keep)}
    if not axes:
        flags["noop_with_empty_axes"] = 1
    return w.op(kind, name, w.ints(axes), **flags)


def _reduction(kind: str) -> Any:
    def write(w: Any, node: Any) -> str:
        t, axes = node.inputs
        name, keep = w.value(t), bool(node.attrs["keep_dims"])
        return _any_axes(w, kind, name, axes, keep)

    return write


def _any_axes(w: Any, kind: str, name: str, axes: Any, keep: bool) -> str:
    found = w.known(axes)
    if found is not None:
        return reduced(w, kind, name, found, keep)
    flags = {"keepdims": int(keep), "noop_with_empty_axes": 1}
    return w.op(kind, name, w.sizes(axes), **flags)


def _of_bools(kind: str) -> Any:
    def write(w: Any, node: Any) -> str:
        t, axes = node.inputs
        name = w.cast(w.value(t), dtypes.int32)
        keep = bool(node.attrs["keep_dims"])
        return w.cast(_any_axes(w, kind, name, axes, keep), dtypes.bool)

    return write


def _softmax(kind: str) -> Any:
    return lambda w, node: w.op(kind, w.value(node.inputs[0]), axis=-1)


def _cross_entropy(w: Any, node: Any) -> list[str]:
    """-sum(labels * log softmax); the gradient, which is given as well."""
    logits, labels = w.values(node.inputs)
    logs = w.op("LogSoftmax", logits, axis=-1)
    total = w.op("ReduceSum", w.op("Mul", labels, logs), w.ints([-1]), keepdims=0)
    slope = w.op("Sub", w.op("Softmax", logits, axis=-1), labels)
    return [w.op("Neg", total), slope]


def _sparse_cross_entropy(w: Any, node: Any) -> list[str]:
    logits, labels = node.inputs
    name = w.value(logits)
    logs = w.op("LogSoftmax", name, axis=-1)
    places = w.op("Unsqueeze", w.sizes(labels), w.ints([1]))
    own = w.op("GatherElements", logs, places, axis=1)
    count = w.op("Shape", name, start=1, end=2)
    zero, one = w.constant(np.int64(0)), w.constant(np.int64(1))
    every = w.op("Range", zero, w.op("Squeeze", count, w.ints([0])), one)
    hot = w.cast(w.op("Equal", places, every), logits.dtype)
    slope = w.op("Sub", w.op("Softmax", name, axis=-1), hot)
    return [w.op("Neg", w.op("Squeeze", own, w.ints([1]))), slope]


def _moments(w: Any, node: Any) -> list[str]:
    t, axes = node.inputs
    name = w.value(t)
    mean = _any_axes(w, "ReduceMean", name, axes, True)
    d = w.same("Sub", name, mean)
    square = w.same("Mul", d, d)
    return [mean, _any_axes(w, "ReduceMean", square, axes, True)]


WRITERS = {
    "Sum": _reduction("ReduceSum"), "Mean": _reduction("ReduceMean"),
    "Max": _reduction("ReduceMax"), "Min": _reduction("ReduceMin"),
    "Prod": _reduction("ReduceProd"), "All": _of_bools("ReduceMin"),
    "Any": _of_bools("ReduceMax"), "Softmax": _softmax("Softmax"),
    "LogSoftmax": _softmax("LogSoftmax"), "TwinMoments": _moments,
    "SoftmaxCrossEntropyWithLogits": _cross_entropy,
    "SparseSoftmaxCrossEntropyWithLogits": _sparse_cross_entropy,
}  # fmt: skip
