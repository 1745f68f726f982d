"""The interpreter: a program as a list of closures over one list of values.

It is the reference for the passes and for XLA, and what runs while nothing is compiled.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dtypes, errors, native
from twinflow.base.annotations import Array
from twinflow.base.blocking import let_go
from twinflow.base.convert import held
from twinflow.base.state import Cell, Uninitialized
from twinflow.execute.dead_tensors import alive_only
from twinflow.execute.kernel_checks import (
    by_value,
    check_of,
    checked,
    each_time,
    fitting,
    tried_first,
)
from twinflow.execute.node_errors import at_node as _at_node
from twinflow.execute.node_errors import located
from twinflow.execute.session_cells import lock_of
from twinflow.execute.sparing import Sparing
from twinflow.graph import fit
from twinflow.graph.program import (
    is_handle,
    is_known,
    marked_inputs,
    plain_inputs,
    regions,
)

if TYPE_CHECKING:
    from twinflow.execute.session_cells import Home
    from twinflow.graph.node import GraphTensor, Node
    from twinflow.graph.program import Program

_MOST_NUMBERS = 64  # entries of a constant that is kept as Python numbers too

_fast: Any = native.fast if hasattr(native.fast, "run_steps") else None


class Step:
    """A closure over the list of values, the node it came from, and its input slots.

    Attributes:
        touched: the slots that it reads or fills. frees: those that nothing reads after
            it (Note [Lifetimes] in execute.lifetimes).
        inner: what tells the steps inside it, or its kernel, of those, or None.
    """

    __slots__ = ("frees", "inner", "ins", "node", "run", "touched")

    def __init__(
        self, run: Callable, node: "Node", ins: list, touched: Sequence = ()
    ) -> None:
        self.run, self.node, self.ins = run, node, ins
        self.touched: tuple = (*_flat(ins), *touched)
        self.frees: tuple = ()
        self.inner = getattr(run, "let_go", None)


class Reader:
    """Where a step finds the value of a variable (Note [References]).

    Attributes:
        cell: the Cell. slot: where its value goes. node: the one that reads it, or None
            where a fetch does.
    """

    __slots__ = ("cell", "node", "slot")

    def __init__(self, cell: Cell, slot: int, node: "Node | _Fetch") -> None:
        self.cell, self.slot, self.node = cell, slot, node

    def __call__(self, v: list) -> None:
        """Put the value of now into the slot."""
        try:
            v[self.slot] = self.cell.read()
        except Uninitialized as error:
            plain = errors.FailedPreconditionError(None, None, error.message)
            raise _at_node(plain, self.node) from None


class Assembler:
    """Gives every tensor a slot and turns nodes into steps.

    Args:
        cell_of: from the cell of a graph (a variable's, a random stream's) to the one
            that a run works on.
    Attributes:
        locking: whether steps on cells take their lock (Note [Threads]); those of a
            cluster have it.
        joining: whether updates that follow each other may become one step.
        sparing: whether kernels may leave out what nothing reads.
    """

    joining = sparing = True

    def __init__(self, cell_of: "Callable | Home") -> None:
        self.cell_of, self.locking = cell_of, False
        self.slots: dict = {}
        self.taken: dict = {}  # the slots of the variables that the current step reads
        self.values: list = []
        self.numbers: dict = {}  # {slot of a constant: that of it as Python numbers}
        self.sides: dict = {}  # {RefSwitch: where it says which sides are there}
        self.ran: dict = {}  # {node that may not run: where it says that it did}

    def slot(self, t: Any, program: "Program") -> int:
        """The slot of a tensor; what is known before the run is put there at once."""
        t = program.resolve(t)
        found = self.taken.get(t)
        return self._own_slot(t, program) if found is None else found

    def _own_slot(self, t: "GraphTensor", program: "Program") -> int:
        found = self.slots.get(t)
        if found is None:
            found = self.slots[t] = self.new_slot()
            self.values[found] = self.known(t, program)
        return found

    def _handle_slot(
        self, t: "GraphTensor", program: "Program", node: "Node", place: int
    ) -> int:
        handle = program.reference(t)
        if handle is not None:
            return self._own_slot(handle, program)
        kind, t = dtypes.cpp_name(t.dtype.base_dtype), program.resolve(t)
        source = t.name
        if t in program.feeds:
            source = f"_arg_{t.op.name}_0_{program.feeds.index(t)}:0"
        raise errors.InvalidArgumentError(
            None, node,
            f"Input {place} of node {node.name} was passed {kind} from {source} "
            f"incompatible with expected {kind}_ref.",
        )  # fmt: skip

    def known(self, t: "GraphTensor", program: "Program") -> Array | Cell | None:
        """The value of a constant, or the cell of a variable's handle."""
        value = program.const(t)
        if value is not None:
            return value
        return self.cell_of(t.op.attrs["cell"]) if is_handle(t, program) else None

    def place(self, t: "GraphTensor", program: "Program") -> int:
        """Where the node of `t` puts it: aside, if the run was given another value."""
        aside = t in program.fed or program.reference(t) is not None
        return self.new_slot() if aside else self.slot(t, program)

    def new_slot(self) -> int:
        """A slot for something that is no tensor."""
        self.values.append(None)
        return len(self.values) - 1

    def assemble(self, nodes: Any, program: "Program") -> list[Step]:
        """The steps of `nodes`; constants need none."""
        return [self.step(n, program) for n in nodes if not is_known(n, program)]

    def results(self, tensors: list, program: "Program") -> tuple[list, ...]:
        """What a program gives: (the slots of `tensors`, None for None; the steps that
        read variables before they are taken)."""
        slots, steps = [], []
        for t in tensors:
            handle = None if t is None else program.reference(t)
            if handle is None:
                slots.append(None if t is None else self.slot(t, program))
                continue
            read = self._reader(handle, _naming(t) or _Fetch(handle, len(slots)))
            slots.append(read.slot)
            run = self._reading_alone(read)
            steps.append(Step(run, handle.op, [], (read.slot,)))
        return slots, steps

    def _reader(self, handle: "GraphTensor", node: "Node | _Fetch") -> Reader:
        return Reader(self.cell_of(handle.op.attrs["cell"]), self.new_slot(), node)

    def step(self, node: "Node", program: "Program") -> Step:
        """The step of one node, which first reads the variables it takes as values."""
        readers = self._readers(node, program)
        outer, self.taken = self.taken, {h: r.slot for h, r in readers.items()}
        try:
            found = self._step(node, program)
        finally:
            self.taken = outer
        if readers:
            reads = [self._reading_alone(r) for r in readers.values()]
            found.run = _reading(reads, found.run)
        own = (self.slots[t] for t in _around(node, program) if t in self.slots)
        found.touched += (*own, *(r.slot for r in readers.values()))
        return alive_only(self, node, program, found)

    def _reading_alone(self, read: Reader) -> Callable | Reader:
        if not self.locking:
            return read
        return _locked(read, lock_of(self.cell_of, [read.cell]))

    def _readers(self, node: "Node", program: "Program") -> dict:
        found: dict = {}
        for t in plain_inputs(node):
            handle = program.reference(t)
            if handle is not None and handle not in found:
                found[handle] = self._reader(handle, _naming(t) or node)
        return found

    def _step(self, node: "Node", program: "Program") -> Step:
        ins = self._ins(node, program)
        special = special_steps.get(node.opdef.engine)
        if special is not None:
            return Step(special(self, node, program), node, ins)
        check = check_of(node)
        if any(a.ref for a in node.opdef.sig.outputs):  # known before the run
            run = _plain(node, self.kernel(node), check, ins, ())
            return Step(self._alone(run, node, ins), node, ins)
        outs = [self.place(t, program) for t in node.outputs]
        spares = self.sparing and hasattr(node.opdef.np, "spares")
        lean = Sparing(node.opdef.np, node.attrs, outs) if spares else None
        kernel = self.kernel(node, lean)
        run = _plain(node, kernel, check, self._host_ins(node, ins), outs)
        found = Step(self._alone(run, node, ins), node, ins, outs)
        found.inner = None if lean is None else lean.let_go
        return found

    def _alone(self, run: Callable, node: "Node", ins: list[int]) -> Callable:
        """The closure, holding the lock of the cells of a node of their own step."""
        if not (self.locking and node.opdef.step):
            return run
        lock, own = None, node.attrs.get(node.opdef.cell)
        fixed = [] if own is None else [self.cell_of(own)]

        def run_alone(v: list) -> None:
            nonlocal lock
            if lock is None:
                cells = [v[i] for i in _flat(ins) if isinstance(v[i], Cell)]
                lock = lock_of(self.cell_of, [*fixed, *cells])
            with lock:
                run(v)

        return run_alone

    def _ins(self, node: "Node", program: Any) -> list:
        if node.opdef.refs:
            slots = [
                self._handle_slot(t, program, node, place) if is_ref
                else self.slot(t, program)
                for place, (t, is_ref) in enumerate(marked_inputs(node))
            ]  # fmt: skip
            return node.arranged(slots)
        return [
            [self.slot(t, program) for t in a] if type(a) is list
            else self.slot(a, program)
            for a in node.args()
        ]  # fmt: skip

    def _host_ins(self, node: "Node", ins: list) -> list:
        """The same, but numbers and lists of numbers that are known as Python's own,
        which kernels take sooner than arrays."""
        given = list(ins)
        for place, spec in enumerate(node.opdef.sig.inputs):
            if spec.host and type(ins[place]) is int:
                value = self.values[ins[place]]
                if type(value) is np.ndarray and value.dtype.kind == "i":
                    given[place] = self._host_slot(ins[place], value)
        return given

    def _host_slot(self, slot: int, value: Array) -> int:
        found = self.numbers.get(slot)
        if found is None and value.ndim < 2 and value.size < _MOST_NUMBERS:
            found = self.numbers[slot] = self.new_slot()
            plain = value.tolist()
            self.values[found] = tuple(plain) if type(plain) is list else plain
        return slot if found is None else found

    def kernel(self, node: "Node", lean: Sparing | None = None) -> Any:
        """The NumPy kernel of a node with its attributes (and cell) bound, and checks.

        A kernel may have `bound`: from attributes to a function that does all that the
        kernel and the op's check do for them. `lean` stands for one that spares.
        """
        op, attrs = node.opdef, node.attrs
        bound = getattr(op.np, "bound", None)
        if bound is not None:
            return bound(**attrs)
        if op.cell in attrs:
            attrs = {**attrs, op.cell: self.cell_of(attrs[op.cell])}
        kernel = lean or (partial(op.np, **attrs) if attrs else op.np)
        kernel = checked(op.check, kernel, attrs) if op.check else kernel
        if by_value(op) and fit.is_open(node):
            kernel = each_time(op, kernel, attrs)
        return kernel


