"""Runs that dump tensors, as `RunOptions.debug_options` asks for.

Note [Debugged runs]: the run goes node by node under a watcher. What it is told are
the nodes of twinflow's graph; dumps have the names of the GraphDef, where a loop is
made of Enter, Merge, Switch, Identity, NextIteration and Exit, and a branch of Switch
and Merge. So each node that runs brings the dumps of those of its inputs that never
run: constants, what variables hold, and the nodes of control flow, whose values are
known from the node's inputs; a loop's own nodes are dumped when a trip of it begins or
ends. Where they go says execute.debug_places.
"""

import hashlib
import json
import threading
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import errors, logging
from twinflow.base.state import Cell
from twinflow.base.watching import OpRun, Watcher, watched_by
from twinflow.execute import debug_places, debug_values
from twinflow.execute.debug_loops import LoopNodes, flat
from twinflow.formats import protos
from twinflow.formats.tensor_proto import make_tensor_proto

if TYPE_CHECKING:
    from twinflow.execute.plan import Plan
    from twinflow.execute.session import Session

_PASSING = {"Identity", "RefIdentity", "Switch", "RefSwitch", "Enter", "RefEnter",
            "Exit", "NextIteration", "StopGradient"}  # fmt: skip


def wanted(options: Any) -> bool:
    """Whether RunOptions ask for dumps."""
    found = getattr(options, "debug_options", None)
    return bool(found is not None and len(found.debug_tensor_watch_opts))


def dumped_run(session: "Session", plan: "Plan", arrays: list, options: Any) -> list:
    """Run a plan, and dump what the options ask for.

    Raises:
        tf.errors.UnimplementedError: an address of no known kind.
    """
    dumps = Dumps(session, plan, arrays, options.debug_options)
    try:
        dumps.begin(options.debug_options)
        with watched_by(dumps):
            values = plan.run(arrays)
        dumps.finish(values)
    finally:
        dumps.close()
    return values


