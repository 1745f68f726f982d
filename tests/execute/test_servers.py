"""Servers of clusters in one process; what is stated here TensorFlow 1.12 says."""

import threading
import time

import pytest

import twinflow as tf
from twinflow.execute import servers
from twinflow.graph.graph import Graph

LOCAL = tf.train.ClusterSpec({"a": ["localhost:0"]})


@pytest.fixture
def server():
    return tf.train.Server.create_local_server()


def test_sessions_of_a_server_share_what_has_a_name(server):
    with Graph().as_default():
        tf.Variable([1.0, 2.0], name="v")
        queue = tf.FIFOQueue(3, tf.float32, shared_name="q")
        own = tf.FIFOQueue(3, tf.float32)
        with tf.Session(server.target) as sess:
            sess.run(tf.global_variables_initializer())
            sess.run([queue.enqueue(5.0), own.enqueue(6.0)])
    with Graph().as_default(), tf.Session(server.target) as sess:
        assert sess.run(tf.Variable(0.0, name="v")).tolist() == [1, 2]
        with pytest.raises(tf.errors.InvalidArgumentError, match="requires shapes of"):
            sess.run(tf.get_default_graph().get_operation_by_name("v/Assign"))
        queue = tf.FIFOQueue(3, tf.float32, shared_name="q")
        assert sess.run(queue.dequeue()) == 5
        assert sess.run(tf.FIFOQueue(3, tf.float32).size()) == 0
    with (
        Graph().as_default(),
        tf.Session(server.target) as sess,
        pytest.raises(tf.errors.InternalError, match="type float_ref does not"),
    ):
        sess.run(tf.Variable(0, name="v"))
    config = tf.ConfigProto(isolate_session_state=True)
    with (
        Graph().as_default(),
        tf.Session(server.target, config=config) as sess,
        pytest.raises(tf.errors.FailedPreconditionError, match="value v"),
    ):
        sess.run(tf.Variable(0.0, name="v"))


def test_reset_empties_containers(server):
    with Graph().as_default():
        with tf.container("mine"):
            v = tf.Variable(1.0, name="v")
        w = tf.Variable(2.0, name="w")
        sess, unused = tf.Session(server.target), tf.Session(server.target)
        sess.run(tf.global_variables_initializer())
        tf.Session.reset(server.target, ["mine"])
        with pytest.raises(tf.errors.AbortedError, match=r"Session \w+ is not found"):
            sess.run(w)
        assert unused.run(w) == 2
        with pytest.raises(tf.errors.FailedPreconditionError):
            unused.run(v)
        tf.Session.reset(server.target)
        with pytest.raises(tf.errors.FailedPreconditionError):
            tf.Session(server.target).run(w)


def test_nodes_belong_to_the_first_task_that_they_leave_open():
    workers, others = tf.test.create_local_cluster(2, 2)
    with Graph().as_default():
        tf.Variable(1.0, name="open")
        for device in ("/job:worker", "/task:1", "/job:ps/task:1", "/cpu:0"):
            with tf.device(device):
                tf.Variable(1.0, name="v" + device.replace("/", "").replace(":", ""))
        sess = tf.Session(workers[1].target)
        sess.run(tf.global_variables_initializer())
        names = [d.name for d in sess.list_devices()]
        assert names[0] == "/job:worker/replica:0/task:1/device:CPU:0"
        assert len(names) == 4
        found = [
            sorted(name for _, _, name in s._task.resources)
            for s in (*others, *workers)
        ]
        assert found == [
            ["open", "vcpu0"],
            ["vjobpstask1", "vtask1"],
            ["vjobworker"],
            [],
        ]
        config = tf.ConfigProto(device_filters=["/job:ps"])
        few = tf.Session(workers[0].target, config=config)
        assert len(few.list_devices()) == 3
        with tf.device("/job:worker/task:1"):
            x = tf.constant(1.0)
        with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot assign a dev"):
            few.run(x)
        md = tf.RunMetadata()
        full = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        sess.run(x, options=full, run_metadata=md)
        assert [d.device for d in md.step_stats.dev_stats] == [names[0]]