def _around(node: "Node", program: "Program") -> "Iterator[GraphTensor]":
    """What a node gives, and what its group and its regions take from outside."""
    yield from node.outputs
    yield from program.of_group(node)
    for r in regions(node):
        yield from program.bodies[r].outer_inputs()


def _flat(ins: list[int]) -> Iterator[int]:
    for i in ins:
        if type(i) is list:
            yield from i
        else:
            yield i


def _naming(t: Any) -> "Node | None":
    """The Identity that reads the variable whose name `t` is, or None."""
    node = None
    while not t.dtype._is_ref_dtype:
        node, t = t.op, t.op.inputs[0]
    return node


class _Fetch:
    """In place of a node: the variable itself is fetched."""

    frames = ()

    def __init__(self, handle: "GraphTensor", place: int) -> None:
        self.name = f"_retval_{handle.op.name}_0_{place}"


def _reading(readers: list, run: Any) -> Callable:
    if _fast is not None and type(run) is _fast.Plain:
        return run.after(tuple(readers))
    if len(readers) == 1:
        (read,) = readers

        def run_after_reading(v: list) -> None:
            read(v)
            run(v)

        return run_after_reading

    def run_after_all(v: list) -> None:
        for read in readers:
            read(v)
        run(v)

    return run_after_all


