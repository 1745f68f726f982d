"""What a session offers beside `run`: other fetches, callables, steps, times."""

import collections
import json

import numpy as np
import pytest

import twinflow as tf
from twinflow.execute import fetches
from twinflow.execute.default_sessions import SESSIONS
from twinflow.execute.session_handles import TensorHandle
from twinflow.execute.timeline import Timeline
from twinflow.formats import protos


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as found:
        yield found
    assert not SESSIONS.stack


class Pair:
    """As the package attrs makes classes."""

    __attrs_attrs__ = (type("a", (), {"name": "x"}), type("a", (), {"name": "y"}))

    def __init__(self, x, y):
        self.x, self.y = x, y


class Squared:
    def __init__(self, t):
        self.square = tf.square(t)


def test_classes_as_fetches_and_feeds(monkeypatch):
    monkeypatch.setattr(fetches, "CONVERSIONS", found := [])
    monkeypatch.setattr("twinflow.execute.feeds.CONVERSIONS", found)
    register = fetches.register_session_run_conversion_functions
    register(Squared, lambda s: ([s.square], lambda v: v[0]),
             lambda s, v: [(s.square, v)], lambda s: [s.square])  # fmt: skip
    with pytest.raises(ValueError, match="has already been registered"):
        register(Squared, None)
    a = tf.constant(3.0)
    s = Squared(a)
    with tf.Session() as session:
        assert session.run([s, {"k": s}]) == [9.0, {"k": 9.0}]
        assert session.run(s.square + 1.0, {s: 4.0}) == 5.0
        pair = session.run(Pair(a, [a, s]))
        assert type(pair) is Pair and pair.x == 3.0 and pair.y == [3.0, 9.0]
        handle = session.partial_run_setup([a + s.square], [s])
        assert session.partial_run(handle, [], {s: 1.0}) == []


def test_what_is_fed_comes_back_as_an_array():
    x, t = tf.placeholder(tf.float32), tf.placeholder(tf.string)
    with tf.Session() as session:
        found = session.run([x, x + 1.0, t], {x: 3, t: "a"})
    assert [type(v) for v in found] == [np.ndarray, np.float32, np.ndarray]
    assert found[0].dtype == np.float32 and found[2] == b"a"


def test_partial_runs_do_each_thing_once():
    x, y = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    v = tf.Variable(1.0)
    add, z = v.assign_add(x), x * y
    with tf.Session() as session:
        session.run(v.initializer)
        handle = session.partial_run_setup([add, z, z.op], [x, y])
        assert session.partial_run(handle, add, {x: 3.0}) == 4.0
        assert session.partial_run(handle, [z, z.op], {y: 5.0}) == [15.0, None]
        assert session.run(v) == 4.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="Must run 'setup'"):
            session.partial_run(handle, z)


def test_a_callable_of_names():
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.add(x, 1.0, name="y")
    from_names = protos.CallableOptions(feed=["x:0"], fetch=["y:0"], target=[y.op.name])
    with tf.Session() as session:
        call = session._make_callable_from_options(from_names)
        assert call(2.0) == [3.0]


def test_a_callable_that_joins_tensors():
    """As Keras trains on tensors: they go where its placeholders are."""
    x, z = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    batch = tf.data.Dataset.range(9).make_one_shot_iterator().get_next()
    value = tf.cast(batch, tf.float32)
    y = tf.add(x * 10.0, z)
    joined = protos.CallableOptions(feed=[z.name], fetch=[y.name])
    joined.tensor_connection.add(from_tensor=value.name, to_tensor=x.name)
    with tf.Session() as session:
        call = session._make_callable_from_options(joined)
        assert [call(z)[0] for z in (0.5, 1.0, 2.0)] == [0.5, 11.0, 22.0]


def test_reset_closes_every_session():
    v = tf.Variable(1.0)
    one, two = tf.Session(), tf.Session()
    one.run(v.initializer)
    tf.Session.reset("")
    for session in (one, two):
        with pytest.raises(tf.errors.CancelledError, match="has been closed"):
            session.run(v)
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(v) == 1.0


@pytest.mark.parametrize("target", ["local", b"x", "host:2222"])
def test_what_is_no_target_is_refused(target):
    with pytest.raises(tf.errors.NotFoundError, match="that of a server"):
        tf.Session(target)


def test_what_a_session_knows():
    tf.constant([1.0], name="c")
    config = tf.ConfigProto(device_count={"CPU": 2, "GPU": 0})
    config.graph_options.infer_shapes = True
    with tf.Session("", config=config) as session:
        names = [d.name for d in session.list_devices()]
        assert [n[-5:] for n in names] == ["CPU:0", "CPU:1"]
        assert {d.device_type for d in session.list_devices()} == {"CPU"}
        assert session.sess_str == b"" and session.graph is tf.get_default_graph()
        (node,) = session.graph_def.node
        assert node.name == "c" and "_output_shapes" in node.attr


