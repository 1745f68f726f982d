# Eager mode: odeint, a neural ODE, second derivatives, persistent tapes and Jacobians.
from __future__ import print_function

import numpy as np
import tensorflow as tf
import tensorflow.contrib.eager as tfe

tf.enable_eager_execution()
tf.set_random_seed(2)
odeint = tf.contrib.integrate.odeint


def lotka_volterra(y, t, a=1.5, b=1.0, c=3.0, d=1.0):
    x, p = tf.unstack(y)
    return tf.stack([a * x - b * x * p, d * x * p - c * p])


times = np.linspace(0, 2, 5)
path, info = odeint(lotka_volterra, tf.constant([1.0, 1.0], tf.float64), times, rtol=1e-7, full_output=True)
print(path.shape, path.dtype, path.numpy().round(5).tolist())
print(sorted(info), int(info['num_func_evals']) % 6, info['integrate_points'].shape[0] > 5)
fixed = tf.contrib.integrate.odeint_fixed(lambda y, t: -y * t, tf.constant([2.0], tf.float64), tf.constant(times), dt=0.25, method='rk4')
print(fixed.numpy()[:, 0].round(6), (2 * np.exp(-times ** 2 / 2)).round(6))


class ODEFunc(tf.keras.Model):

    def __init__(self, units):
        super(ODEFunc, self).__init__()
        init = tf.keras.initializers.RandomUniform(-0.3, 0.3, seed=4)
        self.hidden = tf.keras.layers.Dense(units, activation='tanh', kernel_initializer=init)
        self.out = tf.keras.layers.Dense(2, kernel_initializer=init)

    def call(self, y):
        return self.out(self.hidden(y ** 3))


def rk4_steps(f, y, n, dt):
    found = [y]
    for _ in range(n):
        k1 = f(y)
        k2 = f(y + dt * k1 / 2)
        k3 = f(y + dt * k2 / 2)
        k4 = f(y + dt * k3)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        found.append(y)
    return tf.stack(found)


true_a = np.array([[-0.1, 2.0], [-2.0, -0.1]])
truth = tf.contrib.integrate.odeint_fixed(
    lambda y, t: tf.matmul(y ** 3, tf.constant(true_a)), tf.constant([[2.0, 0.0]], tf.float64), np.linspace(0, 1, 11), dt=0.02)
truth = tf.cast(truth, tf.float32)
model, optimizer = ODEFunc(6), tf.train.RMSPropOptimizer(0.02)
step = tf.train.get_or_create_global_step()
loss_metric = tfe.metrics.Mean('loss')
for epoch in range(6):
    dataset = tf.data.Dataset.range(0, 8, 2).map(lambda i: (truth[i], truth[i:i + 3]))
    for start, wanted in tfe.Iterator(dataset):
        with tf.GradientTape() as tape:
            loss = tf.losses.absolute_difference(wanted, rk4_steps(model, start, 2, 0.1))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables), global_step=step)
        loss_metric(loss)
    if epoch % 2:
        print('epoch', epoch, 'loss %.5f' % loss_metric.result().numpy(), int(step))
    loss_metric.init_variables()
print([(v.name, v.shape.as_list()) for v in model.variables])

# a physics-informed residual: u'' + u = 0 by two tapes inside each other
net = tf.keras.Sequential([tf.keras.layers.Dense(5, tf.tanh, kernel_initializer=tf.keras.initializers.RandomNormal(seed=1)),
                           tf.keras.layers.Dense(1, kernel_initializer=tf.keras.initializers.RandomNormal(seed=2))])
x = tf.reshape(tf.linspace(0.0, 3.0, 7), [-1, 1])


def residual():
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            u = net(x)
        du = inner.gradient(u, x)
    return tf.reduce_mean((outer.gradient(du, x) + u) ** 2) + (u[0, 0] - 0.0) ** 2 + (du[0, 0] - 1.0) ** 2


value_and_grads = tfe.implicit_value_and_gradients(residual)
sgd = tf.train.AdamOptimizer(0.05)
for i in range(7):
    value, pairs = value_and_grads()
    sgd.apply_gradients(pairs)
    if i % 3 == 0:
        print('residual %d %.5f' % (i, value.numpy()), len(pairs))

with tf.GradientTape(persistent=True, watch_accessed_variables=True) as tape:
    w = tfe.Variable([1.0, 2.0, 3.0])
    y = tf.stack([w[0] * w[1], tf.sin(w[2]), tf.reduce_prod(w)])
    parts = tf.unstack(y)
print([tape.gradient(p, w).numpy().round(4).tolist() for p in parts])
del tape
f = lambda x: tf.reduce_sum(x ** 3)
third = tfe.gradients_function(tfe.gradients_function(tfe.gradients_function(f)))
print(third(2.0)[0].numpy(), tfe.gradients_function(lambda a, b: a * tf.exp(b), params=['b'])(2.0, 0.5)[0].numpy().round(5))
value, (da,) = tfe.value_and_gradients_function(lambda a: a * a, params=[0])(3.0)
print(value.numpy(), da.numpy(), tfe.num_gpus(), tfe.in_eager_mode(), tf.executing_eagerly())


@tfe.custom_gradient
def clipped_identity(x):
    return x * 1.0, lambda dy: tf.clip_by_norm(dy, 0.5)


with tf.GradientTape() as tape:
    v = tfe.Variable([3.0, 4.0], name='v')
    out = tf.reduce_sum(clipped_identity(v) ** 2)
print(tape.gradient(out, v).numpy(), out.numpy(), v.name)
with tf.GradientTape() as tape:
    total = tf.constant(0.0)
    for i in tf.range(3):
        total += tf.to_float(i) * v[0]
    with tape.stop_recording():
        ignored = v[1] * 100
print(tape.gradient(total, v).numpy(), ignored.numpy())
