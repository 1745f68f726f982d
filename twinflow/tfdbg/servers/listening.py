"""A server that debugged runs report to: what it hears, it tells its handlers."""

import json
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent import futures
from typing import Any, NamedTuple

import grpc

from twinflow.formats.protos import Event, EventReply, GraphDef
from twinflow.remote.links import SIZES
from twinflow.tfdbg.dumps.names import is_debug_node, parse_debug_node_name
from twinflow.tfdbg.servers import service

_STATES = EventReply.DebugOpStateChange


class DebugWatch(NamedTuple):
    """A debug op of a tensor."""

    node_name: str
    output_slot: int
    debug_op: str


def state_change(
    new_state: int, node_name: str, output_slot: int, debug_op: str
) -> Any:
    """An EventReply's wish for a debug op: to hear of it, or not any more."""
    return _STATES(
        state=new_state, node_name=node_name, output_slot=output_slot, debug_op=debug_op
    )


class EventListenerBaseStreamHandler:
    """What is made of the stream of a run; a subclass says it."""

    def on_core_metadata_event(self, event: Any) -> Any:
        """Hear the facts about a run, an Event with JSON; may return an EventReply."""
        raise NotImplementedError(_absent(self, "on_core_metadata_event"))

    def on_graph_def(self, graph_def: Any, device_name: Any, wall_time: int) -> Any:
        """Get the graph of a device, with the debug ops; may return an EventReply."""
        raise NotImplementedError(_absent(self, "on_graph_def"))

    def on_value_event(self, event: Any) -> Any:
        """Get a tensor, an Event; returns an EventReply where the run waits for it."""
        raise NotImplementedError(_absent(self, "on_value_event"))


def _absent(self: Any, name: str) -> str:
    kind = type(self).__name__
    return f"{name}() is not implemented in the base servicer class: {kind} must do it"


