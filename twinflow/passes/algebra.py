"""Algebra: nodes that do nothing, or undo each other.

Only identities that hold bit for bit: x * 1, x - 0, x / 1, --x, a transpose of a
transpose, a reshape or cast to what it is already.
"""

import numpy as np


def simplify(program):
    """Alias the output of each node that equals one of its inputs."""
    for node in program.nodes:
        rule = _RULES.get(node.type)
        if rule is None or not node.inputs:
            continue
        found = rule(node, program)
        if found is not None and _same_kind(found, node.outputs[0]):
            program.alias[node.outputs[0]] = program.resolve(found)


def _same_kind(a, b):
    return a.dtype is b.dtype and a._shape == b._shape and a._shape is not None


def _source(t, program, kind):
    """The node of `kind` that computes `t`, if it is of that kind."""
    node = program.resolve(t).op
    return node if node.type == kind and node.region is t.op.region else None


def _constant(t, program):
    t = program.resolve(t)
    value = program.const(t)
    return t.op.attrs["value"] if value is None and t.op.type == "Const" else value


def _is(t, program, number):
    value = _constant(t, program)
    if value is None or np.size(value) != 1 or value.dtype.kind not in "fiuc":
        return False
    return value.ravel()[0] == number if number else not np.any(value)


def _times_one(node, program):
    x, y = node.inputs
    return x if _is(y, program, 1) else y if _is(x, program, 1) else None


def _by_one(node, program):
    return node.inputs[0] if _is(node.inputs[1], program, 1) else None


def _minus_zero(node, program):
    y = _constant(node.inputs[1], program)
    plain = y is not None and y.dtype.kind in "fiu" and not np.signbit(y).any()
    return node.inputs[0] if plain and not np.any(y) else None


def _first(node, program):
    return node.inputs[0]


def _twice(node, program):
    inner = _source(node.inputs[0], program, node.type)
    return inner.inputs[0] if inner else None


def _transposed_back(node, program):
    inner = _source(node.inputs[0], program, "Transpose")
    if inner is None:
        return None
    p, q = _constant(node.inputs[1], program), _constant(inner.inputs[1], program)
    if p is None or q is None:
        return None
    return inner.inputs[0] if np.array_equal(q[p], np.arange(len(p))) else None


_RULES = {
    "Mul": _times_one,
    "RealDiv": _by_one,
    "Sub": _minus_zero,
    "Neg": _twice,
    "Identity": _first,
    "StopGradient": _first,
    "Reshape": _first,
    "BroadcastTo": _first,
    "Cast": _first,
    "Transpose": _transposed_back,
}
