"""Contract P: devices."""

import time

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both

tfe = tf.contrib.eager
CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
GPU = "/job:localhost/replica:0/task:0/device:GPU:0"
without_gpu = pytest.mark.skipif(tfe.num_gpus() > 0, reason="there is a GPU")


@both
def test_p01_scopes_in_both_modes(run):
    def build():
        with tf.device("/cpu:0"):
            x = tf.constant([[2.0]])
            with tf.device("cpu:0"):
                y = tf.matmul(x, x)
        return y

    assert run(build).tolist() == [[4.0]]


def test_p01_graphs_ask_for_devices_that_may_come(graph):
    for name, full in [
        ("/gpu:0", "/device:GPU:0"), ("gpu:0", "/device:GPU:0"),
        ("/gpu:1", "/device:GPU:1"), ("/cpu:0", "/device:CPU:0"),
    ]:  # fmt: skip
        with tf.device(name):
            assert tf.constant(1.0).device == full


def test_p02_what_there_is():
    assert tfe.num_gpus() == len(tfe.list_devices()) - 1
    assert tfe.list_devices()[0] == CPU


def test_p03_copies_on_the_cpu(eager):
    x = tf.random_normal([10, 10])
    x_cpu = x.cpu()
    assert x_cpu.device == CPU and tf.matmul(x_cpu, x_cpu).device == CPU


@without_gpu
def test_p03_without_a_gpu(eager):
    x = tf.random_normal([10, 10])
    for call in (x.gpu, lambda: x.gpu(1)):
        with pytest.raises(RuntimeError, match=r"GPU:\d unknown device\."):
            call()


@pytest.mark.gpu
def test_p03_with_a_gpu(eager):
    x_gpu0 = tf.random_normal([10, 10]).gpu()
    y = tf.matmul(x_gpu0, x_gpu0)
    assert x_gpu0.device == y.device == GPU and y.cpu().device == CPU
    with tf.device("/gpu:0"):
        v = tfe.Variable(tf.random_normal([10, 10]))
    assert v.device == GPU


def test_p03_graph_tensors_have_no_copies(graph):
    assert not hasattr(tf.constant(1.0), "gpu")


def test_p04_a_variable_is_where_its_scope_says(eager):
    with tf.device("/cpu:0"):
        v = tfe.Variable(1.0)
    assert v.device == CPU == (v + 1.0).device


def measure(x, steps):
    # TensorFlow initializes a GPU the first time it's used, exclude from timing.
    tf.matmul(x, x)
    start = time.time()
    for i in range(steps):
        x = tf.matmul(x, x)
        _ = x.numpy()  # Make sure to execute op and not just enqueue it
    end = time.time()
    return end - start


def test_p05_the_program_of_the_guide(eager):
    shape = (10, 10)
    with tf.device("/cpu:0"):
        assert measure(tf.random_normal(shape), 20) > 0
    if tfe.num_gpus() > 0:
        with tf.device("/gpu:0"):
            assert measure(tf.random_normal(shape), 20) > 0
    assert isinstance(tf.random_normal(shape).numpy(), np.ndarray)


@without_gpu
def test_p06_devices_that_are_not_there(eager):
    x = tf.constant([1.0])
    with tf.device("/gpu:0"):
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            x + x
        assert str(raised.value).startswith(f"{GPU} unknown device.")


def test_p06_names_that_are_none(eager):
    with pytest.raises(ValueError) as raised, tf.device("notadevice"):
        tf.constant(1.0)
    assert str(raised.value) == "Unknown attribute: 'notadevice' in 'notadevice'"
