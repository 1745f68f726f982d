"""Functions of twinflow as pure ones of jax, with gradients of their own.

The gradient of a pure function is that of a tape, as a pure function in its turn: so
custom gradients, loops and the rules of twinflow count, to any order.
"""

from collections.abc import Callable, Sequence
from typing import Any

from twinflow.autodiff.tape import GradientTape
from twinflow.base import dispatch, dtypes, errors
from twinflow.base.state import Cell
from twinflow.base.tensor_spec import TensorSpec
from twinflow.execute.compile_spec import collect_cells
from twinflow.execute.cutting import on_host
from twinflow.execute.function import Function
from twinflow.execute.node_errors import at_node
from twinflow.execute.trace import Trace
from twinflow.graph.program import Program, build, has_frames, is_known, regions
from twinflow.interchange.frozen import given_cells, outer_value, prepared
from twinflow.lower import pure
from twinflow.lower.lowering import NeedsValue
from twinflow.ops.core import array
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.random.streams import Stream


class PureProgram:
    """A program as a function of arrays of jax, whose gradients jax finds.

    Args:
        name: for errors. program: the Program. given: {captured tensor: its array or
            Cell}. cell_of: see execute.plan.Plan. outputs: the tensors that it gives.
    Attributes:
        cells: those of the variables it reads, in the order in which `run` takes their
            values.
    Raises:
        UnimplementedError: it does what only this process can.
    """

    def __init__(
        self, name: str, program: Program, given: dict, cell_of: Callable, outputs: list
    ) -> None:
        self.name, self.outputs = name, outputs
        self._program, self._given, self._cell_of = program, given, cell_of
        _refuse(program, name)
        self.cells = self._cells()

    def _cells(self) -> list:
        """The cells that it reads.

        Raises:
            UnimplementedError: it writes to one, or draws random numbers.
        """
        program = self._program
        found = {c: False for t, c in self._given.items() if _is_read(t, c)}
        handles = {t: c for t, c in self._given.items() if isinstance(c, Cell)}
        collect_cells(program.nodes, program, handles, self._cell_of, found)
        for node in program.nodes:
            touched: dict = {}
            collect_cells([node], program, dict(handles), self._cell_of, touched)
            for cell, written in touched.items():
                if isinstance(cell, Stream):
                    node = _inmost(node, program, _draws) or node
                    _refused(node, self.name, "draws random numbers from a stream "
                             "that changes: use tf.random.stateless_uniform and its "
                             "kin, with the seed as an argument")  # fmt: skip
                if written:
                    node = _inmost(node, program, _writes) or node
                    _refused(node, self.name, "writes to a variable: return the new "
                             "value in its place")  # fmt: skip
        return list(found)

    def states(self) -> list:
        """The values of the variables, as they are now."""
        return [c.read() for c in self.cells]

    def run(self, arrays: Sequence, states: Sequence) -> list:
        """The results where jax traces around, without a gradient of their own."""
        called = pure.function_of(self._program, self._cell_of)
        by_cell = dict(zip(self.cells, states, strict=True))
        try:
            given = [
                by_cell[c] if _is_read(t, c) else c for t, c in self._given.items()
            ]
            return called([*arrays, *given], by_cell)
        except NeedsValue as error:
            raise _refusal(
                error.node, self.name,
                "needs the value of an input (not just its shape) to be compiled",
            ) from None  # fmt: skip
        except pure.NeedsNumber as error:
            raise _refusal(
                error.node, self.name,
                "needs a size that is open (None) to be a number: give an "
                f"input_signature with numbers ({error})",
            ) from error.__cause__  # fmt: skip

    def __call__(self, arrays: Sequence, states: Sequence) -> list:
        """As `run`."""
        return self.run(arrays, states)


