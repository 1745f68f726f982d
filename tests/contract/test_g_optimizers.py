"""Contract G: optimizers in both modes (G07, G08, G10: test_g_training)."""

import numpy as np
import pytest

import twinflow as tf
from tests import ways
from tests.modes import both, close, eagerly, in_graph
from tests.ways import WAYS

tfe = tf.contrib.eager
KINDS = {
    "descent": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "adam": lambda: tf.train.AdamOptimizer(0.1),
}
kinds = pytest.mark.parametrize("kind", KINDS)


def in_steps(build, count, graph=True):
    """The value of what `build()` gives, (step, value), after `count` steps."""
    if not graph:
        return eagerly(lambda: _eager_steps(build, count))
    with tf.Graph().as_default(), tf.Session() as sess:
        op, value = build()
        op = op() if callable(op) else op
        sess.run(tf.global_variables_initializer())
        for _ in range(count):
            sess.run(op)
        return sess.run(value)


def _eager_steps(build, count):
    step, value = build()
    for _ in range(count):
        step()
    return value


# ------------------------------------------------------------------ G01, G02
@kinds
@both
def test_g01_apply_gradients_in_both_modes(run, kind):
    def build():
        w = tfe.Variable([1.0, 2.0])
        opt, count = KINDS[kind](), tf.train.get_or_create_global_step()

        def step():
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w * w)
            grads = tape.gradient(loss, [w])
            return opt.apply_gradients(zip(grads, [w], strict=True), global_step=count)

        return step, (w, count)

    w, count = in_steps(build, 3, graph=run is in_graph)
    wanted = {
        "descent": [0.512, 1.024],
        "momentum": [0.062, 0.124],
        "adam": [0.701587, 1.700624],
    }[kind]
    np.testing.assert_allclose(w, wanted, atol=1e-5)
    assert count == 3 and count.dtype == np.int64


def test_g01_eager_updates_happen_at_once(eager):
    w = tfe.Variable(1.0)
    found = tf.train.GradientDescentOptimizer(0.5).apply_gradients([(2.0, w)])
    assert found is None and w.numpy() == 0.0


def test_g01_graphs_give_the_train_op(graph):
    w = tfe.Variable(1.0)
    op = tf.train.GradientDescentOptimizer(0.5).apply_gradients(
        [(tf.constant(2.0), w)], name="train"
    )
    assert isinstance(op, tf.Operation) and op.name == "train"
    assert tf.get_collection(tf.GraphKeys.TRAIN_OP) == [op]


@both
def test_g02_implicit_gradients_go_right_in(run):
    def build():
        w, b = tfe.Variable(5.0), tfe.Variable(10.0)
        grads = tfe.implicit_gradients(lambda: w * 2.0 + b)
        opt = tf.train.GradientDescentOptimizer(learning_rate=0.1)
        return lambda: opt.apply_gradients(grads()), (w, b)

    w, b = in_steps(build, 2, graph=run is in_graph)
    close(w, 4.6)
    close(b, 9.8)


# ------------------------------------------------------------------ G03, G04
@kinds
def test_g03_minimize_of_a_function_and_of_a_tensor(kind):
    def build(tensor):
        w = tfe.Variable([1.0, 2.0])
        opt, loss = KINDS[kind](), lambda: tf.reduce_sum(w * w * w)
        if tensor:
            return opt.minimize(loss()), w
        return lambda: opt.minimize(loss, var_list=[w]), w

    found = [
        in_steps(lambda: build(False), 4, graph=False),
        in_steps(lambda: build(False), 4),
        in_steps(lambda: build(True), 4),
    ]
    for w in found[1:]:
        close(w, found[0])


@both
def test_g04_minimize_is_compute_and_apply(run):
    def build(whole):
        w = tfe.Variable(3.0)
        opt = tf.train.MomentumOptimizer(0.1, 0.5)

        def step():
            if whole:
                return opt.minimize(lambda: w * w)
            return opt.apply_gradients(opt.compute_gradients(lambda: w * w))

        return step, w

    graph = run is in_graph
    a, b = (in_steps(lambda w=w: build(w), 3, graph) for w in (True, False))
    assert a == b


def test_g04_compute_gradients_pairs_them_with_the_variables(graph):
    a, b, c = (tf.Variable(x, name=n) for n, x in zip("abc", (1.0, 2.0, 3.0)))
    pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(a * b)
    assert [v for _, v in pairs] == [a, b, c] and pairs[2][0] is None
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run([g for g, _ in pairs[:2]]) == [2.0, 1.0]


def test_g04_a_tensor_is_no_loss_eagerly(eager):
    text = "`loss` passed to Optimizer.compute_gradients should be a function when"
    with pytest.raises(RuntimeError, match=text):
        tf.train.GradientDescentOptimizer(0.1).compute_gradients(tf.constant(1.0))


# ------------------------------------------------------------------ G05
def test_g05_the_global_step(graph):
    assert tf.train.get_global_step() is None
    step = tf.train.get_or_create_global_step()
    assert (step.name, step.dtype.base_dtype) == ("global_step:0", tf.int64)
    assert tf.train.get_or_create_global_step() is step
    assert step not in tf.trainable_variables() and step in tf.global_variables()
    w = tf.Variable(1.0)
    train = tf.train.AdamOptimizer().minimize(w * w, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(train)
        assert tf.train.global_step(sess, step) == 3


def test_g05_the_global_step_eagerly(eager):
    step = tf.train.get_or_create_global_step()
    assert (step.name, step.numpy()) == ("global_step:0", 0)
    w = tfe.Variable(1.0)
    tf.train.AdamOptimizer().minimize(lambda: w * w, global_step=step)
    assert tf.train.get_or_create_global_step() is step and step.numpy() == 1


# ------------------------------------------------------------------ G06
def adam_of_the_seed():
    x = tfe.Variable([5.20])
    optimizer = tf.train.AdamOptimizer(0.1)

    def train():
        with tf.GradientTape() as tape:
            y = x * x
        grads = tape.gradient(y, [x])
        return optimizer.apply_gradients(zip(grads, [x], strict=True))

    return train, x


@both
def test_g06_a_hundred_steps_of_adam(run):
    x = in_steps(adam_of_the_seed, 100, graph=run is in_graph)
    close(x, [-0.02407068], 4)


@pytest.mark.parametrize("way", WAYS)
def test_g06_a_hundred_steps_in_every_way(way):
    def build():
        train, x = adam_of_the_seed()

        def step():
            op = train()
            with tf.control_dependencies([] if op is None else [op]):
                return x.read_value()

        return step

    close(ways.run(way, build, calls=100), [-0.02407068], 4)


# ------------------------------------------------------------------ G09
def test_g09_no_gradients(graph):
    v = tfe.Variable(1.0, name="v")
    opt = tf.train.GradientDescentOptimizer(0.1)
    text = r"No gradients provided for any variable: \[.*'v:0'.*\]"
    with pytest.raises(ValueError, match=text):
        opt.apply_gradients([(None, v)])
    with pytest.raises(ValueError, match="No gradients provided for any variable, che"):
        opt.minimize(tf.constant(1.0))
    with pytest.raises(ValueError, match="No variables provided"):
        opt.apply_gradients([])


def test_g09_no_gradients_eagerly(eager):
    v = tfe.Variable(1.0, name="v")
    with pytest.raises(ValueError, match="No gradients provided for any variable"):
        tf.train.GradientDescentOptimizer(0.1).apply_gradients([(None, v)])
