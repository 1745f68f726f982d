"""What is known of a value before anything runs: constants and shape arithmetic.

A known value is an array, a partly known one a tuple of ints and None, an unknown one
of known length n a tuple of n times None, and anything else None.
"""

import numpy as np

from twinflow.base.shapes import TensorShape

_LIMIT = 1024  # elements: what is larger is not shape arithmetic
_FROM_OUTSIDE = ("Placeholder", "PlaceholderWithDefault", "TwinParam")


def plain(value):
    """Host values as the kernels like them: TensorShape and Dimension as ints."""
    if isinstance(value, TensorShape):
        return value.as_list()
    return value


def constant_value(t):
    """The value of a graph tensor as an array, or None if it is not known."""
    found = partial_value(t)
    if found is None or (type(found) is tuple and None in found):
        return None
    return np.asarray(found, t.dtype.np)


def partial_value(t):
    """The value of graph tensor `t` as far as it is known (see the module)."""
    node = t.op
    if node.opdef.type == "Const":
        return node.attrs["value"]
    if node.opdef.stateful or node.opdef.type in _FROM_OUTSIDE:
        return _unknown(t)
    memo = node.static
    if memo is None:
        memo = node.static = {}
    key = t.value_index
    if key not in memo:
        memo[key] = _evaluate(t, node)
    found = memo[key]
    return _unknown(t) if found is None else found


def _unknown(t):
    s = t._shape
    if s is not None and len(s) == 1 and s[0] is not None and s[0] <= _LIMIT:
        return (None,) * s[0]
    return None


def _evaluate(t, node):
    rule = _PARTIAL.get(node.opdef.type)
    if rule:
        return rule(node)
    return _whole(node, t)


def _whole(node, t):
    """An output of a node whose inputs are known."""
    if node.opdef.host or node.opdef.kernel is None or not _small(t):
        return None
    values = []
    for a in node.args():
        value = [constant_value(v) for v in a] if type(a) is list else constant_value(a)
        if value is None or (type(value) is list and any(v is None for v in value)):
            return None
        values.append(value)
    result = node.opdef.np(*values, **node.attrs)
    return result if node.opdef.single else result[t.value_index]


def _small(t):
    s = t._shape
    if not (t.dtype.is_integer or t.dtype.is_bool) or s is None or None in s:
        return False
    small = int(np.prod(s)) <= _LIMIT
    inputs = (i._shape for i in t.op.inputs)
    return small and all(
        i is not None and None not in i and np.prod(i) <= _LIMIT for i in inputs
    )


def _shape(node):
    s = node.inputs[0]._shape
    if s is None or None in s:
        return s
    return np.array(s, node.attrs["out_type"].np)


def _pack(node):
    parts = [constant_value(t) for t in node.inputs]
    if any(t._shape != () for t in node.inputs):
        return None
    if all(p is not None for p in parts):
        return np.array(parts, node.outputs[0].dtype.np)
    return tuple(None if p is None else int(p) for p in parts)


def _concat(node):
    (whole,) = node.outputs
    if whole._shape is None or len(whole._shape) != 1 or not whole.dtype.is_integer:
        return _whole(node, whole)
    out: list = []
    for t in node.inputs[:-1]:
        part = partial_value(t)
        if part is None:
            return None
        out.extend(None if p is None else int(p) for p in part)
    return tuple(out)


def _strided_slice(node):
    x = partial_value(node.inputs[0])
    bounds = [constant_value(t) for t in node.inputs[1:]]
    if x is None or any(b is None for b in bounds) or np.ndim(bounds[0]) != 1:
        return None
    if len(bounds[0]) != 1 or len(_shape_of(x)) != 1 or node.attrs["new_axis_mask"]:
        return None
    begin, end, step = (int(b[0]) for b in bounds)
    x = tuple(x)
    if node.attrs["shrink_axis_mask"]:
        found = x[begin]
        return None if found is None else np.array(found, node.outputs[0].dtype.np)
    start = None if node.attrs["begin_mask"] else begin
    return x[slice(start, None if node.attrs["end_mask"] else end, step)]


def _shape_of(x):
    return np.shape(np.array(x, object))


_PARTIAL = {
    "Shape": _shape,
    "Pack": _pack,
    "ConcatV2": _concat,
    "StridedSlice": _strided_slice,
    "Identity": lambda node: partial_value(node.inputs[0]),
}
