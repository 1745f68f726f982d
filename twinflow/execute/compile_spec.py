"""What the compiler needs to know of a cluster."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from twinflow.base import dtypes
from twinflow.base.state import Cell
from twinflow.base.tensor import Tensor
from twinflow.execute.interpreter import is_known
from twinflow.graph.program import regions

if TYPE_CHECKING:
    from twinflow.graph.node import GraphTensor, Node
    from twinflow.graph.program import Program
    from twinflow.ops.random.streams import Stream


class Spec:
    """A cluster: its nodes, what goes in and out, and the cells it touches.

    Attributes:
        inputs: tensors from outside (no handles). outputs: tensors used outside.
        static: places of the inputs whose value must be known to compile. shaped: the
        nodes that must know them.
        recomputes: whether it computes values again rather than keep them.
        outside_handles: tensors from outside that are handles.
        handles: dict from handle tensors to cells. cells: the cells in order of use.
        written: for each cell, whether it is written. written_cells: those that are.
        place: the accelerator, None = the CPU. asked: whether it was asked for. stays:
        for each output, whether it may be a buffer there (Note [Accelerators]).
        mesh: how it is one program of several accelerators, or None (Note [Meshes]).
    """

    def __init__(self, nodes: "list[Node]", program: "Program", asm: Any) -> None:
        self.nodes, self.program = nodes, program
        self._cell_of = asm.cell_of
        self._homes: dict = {}
        self.size = len(nodes)
        self.place: int | None = None
        self.asked = False
        self.mesh: Any = None
        self.stays: list[bool] = []
        self.loops = any(
            regions(n) or n.opdef.engine == "PartitionedCall" for n in nodes
        )
        self.recomputes = any(n.type == "TwinTie" for n in nodes)
        self.inputs: list = []
        self.outputs: list = []
        self.handles: dict = {}
        self.cells: list | None = None
        self.written: list = []
        self.written_cells: list = []
        self.outside_handles: list = []
        self._find_inputs()
        self.static, self.shaped = _static_inputs(nodes, program, self.inputs)

    def _find_inputs(self) -> None:
        made = {t for n in self.nodes for t in n.outputs}
        used: dict = {}
        for n in self.nodes:
            bodies = (self.program.bodies[r] for r in regions(n))
            outer = [t for b in bodies for t in b.outer_inputs()]
            for t in (*n.inputs, *outer):
                t = self.program.resolve(t)
                fed = t in self.program.feeds
                if t not in made and (fed or not constant(t, self.program)):
                    used[t] = None
        for t in used:
            if t.dtype is dtypes.resource:
                self.outside_handles.append(t)
            else:
                self.inputs.append(t)

    def cell_of(self, template: "Cell | Stream") -> Any:
        """The cell of the run for one of the graph: the same when it is compiled, even
        if the session was closed before."""
        found = self._homes.get(template)
        if found is None:
            found = self._homes[template] = self._cell_of(template)
        return found

    def connect(self, outputs: list[Tensor]) -> None:
        """Note which tensors are used outside."""
        self.outputs = list(outputs)

    def find_cells(self, v: list, slots: dict[Tensor, int]) -> list:
        """The cells of this run, found once: a plan works on fixed cells."""
        if self.cells is None:
            handles = {t: v[slots[t]] for t in self.outside_handles}
            self.handles = handles
            written: dict = {}
            collect_cells(
                self.nodes, self.program, dict(handles), self.cell_of, written
            )
            self.written = list(written.values())
            self.written_cells = [c for c, yes in written.items() if yes]
            self.cells = list(written)  # last: other threads may look
        return self.cells


def constant(t: "GraphTensor", program: "Program") -> bool:
    """Whether a tensor is there before the run: a constant, or a handle."""
    return t.op.opdef.home is not None or program.const(t) is not None


def collect_cells(
    nodes: "list", program: "Program", handles: dict, cell_of: Callable, written: dict
) -> None:
    """Note in `written` which cells `nodes` touch, and whether they write to them."""
    for node in nodes:
        op = node.opdef
        for cell in program.touched(node)[0]:
            written.setdefault(cell_of(cell), False)
        if op.step:
            for cell in _cells_of(node, program, handles, cell_of):
                written[cell] = written.get(cell, False) or op.writes_cell
        for r in regions(node):
            body = program.bodies[r]
            collect_cells(body.nodes, body, handles, cell_of, written)
        if node.opdef.engine == "PartitionedCall":
            _collect_call(node, program, handles, cell_of, written)


def _collect_call(
    node: "Node", program: "Program", handles: dict, cell_of: Callable, written: dict
) -> None:
    inner = node.extra.program(node)
    own = {
        p: _cell(t, program, handles, cell_of)
        for p, t in zip(inner.feeds, node.inputs, strict=True)
        if p.dtype is dtypes.resource
    }
    collect_cells(inner.nodes, inner, own, cell_of, written)


def _cells_of(
    node: "Node", program: "Program", handles: dict, cell_of: Callable
) -> list:
    op = node.opdef
    names: Any = (op.cell,) if isinstance(op.cell, str) else op.cell
    inputs = [a.name for a in op.sig.inputs]
    places = [inputs.index(n) for n in names if n in inputs]
    if not places:
        return [cell_of(node.attrs[op.cell])]
    args = node.args()
    return [_cell(args[p], program, handles, cell_of) for p in places]


def _cell(
    t: "GraphTensor", program: "Program", handles: dict, cell_of: Callable
) -> Cell:
    t = program.resolve(t)
    found = handles.get(t)
    return cell_of(t.op.attrs["cell"]) if found is None else found


def _static_inputs(nodes: "list", program: "Program", inputs: list) -> tuple[list, ...]:
    """The places of inputs on whose values (not shapes) host inputs depend, and the
    nodes that have those."""
    wanted: set = set()
    shaped = []
    for node, t in _host_inputs(nodes, program):
        found = _sources(t, program, inputs)
        wanted |= found
        if found:
            shaped.append(node)
    return [i for i, t in enumerate(inputs) if t in wanted], shaped


def _sources(t: Any, program: "Program", inputs: list[Tensor]) -> set[Tensor]:
    """The inputs on whose values `t` depends."""
    seen: set = set()
    stack = [t]
    while stack:
        t = program.resolve(stack.pop())
        if t in seen:
            continue
        seen.add(t)
        if t.op.type not in ("Shape", "ShapeN", "Size", "Rank") and t not in inputs:
            stack.extend(t.op.inputs)
    return seen.intersection(inputs)


def _host_inputs(nodes: "list[Node]", program: "Program") -> Iterator[tuple]:
    for node in nodes:
        if is_known(node, program):
            continue
        op = node.opdef
        free = op.dynamic_host(**node.attrs) if op.dynamic_host else {}
        for spec, t in zip(op.sig.inputs, node.args(), strict=False):
            if spec.host:
                for needed in _needed(t, free.get(spec.name, 0), program):
                    yield node, needed
        for r in regions(node):
            yield from _host_inputs(program.bodies[r].nodes, program.bodies[r])


def _needed(t: "GraphTensor", free: int, program: "Program") -> list[Tensor]:
    """The tensors that say the entries of host vector `t` whose bit in `free` is 0."""
    t = program.resolve(t)
    if free and t.op.type == "Pack" and t not in program.fed:
        return [part for i, part in enumerate(t.op.inputs) if not free >> i & 1]
    n = t._shape[0] if t._shape else None
    return [] if n is not None and free == (1 << n) - 1 else [t]
