# Keras models trained by fit under eager execution, with optimizers of tf.train.
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

tf.enable_eager_execution()
tf.set_random_seed(0)

rng = np.random.RandomState(0)
data = rng.rand(80, 16).astype(np.float32)
labels = np.eye(4, dtype=np.float32)[rng.randint(0, 4, 80)]
val_data, val_labels = data[:20] * 0.5, labels[20:40]

model = keras.Sequential()
model.add(layers.Dense(12, activation='relu', input_shape=(16,)))
model.add(layers.Dense(12, activation='relu',
                       kernel_initializer=keras.initializers.Orthogonal(seed=4)))
model.add(layers.Dense(4, activation='softmax'))
model.compile(optimizer=tf.train.AdamOptimizer(0.01), loss='categorical_crossentropy',
              metrics=['accuracy'])
history = model.fit(data, labels, epochs=2, batch_size=20, shuffle=False,
                    validation_data=(val_data, val_labels), verbose=0)
for name in sorted(history.history):
    print(name, np.round(history.history[name], 4))
dataset = tf.data.Dataset.from_tensor_slices((data, labels)).batch(20).repeat()
history = model.fit(dataset, epochs=2, steps_per_epoch=3, verbose=0,
                    validation_data=dataset, validation_steps=2)
print(np.round(history.history['loss'], 4), np.round(history.history['val_loss'], 4))
print(np.round(model.evaluate(dataset, steps=4, verbose=0), 4))
print(model.predict(data[:2]).round(3))


class MyLayer(layers.Layer):
    def __init__(self, output_dim, **kwargs):
        self.output_dim = output_dim
        super(MyLayer, self).__init__(**kwargs)

    def build(self, input_shape):
        shape = tf.TensorShape((input_shape[1], self.output_dim))
        self.kernel = self.add_weight(name='kernel', shape=shape,
                                      initializer='uniform', trainable=True)
        super(MyLayer, self).build(input_shape)

    def call(self, inputs):
        return tf.matmul(inputs, self.kernel)

    def compute_output_shape(self, input_shape):
        shape = tf.TensorShape(input_shape).as_list()
        shape[-1] = self.output_dim
        return tf.TensorShape(shape)

    def get_config(self):
        base_config = super(MyLayer, self).get_config()
        base_config['output_dim'] = self.output_dim
        return base_config

    @classmethod
    def from_config(cls, config):
        return cls(**config)


model = keras.Sequential([MyLayer(4), layers.Activation('softmax')])
model.compile(optimizer=tf.train.RMSPropOptimizer(0.01), loss='categorical_crossentropy')
print([round(float(model.train_on_batch(data, labels)), 4) for _ in range(3)])
print(sorted(model.layers[0].get_config()))
print([w.shape for w in model.get_weights()])


class MyModel(keras.Model):
    def __init__(self, num_classes=4):
        super(MyModel, self).__init__(name='my_model')
        self.num_classes = num_classes
        self.dense_1 = layers.Dense(8, activation='relu')
        self.dense_2 = layers.Dense(num_classes, activation='sigmoid')

    def call(self, inputs):
        return self.dense_2(self.dense_1(inputs))

    def compute_output_shape(self, input_shape):
        shape = tf.TensorShape(input_shape).as_list()
        shape[-1] = self.num_classes
        return tf.TensorShape(shape)


model = MyModel(num_classes=4)
model.compile(optimizer=tf.train.GradientDescentOptimizer(0.1), loss='mse',
              metrics=['mae'])
history = model.fit(data, labels, batch_size=40, epochs=2, shuffle=False, verbose=0)
print({k: np.round(v, 4).tolist() for k, v in sorted(history.history.items())})
try:
    model.save('my_model.h5')
except NotImplementedError as error:
    print(type(error).__name__, str(error)[:60])
model.summary()
