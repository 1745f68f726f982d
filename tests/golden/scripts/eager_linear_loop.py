# Eager basics: GradientTape, implicit_gradients, value_and_gradients, tfe.Variable.
from __future__ import absolute_import, division, print_function

import numpy as np
import tensorflow as tf
import tensorflow.contrib.eager as tfe

tf.enable_eager_execution()
tf.set_random_seed(10)

print(tf.executing_eagerly())
a = tf.constant([[1, 2], [3, 4]])
print(a)
print(tf.add(a, 1), a * 2, a.numpy().sum())
print(tf.matmul(tf.cast(a, tf.float32), tf.eye(2)))
print(tf.convert_to_tensor(np.float32(2.5)), a[0], a.shape, a.dtype)


class Model(tf.keras.Model):
    def __init__(self):
        super(Model, self).__init__()
        self.W = tfe.Variable(5., name='weight')
        self.B = tfe.Variable(10., name='bias')

    def predict(self, inputs):
        return inputs * self.W + self.B


NUM_EXAMPLES = 100
training_inputs = tf.random_normal([NUM_EXAMPLES])
noise = tf.random_normal([NUM_EXAMPLES])
training_outputs = training_inputs * 3 + 2 + noise
print(training_inputs[:3], noise.numpy()[:2])


def loss(model, inputs, targets):
    error = model.predict(inputs) - targets
    return tf.reduce_mean(tf.square(error))


def grad(model, inputs, targets):
    with tf.GradientTape() as tape:
        loss_value = loss(model, inputs, targets)
    return tape.gradient(loss_value, [model.W, model.B])


model = Model()
optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.1)
print("Initial loss: {:.3f}".format(loss(model, training_inputs, training_outputs)))
for i in range(30):
    grads = grad(model, training_inputs, training_outputs)
    optimizer.apply_gradients(zip(grads, [model.W, model.B]),
                              global_step=tf.train.get_or_create_global_step())
    if i % 10 == 0:
        print("Loss at step {:03d}: {:.3f}".format(
            i, loss(model, training_inputs, training_outputs)))
print("W = {}, B = {}".format(round(float(model.W.numpy()), 3),
                              round(float(model.B.numpy()), 3)))
print(tf.train.get_global_step())


def square(x):
    return tf.multiply(x, x)


grad_fn = tfe.gradients_function(square)
print(square(3.), grad_fn(3.)[0])
print(tfe.gradients_function(lambda x: grad_fn(x)[0])(3.)[0])
x, y = 3.0, 2.0
print(tfe.gradients_function(lambda x, y: x * x * y, params=[0])(x, y)[0])
value, grads = tfe.value_and_gradients_function(lambda x, y: x ** 2 + tf.exp(y))(1., 0.)
print(value, [g.numpy() for g in grads])
w = tfe.Variable([1.0, 2.0])
for g, v in tfe.implicit_gradients(lambda v: tf.reduce_sum(w * v))(3.0):
    print(g, v)
with tf.GradientTape(persistent=True) as t:
    c = tf.constant(3.0)
    t.watch(c)
    y = c * c
    z = y * y
print(t.gradient(z, c), t.gradient(y, c))
del t
w.assign_add([1., 1.])
w.assign(w * 2)
print(w)
