"""Where a run and its nodes come from, and the files of it, for servers of tfdbg."""

import os
import socket
from collections.abc import Iterable
from typing import Any

from twinflow.base import logging
from twinflow.formats.profile_protos import CallTraceback
from twinflow.formats.protos import DebuggedSourceFiles
from twinflow.profiler.op_log import merge_default_with_oplog
from twinflow.remote.listeners import channel_to
from twinflow.tfdbg.dumps.run_keys import GRPC_URL_PREFIX
from twinflow.tfdbg.dumps.sources import guess_is_tensorflow_py_library
from twinflow.tfdbg.servers.service import EventListenerStub


def grpc_message_length_bytes() -> int:
    """The bytes of a message that servers take by default."""
    return 4 * 1024 * 1024


def send_graph_tracebacks(
    destinations: Any, run_key: str, origin_stack: Any, graph: Any,
    send_source: bool = True,
) -> None:  # fmt: skip
    """Tell servers where a run of a graph comes from, and its nodes.

    Args:
        destinations: "localhost:6064", or a list of such. run_key: what is fed and
            fetched. origin_stack: of the run, as traceback.extract_stack gives it.
        graph: the graph. send_source: whether to send the files, too.
    """
    found = CallTraceback(
        call_type=CallTraceback.GRAPH_EXECUTION, call_key=run_key,
        graph_traceback=merge_default_with_oplog(graph, add_trainable_var=False),
        graph_version=graph.version,
    )  # fmt: skip
    _send(destinations, found, origin_stack, send_source)


def send_eager_tracebacks(
    destinations: Any, origin_stack: Any, send_source: bool = True
) -> None:
    """Tell servers where an eager execution comes from: see `send_graph_tracebacks`."""
    found = CallTraceback(call_type=CallTraceback.EAGER_EXECUTION)
    _send(destinations, found, origin_stack, send_source)


def _send(destinations: Any, found: Any, stack: Any, send_source: bool) -> None:
    _add_stack(found, stack)
    names = [destinations] if isinstance(destinations, str) else destinations
    known = [found.origin_id_to_string, found.graph_traceback.id_to_string]
    codes = [[found.origin_stack],
             [e.code_def for e in found.graph_traceback.log_entries]]  # fmt: skip
    paths: set[str] = set()
    for code_defs, texts in zip(codes, known):
        paths |= source_paths(code_defs, texts)
    for name in names:
        stub: Any = EventListenerStub(channel_to(name.removeprefix(GRPC_URL_PREFIX)))
        stub.SendTracebacks(found)
        for path in sorted(paths) if send_source else ():
            _send_file(stub, path)


def _add_stack(found: Any, stack: Any) -> None:
    ids: dict[str, int] = {"": 0}
    for file, line, function, text in (tuple(frame)[:4] for frame in stack):
        numbers = [ids.setdefault(t or "", len(ids)) for t in (file, function, text)]
        found.origin_stack.traces.add(
            file_id=numbers[0], lineno=line or -1, function_id=numbers[1],
            line_id=numbers[2],
        )  # fmt: skip
    found.origin_id_to_string.update({number: text for text, number in ids.items()})


def source_paths(code_defs: Iterable, id_to_string: Any) -> set[str]:
    """The files of stacks that are not of the library."""
    ids = {trace.file_id for code in code_defs for trace in code.traces}
    paths = {id_to_string[i] for i in ids if i in id_to_string}
    return {p for p in paths if p.endswith((".py", ".pyc", ".pyo"))
            and not guess_is_tensorflow_py_library(p)}  # fmt: skip


def _send_file(stub: Any, path: str) -> None:
    sent = DebuggedSourceFiles()
    if not load_source_file(path, sent.source_files.add()):
        return
    if sent.ByteSize() >= grpc_message_length_bytes():
        logging.warn(
            "The content of the source file at %s is not sent to the debug server: its "
            "%d bytes are more than a message holds (%d).",
            path, sent.ByteSize(), grpc_message_length_bytes(),
        )  # fmt: skip
        return
    stub.SendSourceFiles(sent)


def load_source_file(file_path: str, source_file_proto: Any) -> bool:
    """Fill a DebuggedSourceFile; False where there is no such file."""
    try:
        with open(file_path, encoding="utf-8", errors="replace") as f:
            source_file_proto.lines.extend(f.read().splitlines())
        about = os.stat(file_path)
    except OSError:
        return False
    source_file_proto.host = socket.gethostname()
    source_file_proto.file_path = file_path
    source_file_proto.last_modified = about.st_mtime_ns
    source_file_proto.bytes = about.st_size
    return True
