"""Functions of elements: traced once, then run on arrays without any tensor around.

Note [Starting a dataset]: a dataset may depend on tensors of a graph (components,
sizes, what its functions capture). They are its `inputs`; an Env has their values, and
the cells of the run, at the moment an iterator is initialised.
"""

import operator

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.data import structure as nested
from twinflow.data.draws import every_node, own_streams
from twinflow.data.pipeline.positions import place_of, put, standing_still
from twinflow.data.pipeline.stages import Pass, check_length
from twinflow.data.structure import Structure
from twinflow.execute.call import check_alive, program_of
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import INTERPRET
from twinflow.graph.func_graph import FuncGraph
from twinflow.graph.node import GraphTensor
from twinflow.ops.core.constant import convert_to_tensor


class Env:
    """The values that a dataset is started with.

    Args:
        values: dict from the graph tensors it depends on to arrays (or cells).
        cell_of: from the cells of the graph to those of this run.
        stats: the cell of a StatsAggregator, or None (Note [Element statistics]).
        threads: how many of them each map has at most; None: as it says itself.
    """

    def __init__(
        self, values=None, cell_of=lambda cell: cell, stats=None, threads=None
    ):
        self.values, self.cell_of, self.stats = values or {}, cell_of, stats
        self.threads = threads
        self.memories: list = []

    checked = True  # whether what TensorFlow asserts beside the dataset is

    def watched_by(self, stats):
        """The same with the cell of a StatsAggregator."""
        return self._with(stats, self.threads)

    def limited(self, threads):
        """The same where each map has at most so many threads."""
        return self._with(self.stats, threads)

    def _with(self, stats, threads):
        found = Env(self.values, self.cell_of, stats, threads)
        found.memories, found.checked = self.memories, self.checked
        return found

    def again(self):
        """The same without memories, to start a dataset once more."""
        found = self._with(self.stats, self.threads)
        found.memories = []
        return found

    def kept(self, memory):
        """The same memory, which becomes part of places (Note [Places])."""
        self.memories.append(memory)
        return memory

    def value(self, x):
        """The value of an array, eager tensor or graph tensor."""
        if isinstance(x, GraphTensor):
            return self.values[x]
        return x._a if isinstance(x, Tensor) else x

    def int(self, x):
        """The value of a scalar as a Python int; a bool is 0 or 1."""
        found = np.asarray(self.value(x))
        return operator.index(found.item() if found.dtype == bool else found[()])


class Run(Pass):
    """A pass over a dataset, with the memories that its transforms keep.

    Args:
        dataset: the Dataset. env: the Env to start it with.
    """

    def __init__(self, dataset, env):
        self.inner, self.memories = dataset.start(env)(), env.memories

    def __iter__(self):
        return iter(self.inner)

    def __next__(self):
        return next(self.inner)

    def block(self, count):
        return self.inner.block(count)

    def state(self):
        with standing_still():
            place = place_of(self.inner)
            return [place, [m.state() for m in self.memories]]

    def resume(self, place, memories):
        put(self.inner, place)
        check_length(len(memories), len(self.memories))
        for memory, state in zip(self.memories, memories):
            memory.resume(*state)


def symbolic(tensors):
    """The graph tensors among `tensors`, each once."""
    return list(dict.fromkeys(t for t in tensors if isinstance(t, GraphTensor)))


class _Traced:
    """A Python function traced for the elements of a dataset.

    Attributes:
        graph: the FuncGraph. result: what the function returned. captured: the tensors
        it uses from outside. inputs: those of them that are graph tensors.
    """

    @classmethod
    def of(cls, function, *rest):
        """The traced form of a function; itself if it is one already."""
        return function if isinstance(function, _Traced) else cls(function, *rest)

    def __init__(self, function, *structures):
        if not callable(function):
            raise TypeError(f"Expected a function of an element, got {function!r}.")
        self.function = function  # keeps alive the variables it refers to
        graph = self.graph = FuncGraph(_name(function), dispatch.current_mode())
        graph.has_seed = False
        _note(graph)
        with dispatch.entered(graph):
            self.result = function(*_arguments(graph, structures))
            graph.outputs.extend(self._outputs(graph))
        self.captured = graph.captured_outer
        self.inputs = symbolic(self.captured)

    @property
    def program(self):
        """The Program of the graph's outputs."""
        check_alive(self.graph)
        return program_of(self.graph, self.graph.outputs)

    @property
    def draws(self):
        """Whether it draws random numbers or writes to variables, in some order."""
        nodes = every_node(self.graph)
        return any(n.opdef.step and n.opdef.writes_cell for n in nodes)

    def begin(self, env):
        """(from an element to the arrays of the outputs, from cells to its cells)."""
        streams = own_streams(self.graph, env)
        return self.plan(env, streams), _with(streams, env.cell_of)

    def plan(self, env, streams):
        """From an element to the arrays of the graph's outputs.

        Args:
            streams: {Stream of the graph: the one that this run draws from}.
        """
        plan = Plan(self.program, _with(streams, env.cell_of), INTERPRET)
        run, captured = plan.run, [env.value(t) for t in self.captured]
        return (lambda element: run([*element, *captured])) if captured else run


