"""A Keras model with Horovod's callbacks; the argument "eager" trains it eagerly."""

import json
import sys

import horovod.keras as hvd
import horovod.tensorflow.keras
import keras
import numpy as np
import tensorflow as tf

if "eager" in sys.argv:
    tf.enable_eager_execution()
hvd.init()
RANK, SIZE = hvd.rank(), hvd.size()
STEPS, BATCH, EPOCHS = 4, 8, 3
assert horovod.tensorflow.keras.allreduce is hvd.allreduce
assert hvd.allreduce([1.0 * RANK]).tolist() == [sum(range(SIZE)) / SIZE]
assert hvd.allgather(np.full(RANK + 1, RANK)).size == SIZE * (SIZE + 1) // 2
assert hvd.broadcast(RANK, SIZE - 1) == SIZE - 1

rng = np.random.RandomState(0)
x = rng.rand(STEPS, BATCH, 4).astype("f")
y = (x.sum(2, keepdims=True) > 2).astype("f")
tf.set_random_seed(3 + RANK)
model = keras.models.Sequential(
    [
        keras.layers.Dense(5, activation="tanh", input_shape=(4,)),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
if "train" in sys.argv:
    import horovod.tensorflow

    optimizer = horovod.tensorflow.DistributedOptimizer(
        tf.train.MomentumOptimizer(0.1, 0.9)
    )
else:
    optimizer = hvd.DistributedOptimizer(keras.optimizers.SGD(0.1, momentum=0.9))
model.compile(optimizer, "mse", metrics=["mae"])
rates = []


class Rates(keras.callbacks.Callback):
    def on_batch_begin(self, batch, logs=None):
        rates.append(float(keras.backend.get_value(self.model.optimizer.lr)))


callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
if "warmup" in sys.argv:
    callbacks += [
        hvd.callbacks.LearningRateWarmupCallback(warmup_epochs=2, verbose=1),
        hvd.callbacks.LearningRateScheduleCallback(0.5, start_epoch=2),
        Rates(),
    ]
mine = slice(RANK, None, SIZE)
history = model.fit(
    x[:, mine].reshape(-1, 4),
    y[:, mine].reshape(-1, 1),
    BATCH // SIZE,
    EPOCHS,
    verbose=0,
    shuffle=False,
    callbacks=callbacks,
)
found = {
    "loss": history.history["loss"],
    "mae": history.history["mean_absolute_error"],
    "weights": [w.ravel().tolist() for w in model.get_weights()],
    "rates": rates,
}
if "save" in sys.argv and RANK == 0:
    model.save(sys.argv[1])
if "save" in sys.argv:
    hvd.allreduce(0.0)  # the file is there
    again = hvd.load_model(sys.argv[1])
    assert type(again.optimizer).__name__ == "SGD"
    again.fit(
        x[:, mine].reshape(-1, 4),
        y[:, mine].reshape(-1, 1),
        BATCH // SIZE,
        verbose=0,
        shuffle=False,
    )
    found["again"] = [w.ravel().tolist() for w in again.get_weights()]
print("found", json.dumps(found))
