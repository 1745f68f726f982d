"""Messages that no client of ours sends: each ends its own call, the server goes on."""

import random

import grpc
import numpy as np
import pytest

import twinflow as tf
from twinflow.formats import protos
from twinflow.graph.graph import Graph
from twinflow.remote.service import Masters, Workers

CLEAR = {
    "INVALID_ARGUMENT", "ABORTED", "NOT_FOUND", "UNIMPLEMENTED", "FAILED_PRECONDITION",
    "RESOURCE_EXHAUSTED", "OUT_OF_RANGE", "UNAVAILABLE",
}  # fmt: skip
METHODS = [
    (kind.name, name)
    for kind in (Masters, Workers)
    for name in sorted(n for n in vars(kind) if n[0].isupper())
]
RUNNING = ("RunStep", "RunCallable", "RunGraph", "PartialRunSetup", "RecvTensor")


@pytest.fixture
def server(serve, ports):
    """(its process, call(service, method, bytes) -> bytes or the name of an error)"""
    process = serve("ps", 0, ports[:1])
    with grpc.insecure_channel(f"localhost:{ports[0]}") as channel:

        def call(service, method, data):
            try:
                ask = channel.unary_unary(f"/tensorflow.{service}/{method}")
                return ask(data, timeout=30)
            except grpc.RpcError as error:
                return error.code().name

        yield process, call
    assert process.poll() is None
    with Graph().as_default(), tf.Session(f"grpc://localhost:{ports[0]}") as sess:
        assert sess.run(tf.constant(3) + 4) == 7


def graph_def(build):
    """The GraphDef of what a function makes."""
    with Graph().as_default() as graph:
        build()
        return graph.as_graph_def()


def session_of(call, made):
    """The handle of a session, or the name of an error."""
    request = protos.CreateSessionRequest(graph_def=made).SerializeToString()
    found = call("MasterService", "CreateSession", request)
    if isinstance(found, str):
        return found
    return protos.CreateSessionResponse.FromString(found).session_handle


def ran(call, handle, fetch, **feeds):
    """The RunStepResponse for a tensor, or the name of an error."""
    request = protos.RunStepRequest(session_handle=handle, fetch=[fetch])
    for name, proto in feeds.items():
        request.feed.add(name=name).tensor.CopyFrom(proto)
    found = call("MasterService", "RunStep", request.SerializeToString())
    return found if isinstance(found, str) else protos.RunStepResponse.FromString(found)


def valid():
    """Valid requests, by method."""
    made = graph_def(lambda: tf.add(tf.constant([1.0, 2.0]), 3.0, name="y"))
    step = protos.RunStepRequest(session_handle="x" * 16, fetch=["y:0"])
    step.feed.add(name="x:0").tensor.CopyFrom(tf.make_tensor_proto([1.0, 2.0]))
    part = protos.RegisterGraphRequest(session_handle="x" * 16, graph_def=made)
    return {
        "CreateSession": protos.CreateSessionRequest(graph_def=made),
        "ExtendSession": protos.ExtendSessionRequest(
            session_handle="x" * 16, graph_def=made
        ),
        "RunStep": step, "RegisterGraph": part,
        "RunGraph": protos.RunGraphRequest(session_handle="x" * 16, recv_key=["y:0"]),
        "RecvTensor": protos.RecvTensorRequest(step_id=3, rendezvous_key="a;0"),
    }  # fmt: skip


