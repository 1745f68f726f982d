"""The steps of the interpreter: in C and in Python they are one."""

import gc
import weakref

import numpy as np
import pytest

import twinflow as tf
from twinflow.execute import interpreter

BOTH = [
    pytest.param(True, marks=pytest.mark.skipif(
        interpreter._fast is None, reason="no C module")), False,
]  # fmt: skip


@pytest.fixture(params=BOTH, ids=["in C", "in Python"])
def engine(request, monkeypatch):
    """Whether the steps run in C."""
    if not request.param:
        monkeypatch.setattr(interpreter, "_fast", None)
    return request.param


def run(build, feeds=None, times=1, **shapes):
    """What a session gives for what `build` makes of its placeholders."""
    with tf.Graph().as_default(), tf.Session() as session:
        ins = {k: tf.placeholder(tf.float32, s, k) for k, s in shapes.items()}
        fetches = build(**ins)
        session.run(tf.global_variables_initializer())
        fed = {ins[k]: v for k, v in (feeds or {}).items()}
        return [session.run(fetches, fed) for _ in range(times)][-1]


def test_lists_and_several_outputs(engine):
    def build(x):
        parts = tf.split(x, 3, axis=1)
        sizes = tf.split(x, [1, 4, 1], axis=1)
        return [tf.concat(parts[::-1], 1), tf.add_n(parts), *sizes]

    x = np.arange(12, dtype="f").reshape(2, 6)
    backwards, total, *sizes = run(build, {"x": x}, x=[2, 6])
    np.testing.assert_array_equal(backwards, x[:, [4, 5, 2, 3, 0, 1]])
    np.testing.assert_array_equal(total, x[:, :2] + x[:, 2:4] + x[:, 4:])
    assert [s.shape for s in sizes] == [(2, 1), (2, 4), (2, 1)]


def test_variables_are_read_when_their_step_comes(engine):
    def build():
        v = tf.get_variable("v", [3], initializer=tf.ones_initializer())
        with tf.control_dependencies([v.assign_add([1.0, 2.0, 3.0])]):
            return v * 2.0

    np.testing.assert_array_equal(run(build, times=2), [6.0, 10.0, 14.0])


def test_shapes_are_looked_at_each_time_they_are_new(engine):
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = (tf.placeholder(tf.float32, [None, None], n) for n in "xy")
        product = tf.matmul(x, y, name="product")
        for n in (2, 2, 3):
            a = np.eye(n, dtype="f")
            np.testing.assert_array_equal(session.run(product, {x: a, y: a}), a)
            with pytest.raises(tf.errors.InvalidArgumentError, match="node product"):
                session.run(product, {x: a, y: np.ones((n + 1, 2), "f")})


def test_an_error_names_the_node_and_keeps_its_cause(engine):
    def build(x):
        return tf.reshape(x, tf.shape(x)[0] + [5, 1], name="bent")

    with pytest.raises(tf.errors.InvalidArgumentError, match="node bent") as caught:
        run(build, {"x": np.ones(3, "f")}, x=[None])
    assert "float32[3]" in str(caught.value)


def test_what_is_no_exception_goes_through(engine):
    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(lambda x: tf.py_func(stop, [x], tf.float32), {"x": np.ones(2)}, x=[2])


def test_many_steps_between_threads(engine):
    """A row of 300 steps, whatever interrupts it."""

    def build(x):
        for _ in range(100):
            x = tf.tanh(x * 0.5 + 1.0)
        return x

    x = wanted = np.linspace(-1, 1, 6, dtype="f").reshape(2, 3)
    for _ in range(100):
        wanted = np.tanh(wanted * np.float32(0.5) + np.float32(1))
    np.testing.assert_array_equal(run(build, {"x": x}, x=[2, 3]), wanted)


class _Kernel:
    """A kernel that can be seen to go."""

    def __call__(self, x):
        return x


def test_steps_in_c_let_go_of_their_kernels():
    fast = interpreter._fast
    if fast is None:
        pytest.skip("no C module")
    kernel = _Kernel()
    step = fast.Plain(kernel, (0,), 1, None)
    kernel.step, gone = step, weakref.ref(kernel)  # a cycle
    values = [np.ones(2), None]
    assert step(values) is None and values[1] is values[0]
    with pytest.raises(IndexError):
        step([1.0])
    with pytest.raises(TypeError):
        step(3)
    del kernel, step
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("fetch", ["alone", "list", "tuple", "dict", "nested"])
def test_a_second_run_gives_the_structure_of_the_first(fetch):
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [2], "x")
        y, op = x + 1.0, tf.no_op()
        fetches = {
            "alone": y, "list": [y, op], "tuple": (y, op), "dict": {"a": y, "b": op},
            "nested": [[y], (op, y)],
        }[fetch]  # fmt: skip
        first, second = (str(session.run(fetches, {x: [1, 2]})) for _ in range(2))
        assert first == second
        with pytest.raises(ValueError, match="Cannot feed value of shape"):
            session.run(fetches, {x: [1.0, 2.0, 3.0]})
        graph.prevent_feeding(x)
        with pytest.raises(ValueError, match="may not be fed"):
            session.run(fetches, {x: [1, 2]})
