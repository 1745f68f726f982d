"""A whole GraphDef as one block (Note [Blocks])."""

from typing import TYPE_CHECKING, Any

from twinflow.graph.v1.all_reduce import joined
from twinflow.graph.v1.build import Builder
from twinflow.graph.v1.conds import nested
from twinflow.graph.v1.functions import expanded
from twinflow.graph.v1.loops import in_order_of_frames, without_loops
from twinflow.graph.v1.nodes import MERGE, Alias, Irregular, item_of
from twinflow.ops.tensor_array.effects import BY_EFFECT

if TYPE_CHECKING:
    from twinflow.graph.graph_def.importer import Importer

_LEAST = {
    "Enter": 1, "Exit": 1, "LoopCond": 1, "Merge": 1, "NextIteration": 1, "Switch": 2
}  # fmt: skip


_GRADIENTS = ("TensorArrayGradV3", "TensorArrayGradWithShape")


def recover(node_defs: list) -> "list[Whole]":
    """What stands for some NodeDefs among which there is control flow.

    Args:
        node_defs: those of a GraphDef.
    Returns:
        A list of one unit: see Note [Importing control flow] in graph.graph_def.
    """
    return [Whole(node_defs)]


def recovered(node_defs: list) -> tuple:
    """The block of some NodeDefs, and its Alias.

    If a frame is no while loop, every node stays as it is: see Note [Frames] in
    ops.arrays.frames.

    Args:
        node_defs: those of a GraphDef, in any order; what is not among them is taken
            for given.
    """
    alias = Alias()
    items = [item_of(proto, place) for place, proto in enumerate(node_defs)]
    try:
        return nested(without_loops(items, alias), alias), alias
    except Irregular:
        alias = Alias()
        return in_order_of_frames(items, alias), alias


class Whole:
    """All the nodes of a GraphDef, as the unit of an import.

    Attributes:
        names: those of the nodes. inputs: none: everything is inside.
    """

    def __init__(self, node_defs: list) -> None:
        self.node_defs = list(node_defs)
        self.names = [n.name for n in self.node_defs]
        self.inputs: tuple = ()

    def build(self, importer: Any) -> None:
        """Make the nodes; see Note [Importing control flow]."""
        self._check(importer)
        node_defs = joined(expanded(self.node_defs, importer.graph_def.library))
        if any(n.op in _GRADIENTS for n in node_defs):
            importer.kinds.update(BY_EFFECT)
        block, alias = recovered(node_defs)
        ends = {f"{n.name}:1": n.name for n in node_defs if n.op in MERGE}
        used = {text for n in node_defs for text in n.input} if ends else ()
        indexed = {name for text, name in ends.items() if text in used}
        Builder(importer, alias, indexed).whole(block)

    def _check(self, importer: "Importer") -> None:
        known = set(self.names)
        for node in self.node_defs:
            importer.current = node.name
            least = _LEAST.get(node.op.removeprefix("Ref"), 0)
            if sum(not text.startswith("^") for text in node.input) < least:
                raise ValueError(
                    f"Node '{node.name}': {node.op} takes {least} inputs, got "
                    f"{list(node.input)}"
                )
            for text in node.input:
                name = text.removeprefix("^").partition(":")[0]
                if name not in known and not importer.is_mapped(text):
                    raise ValueError(f"Node '{node.name}': Unknown input node '{text}'")
