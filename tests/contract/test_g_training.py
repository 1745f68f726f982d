"""Contract G07, G08 and G10: slots, reference numbers and linear regression."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import close
from tests.ways import WAYS, run

tfe, T = tf.contrib.eager, tf.train
THREE_STEPS = {  # lr 0.1, gradients [0.1, 0.2] from [1, 2]
    "descent": (lambda: T.GradientDescentOptimizer(0.1), [0.97, 1.94]),
    "momentum": (lambda: T.MomentumOptimizer(0.1, 0.9), [0.9439, 1.8878]),
    "adam": (lambda: T.AdamOptimizer(0.1), [0.7000018, 1.7000014]),
    "adagrad": (lambda: T.AdagradOptimizer(0.1), [0.91324633, 1.8567672]),
    "rmsprop": (lambda: T.RMSPropOptimizer(0.1), [0.9666764, 1.9335941]),
    "adadelta": (lambda: T.AdadeltaOptimizer(0.1), [0.99986434, 1.9998643]),
    "ftrl": (lambda: T.FtrlOptimizer(0.1), [-0.04021625, 0.16645868]),
}
kinds = pytest.mark.parametrize("kind", THREE_STEPS)


# ------------------------------------------------------------------ G07
def test_g07_slots_are_saved_by_name(graph, tmp_path):
    v = tf.Variable([1.0, 2.0])
    train = T.AdamOptimizer(0.1).minimize(tf.reduce_sum(v * v))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        path = T.Saver().save(sess, str(tmp_path / "ckpt"))
        after_two = (sess.run(train), sess.run(v))[1]
        T.Saver().restore(sess, path)
        assert ((sess.run(train), sess.run(v))[1] == after_two).all()
    names = [name for name, _ in T.list_variables(path)]
    assert names == [
        "Variable", "Variable/Adam", "Variable/Adam_1", "beta1_power", "beta2_power",
    ]  # fmt: skip


@kinds
def test_g07_slots_come_back_when_they_are_made(eager, tmp_path, kind):
    make = THREE_STEPS[kind][0]
    v, opt = tfe.Variable([1.0, 2.0]), make()
    opt.minimize(lambda: v * v)
    path = T.Checkpoint(v=v, opt=opt).save(str(tmp_path / "ckpt"))
    opt.minimize(lambda: v * v)
    w, again = tfe.Variable([0.0, 0.0]), make()
    status = T.Checkpoint(v=w, opt=again).restore(path)
    again.minimize(lambda: w * w)
    status.assert_consumed()
    assert w.numpy().tolist() == v.numpy().tolist()


# ------------------------------------------------------------------ G08
@kinds
def test_g08_three_steps_eagerly(eager, kind):
    make, wanted = THREE_STEPS[kind]
    v, opt = tfe.Variable([1.0, 2.0]), make()
    for _ in range(3):
        opt.apply_gradients([(tf.constant([0.1, 0.2]), v)])
    close(v.numpy(), wanted, 4)


@kinds
@pytest.mark.parametrize("use_resource", [False, True])
def test_g08_three_steps_in_a_graph(graph, kind, use_resource):
    make, wanted = THREE_STEPS[kind]
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=use_resource)
    train = make().apply_gradients([(tf.constant([0.1, 0.2]), v)])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(train)
        close(sess.run(v), wanted, 4)


@pytest.mark.parametrize("way", WAYS)
@kinds
def test_g08_three_steps_in_every_way(way, kind):
    make, wanted = THREE_STEPS[kind]

    def build():
        v, opt = tfe.Variable([1.0, 2.0]), make()

        def step():
            op = opt.apply_gradients([(tf.constant([0.1, 0.2]), v)])
            with tf.control_dependencies([] if op is None else [op]):
                return v.read_value()

        return step

    close(run(way, build, calls=3), wanted, 4)


# ------------------------------------------------------------------ G10
def points():
    """1000 points near y = 3 x + 2."""
    rng = np.random.RandomState(0)
    x = rng.randn(1000).astype("f")
    return tf.constant(x), tf.constant(x * 3 + 2 + rng.randn(1000).astype("f"))


def test_g10_linear_regression(eager):
    x, y = points()
    w, b = tfe.Variable(5.0), tfe.Variable(10.0)
    loss = lambda: tf.reduce_mean(tf.square(x * w + b - y))
    opt = T.GradientDescentOptimizer(learning_rate=0.01)
    assert loss().numpy() > 60
    for _ in range(200):
        with tf.GradientTape() as tape:
            value = loss()
        grads = tape.gradient(value, [w, b])
        opt.apply_gradients(
            zip(grads, [w, b], strict=True),
            global_step=T.get_or_create_global_step(),
        )
    assert loss().numpy() == pytest.approx(1.0, abs=0.1)
    assert w.numpy() == pytest.approx(3.0, abs=0.1)
    assert b.numpy() == pytest.approx(2.1, abs=0.15)
    assert T.get_global_step().numpy() == 200


def test_g10_linear_regression_with_implicit_gradients(eager):
    x, y = points()
    w, b = tfe.Variable(5.0), tfe.Variable(10.0)
    loss = lambda: tf.reduce_mean(tf.square(x * w + b - y))
    slopes = tfe.implicit_value_and_gradients(loss)
    opt = T.GradientDescentOptimizer(learning_rate=0.01)
    for _ in range(201):
        value, grads = slopes()
        opt.apply_gradients(grads)
    assert value.numpy() == pytest.approx(1.0, abs=0.1)
    assert (w.numpy(), b.numpy()) == pytest.approx((3.0, 2.1), abs=0.15)
