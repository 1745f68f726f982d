"""Marks and stacks as costs: of a line, by an op, in an engine."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from twinflow.base.frames import line_number
from twinflow.base.op import Op
from twinflow.execute.interpreter import Step
from twinflow.execute.tiers import Cluster
from twinflow.profiling.hooks import COMPILE_MARK, DATA, DATA_MARK, is_kernel
from twinflow.profiling.stacks import Stacks

ENGINES = ("Python", "kernel", "XLA", "data", "compiling", "waiting")


class Cost(NamedTuple):
    """What one op took at one line.

    Attributes:
        file, line: the user's; "" and 0 where none is known. op: the type, or what else
            it was. engine: one of ENGINES. seconds. runs: how often, exactly; 0 where
            it was sampled. attributed: whether `seconds` is a share of a measured time.
    """

    file: str
    line: int
    op: str
    engine: str
    seconds: float
    runs: int
    attributed: bool = False


def costs_of(marks: list[tuple], stacks: Stacks) -> list[Cost]:
    """All costs of a profile."""
    return [*_of_marks(marks), *_of_stacks(stacks)]


def _of_marks(marks: list[tuple]) -> Iterator[Cost]:
    measured = _node_times(marks)
    for what, code, lasti, domain, runs, own, _ in marks:
        place = ("", 0) if code is None else _place((code, lasti))
        if type(what) is Cluster:
            yield from _shares(what, runs, own, measured)
            continue
        op, engine = _kind(what)
        if type(what) is Step and engine == "kernel":
            place = _place_of_node(what.node)
        engine = "data" if domain == DATA else engine
        yield Cost(*place, op, engine, own / 1e9, runs)


def _kind(what: Any) -> tuple[str, str]:
    """(op, engine) of a mark."""
    if isinstance(what, Op):
        return what.type, "kernel"
    if type(what) is Step:
        own = type(getattr(what.run, "__self__", None)) is Cluster
        return ("(running a graph)", "Python") if own else (what.node.type, "kernel")
    if is_kernel(what):
        return what.__name__, "kernel"
    if what is DATA_MARK:
        return "(next element)", "data"
    if what is COMPILE_MARK:
        return "(waiting for XLA)", "compiling"
    return "(running a graph)", "Python"


def _node_times(marks: list[tuple]) -> Counter:
    """What the interpreter took for each node, in ns a run."""
    found: Counter = Counter()
    for what, *_, runs, own, _ in marks:
        if type(what) is Step and _kind(what)[1] == "kernel":
            found[what.node] += own / max(runs, 1)
    return found


def node_times(marks: list[tuple]) -> dict[str, tuple[int, int]]:
    """{name of a node: (runs, ns)}, compiled ones with their shares."""
    measured = _node_times(marks)
    found: dict[str, tuple[int, int]] = {}
    for what, *_, runs, own, _ in marks:
        shares = []
        if type(what) is Step and _kind(what)[1] == "kernel":
            shares = [(what.node, own)]
        elif type(what) is Cluster:
            shares = list(_shared(what, own, measured))
        for node, ns in shares:
            before = found.get(node.name, (0, 0))
            found[node.name] = before[0] + runs, before[1] + int(ns)
    return found


def _shares(cluster: Any, runs: int, own: int, measured: Counter) -> Iterator[Cost]:
    for node, ns in _shared(cluster, own, measured):
        yield Cost(*_place_of_node(node), node.type, "XLA", ns / 1e9, runs, True)


def _shared(cluster: Any, own: int, measured: Counter) -> Iterator[tuple[Any, float]]:
    """The time of a compiled program, shared out as the interpreter took it; where it
    never ran interpreted, by the work of each node."""
    nodes = cluster.spec.nodes
    weights: list[float] = [measured.get(n, 0) for n in nodes]
    if not any(weights):
        weights = [_work(n) for n in nodes]
    whole = sum(weights)
    for node, weight in zip(nodes, weights, strict=True):
        yield node, own * weight / whole


_SUMMED = {"MatMul": 0, "BatchMatMul": 0, "Conv2D": 1}  # the input that says how much


def _work(node: Any) -> float:
    """Elements computed, times what each is a sum of; unknown sizes count as one."""
    elements = sum(_elements(t) for t in node.outputs) or 1
    place = _SUMMED.get(node.type)
    if place is None:
        return elements
    outer = node.outputs[0]._shape or (1,)
    return 2 * elements * max(1.0, _elements(node.inputs[place]) / (outer[-1] or 1))


def _elements(t: Any) -> float:
    return float(math.prod(d or 1 for d in t._shape or ()))


def _of_stacks(stacks: Stacks) -> Iterator[Cost]:
    for engine, found in (("Python", stacks.python), ("waiting", stacks.waiting)):
        for stack, ns in found.items():
            yield Cost(*_place(stack[-1]), f"({engine})", engine, ns / 1e9, 0)


def _place(pair: tuple) -> tuple[str, int]:
    return pair[0].co_filename, line_number(pair)


def _place_of_node(node: Any) -> tuple[str, int]:
    return _place(node.frames[0]) if node.frames else ("", 0)


def summed(costs: Iterable[Cost], *names: str) -> dict[tuple, float]:
    """Seconds by attributes of costs, the most first.

    Example: `summed(costs, "engine")` is {("kernel",): 1.5, ("Python",): 0.5}.
    """
    found: dict = defaultdict(float)
    for cost in costs:
        found[tuple(getattr(cost, n) for n in names)] += cost.seconds
    return dict(sorted(found.items(), key=lambda item: -item[1]))
