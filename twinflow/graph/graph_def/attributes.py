"""What programs ask a node about its NodeDef and OpDef."""

from typing import Any

from google.protobuf import text_format

from twinflow.base import dtypes, op_defs
from twinflow.formats import attr_values
from twinflow.formats.protos import AttrValue
from twinflow.graph.graph_def.export import node_def


def get_attr(node: Any, name: str) -> Any:
    """An attribute as TensorFlow gives it: bytes, numbers, DTypes or messages.

    Raises:
        ValueError: there is none of this name.
    """
    attrs = node_def(node).attr
    if name not in attrs:
        raise ValueError(f"Operation {node.name!r} has no attr named {name!r}.")
    proto = attrs[name]
    which = proto.WhichOneof("value")
    if which is None:
        return []
    if which != "list":
        return _plain(getattr(proto, which), which)
    for field, values in proto.list.ListFields():
        return [_plain(v, field.name) for v in values]
    return []


def _plain(value: Any, field: Any) -> Any:
    return dtypes.as_dtype(value) if field == "type" else value


def set_attr(node: Any, name: str, value: Any) -> None:
    """Put an attribute beside those of the op.

    Args:
        value: an AttrValue.
    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, AttrValue):
        raise TypeError(f"Expected an AttrValue for {name!r}, got {value!r}.")
    node.marks = {**(node.marks or {}), name: value}


def text(node: Any) -> Any:
    """The NodeDef as text, attributes in the order of the alphabet."""
    return text_format.MessageToString(node_def(node))


def op_def(node: Any) -> Any:
    """The OpDef message of a node's op; empty where TensorFlow has no such op."""
    found = op_defs.find(node.type)
    if found is None:
        found = op_defs.OpDef(node.type, (), (), {}, (), None)
    return attr_values.op_def_proto(found)


def colocation_groups(node: Any) -> list[bytes]:
    """What `_class` says, or the node alone."""
    proto = (node.marks or {}).get("_class")
    own = [b"loc:@" + node.name.encode()]
    found = list(proto.list.s) if proto is not None else []
    return [s for s in found if s.startswith(b"loc:@")] or own
