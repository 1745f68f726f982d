"""Nodes copied into the same graph or another one, one by one.

Note [Copied nodes]: a copy has the attributes of its original, but cells, streams and
counts of its own, as a node of another name has in TensorFlow. Regions are copied with
the node that owns them: the nodes in a region first, in a region of the copy.
"""

import contextlib
import copy
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from twinflow.base import dispatch, frames
from twinflow.graph.cond import CondExtra
from twinflow.graph.graph_def.made import complete
from twinflow.graph.node import GraphTensor, Node, Region
from twinflow.graph.while_node import WhileExtra


class Copies(NamedTuple):
    """What tensors and regions have become.

    Args:
        tensors: {GraphTensor: its copy}. regions: {Region: its copy}.
    """

    tensors: dict
    regions: dict

    def tensor(self, t: Any) -> Any:
        """The copy of a tensor; what was not copied stays."""
        return self.tensors.get(t, t)


def copied_node(
    node: Node, graph: Any, name: str, inputs: list, copies: Copies
) -> Node:
    """A node of `graph` like `node`, at the region where that is building.

    Args:
        name: the whole name, not used yet. inputs: tensors of `graph`.
        copies: of the regions that the node owns, where it has some.
    """
    args = _args(node, list(inputs))
    with graph.building, _clear(graph):
        if node.opdef.infer is None or node.extra is not None:
            specs = [(t.dtype, t._shape) for t in node.outputs]
            made = graph._make_node(
                node.opdef, args, dict(node.attrs), dict(node.types), name, specs
            )
        else:
            attrs = _own_attributes(node, graph, args, name)
            made = graph._append(node.opdef, args, attrs, dict(node.types), name)
    made.device, made.marks = node.device, dict(node.marks) if node.marks else None
    made.extra = _extra(node, made, copies)
    return made


def _own_attributes(node: Node, graph: Any, args: list, name: str) -> dict:
    op, attrs = node.opdef, dict(node.attrs)
    if op.home is not None:
        attrs[op.cell] = None
    return {**attrs, **complete(graph, op, args, attrs, name)}


def _args(node: Node, inputs: list) -> list:
    """The inputs as the signature has them."""
    if node.counts is None:
        return inputs
    rest = iter(inputs)
    return [
        next(rest) if n is None else [next(rest) for _ in range(n)] for n in node.counts
    ]


@contextlib.contextmanager
def _clear(graph: Any) -> Iterator[None]:
    """A block without control dependencies, devices or marks of the blocks around."""
    names = ("control", "device_scopes", "markers", "blocks", "scope")
    before = {n: getattr(graph, n) for n in names}
    frames_before, graph.made_at = graph.made_at, graph.made_at or frames.user_frames()
    graph.control = graph.device_scopes = graph.markers = graph.blocks = ()
    graph.scope = ""
    try:
        with dispatch.tapes_paused(), dispatch.entered(graph):
            yield
    finally:
        graph.made_at = frames_before
        for name, value in before.items():
            setattr(graph, name, value)


def _extra(node: Node, made: Node, copies: Copies) -> Any:
    """What calls and control flow keep, for the copy."""
    extra = node.extra
    if extra is None:
        return made.extra
    if not isinstance(extra, CondExtra | WhileExtra):
        found = copy.copy(extra)
        found._taped = []
        return found
    pair = [copies.regions[r] for r in extra.regions]
    for region in pair:
        region.owner = made
    if isinstance(extra, CondExtra):
        return CondExtra(*pair)
    loop = WhileExtra(*pair)
    loop.saved = [copies.tensor(t) for t in extra.saved]
    loop.capacity = extra.capacity
    if extra.trips is not None:
        loop.trips = made.outputs[extra.trips.value_index]
    return loop


def copied_regions(
    node: Node, graph: Any, copies: Copies, copy_node: Callable[[Node], Any]
) -> None:
    """Copy the regions that a node owns, before the node itself.

    Args:
        copies: takes them; it has all tensors from outside that they use already.
        copy_node: copies a node, with its regions, and notes its tensors there.
    """
    for region in getattr(node.extra, "regions", ()):
        made: Any = Region(graph.region, region.label)
        copies.regions[region] = made
        made.first = len(graph.nodes)
        with graph.in_region(made):
            for inner in _nodes_in(region, node.graph):
                copy_node(inner)
        made.last = len(graph.nodes)
        made.params = [copies.tensor(t) for t in region.params]
        made.results = [copies.tensor(t) for t in region.results]
        made.variables = list(region.variables)
        if region.mirror is not None:
            body, counter = region.mirror
            made.mirror = (copies.regions.get(body, body), copies.tensor(counter))


def _nodes_in(region: Any, graph: Any) -> Iterator[Node]:
    """The nodes of a region, with those that were added later for what waits for it."""
    yield from (
        n for n in graph.nodes[region.first : region.last] if n.region is region
    )
    for t in region.results:
        if t is not None and t.op.region is region and t.op.index >= region.last:
            yield from (*(x.op for x in t.op.inputs), t.op)


def outermost(node: Node) -> Node:
    """The node outside all regions that owns the place of `node`; itself there."""
    while node.region is not None and node.region.owner is not None:
        node = node.region.owner
    return node


def is_inside(t: GraphTensor, node: Node) -> bool:
    """Whether a tensor is computed in the regions of a node."""
    region = t.op.region
    while region is not None:
        if region.owner is node:
            return True
        region = region.parent
    return False