def _locked(run: Reader, lock: Any) -> Callable:
    def run_alone(v: list) -> None:
        with lock:
            run(v)

    return run_alone


def _unfed_step(asm: Assembler, node: "Node", program: "Program") -> Callable:
    """A placeholder that is run was not fed."""
    shape = node.attrs["shape"]
    words = f"dtype {dtypes.cpp_name(node.attrs['dtype'])}"
    if shape:
        dims = ",".join("?" if d is None else str(d) for d in shape)
        words += f" and shape [{dims}]"

    def run(v: list) -> Any:
        raise errors.InvalidArgumentError(
            None, None,
            f"You must feed a value for placeholder tensor {node.name!r} with {words}",
        )  # fmt: skip

    return run


# op type -> (assembler, node, program) -> closure
special_steps: dict = {"Placeholder": _unfed_step}


def _plain(node: "Node", kernel: Any, check: Any, ins: list, outs: Any) -> Callable:
    """The closure of a node that only computes: in C, where native/steps.c can."""
    single = node.opdef.single
    text = any(t.dtype is dtypes.string for t in node.outputs)
    quick = _quick(node)
    if _fast is not None and not text and len(ins) <= _MOST_ARGS:
        slots = tuple([tuple(i) if type(i) is list else i for i in ins])
        single = single and bool(outs)
        out = outs[0] if single else tuple(outs)
        return _fast.Plain(kernel, slots, out, check, quick)
    compute = _compute(tried_first(quick, fitting(kernel, check)), ins)
    if not outs:
        return compute
    compute = _held(compute, single) if text else compute
    return (_one_output if single else _outputs)(compute, outs)


