"""Servers of tfdbg, which hear of the tensors of a run while it goes on.

Note [Listeners]: a run opens one stream of Events to each server: the graph with the
debug ops in it, facts about the run, a tensor an Event; large ones come in pieces. The
server answers a graph, the facts, and a tensor at a breakpoint, for which the run
waits. Its answers say which gated debug ops it wants to hear of, now and in later runs.
"""

import contextlib
import functools
import json
import queue
import threading
from collections.abc import Iterator
from typing import Any

import grpc

from twinflow.base import errors
from twinflow.execute import debug_values
from twinflow.formats import protos
from twinflow.remote.links import SIZES, error_of

SERVICE = "tensorflow.EventListener"
_PIECE = 3 << 20  # bytes of a message, of the 4 MiB that servers take by default
_CONNECTING = 60.0  # seconds
_ANSWER = 60.0
_gates: dict[str, dict[tuple, int]] = {}  # what each server has asked for
_OPTIONS = [*SIZES, ("grpc.enable_http_proxy", 0),
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 500)]  # fmt: skip


@functools.lru_cache(maxsize=64)
def channel_to(address: str) -> Any:
    """The connection to a server of tfdbg, as "localhost:6064".

    Raises:
        tf.errors.FailedPreconditionError: nobody listens there for a minute.
    """
    found = grpc.insecure_channel(address, _OPTIONS)
    try:
        grpc.channel_ready_future(found).result(_CONNECTING)
    except grpc.FutureTimeoutError:
        found.close()
        raise errors.FailedPreconditionError(
            None, None,
            f"Failed to connect to gRPC channel at {address} within a timeout of "
            f"{_CONNECTING:g} s.",
        ) from None  # fmt: skip
    return found


class Listener:
    """A server and the stream of one run; the place of its dumps.

    Args:
        address: as "localhost:6064", or "localhost:6064/folder" where it dumps into a
            folder of its own.
    """

    def __init__(self, address: str) -> None:
        self._address, slash, path = address.partition("/")
        self._path = slash + path
        self._gates = _gates.setdefault(address, {})
        self._events: queue.SimpleQueue = queue.SimpleQueue()
        self._answers: queue.SimpleQueue = queue.SimpleQueue()
        self._sent: set[int] = set()
        self._error: Any = None
        self._reader: threading.Thread | None = None

    # ------------------------------------------------------------------ the place
    def graph(self, event: Any, digest: int, device: str, watches: Any = ()) -> None:
        """Send the graph of a device, with its debug ops."""
        graph = protos.GraphDef.FromString(event.graph_def)
        debug_values.add_debug_nodes(graph, watches, device)
        data = graph.SerializeToString()
        now = int(event.wall_time)
        starts = range(0, len(data), _PIECE) or [0]
        for i, start in enumerate(starts):
            head = f"{digest},{device},{now}|{i}|{len(starts)}|".encode()
            piece = head + data[start : start + _PIECE]
            self._send(protos.Event(wall_time=event.wall_time, graph_def=piece))
        self._wait()

    def facts(self, event: Any, run: int) -> None:
        """Send the facts about a run."""
        known = json.loads(event.log_message.message)
        sent = protos.Event(wall_time=event.wall_time, step=event.step)
        sent.log_message.message = json.dumps({**known, "grpc_path": self._path})
        self._send(sent)
        self._wait()

    def takes(self, node: str, slot: int, kind: str, attributes: str) -> bool:
        """Whether the server wants to hear of a debug op."""
        gated = debug_values.is_gated(attributes)
        return not gated or (node, slot, kind) in self._gates

    def value(self, event: Any, device: str) -> None:
        """Send a tensor; at a breakpoint, wait until the server lets the run go on."""
        of = event.summary.value[0]
        node, slot, kind = of.node_name.rsplit(":", 2)
        pieces = list(_pieces(of.tensor))
        for i, tensor in enumerate(pieces):
            sent = protos.Event(wall_time=event.wall_time)
            value = sent.summary.value.add(
                tag=of.tag, node_name=of.node_name, tensor=tensor
            )
            value.metadata.plugin_data.plugin_name = "debugger"
            facts = {"device": device, "outputSlot": int(slot),
                     "numChunks": len(pieces), "chunkIndex": i}  # fmt: skip
            value.metadata.plugin_data.content = json.dumps(facts).encode()
            self._send(sent)
        states = protos.EventReply.DebugOpStateChange
        if self._gates.get((node, int(slot), kind)) == states.READ_WRITE:
            self._wait(None)  # somebody looks at it

    def close(self) -> None:
        """End the stream, and wait until the server has heard all of it."""
        if self._reader is None:
            return
        self._events.put(None)
        self._reader.join(_ANSWER)
        if self._error is not None:
            raise self._error

    # ------------------------------------------------------------------ the stream
    def _send(self, event: Any) -> None:
        if self._reader is None:
            call = channel_to(self._address).stream_stream(
                f"/{SERVICE}/SendEvents",
                request_serializer=protos.Event.SerializeToString,
                response_deserializer=protos.EventReply.FromString,
            )
            answers = call(iter(self._events.get, None))
            self._reader = threading.Thread(
                target=self._read, args=(answers,), daemon=True
            )
            self._reader.start()
        self._events.put(event)

    def _read(self, answers: Iterator) -> None:
        try:
            for answer in answers:
                self._heed(answer)
                self._answers.put(True)
        except grpc.RpcError as error:
            code: Any = error
            self._error = error_of(code.code().value[0], code.details() or "")
        finally:
            self._answers.put(False)

    def _heed(self, answer: Any) -> None:
        for change in answer.debug_op_state_changes:
            key = change.node_name, change.output_slot, change.debug_op
            if change.state in (change.READ_ONLY, change.READ_WRITE):
                self._gates[key] = change.state
            else:
                self._gates.pop(key, None)

    def _wait(self, seconds: float | None = _ANSWER) -> None:
        with contextlib.suppress(queue.Empty):  # it listens, and says nothing
            if not self._answers.get(timeout=seconds):
                self._answers.put(False)
        if self._error is not None:
            raise self._error


def _pieces(tensor: Any) -> Iterator[Any]:
    """A TensorProto as those that fit into a message, each with the whole shape."""
    data, texts = tensor.tensor_content, tensor.string_val
    cuts, size = [0], 0
    for i, text in enumerate(texts):
        if size and size + len(text) > _PIECE:
            cuts.append(i)
            size = 0
        size += len(text) + 8
    starts = range(0, len(data), _PIECE) if data else cuts
    for i, start in enumerate(starts):
        made = type(tensor)()
        made.CopyFrom(tensor) if len(starts) == 1 else _head(made, tensor)
        if len(starts) > 1 and data:
            made.tensor_content = data[start : start + _PIECE]
        elif len(starts) > 1:
            made.string_val.extend(texts[start : [*starts, None][i + 1]])
        yield made


def _head(made: Any, tensor: Any) -> None:
    made.dtype = tensor.dtype
    made.tensor_shape.CopyFrom(tensor.tensor_shape)
