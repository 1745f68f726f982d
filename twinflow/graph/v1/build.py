"""Blocks become nodes and regions of a Graph (Note [Blocks])."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch, dtypes
from twinflow.base.tensor import Tensor
from twinflow.formats import protos
from twinflow.graph.cond import CondExtra, If, merged
from twinflow.graph.node import Region
from twinflow.graph.regions import traced
from twinflow.graph.v1.conds import Cond
from twinflow.graph.v1.loops import Loop
from twinflow.graph.while_node import While, WhileExtra
from twinflow.ops.arrays.placeholder import Param
from twinflow.ops.core import array
from twinflow.ops.core.infer import fits

if TYPE_CHECKING:
    from twinflow.graph.graph_def.importer import Importer
    from twinflow.graph.node import GraphTensor, Node
    from twinflow.graph.v1.nodes import Alias, Item


class Builder:
    """Puts a block into a graph.

    Args:
        importer: see graph.graph_def.importer. alias: the Alias of the block.
        indexed: the names of the Merges whose second output is used.
    """

    def __init__(self, importer: "Importer", alias: "Alias", indexed: set) -> None:
        self.importer, self.alias, self.indexed = importer, alias, indexed
        self.graph = importer.graph
        self.later: list = []  # (node, place, key of the NextIteration that it takes)

    def whole(self, items: Any) -> None:
        """Make everything in the block of a graph."""
        self.block(items)
        for node, place, key in self.later:
            node._put_input(place, self.value(key))

    def block(self, items: list) -> None:
        """Make everything in a block."""
        for item in items:
            if isinstance(item, Loop):
                self._loop(item)
            elif isinstance(item, Cond):
                self._cond(item)
            else:
                self._node(item)

    def value(self, key: Any) -> "GraphTensor":
        """The tensor of a key; what it passes through stands for it from now on."""
        if key in self.importer.mapped or key not in self.alias.keys:
            return self.importer.tensor(_text(key))
        t = self.value(self.alias.keys[key])
        self._stand(key[0], [t, t], None if t.op.opdef is Param else t.op)
        return t

    def _stand(self, name: Any, tensors: list[Tensor], node: "Node | None") -> None:
        """Let a name of the GraphDef stand for tensors, and for what is waited for."""
        self.importer.put(name, tensors)
        self.importer.nodes[name] = node

    def _wait(self, names: Sequence) -> None:
        """Find out what control edges from `names` wait for."""
        for name in names:
            if name in self.alias.nodes:
                for other in self.alias.names(name):
                    self.importer.nodes[name] = self.importer.nodes.get(other)
                if not self.alias.names(name):
                    self.importer.nodes[name] = None

    @contextlib.contextmanager
    def _after(self, names: Sequence) -> Iterator[None]:
        """A block whose nodes come after those of the GraphDef."""
        self._wait(names)
        found = [self.importer.node(f"^{n}") for n in names]
        with self.graph.control_dependencies([n for n in found if n is not None]):
            yield

    def _node(self, item: "Item") -> None:
        missing = [k for k in item.inputs if not self._is_there(k)]
        for key in item.inputs:
            if key not in missing:
                self.value(key)
        self._wait(item.controls)
        if missing:
            self._joined(item, missing)
            return
        if item.proto is not None:
            self.importer.add(self._placed(item.proto))
            return
        with self._after(item.controls):
            t = array.identity(self.value(item.inputs[0]), name=item.name)
        self.importer.put(item.name, [t])

    def _is_there(self, key: tuple) -> bool:
        """Whether a tensor is made already."""
        importer = self.importer
        known = key in importer.mapped or key in self.alias.keys
        return known or key[0] in importer.outputs

    def _joined(self, item: "Item", missing: list[tuple]) -> None:
        """A Merge whose NextIterations come later: its first value stands for them."""
        first = next(k for k in item.inputs if k not in missing)
        proto = protos.NodeDef()
        proto.CopyFrom(item.proto)
        for place, key in enumerate(item.inputs):
            if key in missing:
                proto.input[place] = _text(first)
        node = self.importer.add(self._placed(proto))
        self.later += [(node, i, k) for i, k in enumerate(item.inputs) if k in missing]

    def _placed(self, proto: Any) -> Any:
        """The NodeDef, beside no node that is not made."""
        if "_class" not in proto.attr:
            return proto
        near = proto.attr["_class"].list.s
        kept = [s for s in near if s.decode()[5:] not in self.alias.nodes]
        if len(kept) == len(near):
            return proto
        made = protos.NodeDef()
        made.CopyFrom(proto)
        del made.attr["_class"]
        if kept:
            made.attr["_class"].list.s.extend(kept)
        return made

    # ------------------------------------------------------------------ branches
    def _cond(self, cond: Cond) -> None:
        graph, pred = self.graph, self.value(cond.pred)
        then, orelse = Region(graph.region, "then"), Region(graph.region, "else")
        traced(graph, then, self._branch, then, cond, 0)
        traced(graph, orelse, self._branch, orelse, cond, 1)
        pairs = zip(then.results, orelse.results, strict=True)
        specs = [merged(a, b) for a, b in pairs]
        with self._after(cond.controls):
            node = graph.append_node(If, [pred, []], {}, _name(cond), specs)
        node.extra = CondExtra(then, orelse)
        then.owner = orelse.owner = node
        outputs = iter(node.outputs)
        for merge, *_ in cond.merges:
            with self._after(merge.controls):
                t = array.identity(next(outputs), name=merge.name)
            more = [next(outputs)] if merge.name in self.indexed else []
            self.importer.put(merge.name, [t, *more])
        if any(cond.awaited):
            done = array.identity(next(outputs), name=f"{_name(cond)}/done").op
            for name in (*cond.awaited[0], *cond.awaited[1]):
                self.importer.nodes[name] = done

    def _branch(self, region: Region, cond: Cond, side: int) -> None:
        self.block(cond.orelse if side else cond.then)
        for merge, *keys in cond.merges:
            region.results.append(self.value(keys[side]))
            if merge.name in self.indexed:
                place = merge.inputs.index(keys[side])
                region.results.append(array.constant(place, dtypes.int32))
        if any(cond.awaited):
            with self._after(cond.awaited[side]):
                region.results.append(array.identity(array.constant(True)))

    # ------------------------------------------------------------------ loops
    def _loop(self, loop: Loop) -> None:
        graph = self.graph
        first = [self.value(v.first) for v in loop.variables]
        shapes = [t._shape for t in first]
        while True:
            count, names = len(graph.nodes), dict(graph.used_names)
            test, body = Region(graph.region, "cond"), Region(graph.region, "body")
            traced(graph, test, self._test, test, loop, first, shapes)
            traced(graph, body, self._body, body, loop, first, shapes)
            found = list(map(_common, shapes, [t._shape for t in body.results]))
            if found == shapes:
                break
            shapes = found
            _take_back(graph, count, names)
        specs = [(t.dtype, s) for t, s in zip(first, shapes, strict=True)]
        node = graph.append_node(While, [first], {}, loop.name, specs)
        node.extra = WhileExtra(test, body)
        test.owner = body.owner = node
        for v, t in zip(loop.variables, node.outputs, strict=True):
            for name in v.exits:
                self.importer.put(name, [array.identity(t, name=name)])
            for name in v.over:
                self.importer.put(name, [t])

    def _test(self, region: Region, loop: Loop, first: list, shapes: list) -> None:
        self._params(region, loop, first, shapes, [v.merge for v in loop.variables])
        self.block(loop.test)
        region.results = [self.value(loop.go)]

    def _body(self, region: Region, loop: Loop, first: list, shapes: list) -> None:
        inner = self._inner(loop)
        names = [inner.get(v.merge, f"{v.merge}/body") for v in loop.variables]
        self._params(region, loop, first, shapes, names)
        for v, p in zip(loop.variables, region.params, strict=True):
            if v.merge in inner:
                self._stand(inner[v.merge], [p], None)
        kept = set(inner.values())
        self.block([x for x in loop.body if x.op != "Identity" or x.name not in kept])
        region.results = [self.value(v.next) for v in loop.variables]

    def _inner(self, loop: Loop) -> dict:
        """{name of a Merge: the Identity by which TensorFlow's body reads it}."""
        merges = {v.merge for v in loop.variables}
        found: dict = {}
        for item in loop.body:
            if item.op == "Identity" and not item.controls and _plain(item.proto):
                taken = self.alias.keys.get(item.inputs[0], ("", 0))[0]  # by its Switch
                if taken in merges:
                    found.setdefault(taken, item.name)
        return found

    def _params(
        self, region: Region, loop: Loop, first: list, shapes: list, names: list
    ) -> None:
        for v, t, s, name in zip(loop.variables, first, shapes, names, strict=True):
            p = dispatch.apply(Param, (), {"dtype": t.dtype, "shape": s}, name)
            region.params.append(p)
            self._stand(v.merge, [p], None)


def _plain(proto: Any) -> bool:
    """Whether nothing but what it reads is said of a node."""
    said = {"T", "_output_shapes"}
    return proto is not None and not proto.device and said.issuperset(proto.attr)


def _name(cond: Cond) -> str:
    """The name of the node of a branch: in the scope of its results."""
    first = cond.merges[0][0].name if cond.merges else cond.name
    return f"{first.rpartition('/')[0]}/cond".removeprefix("/")


def _common(wanted: Any, found: Any) -> Any:
    """The shape that a variable keeps which is of these shapes at two times."""
    if fits(wanted, found):
        return wanted
    if found is None or wanted is None or len(found) != len(wanted):
        return None
    pairs = zip(wanted, found, strict=True)
    return tuple(w if w == f else None for w, f in pairs)


def _take_back(graph: Any, count: int, names: Any) -> None:
    """Forget the nodes after the first `count`."""
    for node in graph.nodes[count:]:
        del graph.by_name[node.name]
    del graph.nodes[count:]
    graph.used_names = names


def _text(key: tuple) -> str:
    return f"{key[0]}:{key[1]}"