def test_times_of_a_run():
    v = tf.Variable([[1.0], [2.0]])
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.matmul(x, v, name="y")
    full = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    full.output_partition_graphs = True
    data = tf.RunMetadata()
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(y, {x: [[1, 2]]}, full, data).tolist() == [[5.0]]
        (device,) = data.step_stats.dev_stats
        (node,) = [n for n in device.node_stats if n.node_name == "y"]
        assert node.timeline_label.startswith("y = MatMul(x, ")
        assert node.all_start_micros > 1e15 and node.all_end_rel_micros > 0
        assert node.output[0].tensor_description.shape.dim[1].size == 1
        assert len(data.partition_graphs) == 1
        trace = json.loads(Timeline(data.step_stats).generate_chrome_trace_format())
        assert "MatMul" in [e["name"] for e in trace["traceEvents"]]
        found = Timeline(data.step_stats).analyze_step_stats(show_memory=True)
        assert found.allocator_maximums["cpu"].num_bytes >= 4
        session.run(y, {x: [[1, 2]]}, run_metadata=data)
        assert not data.HasField("step_stats") and not data.partition_graphs
        with pytest.raises(AttributeError, match="SerializeToString"):
            session.run(y, {x: [[1, 2]]}, options=3)


def test_handles_stay_in_the_session():
    a = tf.constant([1.0, 2.0])
    get = tf.get_session_handle(a * 2.0)
    session = tf.Session()
    handle = session.run(get)
    assert isinstance(handle, TensorHandle) and handle.eval().tolist() == [2.0, 4.0]
    assert session.run(a + 1.0, {a: handle}).tolist() == [3.0, 5.0]
    kept = handle._handle.cell.kept
    assert len(kept) == 1
    with pytest.raises(TypeError, match="has dtype float32"):
        session.run(get, {tf.placeholder(tf.int32): handle})
    del handle
    assert not kept
    handle = session.run(get)
    name = handle.get_raw_handle()
    del handle
    holder, value = tf.get_session_tensor(name, tf.float32)
    assert session.run(value, {holder: name}).tolist() == [2.0, 4.0]
    holder, delete = tf.delete_session_tensor(name)
    session.run(delete, {holder: name})
    with pytest.raises(tf.errors.InvalidArgumentError, match="not in the session"):
        session.run(delete, {holder: name})
    session.close()


def test_interactive_sessions_bring_their_graph():
    graph = tf.Graph()
    session = tf.InteractiveSession(graph=graph)
    assert tf.get_default_graph() is graph
    assert tf.constant(2.0).eval() == 2.0
    session.close()
    session.close()
    assert tf.get_default_graph() is not graph


def test_default_sessions_nest():
    one, two = tf.Session().as_default(), tf.Session().as_default()
    one.__enter__()
    two.__enter__()
    with pytest.raises(AssertionError, match="Nesting violated"):
        one.__exit__(None, None, None)
    SESSIONS.reset()
    assert SESSIONS.is_cleared() and tf.get_default_session() is None


def test_a_session_that_ends_in_an_error_is_closed():
    session = tf.Session()
    with pytest.raises(ZeroDivisionError), session:
        raise ZeroDivisionError
    assert tf.get_default_session() is None
    tf.constant(np.float32(1.0))
    with pytest.raises(RuntimeError, match="Attempted to use a closed Session"):
        session.run([])


def traced_names(sess, fetch, feeds=None):
    """How often a traced run of a session ran each node."""
    data = tf.RunMetadata()
    full = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    sess.run(fetch, feeds, options=full, run_metadata=data)
    (device,) = data.step_stats.dev_stats
    return collections.Counter(n.node_name for n in device.node_stats)


def test_traces_show_what_loops_and_branches_run():
    with tf.Graph().as_default(), tf.Session() as sess:
        n = tf.placeholder(tf.int32, [])

        def step(i):
            inner = lambda: tf.while_loop(lambda j: j < i, lambda j: j + 1, [0])
            return i + tf.cond(i < 2, lambda: tf.maximum(i, 1, name="few"), inner)

        out = tf.while_loop(lambda i: tf.less(i, n, name="test"), step, [0])
        found = traced_names(sess, out, {n: 6})  # 0, 1, 2, 4, 8
        assert found["while/test"] == 5 and found["while/cond/few"] == 2
        assert found["while/cond/while/Less"] == 3 + 5
        assert not any(name.endswith(("while/while", "cond/cond")) for name in found)
        assert traced_names(sess, out, {n: 0})["while/test"] == 1
