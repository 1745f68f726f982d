"""One of the processes that train together: `twinflow launch -n 2 worker.py FOLDER`.

Each reads its part of every batch; gradients are summed over all of them in each step,
so that the number of processes changes how fast it goes, not what is learned.
"""

import argparse
import json
import os
import time

import numpy as np
from sklearn.datasets import load_digits

import twinflow as tf

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("folder", help="where the results go")
parser.add_argument("--epochs", type=int, default=10)
parser.add_argument("--eager", action="store_true", help="run eagerly, not as a graph")
options = parser.parse_args()
if options.eager:
    tf.enable_eager_execution()
tf.set_random_seed(1)

BATCH, COUNT = 64, 1472  # of all processes together
images, labels = load_digits(return_X_y=True)
images = (images / 16).astype(np.float32).reshape(-1, 8, 8, 1)
strategy = tf.contrib.distribute.CollectiveAllReduceStrategy()
size, rank = strategy.num_towers, int(os.environ.get("TWINFLOW_RANK", 0))
mine = tf.data.Dataset.from_tensor_slices((images[:COUNT], labels[:COUNT, None]))
mine = mine.shard(size, rank).repeat().batch(BATCH // size)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu", input_shape=[8, 8, 1]),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation="softmax"),
])  # fmt: skip
model.compile(
    tf.train.AdamOptimizer(2e-3), "sparse_categorical_crossentropy", ["accuracy"],
    distribute=strategy,
)  # fmt: skip
losses, seconds = [], []
for epoch in range(options.epochs):
    start = time.perf_counter()
    found = model.fit(mine, epochs=1, steps_per_epoch=COUNT // BATCH, verbose=0)
    losses += found.history["loss"]
    seconds.append(time.perf_counter() - start)
    if epoch % 3 == 0 or epoch + 1 == options.epochs:
        print(f"epoch {epoch + 1} of {options.epochs}: loss {losses[-1]:.6f}, "
              f"{COUNT // size} digits of my own", flush=True)  # fmt: skip
test = slice(COUNT, COUNT + 320)  # whole batches
chances = model.predict(images[test])
if rank == 0:
    right = float(np.mean(chances.argmax(1) == labels[test]))
    result = {"losses": losses, "seconds": seconds, "accuracy": right}
    with open(os.path.join(options.folder, f"{size}.json"), "w") as file:
        json.dump(result, file)
