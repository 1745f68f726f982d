# fit_generator, Sequence, ImageDataGenerator and evaluation by generators.
from __future__ import print_function

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Conv2D, Dense, GlobalMaxPooling2D, LeakyReLU
from tensorflow.keras.models import Sequential
from tensorflow.keras.preprocessing.image import ImageDataGenerator
from tensorflow.keras.utils import Sequence, to_categorical

np.random.seed(12)
tf.set_random_seed(12)
images = np.random.rand(24, 8, 8, 3).astype('float32')
targets = to_categorical(np.random.randint(0, 2, 24))
images[targets[:, 1] == 1, :, :, 0] += 0.5


def batches(x, y, size):
    while True:
        for start in range(0, len(x), size):
            yield x[start:start + size], y[start:start + size]


class Batches(Sequence):
    def __init__(self, x, y, size):
        self.x, self.y, self.size = x, y, size
        self.ends = 0

    def __len__(self):
        return int(np.ceil(len(self.x) / float(self.size)))

    def __getitem__(self, idx):
        part = slice(idx * self.size, (idx + 1) * self.size)
        return self.x[part], self.y[part]

    def on_epoch_end(self):
        self.ends += 1


model = Sequential()
model.add(Conv2D(6, 3, padding='same', input_shape=(8, 8, 3),
                 kernel_initializer='he_uniform'))
model.add(LeakyReLU(alpha=0.1))
model.add(GlobalMaxPooling2D())
model.add(Dense(2, activation='softmax'))
model.compile('adam', 'categorical_crossentropy', metrics=['acc'])

history = model.fit_generator(batches(images, targets, 8), steps_per_epoch=3, epochs=2,
                              verbose=0, validation_data=batches(images, targets, 12),
                              validation_steps=2, workers=1, max_queue_size=1)
for key in sorted(history.history):
    print(key, np.round(history.history[key], 4))
sequence = Batches(images, targets, 10)
history = model.fit_generator(sequence, epochs=2, verbose=0, shuffle=False, workers=0)
print(np.round(history.history['loss'], 4), len(sequence))
print(np.round(model.evaluate_generator(sequence, workers=0), 4))
print(model.predict_generator(Batches(images[:9], targets[:9], 4), workers=0).shape)

plain = ImageDataGenerator(featurewise_center=True,
                           featurewise_std_normalization=True)
plain.fit(images)
print(np.round(plain.mean.ravel(), 4), np.round(plain.std.ravel(), 4))
flow = plain.flow(images, targets, batch_size=5, shuffle=False)
print(len(flow))
x, y = next(flow)
print(x.shape, y.shape, '%.4f' % x.mean(), x.dtype)
augment = ImageDataGenerator(horizontal_flip=True, width_shift_range=2,
                             height_shift_range=2, fill_mode='nearest',
                             preprocessing_function=lambda im: im * 2,
                             validation_split=0.25)
train = augment.flow(images, targets, batch_size=6, seed=3, subset='training')
valid = augment.flow(images, targets, batch_size=6, seed=3, subset='validation')
print(train.n, valid.n)
np.random.seed(0)
history = model.fit_generator(train, steps_per_epoch=2, epochs=1, verbose=0, workers=0)
print(sorted(history.history))
flipped = ImageDataGenerator().apply_transform(images[0], {'flip_horizontal': True})
print(np.allclose(flipped, images[0][:, ::-1]))
