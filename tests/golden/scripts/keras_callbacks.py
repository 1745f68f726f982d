# Callbacks: a history of one's own, early stopping, schedules, checkpoints, CSV, plateau.
import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow import keras

np.random.seed(4)
tf.set_random_seed(4)
folder = tempfile.mkdtemp()
x = np.random.rand(60, 5)
y = x.dot([1., -2., 3., 0., 1.])[:, None] + 0.05 * np.random.randn(60, 1)


class LossHistory(keras.callbacks.Callback):
    def on_train_begin(self, logs={}):
        self.losses = []
        print('train begins', sorted(self.params))

    def on_batch_end(self, batch, logs={}):
        self.losses.append(logs.get('loss'))

    def on_epoch_begin(self, epoch, logs=None):
        lr = keras.backend.get_value(self.model.optimizer.lr)
        print('epoch', epoch, 'lr %.5f' % lr)

    def on_train_end(self, logs=None):
        print('train ends after', len(self.losses), 'batches')


def step_decay(epoch):
    initial_lrate, drop, epochs_drop = 0.1, 0.5, 2.0
    return initial_lrate * drop ** np.floor((1 + epoch) / epochs_drop)


def build():
    model = keras.models.Sequential([
        keras.layers.Dense(6, input_dim=5, activation='relu', name='hidden',
                           kernel_initializer=keras.initializers.glorot_normal(seed=2)),
        keras.layers.Dense(1, name='output',
                           kernel_initializer=keras.initializers.RandomNormal(seed=3))])
    model.compile(keras.optimizers.SGD(lr=0.1), 'mse')
    return model


model = build()
history = LossHistory()
checkpoint = keras.callbacks.ModelCheckpoint(
    os.path.join(folder, 'w.{epoch:02d}.h5'), save_weights_only=True, period=2)
result = model.fit(x, y, epochs=4, batch_size=15, shuffle=False, verbose=0, callbacks=[
    history, keras.callbacks.LearningRateScheduler(step_decay), checkpoint,
    keras.callbacks.CSVLogger(os.path.join(folder, 'log.csv'), separator=';')])
print(np.round(history.losses[:6], 4))
print(np.round(result.history['loss'], 4))
print(sorted(f for f in os.listdir(folder)))
with open(os.path.join(folder, 'log.csv')) as f:
    lines = f.read().split()
print(lines[0], len(lines), lines[1].split(';')[0])

other = build()
other.load_weights(os.path.join(folder, 'w.04.h5'))
print(np.allclose(other.predict(x), model.predict(x)))

model = build()
plateau = keras.callbacks.ReduceLROnPlateau(monitor='val_loss', factor=0.2, patience=1,
                                            min_delta=0.05, verbose=1)
stopping = keras.callbacks.EarlyStopping(monitor='val_loss', min_delta=0.02, patience=3,
                                         verbose=1, mode='min')
best = keras.callbacks.ModelCheckpoint(os.path.join(folder, 'best.hdf5'),
                                       monitor='val_loss', save_best_only=True)
lambdas = keras.callbacks.LambdaCallback(
    on_epoch_end=lambda epoch, logs: print(epoch, sorted(logs)) if epoch == 0 else None)
result = model.fit(x, y, validation_split=0.2, epochs=12, batch_size=12, verbose=0,
                   shuffle=False, callbacks=[plateau, stopping, best, lambdas])
print(len(result.epoch), stopping.stopped_epoch)
print(np.round(result.history['val_loss'][:4], 4))
loaded = keras.models.load_model(os.path.join(folder, 'best.hdf5'))
print(loaded.get_layer('hidden').get_config()['kernel_initializer'])

board = keras.callbacks.TensorBoard(os.path.join(folder, 'logs'), histogram_freq=0,
                                    write_graph=False)
model.fit(x, y, epochs=2, verbose=0, callbacks=[board, keras.callbacks.TerminateOnNaN()])
(name,) = os.listdir(os.path.join(folder, 'logs'))
for event in tf.train.summary_iterator(os.path.join(folder, 'logs', name)):
    for value in event.summary.value:
        print(event.step, value.tag, value.simple_value > 0)
