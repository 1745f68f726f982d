"""The input pipeline: points on three arms of a spiral."""

import numpy as np

import twinflow as tf


def spiral(count, seed=0):
    """float32[count, 2] and int64[count]."""
    random = np.random.RandomState(seed)
    labels = random.randint(0, 3, count)
    radius = random.uniform(0.1, 1, count)
    angle = 4 * radius + 2 * np.pi / 3 * labels + random.normal(0, 0.15, count)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
    return points.astype(np.float32), labels.astype(np.int64)


def build_inputs(count, batch):
    """Batches of (points, labels)."""
    dataset = tf.data.Dataset.from_tensor_slices(spiral(count))
    dataset = dataset.map(lambda point, label: (2.0 * point, label))
    return dataset.batch(batch).prefetch(1)
