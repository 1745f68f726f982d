# Saving: h5 files, JSON, YAML-free configs, weights by name, custom objects, TF format.
import json
import os
import tempfile

import h5py
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import backend as K
from tensorflow.keras import layers, models

np.random.seed(6)
tf.set_random_seed(6)
folder = tempfile.mkdtemp()


def swish(x):
    return K.sigmoid(x) * x


class Scale(layers.Layer):
    def __init__(self, initial=1.0, **kwargs):
        super(Scale, self).__init__(**kwargs)
        self.initial = initial

    def build(self, input_shape):
        self.gamma = self.add_weight('gamma', (int(input_shape[-1]),),
                                     initializer=keras.initializers.Constant(self.initial))
        super(Scale, self).build(input_shape)

    def call(self, inputs):
        return inputs * self.gamma

    def get_config(self):
        config = {'initial': self.initial}
        base_config = super(Scale, self).get_config()
        return dict(list(base_config.items()) + list(config.items()))


def huber(y_true, y_pred):
    error = K.abs(y_true - y_pred)
    return K.mean(K.switch(error < 1., 0.5 * K.square(error), error - 0.5))


inputs = layers.Input((4,), name='features')
h = layers.Dense(5, name='hidden', kernel_regularizer='l2')(inputs)
h = layers.BatchNormalization(name='norm')(h)
h = layers.Activation(swish, name='swish')(h)
h = Scale(2.0, name='scale')(h)
outputs = layers.Dense(2, name='output')(h)
model = models.Model(inputs, outputs, name='small')
model.compile(keras.optimizers.SGD(0.01, momentum=0.9), huber, metrics=['mse'])
x, y = np.random.rand(16, 4), np.random.rand(16, 2)
print(np.round([model.train_on_batch(x, y) for _ in range(3)], 4))

path = os.path.join(folder, 'model.h5')
model.save(path)
custom = {'swish': swish, 'Scale': Scale, 'huber': huber}
again = keras.models.load_model(path, custom_objects=custom)
print(np.allclose(model.predict(x), again.predict(x)))
print(np.round(again.train_on_batch(x, y), 4), np.round(model.train_on_batch(x, y), 4))
with h5py.File(path, 'r') as f:
    print(sorted(f.attrs), sorted(f))
    print(json.loads(f.attrs['model_config'].decode('utf8')
                     if hasattr(f.attrs['model_config'], 'decode')
                     else f.attrs['model_config'])['class_name'])
    print([n.decode('utf8') if hasattr(n, 'decode') else n
           for n in f['model_weights']['norm'].attrs['weight_names']])

text = model.to_json()
config = json.loads(text)
print(config['keras_version'], config['backend'], sorted(config['config']))
print([l['class_name'] for l in config['config']['layers']])
print(config['config']['layers'][4]['config'])
with keras.utils.CustomObjectScope(custom):
    fresh = keras.models.model_from_json(text)
    copied = models.Model.from_config(model.get_config())
fresh.set_weights(model.get_weights())
print(np.allclose(fresh.predict(x), model.predict(x)), copied.name)

weights = os.path.join(folder, 'weights.h5')
model.save_weights(weights)
partial = models.Sequential([layers.Dense(5, input_dim=4, name='hidden'),
                             layers.Dense(7, name='other')])
partial.load_weights(weights, by_name=True)
print(np.array_equal(partial.get_layer('hidden').get_weights()[0],
                     model.get_layer('hidden').get_weights()[0]))
try:
    partial.load_weights(weights)
except ValueError as error:
    print(str(error).split('\n')[0])
prefix = os.path.join(folder, 'ckpt', 'weights')
model.save_weights(prefix)
print(sorted(os.listdir(os.path.dirname(prefix))))
fresh.set_weights([w * 0 for w in fresh.get_weights()])
fresh.load_weights(prefix)
print(np.allclose(fresh.predict(x), model.predict(x)))
K.clear_session()
final = keras.models.load_model(path, custom_objects=custom, compile=False)
print(final.layers[-1].get_weights()[1].shape, final.optimizer is None)
