"""Several NodeDefs in place of one: below its name, the last under the name itself."""

from typing import Any

import numpy as np

from twinflow.base import dtypes, op_defs
from twinflow.formats import protos
from twinflow.formats.attr_values import to_proto


class Parts:
    """NodeDefs below the name of a node; what `export` of an op gets.

    Attributes:
        node: the node. inputs: how NodeDefs call its inputs.
        made: the NodeDefs.
    """

    def __init__(self, node_def: Any, node: Any = None) -> None:
        self.of, self.node = node_def, node
        self.made: list = []
        self.inputs = [t for t in node_def.input if t[0] != "^"]

    def add(self, name: str, kind: Any, *inputs: Any, **attrs: Any) -> Any:
        """One more NodeDef, with the defaults of its OpDef; its name. "" = the last."""
        full = f"{self.of.name}/{name}" if name else self.of.name
        proto = protos.NodeDef(name=full, op=kind, device=self.of.device)
        proto.input.extend(inputs)
        if not name:
            proto.input.extend(t for t in self.of.input if t.startswith("^"))
        for attr in op_defs.find(kind).attrs.values():
            value = attrs.get(attr.name, attr.default)
            proto.attr[attr.name].CopyFrom(to_proto(value, attr.type))
        self.made.append(proto)
        return full

    def const(self, name: str, value: Any) -> Any:
        """A Const of an int32 value."""
        array = np.asarray(value, np.int32)
        return self.add(name, "Const", value=array, dtype=dtypes.int32)
