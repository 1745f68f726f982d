"""Runs that dump tensors into files, as `RunOptions.debug_options` asks for.

Note [Debugged runs]: the run goes node by node under a watcher. What it is told are
the nodes of twinflow's graph; dumps have the names of the GraphDef, where a loop is
made of Enter, Merge, Switch, Identity, NextIteration and Exit, and a branch of Switch
and Merge. So each node that runs brings the dumps of those of its inputs that never
run: constants, what variables hold, and the nodes of control flow, whose values are
known from the node's inputs; a loop's own nodes are dumped when a trip of it begins or
ends. A dump is a file with one Event, without records.
"""

import hashlib
import json
import os
import threading
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import numpy as np

from twinflow.base import errors, logging
from twinflow.base.state import Cell
from twinflow.base.stores import is_remote
from twinflow.base.watching import OpRun, Watcher, watched_by
from twinflow.execute import debug_values
from twinflow.execute.debug_loops import LoopNodes, flat
from twinflow.formats import protos
from twinflow.formats.tensor_proto import make_tensor_proto

if TYPE_CHECKING:
    from twinflow.execute.plan import Plan
    from twinflow.execute.session import Session

_FILE_URL = "file://"
_PASSING = {"Identity", "RefIdentity", "Switch", "RefSwitch", "Enter", "RefEnter",
            "Exit", "NextIteration", "StopGradient"}  # fmt: skip
_LIMIT_VARIABLE = "TFDBG_DISK_BYTES_LIMIT"
_DEFAULT_LIMIT = 107374182400  # bytes, as in TensorFlow
_usage = {"bytes": 0}  # what this process has dumped since the last reset
_lock = threading.Lock()


def wanted(options: Any) -> bool:
    """Whether RunOptions ask for dumps."""
    found = getattr(options, "debug_options", None)
    return bool(found is not None and len(found.debug_tensor_watch_opts))


def dumped_run(session: "Session", plan: "Plan", arrays: list, options: Any) -> list:
    """Run a plan, and dump what the options ask for.

    Raises:
        tf.errors.UnimplementedError: an address that is no file.
    """
    dumps = Dumps(session, plan, arrays, options.debug_options)
    with watched_by(dumps):
        values = plan.run(arrays)
    dumps.finish(values)
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
        self._roots: dict[str, None] = {}
        for watch in options.debug_tensor_watch_opts:
            roots = [_folder(url) for url in watch.debug_urls]
            self._roots.update(dict.fromkeys(roots))
            key = watch.node_name, watch.output_slot
            self._watched.setdefault(key, []).append((watch, roots))
        if options.reset_disk_byte_usage:
            _usage["bytes"] = 0
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
        self._begin(options)

    # ------------------------------------------------------------------ files
    def _begin(self, options: Any) -> None:
        """Write the graph and the facts about the run."""
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
        run = facts["session_run_index"]
        for root in self._roots:
            name = f"_tfdbg_core_metadata_sessionrun{run:014d}_{now}"
            _write(os.path.join(root, name), event)
            folder = os.path.join(root, debug_values.folder_of(self._device))
            _write(os.path.join(folder, f"_tfdbg_graph_hash{digest}_{now}"), graph)

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
        for watch, roots in found:
            for op in watch.debug_ops:
                self._put_one(node, slot, value, op, roots, watch)

    def _put_one(
        self, node: str, slot: int, value: Any, op: str, roots: list, watch: Any
    ) -> None:
        kind, _, attributes = op.partition("(")
        try:
            shown = debug_values.debugged(kind, attributes.rstrip(")"), value)
        except errors.OpError:
            if watch.tolerate_debug_op_creation_failures:
                logging.warn("%s does not fit %s:%d", kind, node, slot)
                return
            raise
        if shown is None:
            return
        now = self._now()
        event = protos.Event(wall_time=now)
        tensor = make_tensor_proto(shown)
        event.summary.value.add(
            tag=node, node_name=f"{node}:{slot}:{kind}", tensor=tensor
        )
        for root in roots:
            folder = os.path.join(root, debug_values.folder_of(self._device))
            path = os.path.join(folder, f"{node}_{slot}_{kind}_{now}")
            size = np.asarray(shown).nbytes
            with _lock:
                if _usage["bytes"] + size > _limit():
                    self._failed = ValueError(
                        f"The dumps of this process would exceed {_limit()} bytes with "
                        f"{path}: set {_LIMIT_VARIABLE} for more, or watch less."
                    )
                    return
                _usage["bytes"] += size
            _write(path, event)

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


def _limit() -> int:
    return int(os.environ.get(_LIMIT_VARIABLE) or _DEFAULT_LIMIT)


def _folder(url: str) -> str:
    """The folder of an address.

    Raises:
        tf.errors.UnimplementedError: the address is no file.
    """
    if not url.startswith(_FILE_URL) or is_remote(url.removeprefix(_FILE_URL)):
        raise errors.UnimplementedError(
            None, None,
            f"tfdbg dumps into files alone, but was given {url!r}: use an address such "
            "as file:///tmp/tfdbg_dumps. Servers of grpc and TensorBoard's debugger "
            "are left out.",
        )  # fmt: skip
    return unquote(url.removeprefix(_FILE_URL))


def _write(path: str, event: Any) -> None:
    folder = os.path.dirname(path)
    try:
        os.makedirs(folder, exist_ok=True)
    except (FileExistsError, NotADirectoryError):  # a node c, and a node c/d
        raise errors.FailedPreconditionError(
            None, None, f"{folder} is a file, and no folder for dumps"
        ) from None
    with open(path, "wb") as f:
        f.write(event.SerializeToString())
