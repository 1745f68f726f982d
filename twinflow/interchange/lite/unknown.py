"""Nodes of a GraphDef whose ops nobody knows, which become custom operators.

They are read as nodes of PyFunc, whose token says what they were: that op takes and
gives any number of tensors, and nothing is known of their shapes.
"""

import json
from typing import Any

from twinflow.formats import protos

_MARK = "twinflow.lite/"
_FLOAT = 1  # the DataType of outputs of which a node says nothing
_PLAIN = ("s", "i", "f", "b")


def replaced(graph_def: Any, is_known: Any) -> Any:
    """A GraphDef whose unknown nodes are nodes of PyFunc.

    Args:
        is_known: tells of an op type whether it is known.
    """
    if all(is_known(node.op) for node in graph_def.node):
        return graph_def
    types = _types(graph_def)
    out = protos.GraphDef()
    out.CopyFrom(graph_def)
    for node in out.node:
        if not is_known(node.op):
            _replace(node, types)
    return out


def _types(graph_def: Any) -> dict:
    """{tensor as inputs are written: number of its dtype}, as far as nodes say."""
    found = {}
    for node in graph_def.node:
        for i, number in enumerate(_outputs(node)):
            found[f"{node.name}:{i}" if i else node.name] = number
    return found


def _outputs(node: Any) -> list[int]:
    attr = node.attr
    if "_output_types" in attr:
        return list(attr["_output_types"].list.type)
    for key in ("T", "dtype", "DstT", "Tparams"):
        if attr[key].type if key in attr else 0:
            return [attr[key].type]
    return [_FLOAT]


def _replace(node: Any, types: dict) -> None:
    kept = {k: _plain(v) for k, v in node.attr.items() if not k.startswith("_")}
    kept = {k: v for k, v in kept.items() if v is not None}
    token = _MARK + json.dumps([node.op, kept])
    given = [types.get(i, _FLOAT) for i in node.input if not i.startswith("^")]
    made = _outputs(node)
    node.op = "PyFunc"
    node.attr.clear()
    node.attr["token"].s = token.encode()
    node.attr["Tin"].list.type.extend(given)
    node.attr["Tout"].list.type.extend(made)


def _plain(attr: Any) -> Any:
    kind = attr.WhichOneof("value")
    if kind not in _PLAIN:
        return None
    found = getattr(attr, kind)
    return found.decode("utf-8", "replace") if kind == "s" else found


def name_of(node: Any) -> tuple[str, dict] | None:
    """(op type, attributes) of what a node of PyFunc stands for; None if for itself."""
    token = node.attrs.get("token") if node.type == "PyFunc" else None
    token = token.decode() if isinstance(token, bytes) else token
    if not isinstance(token, str) or not token.startswith(_MARK):
        return None
    kind, attrs = json.loads(token.removeprefix(_MARK))
    return kind, attrs
