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
        if node.after or program.is_fed(node):
            continue
        found = rule(node, program)
        if found is not None and program.reference(found) is not None:
            continue  # a value of its own: the variable may change
        if found is not None and _same_kind(found, node.outputs[0]):
            program.alias[node.outputs[0]] = program.resolve(found)


def _same_kind(a, b):
    return a.dtype is b.dtype and a._shape == b._shape and a._shape is not None


def _source(t, program, kind):
    """The node of `kind` that computes `t`, if it is of that kind."""
    node = program.resolve(t).op
    return node if node.type == kind and node.region is t.op.region else None


def _constant(t, program):
    return program.const(program.resolve(t))


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
    return node.inputs[0] if plain and np.size(y) and not np.any(y) else None


def _first(node, program):
    return node.inputs[0]


def _same_shape(node, program):
    """The input, where equal static shapes mean equal shapes."""
    x = node.inputs[0]
    return None if x._shape is None or None in x._shape else x


def _same_size(node, program):
    """As `_same_shape`; where a size is not known, its own or what the others leave."""
    x, sizes = node.inputs
    if x._shape is None or None not in x._shape:
        return _same_shape(node, program)
    own = _source(sizes, program, "Shape")
    if own is not None and program.resolve(own.inputs[0]) is program.resolve(x):
        return x
    found = _constant(sizes, program)
    if found is None or found.ndim != 1 or 0 in x._shape:
        return None
    left = [-1 if d is None else d for d in x._shape]
    return x if left.count(-1) == 1 and found.tolist() == left else None


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
    "Reshape": _same_size,
    "BroadcastTo": _same_shape,
    "Cast": _first,
    "Transpose": _transposed_back,
}
