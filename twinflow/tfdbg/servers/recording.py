"""A server that keeps what it hears, in itself or as dumps: for programs' tests."""

import collections
import os
import tempfile
import threading
import time
from collections.abc import Sequence
from typing import Any

import grpc

from twinflow.execute.debug_places import Folder
from twinflow.execute.servers import free_ports
from twinflow.formats.protos import Event, EventReply
from twinflow.tfdbg.dumps.event_values import (
    extract_core_metadata_from_event_proto,
    grpc_path_of,
    load_tensor_from_event,
)
from twinflow.tfdbg.servers import listening

_POLLS, _BETWEEN = 100, 0.1  # as often as the server is looked for, seconds between


class EventListenerTestStreamHandler(listening.EventListenerBaseStreamHandler):
    """Keeps what a run says.

    Args:
        dump_dir: the folder of the dumps; None to keep tensors in the server.
        event_listener_servicer: the server.
    """

    def __init__(self, dump_dir: str | None, event_listener_servicer: Any) -> None:
        self._dump_dir = dump_dir
        self._server = event_listener_servicer
        self._folder: Folder | None = None
        self._graphs: list[tuple] = []  # they come before the folder is known

    def on_core_metadata_event(self, event: Any) -> Any:
        self._server.core_metadata_json_strings.append(event.log_message.message)
        self._server.toggle_watch()
        if self._dump_dir is None:
            return None
        path = grpc_path_of(event).strip("/")
        self._folder = Folder(os.path.join(self._dump_dir, path).rstrip("/"))
        run = extract_core_metadata_from_event_proto(event).session_run_index
        self._folder.facts(event, run)
        for graph in self._graphs:
            self._write_graph_def(*graph)
        return None

    def on_graph_def(self, graph_def: Any, device_name: Any, wall_time: int) -> Any:
        self._server.partition_graph_defs.append(graph_def)
        graph = graph_def, device_name, wall_time
        if self._folder is not None:
            self._write_graph_def(*graph)
        elif self._dump_dir is not None:
            self._graphs.append(graph)

    def on_value_event(self, event: Any) -> Any:
        value = event.summary.value[0]
        if self._folder is not None:
            facts = listening.facts_of(value)
            self._folder.value(event, facts.get("device", ""))
        elif self._dump_dir is None:
            kept = self._server.debug_tensor_values
            kept[value.node_name].append(load_tensor_from_event(event))
        node, slot, kind = value.node_name.rsplit(":", 2)
        if (node, int(slot), kind) in self._server.breakpoints:
            return EventReply()
        return None

    def _write_graph_def(self, graph_def: Any, device: Any, wall_time: int) -> None:
        if self._folder is None:
            return
        data = graph_def.SerializeToString()
        event = Event(wall_time=wall_time, graph_def=data)
        name = device.decode() if isinstance(device, bytes) else device
        self._folder.graph(event, hash(data) & (1 << 63) - 1, name)


class EventListenerTestServicer(listening.EventListenerBaseServicer):
    """A server that keeps tensors, graphs, tracebacks and files.

    Args:
        server_port: where it listens. dump_dir: the folder of dumps, or None.
        toggle_watch_on_core_metadata: (node, slot, debug op) triples that every other
            run is asked for.
    """

    def __init__(
        self, server_port: int, dump_dir: str | None,
        toggle_watch_on_core_metadata: Sequence[tuple] | None = None,
    ) -> None:  # fmt: skip
        self._toggled = dict.fromkeys(toggle_watch_on_core_metadata or (), False)
        super().__init__(
            server_port, lambda: EventListenerTestStreamHandler(dump_dir, self)
        )
        self.clear_data()

    def clear_data(self) -> None:
        """Forget what was heard."""
        self.core_metadata_json_strings: list[str] = []
        self.partition_graph_defs: list = []
        self.debug_tensor_values: dict = collections.defaultdict(list)
        self._calls: list = []
        self._files: list = []

    def toggle_watch(self) -> None:
        """Ask for what was not asked for, and the other way round."""
        for key, on in self._toggled.items():
            (self.request_unwatch if on else self.request_watch)(*key)
            self._toggled[key] = not on

    def SendTracebacks(self, request: Any, context: Any) -> Any:
        """Keep a CallTraceback."""
        self._calls.append(request)
        return EventReply()

    def SendSourceFiles(self, request: Any, context: Any) -> Any:
        """Keep files."""
        self._files.append(request)
        return EventReply()

    # ------------------------------------------------------------------ questions
    def query_op_traceback(self, op_name: str) -> list[tuple]:
        """The last stack of a node that was heard: (file, line, function) triples.

        Raises:
            ValueError: no node of this name was heard of.
        """
        for call in reversed(self._calls):
            for entry in call.graph_traceback.log_entries:
                if entry.name == op_name:
                    texts = call.graph_traceback.id_to_string
                    return _stack_of(entry.code_def, texts)
        raise ValueError(
            f"Op '{op_name}' does not exist in the tracebacks received by the debug "
            "server."
        )

    def query_origin_stack(self) -> list[list]:
        """The stacks of the calls that were heard of."""
        return [_stack_of(c.origin_stack, c.origin_id_to_string) for c in self._calls]

    def query_call_types(self) -> list[int]:
        """Whether the calls were of graphs or eager: values of CallTraceback."""
        return [call.call_type for call in self._calls]

    def query_call_keys(self) -> list[str]:
        """What the calls fed and fetched."""
        return [call.call_key for call in self._calls]

    def query_graph_versions(self) -> list[int]:
        """The versions of the graphs of the calls."""
        return [call.graph_version for call in self._calls]

    def query_source_file_line(self, file_path: str, lineno: int) -> str:
        """A line of a file that was sent.

        Raises:
            ValueError: no file was, or not this one.
        """
        if not self._files:
            raise ValueError(
                "This debug server has not received any source file contents yet."
            )
        for sent in self._files:
            for file in sent.source_files:
                if file.file_path == file_path:
                    return file.lines[lineno - 1]
        raise ValueError(
            f"Source file at path {file_path} has not been received by the debug server"
        )


def _stack_of(code_def: Any, texts: Any) -> list[tuple]:
    return [(texts[t.file_id], t.lineno, texts[t.function_id]) for t in code_def.traces]


def start_server_on_separate_thread(
    dump_to_filesystem: bool = True, server_start_delay_sec: float = 0.0,
    poll_server: bool = False, blocking: bool = True,
    toggle_watch_on_core_metadata: Sequence[tuple] | None = None,
) -> tuple:  # fmt: skip
    """Let a server that keeps what it hears listen at a free port.

    Args:
        dump_to_filesystem: whether it dumps into a new folder.
        server_start_delay_sec: seconds until it starts. poll_server: whether to return
            only when it answers. blocking: whether its thread lives as long as it.
        toggle_watch_on_core_metadata: see EventListenerTestServicer.
    Returns:
        (port, address, folder or None, thread, server)
    """
    (port,) = free_ports(1)
    folder = tempfile.mkdtemp() if dump_to_filesystem else None
    server = EventListenerTestServicer(port, folder, toggle_watch_on_core_metadata)

    def run() -> None:
        time.sleep(server_start_delay_sec)
        server.run_server(blocking=blocking)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    if poll_server:
        channel = grpc.insecure_channel(f"localhost:{port}")
        grpc.channel_ready_future(channel).result(_POLLS * _BETWEEN)
        channel.close()
    return port, f"grpc://localhost:{port}", folder, thread, server