class Dumps(Watcher):
    """Dumps the tensors of one run.

    Args:
        session, plan, arrays: of the run. options: its DebugOptions.
    """

    def __init__(
        self, session: "Session", plan: "Plan", arrays: list, options: Any
    ) -> None:
        self._session, self._plan = session, plan
        self._device = session._device_of(None) if not session.graph.nodes else (
            session._device_of(session.graph.nodes[0])
        )  # fmt: skip
        self._watched: dict[tuple[str, int], list] = {}
        self._places: dict[str, Any] = {}
        for watch in options.debug_tensor_watch_opts:
            for url in watch.debug_urls:
                if url not in self._places:
                    self._places[url] = debug_places.place_of(url)
            places = [self._places[url] for url in watch.debug_urls]
            key = watch.node_name, watch.output_slot
            self._watched.setdefault(key, []).append((watch, places))
        if options.reset_disk_byte_usage:
            debug_places.forget_usage()
        self._thread = threading.get_ident()
        self._graph = session.graph.as_graph_def()
        self._defs = {node.name: node for node in self._graph.node}
        self._regions = {
            node.name: node.region is not None for node in session.graph.nodes
        }
        feeds = list(plan.program.feeds)
        self._fed = {t.name for t in feeds if t is not None}
        self._dumped: dict[tuple[str, int], Any] = {}
        self._last_time = 0
        self._failed: Exception | None = None
        self._loops = LoopNodes(self._defs, self.put)
        self._needed = self._ancestors()

    # ------------------------------------------------------------------ places
    def begin(self, options: Any) -> None:
        """Say what the graph is, and the facts about the run."""
        facts = {
            "global_step": options.global_step,
            "session_run_index": debug_values.next_run_of(self._session),
            "executor_step_index": debug_values.next_step_of(self._plan),
            "input_names": sorted(self._fed),
            "output_names": sorted(
                t.name for t in self._plan.program.fetches if t is not None
            ),
            "target_nodes": sorted(n.name for n in self._plan.program.targets),
        }
        now = self._now()
        event = protos.Event(wall_time=now, step=max(options.global_step, 0))
        event.log_message.message = json.dumps(facts)
        graph = protos.Event(wall_time=now)
        graph.graph_def = data = self._placed_graph()
        digest = int.from_bytes(hashlib.sha256(data).digest()[:8], "little")
        watches = [w for found in self._watched.values() for w, _ in found]
        watches = [w for w in watches if w.node_name in self._needed]
        for place in self._places.values():
            place.graph(graph, digest, self._device, watches)
            place.facts(event, facts["session_run_index"])

    def close(self) -> None:
        """End the streams of events, and wait until they have been heard."""
        for place in self._places.values():
            place.close()

    def _placed_graph(self) -> bytes:
        """The nodes that the run needs, with their device."""
        placed = protos.GraphDef()
        placed.versions.CopyFrom(self._graph.versions)
        placed.library.CopyFrom(self._graph.library)
        for node in self._graph.node:
            if node.name in self._needed:
                new = placed.node.add()
                new.CopyFrom(node)
                new.device = self._device
        return placed.SerializeToString()

    def _ancestors(self) -> set[str]:
        """The names of the nodes that the run needs."""
        program = self._plan.program
        waiting = [t.op.name for t in program.fetches if t is not None]
        waiting += [n.name for n in program.targets]
        needed: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in needed or name not in self._defs:
                continue
            needed.add(name)
            if f"{name}:0" not in self._fed:
                above = self._defs[name].input
                waiting.extend(n.removeprefix("^").partition(":")[0] for n in above)
        return needed

    def _now(self) -> int:
        """Microseconds since 1970, never twice the same."""
        self._last_time = max(time.time_ns() // 1000, self._last_time + 1)
        return self._last_time

    # ------------------------------------------------------------------ events
    def begins(self, run: OpRun) -> None:
        if not self._concerns(run):
            return
        self._loops.on_trip(run)
        if run.node.type != "If":
            self._inputs_of(run)
        if run.node.type == "While":
            self._loops.enter(run)

    def ended(self, run: OpRun) -> None:
        if not self._concerns(run):
            return
        if run.node.type == "While":
            self._loops.leave(run)
            return
        self._loops.note(run)
        if run.node.type == "If" or run.node.name in self._loops.made:
            return
        for slot, value in enumerate(run.outputs or ()):
            self.put(run.node.name, slot, value, again=True)

    def _concerns(self, run: OpRun) -> bool:
        if run.node is None or run.thread != self._thread:
            return False
        return not any(p.kind == "function" for p in run.path)

    def _inputs_of(self, run: OpRun) -> None:
        """Dump what the inputs of a node are made of and never runs."""
        definition = self._defs.get(run.node.name)
        given = flat(run.inputs)
        if definition is None:
            for t, value in zip(run.node.inputs, given):
                self.need(t.op.name, t.value_index, value, run.path)
            return
        names = [name for name in definition.input if not name.startswith("^")]
        if len(names) != len(given):
            return
        for name, value in zip(names, given):
            node, _, slot = name.partition(":")
            self.need(node, int(slot or 0), value, run.path)

    def need(self, node: str, slot: int, value: Any, path: tuple = ()) -> None:
        """Dump a tensor, and those it is passed on from, unless that was done."""
        definition = self._defs.get(node)
        if definition is None or definition.op in ("Merge", "Placeholder"):
            return
        if node in self._loops.made:
            return
        trips = tuple((p.name, p.trip) for p in path if p.kind == "loop")
        scope = trips if self._regions.get(node) or definition.op == "Switch" else ()
        if self._dumped.get((node, slot), ()) == scope and (node, slot) in self._dumped:
            return
        if definition.op in _PASSING and definition.input:
            above, _, index = definition.input[0].partition(":")
            self.need(above, int(index or 0), value, path)
            if definition.op == "Switch" and path and path[-1].kind == "branch":
                test, _, index = definition.input[1].partition(":")
                self.need(test, int(index or 0), np.bool_(path[-1].trip), path)
        self._dumped[node, slot] = scope
        self.put(node, slot, value)

    # ------------------------------------------------------------------ dumps
    def put(self, node: str, slot: int, value: Any, again: bool = False) -> None:
        """Dump a tensor to where it is watched."""
        if again:
            self._dumped[node, slot] = ()
        found = self._watched.get((node, slot))
        if node not in self._needed:
            return
        if not found or f"{node}:{slot}" in self._fed or value is None:
            return
        if self._failed is not None:
            return
        if isinstance(value, Cell):
            try:
                value = value.read() if value.initialized else None
            except errors.OpError:  # of an iterator, say, which has no array
                return
        if not isinstance(value, np.ndarray | np.generic):
            return
        for watch, places in found:
            for op in watch.debug_ops:
                kind, _, attributes = op.partition("(")
                call = node, slot, kind, attributes.rstrip(")")
                listening = [place for place in places if place.takes(*call)]
                if listening:
                    self._put_one(call, value, listening, watch)

    def _put_one(self, call: tuple, value: Any, places: list, watch: Any) -> None:
        node, slot, kind, attributes = call
        try:
            shown = debug_values.debugged(kind, attributes, value)
        except errors.OpError:
            if watch.tolerate_debug_op_creation_failures:
                logging.warn("%s does not fit %s:%d", kind, node, slot)
                return
            raise
        if shown is None:
            return
        event = protos.Event(wall_time=self._now())
        tensor = make_tensor_proto(shown)
        event.summary.value.add(
            tag=node, node_name=f"{node}:{slot}:{kind}", tensor=tensor
        )
        for place in places:
            try:
                place.value(event, self._device)
            except ValueError as error:  # too large: the run itself goes on
                self._failed = error
                return

    def finish(self, values: list) -> None:
        """Dump what was fetched and never ran.

        Raises:
            ValueError: the dumps are too large.
        """
        if self._failed is not None:
            raise self._failed
        fetches = [t for t in self._plan.program.fetches if t is not None]
        for t, value in zip(fetches, values):
            if (t.op.name, t.value_index) not in self._dumped:
                self.need(t.op.name, t.value_index, value)
