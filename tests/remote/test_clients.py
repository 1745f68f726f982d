"""Sessions of servers in other processes: ours, and those of TensorFlow 1.12."""

import os
import subprocess
import sys
import threading

import grpc
import pytest

import twinflow as tf
from tests.source_tree import ROOT
from twinflow.graph.graph import Graph

REAL = os.environ.get("TF112_PYTHON")
needs_real = pytest.mark.skipif(not REAL, reason="needs TF112_PYTHON")
CLIENT = """
import sys, {tf} as tf
import numpy as np
x, y = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32, [None, 1])
w = tf.get_variable("w", [2, 1], initializer=tf.zeros_initializer())
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
step = tf.train.get_or_create_global_step()
train = tf.train.GradientDescentOptimizer(0.3).minimize(loss, global_step=step)
queue = tf.FIFOQueue(5, [tf.int32], shapes=[[]])
i, power = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * w[0, 0]),
                         [0, 1.0])
rows = np.float32([[1, 0], [0, 1], [1, 1]])
feed = {{x: rows, y: rows.dot(np.float32([[1], [2]]))}}
with tf.Session(sys.argv[1]) as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(60):
        sess.run(train, feed)
    print(np.round(sess.run(w).ravel(), 3).tolist(), sess.run(step))
    sess.run(queue.enqueue_many([[4, 5]]))
    print(int(sess.run(queue.dequeue())), int(sess.run(queue.dequeue())))
    print(round(float(sess.run(tf.gradients(power, w)[0])[0, 0]), 3))
    print(sess.run(tf.string_join(["a", tf.as_string(step)])).decode())
    handle = sess.partial_run_setup([loss], [x, y])
    print(round(float(sess.partial_run(handle, loss, feed)), 3))
    print(sess.list_devices()[0].name)
    try:
        sess.run(tf.check_numerics(tf.log(w - 9), "bad", name="check"))
    except tf.errors.InvalidArgumentError as error:
        print(error.op.name, "Tensor had NaN" in error.message)
    try:
        sess.run(tf.py_func(lambda: 1.0, [], tf.double))
    except tf.errors.OpError as error:
        print("callback" in error.message)
with tf.Session(sys.argv[1]) as sess:
    print(int(sess.run(step)))
"""
PRINTED = """[1.0, 2.0] 60
4 5
3.0
a60
0.0
/job:ps/replica:0/task:0/device:CPU:0
check True
True
60
"""


def run_client(target, name="twinflow", python=sys.executable):
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    if python != sys.executable:
        del env["PYTHONPATH"]
    done = subprocess.run(
        [python, "-c", CLIENT.format(tf=name), target], env=env, text=True,
        capture_output=True, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def target_of(port):
    return f"grpc://localhost:{port}"


def test_a_client_of_a_server_in_another_process(serve, ports):
    serve("ps", 0, ports[:1])
    assert run_client(target_of(ports[0])) == PRINTED


@needs_real
@pytest.mark.interop
def test_a_client_of_tensorflow(serve, ports):
    serve("ps", 0, ports[:1])
    assert run_client(target_of(ports[0]), "tensorflow", REAL) == PRINTED


@needs_real
@pytest.mark.interop
def test_a_server_of_tensorflow(serve, ports):
    serve("ps", 0, ports[:1], "tensorflow", REAL)
    assert run_client(target_of(ports[0])) == PRINTED


def test_bad_messages_leave_the_server_up():
    server = tf.train.Server.create_local_server()
    address = server.target.decode().removeprefix("grpc://")
    with grpc.insecure_channel(address) as channel:
        for name, data, code in [
            ("MasterService/CreateSession", b"\xff\xff\xff", "INVALID_ARGUMENT"),
            ("MasterService/RunStep", b"", "ABORTED"),
            ("WorkerService/RunGraph", b"", "ABORTED"),
            ("MasterService/Nothing", b"", "UNIMPLEMENTED"),
        ]:
            with pytest.raises(grpc.RpcError) as found:
                channel.unary_unary(f"/tensorflow.{name}")(data, timeout=30)
            assert found.value.code().name == code
    with Graph().as_default(), tf.Session(server.target) as sess:
        assert sess.run(tf.constant(3)) == 3


def test_a_run_that_waits_ends_with_its_session(serve, ports):
    serve("ps", 0, ports[:1])
    with Graph().as_default():
        queue = tf.FIFOQueue(1, tf.float32, shared_name="q")
        row, put = queue.dequeue(), queue.enqueue(2.0)
        waiting, other = (tf.Session(target_of(ports[0])) for _ in range(2))
        caught = []

        def wait():
            try:
                caught.append(waiting.run(row))
            except tf.errors.OpError as error:
                caught.append(error)

        thread = threading.Thread(target=wait)
        thread.start()
        limit = tf.RunOptions(timeout_in_ms=200)
        with pytest.raises(tf.errors.DeadlineExceededError):
            other.run(row, options=limit)
        waiting.close()
        thread.join(30)
        assert type(caught[0]) is tf.errors.CancelledError
        other.run(put)
        assert other.run(row) == 2
        other.close()
