"""A Keras model trained in step by the processes of TF_CONFIG, for test_collective.py.

The arguments: "graph" or "eager"; "scope", if the model is compiled in the scope, where
all processes are given the same data. It prints what it found as JSON, in its last
line.
"""

import json
import os
import sys

import numpy as np

import twinflow as tf

if sys.argv[1] == "eager":
    tf.enable_eager_execution()
place = json.loads(os.environ["TF_CONFIG"])
size, rank = len(place["cluster"]["worker"]), place["task"]["index"]
strategy = tf.contrib.distribute.CollectiveAllReduceStrategy()
rng = np.random.RandomState(0)
x = rng.rand(64, 6).astype("f")
y = (np.sin(x.sum(1, keepdims=True)) > 0.3).astype("f")
BATCH = 16 // size
tf.set_random_seed(rank)
first = tf.keras.layers.Dense(8, "tanh", input_shape=(6,), kernel_initializer="ones")
model = tf.keras.Sequential([first, tf.keras.layers.Dense(1)])
if rank == 0:  # the others begin with its weights
    draw = np.random.RandomState(1).rand
    model.set_weights([draw(*w.shape) - 0.5 for w in model.get_weights()])
metrics = ["mae", tf.keras.metrics.BinaryAccuracy()]
if "scope" in sys.argv:
    with strategy.scope():
        model.compile(tf.keras.optimizers.Adam(0.02), "mse", metrics=metrics)
    np.random.seed(rank)  # the order is that of the first process
    if size == 1:
        np.random.seed(0)
    weights = rng.rand(64) * (np.arange(64) % 3 > 0)
    found = model.fit(x, y, 16, epochs=4, sample_weight=weights, verbose=0)
    data = tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(16)
    more = model.fit(data, epochs=2, steps_per_epoch=3, verbose=0).history
    history = {k: v + more[k] for k, v in found.history.items()}
    score = model.evaluate(x, y, 16, sample_weight=weights, verbose=0)
else:
    optimizer = tf.train.AdamOptimizer(0.02)
    model.compile(optimizer, "mse", metrics=metrics, distribute=strategy)
    part = tf.data.Dataset.from_tensor_slices((x, y)).shard(size, rank)
    part = part.repeat().batch(BATCH)
    history = model.fit(part, epochs=5, steps_per_epoch=4, verbose=0).history
    score = model.evaluate(part, steps=4, verbose=0)
print(json.dumps({
    "history": {k: [float(x) for x in v] for k, v in sorted(history.items())},
    "score": [float(x) for x in score],
    "ends": [w.ravel().tolist() for w in model.get_weights()],
}), flush=True)  # fmt: skip
