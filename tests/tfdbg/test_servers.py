"""Runs that report to servers, and servers that hear of them."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from twinflow.execute.servers import free_ports
from twinflow.remote import listeners
from twinflow.tfdbg.dumps import watch_options
from twinflow.tfdbg.dumps.dump_dir import DebugDumpDir
from twinflow.tfdbg.servers import listening, recording, telling
from twinflow.tfdbg.sessions.remote import (
    GrpcDebugHook,
    GrpcDebugWrapperSession,
    TensorBoardDebugHook,
    TensorBoardDebugWrapperSession,
)
from twinflow.tfdbg.sessions.requests import WatchOptions

HERE = Path(__file__).parent


@pytest.fixture
def start():
    """Servers that are stopped afterwards."""
    servers = []

    def started(**options):
        made = recording.start_server_on_separate_thread(poll_server=True, **options)
        servers.append(made)
        return made[1].removeprefix("grpc://"), made[2], made[4]

    yield started
    for *_, thread, server in servers:
        server.stop_server(grace=0).wait(10)
        thread.join(10)


@pytest.fixture
def program():
    """A session of z = sum(exp(x)), and what it fetches and feeds."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [2], name="x")
        z = tf.reduce_sum(tf.exp(x, name="y"), name="z")
        yield sess, z, {x: [0.0, 1.0]}


def test_a_run_is_dumped_where_the_server_is(start, program):
    address, folder, server = start()
    sess, z, feeds = program
    GrpcDebugWrapperSession(sess, address).run(z, feeds)
    dump = DebugDumpDir(folder)
    (y,) = dump.get_tensors("y", 0, "DebugIdentity")
    np.testing.assert_allclose(y, np.exp([0.0, 1.0]), rtol=1e-6)
    assert dump.core_metadata.output_names == ["z:0"]
    assert len(server.partition_graph_defs) == 1


def test_gates_and_breakpoints(start, program):
    address, _, server = start(dump_to_filesystem=False)
    sess, z, feeds = program
    wrapper = TensorBoardDebugWrapperSession(sess, [address])
    wrapper.run(z, feeds)
    assert not server.debug_tensor_values
    assert ("y", 0, "DebugIdentity") in server.gated_grpc_debug_watches()
    server.request_watch("z", 0, "DebugIdentity")
    server.request_watch("y", 0, "DebugIdentity", breakpoint=True)
    for _ in range(2):
        wrapper.run(z, feeds)
    assert server.breakpoints == {("y", 0, "DebugIdentity")}
    counts = {name: len(v) for name, v in server.debug_tensor_values.items()}
    assert counts == {"y:0:DebugIdentity": 2, "z:0:DebugIdentity": 2}
    server.request_unwatch("y", 0, "DebugIdentity")
    server.clear_data()
    wrapper.run(z, feeds)
    assert list(server.debug_tensor_values) == ["z:0:DebugIdentity"]
    assert not server.breakpoints


def test_stacks_and_files_are_sent_once(start, program):
    address, _, server = start(dump_to_filesystem=False)
    sess, z, feeds = program
    wrapper = TensorBoardDebugWrapperSession(sess, address)
    wrapper.run(z, feeds)
    wrapper.run(z, feeds)
    *_, (file, line, _) = server.query_op_traceback("y")
    assert server.query_source_file_line(file, line).strip().startswith("z = tf.")
    assert server.query_call_types() == [1] and len(server.query_origin_stack()) == 1
    assert server.query_call_keys() == ['[["x:0"], ["z:0"]]']
    assert server.query_graph_versions() == [sess.graph.version]
    for query in (
        server.query_op_traceback,
        lambda p: server.query_source_file_line(p, 1),
    ):
        with pytest.raises(ValueError, match="nothing"):
            query("nothing")
    server.clear_data()
    with pytest.raises(ValueError, match="not received any source file"):
        server.query_source_file_line(file, 1)
    telling.send_eager_tracebacks([address], [("a.py", 1, "f", "x")], False)
    assert server.query_origin_stack() == [[("a.py", 1, "f")]]


@pytest.mark.parametrize("hook", [GrpcDebugHook, TensorBoardDebugHook])
def test_hooks(start, program, hook):
    address, _, server = start(dump_to_filesystem=False)
    _, z, feeds = program
    server.request_watch("y", 0, "DebugIdentity")
    hooks = [hook([f"grpc://{address}"])]
    with tf.train.MonitoredSession(hooks=hooks) as sess:
        sess.run(z, feeds)
    assert len(server.debug_tensor_values["y:0:DebugIdentity"]) == 1


