"""tf.contrib.mixed_precision: scales as TensorFlow 1.12 moves them, steps left out."""

import numpy as np
import pytest

import twinflow as tf

mp = tf.contrib.mixed_precision
tfe = tf.contrib.eager
STEPS = np.random.RandomState(0).rand(60) < 0.6
# Each third scale that TensorFlow 1.12 had behind these steps.
SCALES = {
    (100.0, 3): (
        "100 80 80 64 51.2 51.2 81.92 65.536 52.4288 41.943 83.8861 83.8861 134.218 "
        "107.374 85.8994 68.7195 137.439 274.878 274.878 549.756"
    ),
    (100.0, 2, 1, 2.5, 0.5): (
        "100 25 31.25 7.8125 9.76562 12.207 3.05176 1 1 1 2.5 3.125 1 1 1.25 1 2.5 "
        "15.625 19.5312 9.76562"
    ),
    (2.0, 5, 3, 2, 0.1): "2 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 2 2",
    (3e38, 1): (
        "3e+38 2.4e+38 2.4e+38 1.92e+38 1.92e+38 1.92e+38 1.536e+38 1.2288e+38 "
        "2.4576e+38 2.4576e+38 2.4576e+38 2.4576e+38 1.96608e+38 1.57286e+38 "
        "3.14573e+38 2.51658e+38 2.51658e+38 2.51658e+38 2.51658e+38 2.51658e+38"
    ),
}


@pytest.mark.parametrize("settings", SCALES)
def test_scales_in_a_graph(settings):
    with tf.Graph().as_default(), tf.Session() as session:
        manager = mp.ExponentialUpdateLossScaleManager(*settings)
        good = tf.placeholder(tf.bool, [])
        update, scale = manager.update_loss_scale(good), manager.get_loss_scale()
        session.run(tf.global_variables_initializer())
        found = []
        for step in STEPS:
            session.run(update, {good: step})
            found.append(f"{session.run(scale):.6g}")
    assert " ".join(found[::3]) == SCALES[settings]


@pytest.mark.parametrize("as_function", [False, True])
@pytest.mark.parametrize("settings", SCALES)
def test_scales_eagerly(eager, settings, as_function):
    manager = mp.ExponentialUpdateLossScaleManager(*settings)
    update = manager.update_loss_scale
    if as_function:
        update = tfe.defun(update)
    found = []
    for step in STEPS:
        update(tf.constant(step))
        found.append(f"{manager.get_loss_scale().numpy():.6g}")
    assert " ".join(found[::3]) == SCALES[settings]


KERNEL = np.linspace(-1.0, 1.0, 12).reshape(4, 3)
FED = [[1, 2, 3, 4], [1, np.inf, 0, 0], [4, 3, 2, 1], [np.nan, 0, 0, 0], [1, 1, 1, 1]]


def _optimizers():
    inner = tf.train.AdamOptimizer(0.1)
    manager = mp.ExponentialUpdateLossScaleManager(64.0, 2, 1)
    return inner, mp.LossScaleOptimizer(inner, manager), manager


def _loss(kernel, x):
    return tf.reduce_sum(tf.square(tf.matmul(tf.reshape(x, [1, 4]), kernel)))


def test_steps_with_overflow_are_left_out():
    with tf.Graph().as_default(), tf.Session() as session:
        kernel = tf.Variable(KERNEL, dtype=tf.float32)
        x = tf.placeholder(tf.float32, [4])
        step = tf.train.get_or_create_global_step()
        inner, optimizer, manager = _optimizers()
        pairs = optimizer.compute_gradients(_loss(kernel, x))
        train = optimizer.apply_gradients(pairs, global_step=step)
        session.run(tf.global_variables_initializer())
        later = [session.run([train, kernel, step, manager.get_loss_scale()], {x: f})
                 and session.run([kernel, step, manager.get_loss_scale()])
                 for f in FED]  # fmt: skip
        assert optimizer.get_slot_names() == ["m", "v"]
        assert optimizer.get_slot(kernel, "m") is inner.get_slot(kernel, "m")
    assert [int(s) for _, s, _ in later] == [1, 1, 2, 2, 3]
    np.testing.assert_allclose(
        [s for *_, s in later], [64.0, 51.2, 51.2, 40.96, 40.96], rtol=1e-6
    )

    with tf.Graph().as_default(), tf.Session() as session:  # only the good ones
        kernel = tf.Variable(KERNEL, dtype=tf.float32)
        x = tf.placeholder(tf.float32, [4])
        train = tf.train.AdamOptimizer(0.1).minimize(_loss(kernel, x))
        session.run(tf.global_variables_initializer())
        for f in FED[::2]:
            session.run(train, {x: f})
        np.testing.assert_allclose(later[-1][0], session.run(kernel), rtol=1e-5)


@pytest.mark.parametrize("as_function", [False, True])
def test_eager_steps_are_those_of_the_graph(eager, as_function):
    kernel, alone = (tfe.Variable(KERNEL, dtype=tf.float32) for _ in range(2))
    _, optimizer, manager = _optimizers()
    plain = tf.train.AdamOptimizer(0.1)

    def step(x):
        optimizer.minimize(lambda: _loss(kernel, x), var_list=[kernel])

    step = tfe.defun(step) if as_function else step
    for fed in FED:
        step(tf.constant(fed, tf.float32))
        if np.isfinite(fed).all():
            plain.minimize(lambda: _loss(alone, tf.constant(fed, tf.float32)), None,
                           [alone])  # fmt: skip
    np.testing.assert_allclose(kernel.numpy(), alone.numpy(), rtol=1e-5)
    assert manager.get_loss_scale().numpy() == pytest.approx(40.96)


def test_small_gradients_of_halves_survive(eager):
    def slopes(scale):
        w = tfe.Variable(np.full(3, 2.0, np.float32))
        rows = tfe.Variable(np.ones((4, 2), np.float32))

        def loss():
            halves = [tf.cast(w, tf.float16), tf.cast(tf.gather(rows, [1, 1]), "half")]
            small = tf.constant(1e-4, tf.float16)
            return sum(tf.reduce_sum(h * small * small) for h in halves)

        manager = mp.FixedLossScaleManager(scale)
        inner = tf.train.GradientDescentOptimizer(1.0)
        optimizer = mp.LossScaleOptimizer(inner, manager)
        (dense, _), (sparse, _) = optimizer.compute_gradients(loss, [w, rows])
        assert dense.dtype is tf.float32
        assert sparse.indices.numpy().tolist() == [1, 1]
        return [*dense.numpy(), *sparse.values.numpy().ravel()]

    assert not any(slopes(1.0))  # 1e-8 is no float16
    np.testing.assert_allclose(slopes(4096.0), 1e-8, rtol=2e-3)  # 10 bits of 4e-5


def test_what_is_refused(eager):
    with pytest.raises(ValueError, match="loss scale must be at least 1"):
        mp.FixedLossScaleManager(0.5)
    manager = mp.FixedLossScaleManager(2.0)
    with pytest.raises(TypeError, match=r"tf\.train\.Optimizer, got 1"):
        mp.LossScaleOptimizer(1, manager)
    optimizer = mp.LossScaleOptimizer(tf.train.GradientDescentOptimizer(1.0), manager)
    with pytest.raises(TypeError, match="must be a function that computes it"):
        optimizer.compute_gradients(tf.constant(1.0))