class Pure(PureProgram):
    """A function of tensors for certain shapes and dtypes, as one of arrays of jax.

    Args:
        function: takes a list of tensors, and returns a list of tensors.
        specs: [(shape, NumPy's dtype)] of its arguments; None for unknown sizes.
        name: for errors. session: where the variables of graphs have their values.
        mode: the mode or graph in which it is traced; the current one by default.
    """

    def __init__(
        self, function: Callable, specs: Sequence, name: str, session: Any = None,
        mode: Any = None,
    ) -> None:  # fmt: skip
        self.function, self.specs = function, list(specs)
        self._session, self._backs = session, {}
        self._mode = dispatch.current_mode() if mode is None else mode
        traced = Function(lambda *xs: function(list(xs)), name=name)
        taken = [TensorSpec(s, dtypes.as_dtype(k)) for s, k in self.specs]
        with dispatch.entered(self._mode):
            graph = self.graph = Trace(traced, tuple(taken), {}).graph
        given = {i: outer_value(t, session) for t, i in graph.captures.items()}
        feeds = [*graph.inputs, *given]
        built = build(graph, graph.outputs, (), feeds, keep_effects=True)
        cell_of = given_cells(session)
        super().__init__(name, prepared(built), given, cell_of, graph.outputs)

    def __call__(self, arrays: Sequence, states: Sequence) -> list:
        """As `run`; its gradient in jax is that of twinflow."""
        n = len(arrays)
        both = pure.differentiable(lambda *a: self.run(a[:n], a[n:]), self._slopes(n))
        return both(*arrays, *states)

    def _slopes(self, count: int) -> Callable:
        """From all arguments and the gradients of the results to those of the former;
        None for integers."""

        def back(kept: Sequence, dys: Sequence) -> list:
            arrays, states = kept[:count], kept[count:]
            floats = [
                d for d, t in zip(dys, self.outputs, strict=True) if t.dtype.is_inexact
            ]
            wanted = [i for i, a in enumerate(kept) if pure.is_inexact(a.dtype)]
            shapes = [pure.open_shape(d) for d in floats]
            found = self._back(shapes)
            order = {c: i for i, c in enumerate(self.cells)}
            more = [states[order[c]] for c in found.cells]
            slopes = iter(found([*arrays, *floats], more))
            return [next(slopes) if i in wanted else None for i in range(len(kept))]

        return back

    def _back(self, shapes: list) -> "Pure":
        key = tuple(shapes)
        if key not in self._backs:
            kinds = [t.dtype.np for t in self.outputs if t.dtype.is_inexact]
            specs = [*self.specs, *zip(shapes, kinds, strict=True)]
            self._backs[key] = Pure(
                self._tape, specs, f"{self.name}'", self._session, self._mode
            )
        return self._backs[key]

    def _tape(self, given: list) -> list:
        """The gradients of floating arguments and variables, by a tape."""
        n = len(self.specs)
        xs, dys = given[:n], given[n:]
        floats = [x for x in xs if x.dtype.is_inexact]
        variables = self._variables()
        with GradientTape() as tape:
            for x in floats:
                tape.watch(x)
            for v in variables:
                tape.watch(v)
            ys = [y for y in self.function(xs) if y.dtype.is_inexact]
        sources = [*floats, *variables]
        slopes = tape.gradient(ys, sources, dys) if ys else [None] * len(sources)
        return [
            array.zeros_like(s) if d is None else convert_to_tensor(d)
            for s, d in zip(sources, slopes, strict=True)
        ]

    def _variables(self) -> list:
        """The variables of floating cells, in their order."""
        alive = [v() for v in self.graph.variables.values()]
        home = self._cell_of
        by_cell = {home(v._cell): v for v in alive if v is not None}
        floats = [c for c in self.cells if pure.is_inexact(c.read().dtype)]
        return [by_cell[c] for c in floats]


def _inmost(node: Any, program: Program, is_it: Callable) -> Any:
    """The node inside calls and bodies that is meant, whose line helps a user."""
    inner = [(program.bodies[r], program.bodies[r].nodes) for r in regions(node)]
    if node.opdef.engine == "PartitionedCall":
        called = node.extra.program(node)
        inner.append((called, called.nodes))
    for body, nodes in inner:
        for each in nodes:
            found = _inmost(each, body, is_it)
            if found is not None:
                return found
    return node if is_it(node, program) else None


def _writes(node: Any, program: Program) -> bool:
    return bool(node.opdef.step and node.opdef.writes_cell)


def _draws(node: Any, program: Program) -> bool:
    return any(isinstance(cell, Stream) for cell in program.touched(node)[0])


def _is_read(t: Any, value: Any) -> bool:
    """Whether a captured tensor is the value of a variable, and not its handle."""
    return isinstance(value, Cell) and t.dtype is not dtypes.resource


def _refuse(program: Program, name: str) -> None:
    """Refuse nodes that only this process can run."""
    if has_frames(program):
        raise errors.UnimplementedError(
            None, None,
            f"{name!r} has loops in parts (Enter, Exit), as GraphDefs hold them: only "
            "tf.while_loop of this process can be compiled.",
        )  # fmt: skip
    for node in program.nodes:
        if not is_known(node, program) and on_host(node, program):
            _refused(node, name, "runs on the host, as Python, strings and files do")


def _refusal(node: Any, name: str, why: str) -> errors.OpError:
    text = f"'{node.type}' of the node '{node.name}' in {name!r} {why}."
    return at_node(errors.UnimplementedError(None, node, text), node)


def _refused(node: Any, name: str, why: str) -> None:
    raise _refusal(node, name, f"cannot become part of a program of jax: it {why}")
