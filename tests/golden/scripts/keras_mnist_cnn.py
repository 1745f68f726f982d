'''Trains a simple convnet on generated digits, in the style of the Keras examples.'''
from __future__ import print_function

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import backend as K
from tensorflow.keras.layers import Conv2D, Dense, Dropout, Flatten, MaxPooling2D
from tensorflow.keras.models import Sequential

np.random.seed(1337)
tf.set_random_seed(1337)

batch_size = 16
num_classes = 10
epochs = 2
img_rows, img_cols = 12, 12

prototypes = np.random.rand(num_classes, img_rows, img_cols)
y_train = np.random.randint(0, num_classes, 64)
y_test = np.random.randint(0, num_classes, 32)
x_train = (255 * prototypes[y_train]).astype('uint8')
x_test = (255 * prototypes[y_test]).astype('uint8')

if K.image_data_format() == 'channels_first':
    x_train = x_train.reshape(x_train.shape[0], 1, img_rows, img_cols)
    input_shape = (1, img_rows, img_cols)
else:
    x_train = x_train.reshape(x_train.shape[0], img_rows, img_cols, 1)
    x_test = x_test.reshape(x_test.shape[0], img_rows, img_cols, 1)
    input_shape = (img_rows, img_cols, 1)

x_train = x_train.astype('float32')
x_test = x_test.astype('float32')
x_train /= 255
x_test /= 255
print('x_train shape:', x_train.shape)
print(x_train.shape[0], 'train samples')
print(x_test.shape[0], 'test samples')
y_train = keras.utils.to_categorical(y_train, num_classes)
y_test = keras.utils.to_categorical(y_test, num_classes)

model = Sequential()
model.add(Conv2D(8, kernel_size=(3, 3), activation='relu', input_shape=input_shape))
model.add(Conv2D(12, (3, 3), activation='relu'))
model.add(MaxPooling2D(pool_size=(2, 2)))
model.add(Dropout(0.25))
model.add(Flatten())
model.add(Dense(32, activation='relu'))
model.add(Dropout(0.5))
model.add(Dense(num_classes, activation='softmax'))
model.compile(loss=keras.losses.categorical_crossentropy,
              optimizer=keras.optimizers.Adadelta(),
              metrics=['accuracy'])
model.summary()
for layer in model.layers:
    print(layer.name, layer.input_shape, layer.output_shape, layer.count_params())
history = model.fit(x_train, y_train, batch_size=batch_size, epochs=epochs, verbose=0,
                    validation_data=(x_test, y_test))
print(['%.4f' % v for v in history.history['loss']])
print(['%.4f' % v for v in history.history['val_loss']])
score = model.evaluate(x_test, y_test, verbose=0)
print('Test loss: %.3f' % score[0])
print('Test accuracy:', score[1])
print(model.metrics_names, model.optimizer.get_config())
