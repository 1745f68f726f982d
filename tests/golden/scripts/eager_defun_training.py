# Training steps compiled by tfe.defun, compared with plain eager execution.
import functools

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import tensor_spec

tfe = tf.contrib.eager
tf.enable_eager_execution()
tf.set_random_seed(21)


class ResidualBlock(tf.keras.Model):
    def __init__(self, width, name):
        super(ResidualBlock, self).__init__(name=name)
        self.dense_a = tf.keras.layers.Dense(width, activation='relu')
        self.dense_b = tf.keras.layers.Dense(width)
        self.norm = tf.keras.layers.BatchNormalization(momentum=0.8)

    def call(self, x, training=True):
        h = self.dense_b(self.dense_a(x))
        h = self.norm(h, training=training)
        return tf.nn.relu(h + x)


class Net(tf.keras.Model):
    def __init__(self, blocks, width):
        super(Net, self).__init__()
        self.first = tf.keras.layers.Dense(width)
        self.blocks = []
        for n in range(blocks):
            block = ResidualBlock(width, 'block_%d' % n)
            self.blocks.append(block)
        self.last = tf.keras.layers.Dense(1)

    def call(self, x, training=True):
        x = self.first(x)
        for block in self.blocks:
            x = block(x, training=training)
        return self.last(x)


rng = np.random.RandomState(0)
x_all = rng.rand(48, 5).astype(np.float32)
y_all = np.sin(x_all.sum(1, keepdims=True) * 2)

net = Net(2, 8)
print(net(tf.constant(x_all[:2]), training=False).shape)
optimizer = tf.train.MomentumOptimizer(0.01, 0.9)
traces = []


def step(x, y):
    traces.append(x.shape.as_list())
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.squared_difference(net(x, training=True), y))
    grads = tape.gradient(loss, net.trainable_variables)
    grads, norm = tf.clip_by_global_norm(grads, 1.0)
    return loss, norm, grads


compiled = tfe.defun(step)
for i in range(6):
    x, y = x_all[i * 8:i * 8 + 8], y_all[i * 8:i * 8 + 8]
    loss, norm, grads = compiled(tf.constant(x), tf.constant(y))
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    print('step %d loss %.4f norm %.4f' % (i, loss, norm))
print(len(traces), traces)
compiled(tf.constant(x_all[:3]), tf.constant(y_all[:3]))
print(traces)
print([v.name for v in net.variables if 'moving' in v.name])


@tfe.defun
def fizz(n):
    return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i * i), [0, 0])


@functools.partial(tfe.defun, input_signature=[tensor_spec.TensorSpec([None, 2], tf.float32)])
def normalise(v):
    return v / tf.norm(v, axis=1, keepdims=True)


counter = tfe.Variable(0, dtype=tf.int32)


@tfe.defun
def count(by):
    counter.assign_add(by)
    return counter.read_value()


print([n.numpy() for n in fizz(tf.constant(5))])
print(normalise(tf.constant([[3., 4.]])), normalise(tf.ones([2, 2])).shape)
try:
    normalise(tf.ones([2, 3]))
except ValueError as error:
    print('ValueError', str(error)[:40])
print([count(k).numpy() for k in (1, 2, 3)], counter.numpy())


@tfe.defun
def outer(x):
    return inner(x) + inner(x * 2)


@tfe.defun
def inner(x):
    return tf.reduce_sum(x * counter_like)


counter_like = tfe.Variable([1., 2.])
with tf.GradientTape() as tape:
    z = outer(tf.constant([1., 1.]))
print(z, tape.gradient(z, counter_like))
