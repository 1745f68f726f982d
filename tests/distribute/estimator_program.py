"""An estimator trained in step by the processes of TF_CONFIG, for test_collective.py.

The arguments: the folder of the model, the last step, and steps between checkpoints.
"""

import json
import os
import sys

import numpy as np

import twinflow as tf

FOLDER, LAST, EVERY = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
TASK = json.loads(os.environ.get("TF_CONFIG") or "{}")


def digits():
    """Pictures of four kinds, a bright quarter each, and their kinds."""
    rng = np.random.RandomState(0)
    kinds = rng.randint(0, 4, 256)
    x = 0.3 * rng.rand(256, 8, 8, 1).astype("f")
    for i, k in enumerate(kinds):
        x[i, 4 * (k // 2) :, 4 * (k % 2) :][:4, :4] += 0.5
    return x, kinds


def input_fn():
    """This process's part of each batch of 16."""
    strategy = CONFIG.train_distribute
    size = strategy.num_towers if strategy else 1
    rank = PLACE.rank if PLACE else 0
    data = tf.data.Dataset.from_tensor_slices(digits()).repeat()
    return data.shard(size, rank).batch(16 // size)


def model_fn(features, labels, mode):
    x = tf.layers.conv2d(features, 4, 3, activation=tf.nn.relu)
    x = tf.layers.flatten(tf.layers.max_pooling2d(x, 2, 2))
    logits = tf.layers.dense(x, 4)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    if mode == tf.estimator.ModeKeys.EVAL:
        found = tf.metrics.accuracy(labels, tf.argmax(logits, 1))
        return tf.estimator.EstimatorSpec(
            mode, loss=loss, eval_metric_ops={"accuracy": found}
        )
    step = tf.train.get_or_create_global_step()
    train = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


STRATEGY = tf.contrib.distribute.CollectiveAllReduceStrategy()
PLACE = STRATEGY._group
CONFIG = tf.estimator.RunConfig(
    FOLDER, tf_random_seed=3, train_distribute=STRATEGY,
    save_checkpoints_steps=EVERY, save_summary_steps=5,
)  # fmt: skip
estimator = tf.estimator.Estimator(model_fn, config=CONFIG)
train_spec = tf.estimator.TrainSpec(input_fn, max_steps=LAST)
eval_spec = tf.estimator.EvalSpec(
    lambda: tf.data.Dataset.from_tensor_slices(digits()).batch(64), steps=None,
    start_delay_secs=0, throttle_secs=0,
)  # fmt: skip
tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)
print("trained", estimator.get_variable_value("global_step"), flush=True)
