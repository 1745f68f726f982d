"""Graph.create_op: a node of an op type that is given by name, as in a GraphDef."""

import re
from typing import Any

from twinflow.base import op_defs
from twinflow.base.advice import advised
from twinflow.base.versions import GRAPH_DEF_VERSION
from twinflow.formats import protos
from twinflow.formats.attr_values import to_proto
from twinflow.graph.graph_def.importer import Importer
from twinflow.graph.node import GraphTensor

_VALID = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$")


def create_op(
    graph: Any, op_type: Any, inputs: Any, name: str | None = None, attrs: Any = None
) -> Any:
    """A node; see Graph.create_op.

    Args:
        attrs: dict from name to AttrValue; types of inputs need not be given.
    """
    graph._check_not_finalized()
    for i, t in enumerate(inputs):
        if not isinstance(t, GraphTensor):
            raise TypeError(f"Input #{i} is not a tensor: {t}")
    name = op_type if name is None else name
    full = name[:-1] if name.endswith("/") else graph.unique_name(name)
    if not _VALID.match(full):
        raise advised(ValueError, f"'{full}' is not a valid node name")
    node_def = protos.NodeDef(name=full, op=op_type)
    node_def.input.extend(f"input_{i}" for i in range(len(inputs)))
    for key, value in (attrs or {}).items():
        node_def.attr[key].CopyFrom(value)
    _put_types(node_def, inputs)
    graph_def = protos.GraphDef(node=[node_def])
    graph_def.versions.producer = GRAPH_DEF_VERSION
    mapped = {f"input_{i}": t for i, t in enumerate(inputs)}
    importer = Importer(graph, graph_def, mapped, "")
    importer.scopes = set()  # the name is free, or is that of the scope of its inputs
    return importer.add(node_def)


def _put_types(node_def: Any, inputs: Any) -> None:
    """The type attributes that single inputs say, where they are missing."""
    found = op_defs.find(node_def.op)
    args = found.inputs if found else ()
    if any(a.number_attr or a.list_attr for a in args):
        return
    for arg, t in zip(args, inputs, strict=False):
        if arg.type_attr and arg.type_attr not in node_def.attr:
            value = to_proto(t.dtype.base_dtype, "type")
            node_def.attr[arg.type_attr].CopyFrom(value)