class EventListenerBaseServicer(service.EventListenerServicer):
    """A server that hears of the runs of programs.

    Args:
        server_port: where it listens. stream_handler_class: makes an
            EventListenerBaseStreamHandler for each stream.
    """

    def __init__(self, server_port: int, stream_handler_class: Callable) -> None:
        self._server_port = server_port
        self._stream_handler_class = stream_handler_class
        self._lock = threading.Lock()
        self._started = self._stopped = False
        self._over = threading.Event()
        self._changes: queue.Queue = queue.Queue()
        self._gated: set[DebugWatch] = set()
        self._breakpoints: set[DebugWatch] = set()
        self.server: Any = None

    # ------------------------------------------------------------------ life
    def run_server(self, blocking: bool = True) -> None:
        """Listen.

        Args:
            blocking: whether to return only when somebody stops the server.
        Raises:
            ValueError: it runs already, or was stopped.
        """
        with self._lock:
            if self._stopped:
                raise ValueError("Server has already stopped")
            if self._started:
                raise ValueError("Server has already started running")
            pool = futures.ThreadPoolExecutor(max_workers=10)
            self.server = grpc.server(pool, options=SIZES)
            service.add_EventListenerServicer_to_server(self, self.server)
            self.server.add_insecure_port(f"[::]:{self._server_port}")
            self.server.start()
            self._started = True
        if blocking:
            self._over.wait()

    def stop_server(self, grace: float = 1.0) -> Any:
        """Listen no more.

        Args:
            grace: seconds for the streams that are open.
        Returns:
            a threading.Event of when that is done.
        Raises:
            ValueError: it was stopped before.
        """
        with self._lock:
            if self._stopped:
                raise ValueError("Server has already stopped")
            self._stopped = True
            self._over.set()
            if self.server is not None:
                return self.server.stop(grace=grace)
        done = threading.Event()
        done.set()
        return done

    # ------------------------------------------------------------------ watches
    def request_watch(
        self, node_name: str, output_slot: int, debug_op: str, breakpoint: bool = False
    ) -> None:
        """Ask for a gated debug op, from the next run on.

        Args:
            breakpoint: whether runs wait there for an answer.
        """
        state = _STATES.READ_WRITE if breakpoint else _STATES.READ_ONLY
        self._changes.put(state_change(state, node_name, output_slot, debug_op))

    def request_unwatch(self, node_name: str, output_slot: int, debug_op: str) -> None:
        """Ask no more for a gated debug op."""
        self._changes.put(
            state_change(_STATES.DISABLED, node_name, output_slot, debug_op)
        )

    @property
    def breakpoints(self) -> set[DebugWatch]:
        """The debug ops at which runs wait."""
        return self._breakpoints

    def gated_grpc_debug_watches(self) -> list[DebugWatch]:
        """The debug ops that wait to be asked for, in the graphs of all runs."""
        return list(self._gated)

    # ------------------------------------------------------------------ the stream
    def SendEvents(self, request_iterator: Any, context: Any) -> Iterator[Any]:
        """Tell a handler of the Events of a run, and answer them."""
        handler: Any = None
        graphs: dict = {}
        tensors: dict = {}
        for event in request_iterator:
            handler = handler or self._stream_handler_class()
            if event.summary.value:
                whole = _tensor_of(event, tensors)
                answer = whole and handler.on_value_event(whole)
                if answer is not None:
                    yield self._process_debug_op_state_changes(answer)
            elif event.graph_def:
                found = _graph_of(event, graphs)
                if found is not None:
                    self._process_graph_def(found[0])
                    answer = handler.on_graph_def(*found)
                    yield self._process_debug_op_state_changes(answer)
            elif event.log_message.message:
                answer = handler.on_core_metadata_event(event)
                yield self._process_debug_op_state_changes(answer)

    def _process_debug_op_state_changes(self, event_reply: Any = None) -> Any:
        """An EventReply with the wishes since the last one."""
        reply = EventReply() if event_reply is None else event_reply
        while True:
            try:
                change = self._changes.get_nowait()
            except queue.Empty:
                return reply
            key = DebugWatch(change.node_name, change.output_slot, change.debug_op)
            if change.state == _STATES.READ_WRITE:
                self._breakpoints.add(key)
            else:
                self._breakpoints.discard(key)
            reply.debug_op_state_changes.add().CopyFrom(change)

    def _process_graph_def(self, graph_def: Any) -> None:
        for node in graph_def.node:
            if is_debug_node(node.name) and node.attr["gated_grpc"].b:
                name, slot, _, kind = parse_debug_node_name(node.name)
                self._gated.add(DebugWatch(name, slot, kind))


def facts_of(value: Any) -> dict:
    """What an Event says of its tensor: the device, the slot, the pieces."""
    return json.loads(value.metadata.plugin_data.content or b"{}")


def _tensor_of(event: Any, tensors: dict) -> Any:
    """An Event with a whole tensor; None while pieces of it are missing."""
    value = event.summary.value[0]
    facts = facts_of(value)
    if facts.get("numChunks", 1) <= 1:
        return event
    key = value.node_name, event.wall_time
    pieces = tensors.setdefault(key, {})
    pieces[facts["chunkIndex"]] = value.tensor
    if len(pieces) < facts["numChunks"]:
        return None
    whole = Event()
    whole.CopyFrom(event)
    tensor = whole.summary.value[0].tensor
    ordered = [piece for _, piece in sorted(tensors.pop(key).items())]
    tensor.tensor_content = b"".join(p.tensor_content for p in ordered)
    del tensor.string_val[:]
    for piece in ordered:
        tensor.string_val.extend(piece.string_val)
    return whole


def _graph_of(event: Any, graphs: dict) -> tuple | None:
    """(graph, device, microseconds); None while pieces of it are missing."""
    head, index, count, piece = event.graph_def.split(b"|", 3)
    pieces = graphs.setdefault(head, {})
    pieces[int(index)] = piece
    if len(pieces) < int(count):
        return None
    _, device, now = head.rsplit(b",", 2)
    whole = b"".join(piece for _, piece in sorted(graphs.pop(head).items()))
    return GraphDef.FromString(whole), device, int(now)
