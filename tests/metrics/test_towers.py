"""tf.metrics in towers: each counts for itself, and the value is that of all."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.distribute import values

RANDOM = np.random.RandomState(0)
LABELS = RANDOM.randint(0, 2, (2, 8))
SCORES = RANDOM.uniform(size=(2, 8)).astype(np.float32)
m = tf.metrics
METRICS = {
    "mean": lambda y, p: m.mean(p),
    "weighted mean": lambda y, p: m.mean(p, tf.to_float(y)),
    "mean_tensor": lambda y, p: m.mean_tensor(p),
    "accuracy": lambda y, p: m.accuracy(y, tf.round(p)),
    "auc": m.auc,
    "mean_absolute_error": lambda y, p: m.mean_absolute_error(p, p * p),
    "root_mean_squared_error": lambda y, p: m.root_mean_squared_error(p, p * p),
    "mean_iou": lambda y, p: m.mean_iou(y, tf.to_int32(tf.round(p)), 2),
    "mean_per_class_accuracy": lambda y, p: m.mean_per_class_accuracy(
        y, tf.to_int32(tf.round(p)), 2
    ),
    "precision": lambda y, p: m.precision(y, tf.round(p)),
    "recall": lambda y, p: m.recall(y, tf.round(p)),
    "true_positives": lambda y, p: m.true_positives(y, tf.round(p)),
    "false_negatives": lambda y, p: m.false_negatives(y, tf.round(p)),
    "precision_at_thresholds": lambda y, p: m.precision_at_thresholds(y, p, [0.2, 0.7]),
    "recall_at_k": lambda y, p: m.recall_at_k(
        tf.to_int64(y[:, None]), tf.stack([p, 1 - p], 1), 1
    ),
    "average_precision_at_k": lambda y, p: m.average_precision_at_k(
        tf.to_int64(y[:, None]), tf.stack([p, 1 - p], 1), 2
    ),
    "percentage_below": lambda y, p: m.percentage_below(p, 0.4),
    "sensitivity_at_specificity": lambda y, p: m.sensitivity_at_specificity(y, p, 0.5),
}  # fmt: skip


def in_towers(metric, rows):
    """The value of a metric over some rows, one a tower."""
    devices = [f"/cpu:{i}" for i in range(len(rows))]
    strategy = tf.contrib.distribute.MirroredStrategy(devices=devices)
    with tf.Graph().as_default(), strategy.scope():
        parts = [tf.constant(LABELS[i]) for i in rows], [SCORES[i] for i in rows]
        by_device = [
            values.by_device(devices, [tf.constant(v) for v in p]) for p in parts
        ]
        value, update = strategy.call_for_each_tower(metric, *by_device)
        update = strategy.group(update)
        with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as sess:
            sess.run(tf.local_variables_initializer())
            for _ in range(2):
                sess.run(update)
            return sess.run(value)


@pytest.mark.parametrize("name", METRICS)
def test_the_value_is_that_of_all_towers(name):
    metric = METRICS[name]
    with tf.Graph().as_default(), tf.Session() as sess:
        y, p = tf.placeholder(tf.int32, [8]), tf.placeholder(tf.float32, [8])
        value, update = metric(y, p)
        sess.run(tf.local_variables_initializer())
        for _ in range(2):
            for row in (0, 1):
                sess.run(update, {y: LABELS[row], p: SCORES[row]})
        wanted = sess.run(value)
    np.testing.assert_allclose(in_towers(metric, [0, 1]), wanted, rtol=1e-6)
    if name != "mean_tensor":
        assert np.any(in_towers(metric, [0]) != wanted)
