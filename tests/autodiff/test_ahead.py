"""Layer norm's way back in one pass: right whatever else happens to its moments."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import tape_record
from twinflow.ops.nn import normal

pytestmark = pytest.mark.usefixtures("eager")
needs_kernels = pytest.mark.skipif(normal._fast is None, reason="no C module")


def layer_norm(x, scale, epsilon=1e-3):
    mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
    return tf.nn.batch_normalization(x, mean, variance, scale, scale, epsilon)


def residual(x, scale):
    return x + 2 * layer_norm(x, scale) * x


def mean_used_elsewhere(x, scale):
    mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
    y = tf.nn.batch_normalization(x, mean, variance, scale, scale, 1e-3)
    return y * tf.exp(mean) + variance


def twice(x, scale):
    mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
    a = tf.nn.batch_normalization(x, mean, variance, scale, scale, 1e-3)
    return a * tf.nn.batch_normalization(x, mean, variance, scale, -scale, 1e-1)


def moments_of_another(x, scale):
    mean, variance = tf.nn.moments(2 * x, [-1], keep_dims=True)
    return tf.nn.batch_normalization(x, mean, variance, scale, scale, 1e-3)


def not_through_moments(x, scale):
    mean, variance = map(tf.stop_gradient, tf.nn.moments(x, [-1], keep_dims=True))
    return tf.nn.batch_normalization(x, mean, variance, scale, scale, 1e-3)


def not_through_the_mean(x, scale):
    mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
    mean = tf.stop_gradient(mean)
    return tf.nn.batch_normalization(x, mean, variance, scale, scale, 1e-3)


def rows_beside(x, scale):
    return layer_norm(x, scale)[:1] * tf.reduce_sum(tf.gather(x, [3, 3, 5]))


def layers(x, scale):
    return layer_norm(tf.tanh(layer_norm(x, scale)), scale)


PROGRAMS = [
    layer_norm, residual, mean_used_elsewhere, twice, moments_of_another,
    not_through_moments, not_through_the_mean, rows_beside, layers,
]  # fmt: skip


def given(rows=70, wide=256):
    random = np.random.RandomState(2)
    x, dy = random.randn(2, rows, wide).astype(np.float32)
    return x + random.randn(rows, 1).astype(np.float32), random.rand(wide), dy


def in_a_graph(program, *sources):
    """The gradients, computed in float64 without the kernels."""
    with tf.Graph().as_default(), tf.Session() as session:
        ins = [tf.constant(np.asarray(s, np.float64)) for s in sources]
        y = program(*ins)
        dy = given()[2][: y.shape[0]]
        found = tf.gradients(y, ins, [tf.constant(dy, tf.float64)])
        return session.run([tf.convert_to_tensor(t) for t in found])


def eagerly(program, *sources):
    ins = [tf.constant(s, tf.float32) for s in sources]
    with tf.GradientTape() as tape:
        for t in ins:
            tape.watch(t)
        y = program(*ins)
    return tape.gradient(y, ins, [tf.constant(given()[2][: y.shape[0]])])


@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients_are_those_of_the_graph(program):
    x, scale, _ = given()
    wanted = in_a_graph(program, x, scale)
    for found, want in zip(eagerly(program, x, scale), wanted, strict=True):
        found = tf.convert_to_tensor(found).numpy()
        np.testing.assert_allclose(found, want, atol=1e-5 * np.abs(want).max())


@needs_kernels
@pytest.mark.parametrize(("program", "times"), [
    (layer_norm, 1), (residual, 1), (layers, 2), (twice, 0), (mean_used_elsewhere, 0),
    (moments_of_another, 0), (not_through_moments, 0), (not_through_the_mean, 0),
])  # fmt: skip
def test_one_pass_where_both_gradients_are_of_the_same(monkeypatch, program, times):
    real, came = tape_record.Ahead.brings, []
    watched = lambda self, due: came.append(real(self, due)) or came[-1]
    monkeypatch.setattr(tape_record.Ahead, "brings", watched)
    x, scale, _ = given()
    eagerly(program, x, scale)
    assert came.count(True) == times


@needs_kernels
def test_moments_as_sources():
    """Those that no tape knows, and those whose gradients are asked for."""
    x, scale, dy = given()
    x, scale = tf.constant(x), tf.constant(scale, tf.float32)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
        y = tf.nn.batch_normalization(x, mean, variance, scale, scale, 1e-3)
    whole = tape.gradient(y, [x], [dy])[0].numpy()
    found = [t.numpy() for t in tape.gradient(y, [x, mean, variance], [dy])]
    np.testing.assert_array_equal(found[0], whole)
    with tf.GradientTape() as later:
        later.watch([x, mean, variance])
        y = tf.nn.batch_normalization(x, mean, variance, scale, scale, 1e-3)
    part = [t.numpy() for t in later.gradient(y, [x, mean, variance], [dy])]
    np.testing.assert_array_equal(part[1], found[1])
    np.testing.assert_array_equal(part[2], found[2])
    n = x.shape[1].value
    apart = x.numpy() - mean.numpy()
    rest = part[1] / n + part[2] * 2 * apart / n
    np.testing.assert_allclose(part[0] + rest, whole, atol=1e-5)
    assert np.abs(rest).max() > 1e-3


def test_second_order():
    x, scale, dy = given()
    x, scale = tf.constant(x), tf.constant(scale, tf.float32)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = layer_norm(x, scale)
        dx = tape.gradient(y, x, dy)
    found = outer.gradient(dx, x, tf.constant(dy)).numpy()
    with tf.Graph().as_default(), tf.Session() as session:
        wide = [tf.constant(np.asarray(a, np.float64)) for a in (x, scale, dy)]
        (slope,) = tf.gradients(layer_norm(wide[0], wide[1]), [wide[0]], [wide[2]])
        wanted = session.run(tf.gradients(slope, [wide[0]], [wide[2]])[0])
    np.testing.assert_allclose(found, wanted, atol=1e-4 * np.abs(wanted).max())
