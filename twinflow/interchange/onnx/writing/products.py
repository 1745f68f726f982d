"""Products of matrices, and biases."""

from typing import Any

import numpy as np


def _mat_mul(w: Any, node: Any) -> str:
    names = [
        w.transpose(name, [1, 0]) if node.attrs[flag] else name
        for name, flag in zip(w.values(node.inputs), ("transpose_a", "transpose_b"))
    ]
    return w.op("MatMul", *names)


def _batch_mat_mul(w: Any, node: Any) -> str:
    names = []
    for t, flag in zip(node.inputs, ("adj_x", "adj_y")):
        name = w.value(t)
        if node.attrs[flag]:
            if t._shape is None:
                w.refuse(f"the rank of {t.name} is not known")
            axes = list(range(len(t._shape)))
            name = w.transpose(name, [*axes[:-2], axes[-1], axes[-2]])
        names.append(name)
    return w.op("MatMul", *names)


def _bias_add(w: Any, node: Any) -> str:
    t, bias = node.inputs
    name, first = w.value(t), node.attrs.get("data_format") == "NCHW"
    found = w.value(bias)
    rank = len(t._shape or ())
    if first and rank > 2:
        found = reshaped(w, found, [1, -1] + [1] * (rank - 2))
    joined = None if first or rank < 3 else _in_convolution(w, node, name, found)
    return joined or w.same("Add", name, found)


def reshaped(w: Any, name: str, sizes: list) -> str:
    """A value in another shape; a constant stays one."""
    if name in w.arrays:
        return w.derived(name, w.arrays[name].reshape(sizes))
    return w.op("Reshape", name, w.ints(sizes))


def _in_convolution(w: Any, node: Any, name: str, bias: str) -> str | None:
    """The result where the bias becomes that of the convolution before it."""
    item = w.made.get(name)
    if item is None or item.kind != "Transpose" or bias not in w.arrays:
        return None
    conv = w.made.get(item.inputs[0])
    if conv is None or conv.kind not in ("Conv", "ConvTranspose"):
        return None
    if conv not in w.block.items or len(conv.inputs) != 2:
        return None
    channels = node.inputs[1]._shape
    if np.size(w.arrays[bias]) == 0 or channels is None or len(channels) != 1:
        return None
    y = w.op(conv.kind, *conv.inputs, bias, **conv.attrs)
    return w.transpose(y, item.attrs["perm"])


def _l2_loss(w: Any, node: Any) -> str:
    t = node.inputs[0]
    total = w.op("ReduceSumSquare", w.value(t), keepdims=0)
    return w.op("Mul", total, w.constant(np.asarray(0.5, t.dtype.np)))


WRITERS = {
    "MatMul": _mat_mul, "BatchMatMul": _batch_mat_mul, "BiasAdd": _bias_add,
    "BiasAddV1": _bias_add, "L2Loss": _l2_loss,
}  # fmt: skip
