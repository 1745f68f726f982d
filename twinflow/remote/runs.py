"""Runs of several tasks: their parts level by level (Note [Remote]).

Note [Lost parts]: the parts of one level run side by side, and one may wait for what
comes from elsewhere: at a queue, say. If another part of the level fails, nothing may
come any more; so what fails first calls off the others, here and at the other tasks,
and its error is that of the run.
"""

import functools
import secrets
import threading
from typing import Any

from twinflow.base import blocking, dtypes, errors
from twinflow.base.blocking import WaitingCell
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import POLICY
from twinflow.formats import protos
from twinflow.graph.program import build
from twinflow.passes import optimize
from twinflow.remote import rendezvous, tensors
from twinflow.remote.links import at_home
from twinflow.remote.slices import slices_of

_MOMENT = 10.0  # seconds to hear of the end of a step


class Divided:
    """A run of several tasks; stands for a Plan.

    Args:
        graph: the Graph. home: the ServerHome of its session. program: what runs.
        parts: {(level, name of a task, "" for this process): part}; see division.
    """

    given: set
    refused: Any

    def __init__(self, graph: Any, home: Any, program: Any, parts: dict) -> None:
        self._graph, self._home, self._program = graph, home, program
        self._levels: list = []
        for level in sorted({level for level, _ in parts}):
            some = [p for (at, _), p in parts.items() if at == level]
            self._levels.append(some)
            for part in some:
                part.nodes.sort(key=lambda n: n.index)
                part.run = self._runner(part)

    def _runner(self, part: Any) -> Any:
        if not part.place:
            return _Local(self._graph, self._home, self._program, part)
        return _Far(self._graph, self._home, part, self._program)

    def use_up(self, arrays: list) -> list:
        """The values of the fetches for those of the feeds."""
        values = dict(zip(self._program.feeds, arrays))
        arrays.clear()
        step = secrets.randbits(62)
        try:
            for parts in self._levels:
                self._run_level(parts, values, step)
        finally:
            self._forget(step)
        return [tensors.own(values[t]) for t in self._program.fetches]

    run = use_up

    def _run_level(self, parts: list, values: dict, step: int) -> None:
        """Start the parts of other tasks, run our own, and wait for the others."""
        far = [p for p in parts if p.place]
        near = [p for p in parts if not p.place]
        level = _Level(self._home)
        try:
            with blocking.owned(level):
                for part in far:
                    level.add(part.run.start(values, step))
                for part in near:
                    part.run(values)
                for part, call in zip(far, list(level.calls)):
                    part.run.finish(call, values, step)
        except errors.CancelledError:
            if level.lost is None:
                raise
            self._raise_lost(far, level, step)
        finally:
            level.close()

    def _raise_lost(self, far: list, level: "_Level", step: int) -> None:
        """Raise what the other parts were called off for."""
        for part, call in zip(far, level.calls):
            if call is level.lost:
                part.run.finish(call, {}, step)

    def _forget(self, step: int) -> None:
        """Let all tasks forget what they keep for a step (Note [Rendezvous])."""
        self._home.tasks[self._home.own].rendezvous.forget(step)
        for parts in self._levels:
            for part in parts:
                if part.place:
                    part.run.forget(step)

    def observed(self, arrays: list, options: Any, metadata: Any) -> list:
        """The same; a RunMetadata gets the devices that took part."""
        values = self.use_up(arrays)
        if metadata is not None:
            metadata.ParseFromString(b"")
            names = {p.place or self._home.own for ps in self._levels for p in ps}
            for name in sorted(names):
                metadata.step_stats.dev_stats.add(device=f"{name}/device:CPU:0")
        return values


class _Level:
    """What runs of one level: whose attempts those of its parts here are.

    Args:
        home: the ServerHome.
    Attributes:
        calls: of other tasks. lost: the call that failed first, or None.
    """

    def __init__(self, home: Any) -> None:
        self.outer = blocking.owner_now()
        self.calls: list = []
        self.lost: Any = None
        self._home, self._open = home, True
        self._losing = threading.Lock()

    @property
    def cancelled(self) -> str | None:
        """Why the attempts are called off; see blocking.owned."""
        if self.lost is not None:
            return "Another part of the step has failed."
        return getattr(self.outer, "cancelled", None)

    def add(self, call: Any) -> None:
        """Note a call, which ends with the others."""
        self.calls.append(call)
        self._home.calls[call] = self.outer
        call.add_done_callback(self._ended)

    def _ended(self, call: Any) -> None:
        if call.cancelled() or call.exception() is None:
            return
        with self._losing:
            if self.lost is not None or not self._open:
                return
            self.lost = call
        for other in list(self.calls):
            if other is not call:
                other.cancel()
        for cell in list(self._home._cells.values()):
            if isinstance(cell, WaitingCell):
                cell.cancel_of(self)

    def close(self) -> None:
        """End the calls that still run."""
        with self._losing:
            self._open = False
        for call in self.calls:
            call.cancel()
            self._home.calls.pop(call, None)


