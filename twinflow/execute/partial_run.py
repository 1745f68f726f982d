"""Session.partial_run: one run in several steps, each node at most once."""

from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import errors, nest
from twinflow.base.annotations import Array
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.execute import feeds as fed_values
from twinflow.execute.cutting import used_by
from twinflow.execute.fetched_values import leaving
from twinflow.execute.fetches import PARTIAL_FEEDS, element, flatten, is_node, packed
from twinflow.execute.interpreter import Assembler, execute
from twinflow.graph.node import GraphTensor
from twinflow.graph.program import build

if TYPE_CHECKING:
    from twinflow.execute.session import Session
    from twinflow.graph.node import Node
    from twinflow.graph.program import Program

_NO_SETUP = (
    "Must run 'setup' before performing partial runs!",
    "Must run PartialRunSetup before performing partial runs",  # of a server
)


class Progress:
    """How far a run in several steps is.

    Args:
        program: the Program. fetches, feeds: what was asked for.
    Attributes:
        feeds: dict from the tensors to be fed to whether they have been.
        fetches: dict from what can be fetched to whether it has been.
    """

    def __init__(self, program: "Program", fetches: list, feeds: list) -> None:
        self.feeds = dict.fromkeys(feeds, False)
        self.fetches = dict.fromkeys(fetches, False)
        self.needs = {n: _needs(n, program) for n in program.nodes}

    def missing(self, fetch: "GraphTensor | Node") -> Any:
        """The first feed that `fetch` waits for, or None."""
        seen: set = set()
        stack: list = [fetch]
        while stack:
            x = stack.pop()
            if x in seen:
                continue
            seen.add(x)
            if x in self.feeds:
                if not self.feeds[x]:
                    return x
                continue
            stack.extend(self.needs.get(x if is_node(x) else x.op, ()))
        return None


class PartialRun(Progress):
    """A run that goes on when more is fed; see Progress."""

    def __init__(self, session: "Session", fetches: list, feeds: Any) -> None:
        tensors = [f for f in fetches if isinstance(f, GraphTensor)]
        targets = [f for f in fetches if is_node(f)]
        session._check_places()
        program = build(session.graph, tensors, targets, tuple(feeds))
        super().__init__(program, fetches, feeds)
        self.asm = Assembler(session._home)
        self.asm.locking = True
        self.slots = {t: self.asm.slot(t, program) for t in feeds}
        self.steps = {s.node: s for s in self.asm.assemble(program.nodes, program)}
        self.results = {t: self.asm.results([t], program) for t in tensors}
        self.values = self.asm.values

    def feed(self, tensor: GraphTensor, array: Array) -> None:
        """Give a tensor its value."""
        self.feeds[tensor] = True
        self.values[self.slots[tensor]] = array

    def value(self, fetch: Any) -> Array | np.generic:
        """What a fetched tensor is now; variables are read."""
        (slot,), reads = self.results[fetch]
        execute(reads, self.values)
        return self.values[slot]

    def run(self) -> None:
        """Run the steps that can run now and have not run."""
        now = [n for n in self.steps if self.missing(n) is None]
        ready = [self.steps.pop(n) for n in now]
        execute([s for s in ready if not self._waits(s.node)], self.values)

    def _waits(self, node: "Node") -> bool:
        """Whether this is a placeholder that has its value already."""
        return bool(node.outputs) and all(t in self.feeds for t in node.outputs)


def _needs(node: "Node", program: "Program") -> list[Tensor]:
    """The tensors and nodes that come before a node."""
    return [*used_by(node, program), *program.controls(node)]


def setup(session: Any, fetches: list, feeds: list[Tensor]) -> str:
    """See SessionBase.partial_run_setup."""
    graph = session.graph
    wanted = [element(graph, f) for f in flatten(fetches)]
    given = [fed_values.fed(graph, t) for f in feeds for t in _tensors(f)]
    if not wanted:
        raise errors.InvalidArgumentError(
            None, None, "Must specify at least one target to fetch or execute."
        )
    client = session._home.client
    if client is not None:
        return client.set_up([f.name for f in wanted], [t.name for t in given])
    handle = _name(wanted, given, len(session._partial_runs))
    run = session._home.partial(session, wanted, given)
    session._partial_runs[handle] = run or PartialRun(session, wanted, given)
    return handle


def _tensors(feed: Any) -> list[Tensor]:
    for kind, tensors in PARTIAL_FEEDS.items():
        if isinstance(feed, kind):
            return tensors(feed)
    return feed._components() if hasattr(feed, "_components") else nest.flatten(feed)


def _name(wanted: list, given: Any, number: int) -> str:
    """A handle, of what the run gives and takes."""
    tensors = ",".join(t.name for t in wanted if isinstance(t, GraphTensor))
    targets = ",".join(n.name for n in wanted if is_node(n))
    return f"{','.join(t.name for t in given)}->{tensors}/{targets}/{number}/;0"


def go_on(
    session: Any, handle: str, fetches: TensorValue, feed_dict: dict
) -> list | np.generic:
    """See SessionBase.partial_run."""
    graph = session.graph
    wanted = [element(graph, f) for f in flatten(fetches)]
    pairs = [(fed_values.fed(graph, k), v) for k, v in fed_values.pairs(feed_dict)]
    given = [(t, fed_values.array_of(t, v)) for t, v in pairs]
    if session._home.client is not None:
        return _far(session, handle, fetches, wanted, given)
    run = session._partial_runs.get(handle)
    if run is None:
        raise _invalid(_NO_SETUP[bool(session._target)])
    _check(run.feeds, [t for t, _ in given], "feed", "fed")
    _check(run.fetches, wanted, "fetch", "fetched")
    for tensor, array in given:
        run.feed(tensor, array)
    for f in wanted:
        missing = run.missing(f)
        if missing is not None:
            raise _invalid(
                f"Fetch {missing.name} can't be computed from the feeds that have been "
                "fed so far."
            )
    run.run()
    run.fetches.update(dict.fromkeys(wanted, True))
    if all(run.fetches.values()) and all(run.feeds.values()):
        del session._partial_runs[handle]
    values = [_value(run, f, session) for f in wanted]
    return packed(fetches, iter(values))


def _far(session: Any, handle: str, fetches: Any, wanted: list, given: list) -> Any:
    """Go on with a run of a master in another process."""
    found = session._home.client.go_on(handle, wanted, given)
    pairs = zip(wanted, found)
    values = [None if is_node(f) else leaving(v, f, session) for f, v in pairs]
    return packed(fetches, iter(values))


def _value(run: PartialRun, fetch: Any, session: "Session") -> np.generic | None:
    """What leaves for a fetch."""
    if is_node(fetch):
        return None
    return leaving(run.value(fetch), fetch, session)


def _check(known: dict[Tensor, bool], names: list, what: str, done: str) -> None:
    for x in names:
        if x not in known:
            raise _invalid(
                f"The {what} {x.name} was not specified in partial_run_setup."
            )
        if known[x]:
            raise _invalid(f"The {what} {x.name} has already been {done}.")


def _invalid(text: str) -> errors.OpError:
    return errors.InvalidArgumentError(None, None, text)