def test_a_cluster_of_the_session_alone(server):
    other = tf.train.Server.create_local_server()
    addresses = [s.target.decode().removeprefix("grpc://") for s in (server, other)]
    spec = tf.train.ClusterSpec({"worker": addresses})
    config = tf.ConfigProto(cluster_def=spec.as_cluster_def())
    with Graph().as_default():
        with tf.device("/job:worker/task:1"):
            v = tf.Variable(4.0, name="v")
        first = tf.Session(server.target, config=config)
        first.run(v.initializer)
        assert first.run(v) == 4
        with pytest.raises(tf.errors.FailedPreconditionError):
            tf.Session(server.target, config=config).run(v)
    alone = tf.train.Server.create_local_server()
    with (
        Graph().as_default(),
        tf.Session(alone.target, config=config) as sess,
        pytest.raises(tf.errors.InvalidArgumentError, match="The master"),
    ):
        sess.run(tf.constant(1.0))


@pytest.mark.parametrize("shared_name", [None, "q"])
def test_closing_calls_off_what_waits(server, shared_name):
    with Graph().as_default():
        queue = tf.FIFOQueue(1, tf.float32, shared_name=shared_name)
        row, sess = queue.dequeue(), tf.Session(server.target)
        other = tf.Session(server.target)
        errors = []

        def wait():
            try:
                sess.run(row)
            except tf.errors.CancelledError as error:
                errors.append(str(error))

        thread = threading.Thread(target=wait)
        thread.start()
        while not any(map(len, _lines(sess))):
            time.sleep(0.001)
        sess.close()
        thread.join()
        assert "Session::Close" in errors[0]
        other.run(queue.enqueue(1.0))
        assert other.run(queue.size()) == 1


def _lines(session):
    cells = list(session._home._cells.values())
    return cells[0].lines if cells else []


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (lambda: tf.train.Server({}), ValueError, "an explicit `job_name`"),
        (lambda: tf.train.Server(3), TypeError, "Could not convert `server_or"),
        (lambda: tf.train.Server({"a": ["b:1", "c:1"]}), ValueError, "`task_index`"),
        (lambda: tf.train.Server(LOCAL, "b", 0), tf.errors.InternalError, 'Job "b"'),
        (lambda: tf.train.Server(LOCAL, task_index=3),
         tf.errors.InvalidArgumentError, 'Task 3 was not defined in job "a"'),
        (lambda: tf.train.Server({"a": ["localhost"]}),
         tf.errors.InvalidArgumentError, "Could not parse port for local server"),
        (lambda: tf.train.Server(LOCAL, protocol="x"),
         tf.errors.NotFoundError, "No server factory registered"),
        (lambda: tf.Session("nowhere"), tf.errors.NotFoundError, "GRPC_SESSION"),
        (lambda: tf.Session.reset("nowhere"), tf.errors.NotFoundError, "GRPC_SESSION"),
    ],
)  # fmt: skip
def test_what_is_no_server(make, kind, text):
    with pytest.raises(kind, match=text):
        make()


def test_a_port_belongs_to_one_server(server):
    with pytest.raises(tf.errors.UnknownError, match="Could not start gRPC server"):
        tf.train.Server({"b": [server.target.decode().removeprefix("grpc://")]})


def test_servers_that_do_not_answer(monkeypatch):
    soon = tf.ConfigProto(operation_timeout_in_ms=5)
    cluster = {"worker": ["localhost:0"], "ps": ["elsewhere:2222"]}
    server = tf.train.Server(cluster, "worker", 0)
    with Graph().as_default():
        x = tf.constant(1.0)
        for target in ("grpc://localhost:0", server.target):
            with pytest.raises(tf.errors.DeadlineExceededError):
                tf.Session(target, config=soon).run(x)
    monkeypatch.setattr(servers, "remote_tasks", lambda: None)  # as without grpcio
    server = tf.train.Server(cluster, "worker", 0)
    with Graph().as_default():
        x = tf.constant(1.0)
        with pytest.raises(tf.errors.UnimplementedError, match=r"twinflow\[cluster\]"):
            tf.Session("grpc://elsewhere:2222").run(x)
        text = r"/job:ps/replica:0/task:0 \(elsewhere:2222\)"
        with pytest.raises(tf.errors.UnimplementedError, match=text):
            tf.Session(server.target).run(x)
        with pytest.raises(tf.errors.UnimplementedError, match=text):
            server.join()
