"""tf.Print, tf.print and tf.timestamp."""

import sys
import time

import numpy as np
import pytest

import twinflow as tf
from tests import ways


@pytest.mark.parametrize("way", ways.WAYS)
def test_print_passes_values_and_gradients(way, capfd):
    def build():
        def f(x):
            y = tf.Print(x * x, [x, "of", x > 1], "x: ", summarize=2)
            return tf.gradients(y, x)[0] if way.endswith("session") else y

        return f

    x = np.float32([1, 2, 3])
    found = ways.run(way, build, x)
    wanted = 2 * x if way.endswith("session") else x * x
    np.testing.assert_array_equal(found, wanted)
    shown = capfd.readouterr().err
    assert shown == ("" if way.endswith("session") else "x: [1 2...][of][0 1...]\n")


def test_the_gradient_of_print():
    with ways.eager():
        x = tf.constant(3.0)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.Print(x * x, [x], first_n=0)
            dy = tape.gradient(y, x)
        assert dy.numpy() == 6 and tape.gradient(dy, x).numpy() == 2


def test_first_n_counts_per_session(capfd):
    with tf.Graph().as_default():
        y = tf.Print(tf.constant(1), [7], first_n=2)
        for _ in range(2):
            with tf.Session() as session:
                for _ in range(3):
                    session.run(y)
    assert capfd.readouterr().err == "[7]\n" * 4


def test_print_v2(capsys):
    with ways.eager():
        x = tf.constant([[1, 2], [3, 4]])
        tf.print("x:", x, {"a": (x[0], "b")}, 1.5, output_stream=sys.stdout)
        tf.print(tf.constant("plain\ttext"), output_stream=sys.stdout)
        tf.print(tf.range(10), tf.constant(["a"]), output_stream=sys.stdout)
        tf.print(1, output_stream=tf.logging.error)
    found = capsys.readouterr()
    assert found.out == (
        "x: [[1 2]\n [3 4]] {'a': ([1 2], 'b')} 1.5\nplain\ttext\n"
        "[0 1 2 ... 7 8 9] [a]\n"
    )
    assert found.err.endswith(": E tf.print] 1\n")
    with pytest.raises(ValueError, match="Unsupported output stream"):
        tf.print(1, output_stream=3)
    with pytest.raises(ValueError, match="Unrecognized keyword arguments"):
        tf.print(1, end="")


@pytest.mark.parametrize("way", ["function", "compiled function"])
def test_print_v2_runs_inside_functions(way, capfd):
    def f(x):
        tf.print("x =", x)
        return x + 1.0

    assert ways.run(way, lambda: f, np.float32(2)) == 3
    assert capfd.readouterr().err == "x = 2\n"


def test_print_v2_in_a_graph_is_an_op(capfd):
    with tf.Graph().as_default(), tf.Session() as session:
        printed = tf.print(tf.SparseTensor([[0]], [5], [2]))
        with tf.control_dependencies([printed]):
            y = tf.constant(1) + 1
        assert session.run(y) == 2
    wanted = "SparseTensor(indices=[[0]], values=[5], shape=[2])\n"
    assert capfd.readouterr().err.replace("'", "") == wanted


def test_timestamp():
    with ways.eager():
        before = time.time()
        found = tf.timestamp()
        assert found.dtype is tf.float64 and before <= found.numpy() <= time.time()
    with tf.Graph().as_default(), tf.Session() as session:
        t = tf.timestamp()
        assert session.run(t) < session.run(t)
