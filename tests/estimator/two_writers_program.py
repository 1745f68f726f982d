"""One of two processes that train and evaluate in one folder: FOLDER."""

import sys

import numpy as np

import twinflow as tf


def model_fn(features, labels, mode):
    """A line."""
    loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features["x"], 1))
    step = tf.train.get_global_step()
    train_op = tf.train.GradientDescentOptimizer(0.01).minimize(loss, step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def main(folder):
    """See above."""
    tf.logging.set_verbosity(tf.logging.ERROR)
    input_fn = tf.estimator.inputs.numpy_input_fn(
        {"x": np.ones([64, 2], "f")}, np.ones([64, 1], "f"), batch_size=4,
        num_epochs=None, shuffle=False,
    )  # fmt: skip
    config = tf.estimator.RunConfig(
        save_checkpoints_steps=2, keep_checkpoint_max=2, save_summary_steps=1
    )
    estimator = tf.estimator.Estimator(model_fn, folder, config)
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(5):
        estimator.train(input_fn, steps=8)
        estimator.evaluate(input_fn, steps=1)


if __name__ == "__main__":
    main(sys.argv[1])
