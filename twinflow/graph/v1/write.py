"""Nodes that own regions as TensorFlow 1 writes them, and the nodes inside.

A tensor from outside enters a branch through a Switch and a loop through an Enter, one
for each region around the place where it is used. What takes nothing from its region
waits for the region's pivot, so that it runs only there.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dtypes
from twinflow.formats import protos
from twinflow.formats.tensor_proto import to_proto
from twinflow.graph.program import regions
from twinflow.graph.v1 import write_loops

if TYPE_CHECKING:
    from twinflow.graph.graph import Graph
    from twinflow.graph.node import GraphTensor, Node, Region

_PARAM = "TwinParam"
_ENDS = {"If": "Merge", "While": "Exit"}  # what the outputs of a node are called


class Writer:
    """Writes the nodes of one graph.

    Args:
        graph: the Graph. plain: (node) -> NodeDefs of a node without regions, of which
            the last has its name.
    """

    def __init__(self, graph: "Graph", plain: Callable) -> None:
        self.graph, self.plain = graph, plain
        self.used = {name.lower() for name in graph.by_name}
        self.refs: dict = {}  # {tensor: how a NodeDef calls it at home}
        self.inside: dict = {}  # {(tensor, region or While): the same inside}
        self.frames: dict = {}  # {node with regions: what is known of it}
        self.stacks: dict = {}  # {output of a loop: the Stack of what it keeps}
        self.made: list = []
        self.ends: dict = {}  # {output of a node with regions: the Identity it is}
        owners = [n for n in graph.nodes if regions(n)]
        if owners:
            self._find_ends()
        for node in owners:
            self._prepare(node)

    def parts(self, node: "Node") -> list:
        """The NodeDefs of a node; a node that only names an output has none."""
        if node.outputs and self.ends.get(_first_input(node)) is node:
            return []
        if node.type == _PARAM and node.region is not None:
            return []
        if node.type == "If":
            self._branch(node)
        elif node.type == "While":
            write_loops.write(self, node)
        elif node.type == "TwinStackRead":
            write_loops.read_stack(self, node)
        elif node.region is None and not self.frames:
            return self.plain(node)
        else:
            self._put(node)
        made, self.made = self.made, []
        return made

    # ------------------------------------------------------------------ names
    def name(self, name: str) -> str:
        """`name`, numbered where it is taken."""
        found, count = name, 0
        while found.lower() in self.used:
            count += 1
            found = f"{name}_{count}"
        self.used.add(found.lower())
        return found

    def _find_ends(self) -> None:
        for node in self.graph.nodes:
            t = _first_input(node)
            if t is None or node.type != "Identity" or t.op.type not in _ENDS:
                continue
            last = node.name.rpartition("/")[2]
            plain = node.region is t.op.region and not node.control_inputs
            if plain and last.startswith(_ENDS[t.op.type]):
                self.ends.setdefault(t, node)

    def _prepare(self, node: "Node") -> None:
        """Choose the names that others use: of outputs and params."""
        scope = node.name.rpartition("/")[0]
        scope = scope + "/" if scope else ""
        frame = self.frames[node] = Frame(node, scope)
        count = len(node.outputs) if node.type == "If" else len(node.inputs)
        for t in node.outputs[:count]:
            end = self.ends.get(t)
            name = end.name if end else self.name(f"{scope}{_ENDS[node.type]}")
            frame.ends.append(name)
            self.refs[t] = name
        if node.type == "While":
            write_loops.prepare(self, node, frame)
            return
        frame.switch = self.name(f"{scope}Switch")
        then, orelse = node.extra.regions
        places = {"pred_id": node.region, "switch_t": then, "switch_f": orelse}
        for part, region in places.items():
            there = frame.there[part] = self._is_there(
                scope + part, node.inputs[0], region
            )
            setattr(frame, part, scope + part if there else self.name(scope + part))

    def _is_there(
        self, name: str, pred: "GraphTensor", region: "Region | None"
    ) -> bool:
        """Whether the graph was read with this part of a branch in it."""
        node = self.graph.by_name.get(name)
        if node is None or node.type != "Identity" or node.region is not region:
            return False
        return node.inputs[0] is pred

    # ------------------------------------------------------------------ places
    def ref(self, t: "GraphTensor", region: "Region | None", user: str) -> str:
        """How the nodes of `region` call a tensor; `user` names what enters for it."""
        home = t.op.region
        if home is region:
            return self._at_home(t)
        path: list = []
        place: Any = region
        while place is not home:
            path.append(place)
            place = place.parent
        for inner in reversed(path):
            owner = inner.owner
            where = inner if owner.type == "If" else owner
            if (t, where) not in self.inside:
                self.inside[t, where] = self._entered(t, inner, user)
        return self.inside[t, where]

    def _at_home(self, t: "GraphTensor") -> str:
        if t in self.refs:
            return self.refs[t]
        if t in self.stacks:
            self.refs[t] = write_loops.whole_stack(self, self.stacks[t])
            return self.refs[t]
        return f"{t.op.name}:{t.value_index}" if t.value_index else t.op.name

    def _entered(self, t: Any, region: Any, user: str) -> str:
        """Let a tensor into a region from the one around it."""
        node = region.owner
        outer, frame = self.ref(t, region.parent, user), self.frames[node]
        ref = "Ref" if t.dtype._is_ref_dtype else ""
        if node.type == "If":
            if t is node.inputs[0]:
                then = region is node.extra.regions[0]
                return f"{frame.switch}:1" if then else frame.switch
            name = self.name(f"{user}/Switch")
            self.add(name, f"{ref}Switch", [outer, frame.pred_id], T=t.dtype)
            return f"{name}:1" if region is node.extra.regions[0] else name
        name = self.name(f"{user}/Enter")
        self.enter(name, f"{ref}Enter", outer, frame, t.dtype, constant=True)
        return name

    def enter(
        self, name: str, op: Any, source: Any, frame: Any, dtype: Any, constant: Any,
        controls: Any = (),
    ) -> None:  # fmt: skip
        proto = self.add(name, op, [source, *controls], T=dtype)
        proto.attr["frame_name"].s = frame.name.encode()
        proto.attr["is_constant"].b = constant
        proto.attr["parallel_iterations"].i = 10

    def add(self, name: str, op: str, inputs: list[str], **types: Any) -> Any:
        proto = protos.NodeDef(name=name, op=op, input=inputs)
        for key, dtype in types.items():
            proto.attr[key].type = dtype.base_dtype.as_datatype_enum
        self.made.append(proto)
        return proto

    # ------------------------------------------------------------------ nodes
    def _put(self, node: "Node") -> None:
        """A plain node, with the names that its inputs have at its place."""
        *parts, proto = self.plain(node)
        kept = list(proto.input)
        del proto.input[:]
        known = {
            f"{t.op.name}:{t.value_index}".removesuffix(":0"): t for t in node.inputs
        }
        for part in (*parts, proto):
            names = list(part.input) if part is not proto else kept
            del part.input[:]
            for name in names:
                t = known.get(name)
                if t is not None:
                    name = self.ref(t, node.region, node.name)
                elif name.startswith("^"):
                    continue
                part.input.append(name)
        for part in parts:
            if node.region is not None and not part.input:
                part.input.append(f"^{self.pivot(node.region)}")
        proto.input.extend(self._controls(node, proto.input))
        self.made += [*parts, proto]

    def _controls(self, node: "Node", inputs: Any) -> list[str]:
        """The control inputs of a node: those of its region, or the pivot."""
        found: dict = {}
        for before in node.control_inputs:
            found.update(dict.fromkeys(self._waited(before, node.region)))
        region = node.region
        if region is not None and not found and self._is_free(node):
            found[f"^{self.pivot(region)}"] = None
        return list(found)

    def _waited(self, before: "Node", region: Any) -> Iterator[str]:
        """The control edges from a node of `region`; all of it waits for others."""
        if before.region is not region:
            return
        if before in self.frames:
            ends = self.frames[before].ends
            yield from (f"^{name}" for name in ends[:1])
        elif before.type != _PARAM:
            yield f"^{before.name}"

    def _is_free(self, node: "Node") -> bool:
        """Whether nothing ties a node to the region that it is in."""
        region: Any = node.region
        if region.owner.type == "If":
            return not node.inputs
        return all(t.op.region is not region for t in node.inputs)

    def pivot(self, region: Any) -> Any:
        node = region.owner
        frame = self.frames[node]
        if node.type == "If":
            then = region is node.extra.regions[0]
            return frame.switch_t if then else frame.switch_f
        return self.refs[region.params[0]]

    def waits(self, node: "Node") -> list:
        """What a node with regions waits for, and what its nodes wait for outside."""
        found = [*node.control_inputs]
        for r in regions(node):
            for n in self.graph.nodes[r.first : r.last]:
                found += n.control_inputs
        edges = (e for n in found for e in self._waited(n, node.region))
        return list(dict.fromkeys(edges))

    # ------------------------------------------------------------------ branches
    def _branch(self, node: "Node") -> None:
        frame, user = self.frames[node], self.frames[node].user
        pred = self.ref(node.inputs[0], node.region, user)
        waits = self.waits(node)
        bool_ = dtypes.bool
        self.add(frame.switch, "Switch", [pred, pred, *waits], T=bool_)
        parts = {
            "switch_t": [f"{frame.switch}:1"],
            "switch_f": [frame.switch],
            "pred_id": [pred, *waits],
        }
        for part, inputs in parts.items():
            if not frame.there[part]:
                self.add(getattr(frame, part), "Identity", inputs, T=bool_)
        then, orelse = node.extra.regions
        outs = zip(then.results, orelse.results, node.outputs, strict=True)
        for name, (yes, no, t) in zip(frame.ends, outs, strict=True):
            sides = [
                self._blank(t, region) if r is None else self.ref(r, region, user)
                for r, region in ((no, orelse), (yes, then))
            ]
            self.add(name, "Merge", sides, T=t.dtype).attr["N"].i = 2

    def _blank(self, t: Any, region: Any) -> Any:
        """Zeros in the place of what only the other branch gives."""
        shape = [d or 0 for d in t._shape or ()]
        zeros = np.zeros(shape, t.dtype.np)
        return self.constant(f"{self.frames[t.op].scope}blank", zeros, t.dtype, region)

    def constant(self, name: str, value: Any, dtype: Any, region: Any) -> Any:
        """A Const in a region; its name."""
        waits = [] if region is None else [f"^{self.pivot(region)}"]
        proto = self.add(self.name(name), "Const", waits, dtype=dtype)
        proto.attr["value"].tensor.CopyFrom(to_proto(np.asarray(value), dtype))
        return proto.name


class Frame:
    """The names around a node with regions.

    Attributes:
        scope: the prefix of all of them. user: what enters for the node itself goes by.
        ends: the names of its outputs. there: which parts of a branch the graph has.
    """

    def __init__(self, node: "Node", scope: str) -> None:
        self.scope, self.user = scope, scope.removesuffix("/") or node.name
        self.ends: list = []
        self.there: dict = {}
        self.switches: list = []
        self.switch = self.switch_t = self.switch_f = self.pred_id = self.cond = ""
        self.name = ""  # of the frame of a loop


def _first_input(node: "Node") -> "GraphTensor | None":
    return node.inputs[0] if len(node.inputs) == 1 else None
