"""A process of benchmarks.depth: twinflow. MODE WAY DEPTH."""

import os
import sys

MODE, WAY, DEPTH = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.environ["TWINFLOW_COMPILE"] = "wait" if MODE == "compiled" else "never"

import twinflow as tf  # noqa: E402 - reads the environment
from benchmarks.growth import BATCH, CHANNELS, PIXELS, tell  # noqa: E402

tf.enable_eager_execution()


class Pair(tf.keras.Model):
    """An ordinary residual block of two convolutions on the halves of the channels."""

    def __init__(self, f, g):
        super().__init__()
        self.f, self.g = f, g

    def call(self, x):
        x1, x2 = tf.split(x, 2, axis=-1)
        y1 = x1 + self.f(x2)
        return tf.concat([y1, x2 + self.g(y1)], axis=-1)


def convolution():
    """A convolution that keeps the shape."""
    return tf.keras.layers.Conv2D(CHANNELS, 3, padding="same", activation="relu")


def network():
    """The blocks of the network; reversible ones are one."""
    pairs = [(convolution(), convolution()) for _ in range(DEPTH)]
    if WAY == "reversible":
        return [tf.contrib.reversible.ReversibleSequence(pairs)]
    return [Pair(f, g) for f, g in pairs]


def main():
    images = tf.random_normal([BATCH, PIXELS, PIXELS, 2 * CHANNELS], stddev=0.1, seed=1)
    blocks = network()
    for block in blocks:
        block(images[:1])  # makes the variables
    variables = [v for block in blocks for v in block.trainable_variables]
    again = tf.contrib.layers.recompute_grad if WAY == "recomputed" else lambda f: f

    def step(x):
        with tf.GradientTape() as tape:
            for block in blocks:
                x = again(block)(x)
            loss = tf.reduce_mean(tf.square(x))
        return tape.gradient(loss, variables)

    run = tf.contrib.eager.defun(step) if MODE == "compiled" else step
    tell(lambda: [g.numpy() for g in run(images)])


main()
