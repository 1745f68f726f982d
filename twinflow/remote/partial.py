"""Runs in several steps whose nodes belong to several tasks (Note [Remote])."""

from typing import Any

from twinflow.base import errors
from twinflow.execute.partial_run import Progress
from twinflow.graph.node import GraphTensor, Node
from twinflow.graph.program import build
from twinflow.remote import division
from twinflow.remote.runs import Divided


def partial(session: Any, home: Any, fetches: list, feeds: list) -> Any:
    """See Home.partial; None where all of it is in this process.

    Args:
        session: the Session. home: its ServerHome. fetches, feeds: what can be asked
            for and fed.
    """
    tensors = [f for f in fetches if isinstance(f, GraphTensor)]
    targets = [f for f in fetches if isinstance(f, Node)]
    program = build(session.graph, tensors, targets, tuple(feeds))
    if home.foreign:
        division.refuse_python(program)
    places = division.places_of(program, home)
    if all(p == "" for p in places.values()):
        return None
    return PartialOfTasks(home, program, places, fetches, feeds)


class PartialOfTasks(Progress):
    """A run that goes on when more is fed: each time, by what can run then.

    Args:
        home: the ServerHome. program: all of the run. places: see division.
        fetches, feeds: see Progress.
    """

    def __init__(
        self, home: Any, program: Any, places: dict, fetches: list, feeds: list
    ) -> None:  # fmt: skip
        super().__init__(program, fetches, feeds)
        self._home, self._program, self._places = home, program, places
        self._values: dict = {}
        again = [n for n in program.nodes if division.is_source(n, program)]
        self._again = frozenset(again)  # what is in each part that uses it
        self._left = [n for n in program.nodes if n not in self._again]

    def feed(self, tensor: GraphTensor, array: Any) -> None:
        """Give a tensor its value."""
        self.feeds[tensor] = True
        self._values[tensor] = array

    def run(self) -> None:
        """Run the nodes that can run now and have not run."""
        given = self._values
        now = [n for n in self._left if self.missing(n) is None]
        now = [
            n for n in now if not n.outputs or any(t not in given for t in n.outputs)
        ]
        self._left = [n for n in self._left if n not in set(now)]
        if now:
            self._run(set(now), self._wanted(now), now)

    def _wanted(self, nodes: list) -> list:
        """The tensors of nodes that are fetched, or that later ones take."""
        later = {t for n in self._left for t in self.needs[n]}
        made = [t for n in nodes for t in n.outputs if t not in self._values]
        found = [t for t in made if t in later or t in self.fetches]
        for t in found:
            if any(t.dtype is d for d in division.TIED):
                raise errors.UnimplementedError(
                    None, t.op,
                    f"{t.name}, a {t.dtype.name}, cannot be kept between the steps of "
                    "a partial_run of several tasks. Feed all that it takes and what "
                    "takes it in one step.",
                )  # fmt: skip
        return found

    def _run(self, nodes: set, wanted: list, targets: list) -> None:
        feeds = list(self._values)
        program = build(self._program.graph, wanted, targets, tuple(feeds))
        program.nodes = [n for n in program.nodes if n in nodes or n in self._again]
        places = {n: self._places[n] for n in program.nodes}
        parts = division.Cutter(program, places).parts
        run = Divided(self._program.graph, self._home, program, parts)
        found = run.use_up([self._values[t] for t in feeds])
        self._values.update(zip(program.fetches, found))

    def value(self, fetch: GraphTensor) -> Any:
        """What a fetched tensor is now; variables are read."""
        if fetch in self._values:
            return self._values[fetch]
        self._run(set(), [fetch], [])
        return self._values.pop(fetch)
