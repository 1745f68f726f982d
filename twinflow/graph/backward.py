"""The way back through a graph, in the order and by the names of TensorFlow.

Each node's gradient lies in a scope `NODE_grad`; what arrives for a tensor is added up
by one AddN. Nodes whose consumers are done are taken first in, first out; where there
is control flow, whose gradients reach into other nodes, the last node goes first.
"""

import contextlib
import functools
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from twinflow.autodiff.backprop import _step, total
from twinflow.base import dtypes
from twinflow.base.tensor import Composite, Tensor
from twinflow.graph.gradient_names import name_of, rename
from twinflow.graph.scopes import colocate_with, with_dependencies_of_all
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.core.indexed_slices import joined

if TYPE_CHECKING:
    from twinflow.graph.graph import Graph
    from twinflow.graph.node import GraphTensor, Node


class Backward:
    """Gradients on their way.

    Args:
        graph: the graph they are added to. records: list of (Node, record).
        wanted: the ids whose gradients are asked for.
        gate: let no gradient of a node be used before all of them are there.
        colocate: ask for the device of each node for its gradient.
    """

    def __init__(
        self, graph: "Graph", records: list, wanted: Any, gate: bool = False,
        colocate: bool = False,
    ) -> None:  # fmt: skip
        self.graph, self.gate, self.colocate = graph, gate, colocate
        self.wanted = set(wanted)
        self.found: dict = {}
        self.records: dict = {}
        for node, record in records:
            self.records.setdefault(node, []).insert(0, record)
        self.sums = _Sums()

    def run(self, ys: Any, dys: Any) -> dict:
        """dict from wanted id to gradient, for incoming gradients `dys` of `ys`."""
        for y, dy in zip(ys, dys, strict=True):
            self.sums.add(y._id, dy)
        for node in self._order(ys):
            self._node(node)
        for i in self.wanted:
            if i in self.sums.parts:
                self.found[i] = self.sums.take(i)
        return self.found

    def _node(self, node: "Node") -> None:
        for record in self.records[node]:
            out = record[2]
            for i in (out,) if type(out) is int else out:
                self.sums.settle(i)
            place = colocate_with(node) if self.colocate else contextlib.nullcontext()
            start = len(self.graph.nodes)
            with place, self.graph.name_scope(node.name + "_grad"):
                _step(self.sums, self.wanted, self.found, record)
                self._pass_on(node, start)
            note_origin(self.graph.nodes[start:], node)

    def _pass_on(self, node: "Node", start: int) -> None:
        """What the node gives, by the nodes from `start` on, goes to its inputs."""
        fresh, self.sums.fresh = self.sums.fresh, []
        inputs = {t._id: (i, t) for i, t in reversed(list(enumerate(node.inputs)))}
        for i, dx in fresh:
            if i in inputs and not isinstance(dx, Composite):
                _fit(node, *inputs[i], dx)
                name = name_of(node, inputs[i][0])
                if name and dx.op.index >= start:
                    rename(self.graph, dx.op, name)
        if self.gate and len(fresh) > 1:
            gated = with_dependencies_of_all([dx for _, dx in fresh])
            fresh = [(i, dx) for (i, _), dx in zip(fresh, gated, strict=True)]
        for i, dx in fresh:
            self.sums.add(i, dx)

    # ------------------------------------------------------------------ order
    def _order(self, ys: list[Tensor]) -> "Iterator | list[Node]":
        if any(hasattr(n.extra, "regions") for n in self.records):
            return reversed(list(self.records))  # which `ancestors` put in order
        makers = {t._id: n for n in self.records for t in n.outputs}
        starts = dict.fromkeys(makers.get(y._id, y.op) for y in ys)
        return self._first_in_first_out(list(starts))

    def _first_in_first_out(self, start: "list[Node]") -> "Iterator[Node]":
        sources = self._sources(start)
        waiting = dict.fromkeys(sources, 0)
        for before in sources.values():
            for node in before:
                waiting[node] += 1
        queue = deque(n for n in start if waiting.get(n) == 0)
        while queue:
            node = queue.popleft()
            yield node
            for before in sources[node]:
                waiting[before] -= 1
                if not waiting[before]:
                    queue.append(before)

    def _sources(self, start: "list[Node]") -> "dict[Node, list]":
        """For each node that gradients reach, the nodes that they go on to."""
        makers = {t._id: n for n in self.records for t in n.outputs}
        found: dict = {}
        stack = [n for n in start if n in self.records]
        while stack:
            node = stack.pop()
            if node not in found:
                ids = [i for r in self.records[node] for i in _flat(r[1])]
                found[node] = [makers[i] for i in ids if i in makers]
                stack.extend(found[node])
        return found


def note_origin(made: "list[Node]", node: "Node") -> None:
    """Let nodes that were made for the gradient of `node` know it."""
    for n in made:
        if n._original_op is None:  # else made for a gradient in this one
            n.original = node


class _Sums(dict):
    """Gradients by id, as `_step` reads and writes them.

    Attributes:
        parts: what has arrived. fresh: what the node at hand gives.
    """

    def __init__(self) -> None:
        super().__init__()
        self.parts: dict = {}
        self.fresh: list = []

    def get(self, key: int, default: Any = None) -> Any:
        """Nothing: what arrives is added up later."""
        return default

    def __setitem__(self, key: int, dx: "GraphTensor") -> None:
        self.fresh.append((key, dx))

    def add(self, i: int, dx: Any) -> None:
        """One more gradient of `i`."""
        self.parts.setdefault(i, []).append(dx)

    def settle(self, i: int) -> None:
        """Make the sum for `i`, which `_step` takes."""
        if i in self.parts:
            super().__setitem__(i, self.take(i))

    def take(self, i: int) -> "GraphTensor":
        """The sum of what has arrived for `i`."""
        return _sum(self.parts.pop(i))


def _sum(parts: Any) -> Any:
    if len(parts) == 1:
        return parts[0]
    if any(isinstance(p, IndexedSlices) for p in parts):
        return joined(parts)
    if all(p.dtype.is_floating or p.dtype.is_complex for p in parts):
        return add_n(parts)
    return functools.reduce(total, parts)


def _flat(ids: tuple) -> Iterator[int]:
    for i in ids:
        if type(i) is int:
            yield i
        else:
            yield from i


def _fit(node: "Node", place: int, t: "GraphTensor", dx: "GraphTensor") -> None:
    """The gradient of an input has its shape."""
    if t.dtype is dtypes.resource or dx._shape == t._shape:
        return
    try:
        dx.set_shape(t._shape)
    except ValueError:
        raise ValueError(
            "Incompatible shapes between op input and calculated input gradient.  "
            f"Forward operation: {node.name}.  Input index: {place}. Original input "
            f"shape: {t.shape}.  Calculated input gradient shape: {dx.shape}"
        ) from None
