"""Importing many nodes of a few kinds: what is equal is found out once.

A plain node is one whose op takes single tensors that are no references, and attributes
that TensorFlow's OpDef has. NodeDefs of one op type with the same attributes share what
the checks make of these, and those with inputs of the same dtypes the types.
"""

from typing import Any, NamedTuple

from twinflow.base import bind, dispatch
from twinflow.base.op import Op
from twinflow.base.op_defs import OpDef
from twinflow.graph.graph_def.node_checks import NodeChecks
from twinflow.graph.graph_def.own import op_def

_LARGE = "value"  # of a Const: not worth remembering


class _Shared(NamedTuple):
    """What NodeDefs of one op type with the same attributes have in common."""

    attrs: dict[str, Any]
    chosen: dict[str, Any]  # those that the op of ours takes
    types: dict[tuple, dict]  # from the inputs' dtypes to those of the attributes


class PlainNodes:
    """Makes the plain nodes of one import.

    Args:
        importer: the Importer.
    """

    def __init__(self, importer: Any) -> None:
        self._importer = importer
        self._is_plain: dict[Op, bool] = {}
        self._shared: dict[tuple, _Shared] = {}

    def add(self, node_def: Any, op: Op) -> Any:
        """The Node of a NodeDef; None if it is not plain."""
        importer, graph = self._importer, self._importer.graph
        if op not in self._is_plain:
            self._is_plain[op] = _is_plain(op, op_def(op))
        if not self._is_plain[op] or graph.device_scopes:
            return None
        inputs = [importer.input(node_def, t) for t in node_def.input if t[0] != "^"]
        region = graph.region
        for t in inputs:
            node = t.op
            if node.graph is not graph or (node.region not in (None, region)):
                return None
        if dispatch.local.top.tapes:
            return None
        return self._made(node_def, op, inputs)

    def _made(self, node_def: Any, op: Op, inputs: list) -> Any:
        importer, graph = self._importer, self._importer.graph
        name = importer.name(node_def.name)
        checks = NodeChecks(node_def, op, name, importer.scope, importer.producer)
        shared = self._shared_by(node_def, op, checks)
        kinds = tuple([id(t.dtype) for t in inputs])  # a flow equals a float32
        types = shared.types.get(kinds)
        if types is None:
            args = checks.args(inputs, shared.attrs)
            _, types = bind.bind(op, args, shared.chosen, _itself, _itself)
            shared.types[kinds] = types
        with graph.building:
            return graph._append(op, inputs, dict(shared.chosen), dict(types), name)

    def _shared_by(self, node_def: Any, op: Op, checks: NodeChecks) -> _Shared:
        given = node_def.attr
        if _LARGE in given:
            return _shared(op, checks)
        items = [
            (name, given[name].SerializeToString()) for name in given if name[0] != "_"
        ]
        key = (op, *sorted(items))
        found = self._shared.get(key)
        if found is None:
            found = self._shared[key] = _shared(op, checks)
        return found


def _shared(op: Op, checks: NodeChecks) -> _Shared:
    attrs = checks.attrs()
    return _Shared(attrs, {k: attrs.get(k, v) for k, v in op.sig.attrs.items()}, {})


def _is_plain(op: Op, found: OpDef) -> bool:
    arguments = found.inputs
    return (
        op.infer is not None
        and op.home is None
        and op.sig.attrs.keys() <= found.attrs.keys()
        and len(arguments) == len(op.sig.inputs)
        and not any(a.number_attr or a.list_attr or a.is_ref for a in arguments)
        and not any(a.is_list or a.mixed or a.ref for a in op.sig.inputs)
        and not any(a.mixed for a in op.sig.outputs)
        and not any(a.type == "func" for a in found.attrs.values())
    )


def _itself(value: Any, *_: Any) -> Any:
    return value
