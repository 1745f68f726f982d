"""What is known of a value before anything runs: constants and shape arithmetic.

A known value is an array, a partly known one a tuple of ints and None, an unknown one
of known length n a tuple of n times None, and anything else None.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base.annotations import Array
from twinflow.base.shapes import TensorShape

if TYPE_CHECKING:
    from twinflow.graph.node import GraphTensor, Node

_LIMIT = 1024  # elements: what is larger is not shape arithmetic


def plain(value: Any) -> Any:
    """Host values as the kernels like them: TensorShape and Dimension as ints."""
    if isinstance(value, TensorShape):
        return value.as_list()
    return value


def constant_value(t: Any) -> Any:
    """The value of a graph tensor as an array, or None if it is not known."""
    found = partial_value(t)
    if found is None or (type(found) is tuple and None in found):
        return None
    return np.asarray(found, t.dtype.np)


def partial_value(t: Any) -> Array | tuple | None:
    """The value of graph tensor `t` as far as it is known (see the module)."""
    node = t.op
    if node.opdef.type == "Const":
        return node.attrs["value"]
    if node.opdef.stateful:
        return _unknown(t)
    memo = node.static
    if memo is None:
        memo = node.static = {}
    key = t.value_index
    if key not in memo:
        memo[key] = _evaluate(t, node)
    found = memo[key]
    return _unknown(t) if found is None else found


def _unknown(t: "GraphTensor") -> tuple[None, ...] | None:
    s = t._shape
    if s is not None and len(s) == 1 and s[0] is not None and s[0] <= _LIMIT:
        return (None,) * s[0]
    return None


def _evaluate(t: "GraphTensor", node: "Node") -> Any:
    rule = node.opdef.static
    value = rule(node, partial_value) if rule else NotImplemented
    return _whole(node, t) if value is NotImplemented else value


def _whole(node: Any, t: "GraphTensor") -> Array | np.generic | None:
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


def _small(t: "GraphTensor") -> bool:
    s = t._shape
    if not (t.dtype.is_integer or t.dtype.is_bool) or s is None or None in s:
        return False
    small = int(np.prod(s)) <= _LIMIT
    inputs = (i._shape for i in t.op.inputs)
    return small and all(
        i is not None and None not in i and np.prod(i) <= _LIMIT for i in inputs
    )
