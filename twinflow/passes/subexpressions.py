"""Common subexpressions: equal pure nodes on equal inputs are computed once."""

import numpy as np

from twinflow.graph.program import regions

_LARGEST = 4096  # bytes of a constant that is compared by value


def merge_equal(program):
    """Alias the outputs of each node that repeats an earlier one.

    Stateful and random nodes are never merged, nor those marked `recompute`.
    """
    seen: dict = {}
    for node in program.nodes:
        if node.opdef.stateful or node.after or regions(node):
            continue
        if node.attrs.get("recompute") or program.is_fed(node):
            continue
        if any(program.touched(node)):
            continue
        key = _key(node, program)
        first = seen.setdefault(key, node)
        if first is not node:
            for t, old in zip(node.outputs, first.outputs, strict=True):
                program.alias[t] = old


def _key(node, program):
    inputs = tuple(program.resolve(t) for t in node.inputs)
    counts = tuple(node.counts) if node.counts else None
    types = tuple(t.dtype for t in node.outputs)
    attrs = tuple((k, _frozen(v)) for k, v in sorted(node.attrs.items()))
    return node.opdef, inputs, counts, types, attrs


def _frozen(value):
    if isinstance(value, np.ndarray | np.generic):
        if value.dtype.kind == "O" or value.nbytes > _LARGEST:
            return id(value)
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, list):
        return tuple(_frozen(v) for v in value)
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value