def _with(streams, cell_of):
    """From cells to those of a run that has some streams for itself."""
    if not streams:
        return cell_of
    return lambda cell: streams.get(cell) or cell_of(cell)


def _note(graph):
    """Tell the function around a function of elements of it (own_streams asks)."""
    if isinstance(graph.outer, FuncGraph):
        inside = graph.outer.state.setdefault("element functions", [])
        inside.append(graph)


def _name(function):
    name = getattr(function, "__name__", "function")
    return name if name.isidentifier() else "function"


def _arguments(graph, structures):
    """The placeholders of an element; tuples are spread over the parameters."""
    args = []
    for s in structures:
        flat = [graph.add_input(d, shape, "arg") for d, shape in zip(s.types, s.shapes)]
        args.append(s.pack(flat))
    if len(args) == 1 and type(args[0]) is tuple:
        return args[0]
    return args


class ElementFunction(_Traced):
    """A function from elements to elements.

    Attributes:
        structure: the Structure of the results.
    """

    def _outputs(self, graph):
        result = self.result
        if result is None:
            raise TypeError(
                "Unsupported return value from function passed to Dataset.map(): None."
            )
        result = tuple(result) if isinstance(result, list) else result
        result = nested.with_tensors(result)
        try:
            flat = [convert_to_tensor(r) for r in nested.flatten(result)]
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"Unsupported return value from function passed to Dataset.map(): "
                f"{result}. {error}"
            ) from error
        types, shapes = [t.dtype for t in flat], [t._shape for t in flat]
        self.structure = Structure(nested.template_of(result), types, shapes)
        return [graph.tensor(t) for t in flat]

    def start(self, env):
        """A function from an element to the components of the result."""
        return self.begin(env)[0]


class Predicate(ElementFunction):
    """A function from elements to one truth value."""

    def _outputs(self, graph):
        found = super()._outputs(graph)
        s = self.structure
        scalar = len(found) == 1 and nested.compatible(s.shapes[0], ())
        if not scalar or s.types[0] is not dtypes.bool:
            raise advised(
                ValueError, "`predicate` must return a scalar boolean tensor."
            )
        return found

    def start(self, env):
        """A function from an element to a truth value."""
        run, _ = self.begin(env)
        return lambda element: run(element)[0]


class DatasetFunction(_Traced):
    """A function from elements to datasets.

    Args:
        is_dataset: tells what a dataset is; this module does not know Dataset.
        called: the name of the function as an argument, for errors.
    Attributes:
        structure: the Structure of the elements of the datasets.
    """

    def __init__(self, function, structure, is_dataset, called="map_func"):
        self.is_dataset, self.called = is_dataset, called
        super().__init__(function, structure)

    def _outputs(self, graph):
        if not self.is_dataset(self.result):
            raise TypeError(f"`{self.called}` must return a `Dataset` object.")
        self.structure = self.result.structure
        return [graph.tensor(t) for t in self.result.inputs]

    def start(self, env):
        """A function from an element to a pass over its dataset."""
        (run, cell_of), dataset = self.begin(env), self.result

        def elements(element):
            values = dict(zip(dataset.inputs, run(element)))
            return Run(dataset, Env(values, cell_of, env.stats, env.threads))

        return elements


def is_tensor(value):
    """Whether `value` is a tensor or variable."""
    return isinstance(value, Tensor | ResourceHandle)