def _quick(node: "Node") -> Callable | None:
    """The quick form of a node's op with its attributes, where it has one."""
    quick = node.opdef.quick
    return partial(quick, **node.attrs) if quick and node.attrs else quick


_MOST_ARGS = 16  # of those that native/steps.c takes


def _compute(kernel: Callable, ins: list[int]) -> Callable:
    if any(type(i) is list for i in ins):
        return lambda v: kernel(*inputs(v, ins))
    if len(ins) == 1:
        (a,) = ins
        return lambda v: kernel(v[a])
    if len(ins) == 2:
        a, b = ins
        return lambda v: kernel(v[a], v[b])
    return lambda v: kernel(*[v[i] for i in ins])


def _held(compute: Callable, single: bool) -> Callable:
    """As `compute`, with strings as arrays."""
    if single:
        return lambda v: held(compute(v))
    return lambda v: [held(value) for value in compute(v)]


def inputs(v: list, ins: list) -> list:
    """The values at input slots."""
    return [[v[j] for j in i] if type(i) is list else v[i] for i in ins]


def _one_output(compute: Callable, outs: list[int]) -> Callable:
    (out,) = outs

    def run(v: list) -> None:
        v[out] = compute(v)

    return run


def _outputs(compute: Callable, outs: list[int]) -> Callable:
    def run(v: list) -> None:
        for o, value in zip(outs, compute(v), strict=False):
            v[o] = value

    return run


def execute(steps: list[Step], values: list) -> None:
    """Run steps in order, and let go of what each was the last to read.

    An error names the node and the user's line.
    """
    if _fast is not None:
        failed = _fast.run_steps(steps, values)
        if failed is not None:
            _raise(failed[1], failed[0], values)
        return
    step = None
    try:
        for step in steps:
            step.run(values)
            for slot in step.frees:
                values[slot] = None
    except Exception as error:
        _raise(error, step, values)


def _raise(error: Exception, step: Any, values: list) -> None:
    let_go()
    found = located(error, step, values)
    raise found from (None if isinstance(error, errors.OpError) else error)


if _fast is not None:
    _fast.setup_steps(Step, Reader, Cell, lambda: None)
