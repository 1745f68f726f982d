"""The gates of LSTM cells that are one op here."""

from typing import Any

import numpy as np


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
    x, c, h, weights, *peepholes, bias = node.inputs
    used = node.attrs["use_peephole"]
    peep = [w.value(p) for p in peepholes] if used else [None] * 3
    both = w.op("Concat", w.value(x), w.value(h), axis=1)
    z = w.op("Add", w.op("MatMul", both, w.value(weights)), w.value(bias))
    parts = w.ops("Split", [z], 4, axis=1, num_outputs=4)
    attrs = node.attrs["forget_bias"], x.dtype.np, node.attrs["cell_clip"]
    new, out = gates(w, parts, w.value(c), *attrs, peep)
    return [None, new, None, None, None, None, out]


WRITERS = {"TwinLSTMGates": _lstm_gates, "LSTMBlockCell": _lstm_block_cell}
