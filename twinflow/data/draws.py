"""Random numbers in functions of elements, in order whoever works on them.

Note [Draws of elements]: each start of a dataset gives its functions streams of their
own (Note [Random streams]). An op with a seed of its own begins anew; for the others
one draw from the stream that they share is the key, so that what they draw depends on
no other op, thread or process beside them. The streams are part of places (Note
[Places]).

Where several elements are worked on at once, the reader takes what an element draws,
in the order of elements, before it hands the element over: the states travel with it as
its last component. So the numbers are those of calls one after another. An op in a
branch has its state taken in any case. How often an op in a loop or in a called
function draws is not known before: such functions are called in turn, like those that
write to variables.
"""

import collections

import numpy as np

from twinflow.data.pipeline import parallel, stages
from twinflow.data.pipeline.stages import check_length
from twinflow.graph.program import has_frames
from twinflow.graph.static import constant_value
from twinflow.ops.random.streams import Stream, originals


class Streams:
    """The random streams that a function has for itself; a memory.

    Args:
        cells: Stream cells.
    """

    def __init__(self, cells):
        self.cells = cells

    def state(self):
        """Where each is."""
        return [np.array(cell.read()) for cell in self.cells]

    def resume(self, *states):
        """Put each where it was."""
        check_length(len(states), len(self.cells))
        for cell, state in zip(self.cells, states):
            cell.write(np.array(state))


def every_node(graph):
    """The nodes of a graph and of the functions that it calls."""
    for node in graph.nodes:
        yield node
        inner = node.attrs.get("f")
        if hasattr(inner, "nodes"):
            yield from every_node(inner)


def own_streams(graph, env):
    """{stream of a node of a FuncGraph: that of this start}, kept as a memory."""
    found: dict = {}
    for node in every_node(graph):
        _begin(found, _stream(node), env)
    for node in _within(graph):
        stream = _stream(node)
        if stream is not None and not _seeded_alone(stream):  # others begin with it
            _begin(found, stream, env)
    if found:
        env.kept(Streams(list(found.values())))
    return found


def _within(graph):
    """The nodes of the functions of elements that a function makes datasets with."""
    for inner in graph.state.get("element functions", ()):
        yield from every_node(inner)
        yield from _within(inner)


def _begin(found, stream, env):
    if stream is None or stream in found:
        return
    alone = _seeded_alone(stream)
    found[stream] = stream.fresh() if alone else env.cell_of(stream).branch()


def _stream(node):
    stream = node.attrs.get("stream")
    return stream if isinstance(stream, Stream) else None


def _seeded_alone(stream):
    """Whether it belongs to an op with a seed of its own."""
    return len(stream.seeds) == 2


# ---------------------------------------------------------------------- ahead
def mapped_in_parallel(source, function, env, workers):
    """As pipeline.parallel.mapped_in_parallel, of an ElementFunction that may draw."""
    if not function.draws:
        return parallel.mapped_in_parallel(source, function.start(env), workers)
    moves = _moves(function)
    if moves is None:
        return stages.mapped(source, function.start(env))
    cells = own_streams(function.graph, env)
    taken = [(cells[stream], steps) for stream, steps in moves.items()]
    source = stages.mapped(source, lambda element: [*element, _taken(taken)])
    work = _Work(lambda: _run(function, env, moves))
    return parallel.mapped_in_parallel(source, work, workers)


def _moves(function):
    """{stream: how far each draw of an element moves it}; None if that is unknown."""
    found: dict = {}
    graph, here = function.graph, set(function.graph.nodes)
    for node in every_node(graph):
        if not (node.opdef.step and node.opdef.writes_cell):
            continue
        move = _move(node) if node in here and not _repeats(node) else None
        if move is None:
            return None
        found.setdefault(_stream(node), []).append(move)
    return None if has_frames(function.program) else found


def _repeats(node):
    """Whether a node is within anything but branches."""
    while node.region is not None:
        node = node.region.owner
        if node.type != "If":
            return True
    return False


def _move(node):
    stream = _stream(node)
    if stream is None or node.type not in originals:
        return None
    original = originals[node.type]
    if original is None or not stream.original:
        return 1
    inputs = None if node.region is not None else _likely(node)
    if inputs is None:
        return None
    attrs = {k: v for k, v in node.attrs.items() if k not in _NOT_OF_DRAWS}
    return original.blocks(*inputs, **attrs)


_NOT_OF_DRAWS = {"seed", "seed2", "stream"}


def _likely(node):
    """Arrays of the shapes of the inputs; None if a shape or a size is not known."""
    found = []
    for t, arg in zip(node.inputs, node.opdef.sig.inputs, strict=True):
        value = constant_value(t)
        if value is None:
            if arg.host or t._shape is None or None in t._shape:
                return None
            value = np.zeros(t._shape, t.dtype.np)
        found.append(np.asarray(value))
    return found


def _taken(streams):
    """uint64[draws, 2]: the states of one element's draws, stream by stream."""
    return np.array([cell.take(move) for cell, steps in streams for move in steps])


class _Told(Stream):
    """A stream whose next states were taken by somebody else.

    Args:
        stream: the one that it stands for. count: how many states an element has.
    """

    __slots__ = ("count", "left", "original")

    def __init__(self, stream, count):
        super().__init__(stream.seeds, stream.seeded)
        self.original, self.count, self.left = stream.original, count, iter(())

    def take(self, count=1):
        return next(self.left)


def _run(function, env, moves):
    """(the streams that are told, from an element to its results): its own plan."""
    told = {stream: _Told(stream, len(steps)) for stream, steps in moves.items()}
    return list(told.values()), function.plan(env, told)


class _Work:
    """A function of elements that end with the states of their draws.

    Args:
        make: makes what `_run` gives: one for each thread that is at work.
    """

    def __init__(self, make):
        self.make, self.free = make, collections.deque([make()])

    def __call__(self, element):
        try:
            told, run = self.free.pop()
        except IndexError:
            told, run = self.make()
        *inputs, states = element
        try:
            start = 0
            for stream in told:
                stop = start + stream.count
                stream.left, start = iter(states[start:stop]), stop
            return run(inputs)
        finally:
            self.free.append((told, run))
