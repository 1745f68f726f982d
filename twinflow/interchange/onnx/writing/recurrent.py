"""The gates of LSTM cells that are one op here."""

from typing import Any

import numpy as np

from twinflow.interchange.onnx.library import onnx


def gates(
    w: Any, parts: list, c: str, forget_bias: float, dtype: Any, clip: float = -1.0,
    peepholes: Any = (None, None, None),
) -> list[str]:  # fmt: skip
    """[new c, new h] of the gates i, j, f and o before their functions.

    Args:
        peepholes: the weights of c in i and f, and of the new c in o.
    """
    i, j, f, o = parts
    for_i, for_f, for_o = peepholes
    if forget_bias:
        f = w.op("Add", f, w.constant(np.asarray(forget_bias, dtype)))
    if for_i is not None:
        i = w.op("Add", i, w.op("Mul", for_i, c))
        f = w.op("Add", f, w.op("Mul", for_f, c))
    i, f = w.op("Sigmoid", i), w.op("Sigmoid", f)
    new = w.op("Add", w.op("Mul", i, w.op("Tanh", j)), w.op("Mul", f, c))
    if clip > 0:
        ends = (w.constant(np.asarray(v, dtype)) for v in (-clip, clip))
        new = w.op("Clip", new, *ends)
    if for_o is not None:
        o = w.op("Add", o, w.op("Mul", for_o, new))
    return [new, w.op("Mul", w.op("Sigmoid", o), w.op("Tanh", new))]


def _lstm_gates(w: Any, node: Any) -> list:
    z, c = node.inputs
    parts = w.ops("Split", [w.value(z)], 4, axis=1, num_outputs=4)
    if node.attrs["crossed"]:
        parts = [parts[0], parts[2], parts[1], parts[3]]
    found = gates(w, parts, w.value(c), node.attrs["forget_bias"], z.dtype.np)
    return [*found, None]


def _lstm_block_cell(w: Any, node: Any) -> list:
    x, c, h, *weights = node.inputs
    new, out = _step(w, node, *w.values([x, c, h]), weights)
    return [None, new, None, None, None, None, out]


def _step(w: Any, node: Any, x: str, c: str, h: str, weights: list) -> list[str]:
    """[new c, new h] of a step with its own weights, peepholes and bias."""
    kernel, *peepholes, bias = weights
    used = node.attrs["use_peephole"]
    peep = [w.value(p) for p in peepholes] if used else [None] * 3
    both = w.op("Concat", x, h, axis=1)
    z = w.op("Add", w.op("MatMul", both, w.value(kernel)), w.value(bias))
    parts = w.ops("Split", [z], 4, axis=1, num_outputs=4)
    attrs = node.attrs["forget_bias"], kernel.dtype.np, node.attrs["cell_clip"]
    return gates(w, parts, c, *attrs, peep)


def _block_lstm(w: Any, node: Any) -> list:
    """A Loop over the steps; behind the last one that counts there are zeros."""
    most, x, c, h, *weights = node.inputs
    steps = w.value(x)
    count = w.op("Squeeze", w.op("Shape", steps, start=0, end=1), w.ints([0]))
    last, start = w.sizes(most), w.values([c, h])
    zero = w.constant(np.zeros((), x.dtype.np))
    scalar = onnx.helper.make_tensor_type_proto
    with w.body(f"{node.name}/steps") as block:
        kinds = [scalar(onnx.TensorProto.INT64, ()), scalar(onnx.TensorProto.BOOL, ())]
        kinds += [w.type_of(c), w.type_of(h)]
        names = [w.unique(name) for name in ("turn", "going", "c", "h")]
        block.inputs = list(zip(names, kinds))
        now = w.op("Gather", steps, names[0], axis=0)
        found = _step(w, node, now, *names[2:], weights)
        counts = w.op("Less", names[0], last)
        rows = [w.op("Where", counts, name, zero) for name in found]
        ends = [w.op("Identity", name) for name in (names[1], *found, *rows)]
        block.outputs = list(zip(ends, [*kinds[1:], *kinds[2:]]))
    made = w.ops("Loop", [count, "", *start], 4, body=block)
    return [None, made[2], None, None, None, None, made[3]]


WRITERS = {
    "TwinLSTMGates": _lstm_gates,
    "LSTMBlockCell": _lstm_block_cell,
    "BlockLSTM": _block_lstm,
}
