"""A Keras model trained in step by the processes of TF_CONFIG, for test_collective.py.

The argument: "graph" or "eager". It prints what it found as JSON, in its last line.
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
y = np.sin(x.sum(1, keepdims=True))
BATCH = 16 // size
tf.set_random_seed(rank)
first = tf.keras.layers.Dense(8, "tanh", input_shape=(6,), kernel_initializer="ones")
model = tf.keras.Sequential([first, tf.keras.layers.Dense(1)])
if rank == 0:  # the others begin with its weights
    draw = np.random.RandomState(1).rand
    model.set_weights([draw(*w.shape) - 0.5 for w in model.get_weights()])
model.compile(tf.train.AdamOptimizer(0.02), "mse", metrics=["mae"], distribute=strategy)
part = tf.data.Dataset.from_tensor_slices((x, y)).shard(size, rank)
found = model.fit(part.repeat().batch(BATCH), epochs=5, steps_per_epoch=4, verbose=0)
loss, _ = model.evaluate(part.repeat().batch(BATCH), steps=4, verbose=0)
print(json.dumps({
    "losses": [float(v) for v in found.history["loss"]], "loss": float(loss),
    "ends": [w.ravel().tolist() for w in model.get_weights()],
}), flush=True)  # fmt: skip