class _Local:
    """A part that this process runs."""

    def __init__(self, graph: Any, home: Any, program: Any, part: Any) -> None:
        self._feeds, self._fetches = list(part.feeds), list(part.fetches)
        targets = [n for n in part.nodes if n in program.waited]
        sliced = _slice(graph, self._fetches, targets, self._feeds, set(part.nodes))
        self._plan = Plan(optimize(sliced), home, POLICY, graph)

    def __call__(self, values: dict) -> None:
        """Run it, from and into `values`."""
        found = self._plan.use_up([values[t] for t in self._feeds])
        values.update(zip(self._fetches, found))


def _slice(
    graph: Any, fetches: list, targets: list, feeds: list, nodes: set
) -> Any:  # fmt: skip
    """The program of some nodes: others that they wait for have run."""
    found = build(graph, fetches, targets, feeds)
    found.nodes = [n for n in found.nodes if n in nodes]
    found.unchanged = functools.partial(_slice, graph, fetches, targets, feeds, nodes)
    return found


class _Far:
    """A part that a task of another process runs."""

    def __init__(self, graph: Any, home: Any, part: Any, program: Any) -> None:
        self._graph, self._home = graph, home
        self._peer = home.tasks[part.place]
        slices = slices_of(graph)
        self._feeds = {t: slices.stand_in(t) + ":0" for t in part.feeds}
        graph_def = slices.graph_def(part.nodes, part.feeds, part.same, part.awaited)
        graph_def.node.extend(slices.sends(part.kept))
        self._fetches = {slices.name(t): t for t in part.fetches}
        self._keeps, self._large = bool(part.kept), False
        self._handle = self._peer.register(home.handle, graph_def, home._isolated)

    def start(self, values: dict, step: int) -> Any:
        """Ask the task to run it; returns the call."""
        request = protos.RunGraphRequest(
            step_id=step,
            session_handle=self._home.handle, graph_handle=self._handle,
            create_worker_session_called=True, recv_key=self._fetches,
            store_errors_in_response_body=False,
        )  # fmt: skip
        for t, name in self._feeds.items():
            self._send(request, name, values[t], t.dtype)
        link = self._peer.link
        return link.start("WorkerService", "RunGraph", request, blocking.left())

    def _send(self, request: Any, name: str, array: Any, dtype: Any) -> None:
        """Let a tensor go with the request, or be fetched from here if it is large."""
        if not rendezvous.is_large(array):
            tensors.put(request.send, name, array, dtype)
            return
        own, handle = self._home.own, self._home.handle
        kept = self._home.tasks[own].rendezvous
        kept.put(request.step_id, name, array, dtype, handle)
        where = protos.TensorProto(
            dtype=dtypes.string.as_datatype_enum, string_val=[own.encode()]
        )
        request.send.add(name=name + rendezvous.LARGE, tensor=where)

    def finish(self, call: Any, values: dict, step: int) -> None:
        """Wait for what it gives."""
        try:
            response = self._peer.link.result(call)
        except errors.OpError as error:
            raise at_home(error, self._graph) from None
        for named in response.recv:
            key = named.name.removesuffix(rendezvous.LARGE)
            if key == named.name:
                values[self._fetches[key]] = tensors.array_of(named.tensor, key)
            else:
                link = self._peer.link
                values[self._fetches[key]] = rendezvous.fetched(link, step, key)
                self._large = True

    def forget(self, step: int) -> None:
        """Let the task forget what it keeps for a step, if it keeps anything."""
        if self._keeps or self._large:
            self._large = False
            request = protos.CleanupGraphRequest(step_id=step)
            self._peer.link.start("WorkerService", "CleanupGraph", request, _MOMENT)
