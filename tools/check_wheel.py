"""Does an installed twinflow work? Run from anywhere but the checkout: python FILE.

It says which C module is used, trains a line in both modes, and compares. The exit
status is 1 if something is wrong. `--pure` expects that there is no C module.
"""

import os
import sys

import numpy as np

import twinflow as tf
from twinflow.base import native

X = np.linspace(-1, 1, 100, dtype=np.float32)


def main(arguments):
    """Check it; 1 if something is wrong."""
    home = os.path.dirname(tf.__file__)
    has_module = native.fast is not None
    print(f"twinflow {tf.__version__} in {home}, C module: {has_module}")
    if has_module is ("--pure" in arguments):
        print("That is not the kind of wheel that was expected.")
        return 1
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean(tf.square(w * X - 3 * X))
        step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
        session.run(w.initializer)
        for _ in range(100):
            session.run(step)
        as_graph = session.run(w)
    tf.enable_eager_execution()
    w = tf.contrib.eager.Variable(0.0)
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    for _ in range(100):
        optimizer.minimize(lambda: tf.reduce_mean(tf.square(w * X - 3 * X)))
    print(f"as a graph {as_graph}, eagerly {w.numpy()}")
    return int(as_graph != w.numpy() or abs(as_graph - 3) > 1e-5)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
