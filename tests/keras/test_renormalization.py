"""Variants of batch normalization against TensorFlow 1.12's numbers."""

import numpy as np
import pytest

import twinflow as tf

LIMITS = {"rmax": 1.2, "rmin": 0.8, "dmax": 0.2}


def adjusted(shape):
    return tf.ones([shape[0], 1]) * 1.1, tf.ones([shape[0], 1]) * 0.2


def weighed(y):
    """One number that depends on every entry."""
    return float((y * np.cos(np.arange(y.size)).reshape(y.shape)).sum())


def outputs(shape, **options):
    """Numbers of three training steps, and of one use afterwards."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, (None, *shape[1:]))
        layer = tf.layers.BatchNormalization(
            momentum=0.8, gamma_initializer=tf.constant_initializer(1.5),
            beta_initializer=tf.constant_initializer(0.3), **options,
        )  # fmt: skip
        train, use = layer(x, training=True), layer(x, training=False)
        session.run(tf.global_variables_initializer())
        found = []
        for i in range(3):
            value = np.random.RandomState(i).randn(*shape) * (i + 1) + i
            feed = {x: value.astype(np.float32)}
            found.append(weighed(session.run([train, *layer.updates], feed)[0]))
        return [*found, weighed(session.run(use, feed))]


@pytest.mark.parametrize(
    ("shape", "options", "wanted"),
    [
        (
            (8, 3),
            {"renorm": True},
            [-9.116, -1.468, -3.824, -7.462],
        ),
        (
            (8, 3),
            {"renorm": True, "renorm_clipping": LIMITS, "renorm_momentum": 0.7},
            [-9.116, -1.487, -4.582, -7.101],
        ),
        (
            (8, 4, 4, 3),
            {"renorm": True},
            [-24.14, -6.366, 32.484, 75.927],
        ),
        (
            (8, 4, 4, 3),
            {"virtual_batch_size": 2},
            [-23.104, -6.088, 33.774, 57.975],
        ),
        (
            (8, 5, 3),
            {"axis": 1, "virtual_batch_size": 4},
            [-15.004, 5.819, 11.677, 18.427],
        ),
        (
            (8, 3),
            {"adjustment": adjusted},
            [-10.173, -1.769, -4.313, -5.993],
        ),
    ],
)
def test_variants(shape, options, wanted):
    np.testing.assert_allclose(outputs(shape, **options), wanted, atol=2e-3)


def test_settings_that_do_not_go_together():
    layer = tf.layers.BatchNormalization
    with pytest.raises(ValueError, match="contains keys not in"):
        layer(renorm=True, renorm_clipping={"a": 1})
    with pytest.raises(ValueError, match="must be a positive integer"):
        layer(virtual_batch_size=-1)
    with pytest.raises(ValueError, match="axis cannot include 0"):
        layer(virtual_batch_size=2, axis=0)(tf.ones([4, 3]))
    with pytest.raises(ValueError, match="adjustment cannot be specified"):
        layer(virtual_batch_size=2, adjustment=adjusted)