def test_random_and_damaged_bytes(server):
    _, call = server
    rng = random.Random(0)
    requests = {k: m.SerializeToString() for k, m in valid().items()}
    for service, method in METHODS:
        tries = [rng.randbytes(rng.choice((1, 7, 60, 2000))) for _ in range(4)]
        for name, data in requests.items():  # of another type, mostly
            cut = rng.randrange(len(data))
            spoiled = bytearray(data)
            spoiled[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            tries += [data[:cut], bytes(spoiled)] + [data] * (name != method)
        for data in tries:
            found = call(service, method, data)
            assert not isinstance(found, str) or found in CLEAR, (method, found)
            if not isinstance(found, str):
                assert method not in RUNNING, (method, data)


def test_tensors_that_lie(server):
    """Their shape, dtype or content is not what it should be."""
    _, call = server
    made = graph_def(lambda: tf.identity(tf.placeholder(tf.float32, name="x"), "y"))
    handle = session_of(call, made)
    good = tf.make_tensor_proto(np.float32([1, 2]))
    assert ran(call, handle, "y:0", **{"x:0": good}).tensor[0].tensor == good

    def sized(*sizes, content=b"", dtype=1):
        found = protos.TensorProto(dtype=dtype, tensor_content=content)
        for size in sizes:
            found.tensor_shape.dim.add(size=size)
        return found

    for bad in (
        sized(1 << 62, 1 << 62), sized(1 << 40), sized(-1), sized(3, content=b"1234"),
        sized(2, content=b"1234567"), sized(1, dtype=0), sized(1, dtype=99),
        sized(1, dtype=20), sized(2, content=b"12345678", dtype=3),
        sized(1 << 31, 0, 1 << 31), sized(9, dtype=7, content=b"\xff" * 40),
    ):  # fmt: skip
        found = ran(call, handle, "y:0", **{"x:0": bad})
        assert isinstance(found, str), bad
        assert found in CLEAR, (found, bad)
    assert ran(call, handle, "z:0") == "NOT_FOUND"
    assert ran(call, handle, "y:7") == "NOT_FOUND"
    assert ran(call, handle, "y:0", **{"no:0": good}) == "NOT_FOUND"


def test_graphs_that_are_none(server):
    _, call = server
    const = graph_def(lambda: tf.constant(1.0, name="c")).node[0]

    def spoiled(change, *more):
        found = protos.GraphDef()
        found.node.add().CopyFrom(const)
        node = found.node.add(name="n", op="Neg", input=["c"])
        node.attr["T"].type = 1
        change(node)
        found.node.extend(more)
        return found

    for change in (
        lambda n: setattr(n, "op", "NoSuchOp"), lambda n: setattr(n, "op", ""),
        lambda n: setattr(n, "name", "c"), lambda n: setattr(n, "name", "a b"),
        lambda n: n.input.__setitem__(0, "gone"), lambda n: n.input.append("c"),
        lambda n: n.input.__setitem__(0, "n"), lambda n: n.input.__setitem__(0, "c:9"),
        lambda n: n.attr["T"].ClearField("type"), lambda n: n.attr.pop("T"),
        lambda n: setattr(n.attr["T"], "type", 77), lambda n: n.input.pop(),
    ):  # fmt: skip
        found = session_of(call, spoiled(change))
        assert found in CLEAR, change.__code__.co_names
    broken = spoiled(lambda n: None)
    broken.library.function.add().signature.name = "f"
    node = broken.node.add(name="call", op="f")
    found = session_of(call, broken)
    assert found in CLEAR or ran(call, found, node.name) in CLEAR


def test_only_what_is_asked_for_is_run(server, tmp_path):
    """What a graph has and a step does not need, such as files, is left alone."""
    _, call = server
    secret, path = tmp_path / "secret", str(tmp_path / "written")
    secret.write_text("s")

    def build():
        tf.write_file(path, "x")
        tf.read_file(str(secret), name="read")
        tf.constant(1.0, name="c")

    handle = session_of(call, graph_def(build))
    assert ran(call, handle, "c:0").tensor[0].tensor.float_val[0] == 1
    assert not (tmp_path / "written").exists()


def test_no_function_of_python_runs(server, tmp_path):
    """Not at the top, not in branches, and not by a name that the server knows."""
    _, call = server
    token = graph_def(lambda: tf.py_func(lambda: 1.0, [], tf.double, name="p"))
    name = next(n for n in token.node if n.op == "PyFunc").name
    handle = session_of(call, token)
    assert handle in CLEAR or ran(call, handle, f"{name}:0") == "INVALID_ARGUMENT"

    def inner():
        called = lambda: tf.py_func(lambda: 1.0, [], tf.double)
        tf.cond(tf.constant(True), called, lambda: tf.constant(1.0, tf.double))
        tf.while_loop(
            lambda i: i < 3.0,
            lambda i: tf.reshape(called(), []) + i,
            [tf.zeros([], tf.double)],
        )

    made = graph_def(inner)
    last = [n.name for n in made.node if n.op in ("Merge", "Exit")]
    handle = session_of(call, made)
    for name in last:
        assert handle in CLEAR or ran(call, handle, f"{name}:0") == "INVALID_ARGUMENT"


def test_a_part_asks_no_stranger_for_tensors(server):
    """Where a tensor is fetched from is the name of a task, not an address."""
    _, call = server
    made = protos.GraphDef()
    node = made.node.add(name=".recv/x/0", op="Placeholder")
    node.attr["dtype"].type = 1
    node.attr["tensor_name"].s = b"x"
    node.attr["_send_device"].s = b"evil.example:80"
    made.node.add(name="y", op="Identity", input=[".recv/x/0"]).attr["T"].type = 1
    request = protos.CreateWorkerSessionRequest(session_handle="h")
    call("WorkerService", "CreateWorkerSession", request.SerializeToString())
    request = protos.RegisterGraphRequest(session_handle="h", graph_def=made)
    found = call("WorkerService", "RegisterGraph", request.SerializeToString())
    handle = protos.RegisterGraphResponse.FromString(found).graph_handle
    request = protos.RunGraphRequest(
        session_handle="h", graph_handle=handle, recv_key=["y:0"], step_id=1
    )
    found = call("WorkerService", "RunGraph", request.SerializeToString())
    assert found == "INVALID_ARGUMENT"