def test_large_tensors_come_in_pieces(start, monkeypatch):
    monkeypatch.setattr(listeners, "_PIECE", 100)
    address, _, server = start(dump_to_filesystem=False)
    with tf.Graph().as_default(), tf.Session() as sess:
        numbers = tf.range(99.0, name="numbers")
        texts = tf.constant(["a" * 70, "b" * 70, "", "c" * 300], name="texts")
        options = tf.RunOptions()
        watch_options.watch_graph(
            options, sess.graph, debug_urls=f"grpc://{address}/below",
            node_name_regex_whitelist="numbers$|texts$",
        )  # fmt: skip
        sess.run([numbers, tf.identity(texts)], options=options)
    kept = server.debug_tensor_values
    assert kept["numbers:0:DebugIdentity"][0].tolist() == list(range(99))
    lengths = [len(t) for t in kept["texts:0:DebugIdentity"][0]]
    assert lengths == [70, 70, 0, 300]
    assert '"/below"' in server.core_metadata_json_strings[0]


def test_life_of_a_server(start):
    _, _, server = start()
    with pytest.raises(ValueError, match="already started running"):
        server.run_server()
    other = listening.EventListenerBaseServicer(free_ports(1)[0], None)
    assert other.stop_server().wait(1)
    for call in other.stop_server, other.run_server:
        with pytest.raises(ValueError, match="already stopped"):
            call()
    handler = listening.EventListenerBaseStreamHandler()
    with pytest.raises(NotImplementedError, match="on_value_event"):
        handler.on_value_event(None)


def test_a_handler_that_fails_ends_the_run(program, monkeypatch):
    sess, z, feeds = program
    port = free_ports(1)[0]
    server = listening.EventListenerBaseServicer(
        port, listening.EventListenerBaseStreamHandler
    )
    server.run_server(blocking=False)
    with pytest.raises(tf.errors.UnknownError, match="on_graph_def"):
        sess.run(z, feeds, options=_watching(sess, f"localhost:{port}"))
    server.stop_server(grace=0).wait(10)
    monkeypatch.setattr(listeners, "_CONNECTING", 0.1)
    away = f"localhost:{free_ports(1)[0]}"
    with pytest.raises(tf.errors.FailedPreconditionError, match="Failed to connect"):
        sess.run(z, feeds, options=_watching(sess, away))
    with pytest.raises(TypeError, match="str or list in grpc_debug"):
        GrpcDebugWrapperSession(sess, 1)
    with pytest.raises(TypeError, match="str in list grpc_debug"):
        GrpcDebugWrapperSession(sess, [1])


def _watching(sess, address):
    options = tf.RunOptions()
    url = f"grpc://{address}"
    watch_options.watch_graph(options, sess.graph, debug_urls=url)
    return options


def test_watch_functions(start, program):
    address, _, server = start(dump_to_filesystem=False)
    sess, z, feeds = program
    watches = lambda fetches, feeds: WatchOptions(
        debug_ops=["DebugNumericSummary"], node_name_regex_whitelist="z"
    )
    GrpcDebugWrapperSession(sess, address, watch_fn=watches).run(z, feeds)
    (name,) = server.debug_tensor_values
    assert name == "z:0:DebugNumericSummary"


# ---------------------------------------------------------------------- TensorFlow 1.12
@pytest.mark.interop
def test_tensorflow_reports_to_us(start, tf112_python):
    address, _, server = start(dump_to_filesystem=False)
    server.request_watch("y", 0, "DebugIdentity", breakpoint=True)
    command = [tf112_python, HERE / "report_runs.py", "report", address.split(":")[1]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    (y,) = server.debug_tensor_values["y:0:DebugIdentity"]
    assert y.shape == (1 << 20,) and (y == 2).all()
    assert (
        server.query_op_traceback("y")
        and server.query_source_file_line(str(HERE / "report_runs.py"), 3)
        == "import sys"
    )


@pytest.mark.interop
def test_we_report_to_tensorflow(program, tf112_python):
    sess, z, feeds = program
    port = str(free_ports(1)[0])
    command = [tf112_python, HERE / "report_runs.py", "hear", port]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        stderr=sys.stderr,
    ) as child:  # fmt: skip
        assert child.stdout.readline() == "ready\n"
        TensorBoardDebugWrapperSession(sess, f"localhost:{port}").run(z, feeds)
        said, _ = child.communicate("\n", timeout=60)
    lines = [line for line in said.splitlines() if not line.startswith("lines ")]
    assert lines[:3] == ["stack of z", "graph 4", "facts True"] and "lines True" in said
    assert lines[3].startswith("y:0:DebugIdentity 3.718") and len(lines) == 4
