# Custom gradients, clipped gradients, second order and stop_gradient, eagerly.
import numpy as np
import tensorflow as tf
import tensorflow.contrib.eager as tfe

tf.enable_eager_execution()


@tf.custom_gradient
def clip_gradient_by_norm(x, norm):
    y = tf.identity(x)

    def grad_fn(dresult):
        return [tf.clip_by_norm(dresult, norm), None]
    return y, grad_fn


@tfe.custom_gradient
def log1pexp(x):
    e = tf.exp(x)

    def grad(dy):
        return dy * (1 - 1 / (1 + e))
    return tf.log(1 + e), grad


def plain(x):
    return tf.log(1 + tf.exp(x))


@tf.custom_gradient
def flip_gradient(x, l=1.0):
    def grad(dy):
        return -l.numpy() * dy, None if isinstance(l, tf.Tensor) else 0.
    return tf.identity(x), grad


@tf.custom_gradient
def binarize(x):
    """Straight-through estimator."""
    def grad(dy):
        return tf.where(tf.abs(x) <= 1, dy, tf.zeros_like(dy))
    return tf.sign(x), grad


x = tfe.Variable([3.0, 4.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(clip_gradient_by_norm(x, 0.5) * 10.)
print(y, tape.gradient(y, x))

for function in (plain, log1pexp):
    g = tfe.gradients_function(function)
    print([round(float(g(v)[0].numpy()), 5) for v in (0., 10., 100.)])

with tf.GradientTape() as tape:
    v = tf.constant([-2., -0.5, 0.3, 1.5])
    tape.watch(v)
    out = binarize(v) * [1., 2., 3., 4.]
print(out.numpy(), tape.gradient(out, v).numpy())


def fermi(x):
    return 1 / (1 + tf.exp(-x))


def derivative(f):
    return lambda x: tfe.gradients_function(f)(x)[0]


def taylor(f, at, order):
    """Values of the derivatives of f by nested gradient functions."""
    values = [f(at).numpy()]
    for _ in range(order):
        f = derivative(f)
        values.append(f(at).numpy())
    return np.round(values, 5)


print(taylor(fermi, tf.constant(0.5), 4))
print(taylor(lambda t: tf.sin(t) * t ** 2, tf.constant(1.0), 4))

w = tfe.Variable(tf.ones([2, 2]), name='w')
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        loss = tf.reduce_sum(tf.matmul(w, w) ** 2)
    first = inner.gradient(loss, w)
    norm = tf.reduce_sum(first ** 2)
second = outer.gradient(norm, w)
print(first.numpy().tolist(), second.numpy().tolist())

with tf.GradientTape() as tape:
    tape.watch(w)
    kept = tf.stop_gradient(w) * w
    with tape.stop_recording():
        hidden = w * 100.
    z = tf.reduce_sum(kept + hidden)
print(tape.gradient(z, w))

with tf.GradientTape() as tape:
    e = tf.constant(1.0)
    unrelated = e * 2
print(tape.gradient(unrelated, w))
try:
    tape.gradient(unrelated, w)
except RuntimeError as error:
    print(error)

table = tfe.Variable(np.arange(8, dtype=np.float32).reshape(4, 2))
with tf.GradientTape() as tape:
    rows = tf.nn.embedding_lookup(table, [1, 3, 1])
    total = tf.reduce_sum(rows ** 2)
found = tape.gradient(total, table)
print(type(found).__name__, found.indices.numpy(), found.values.numpy().tolist())
tf.train.GradientDescentOptimizer(0.1).apply_gradients([(found, table)])
print(table.numpy().tolist())
x = tf.Variable(2.0) if False else tfe.Variable(2.0)
print(tfe.num_gpus(), tfe.list_devices() != [], tfe.in_eager_mode())
i = tf.constant(0)
while tf.less(i, 3):
    i += 1
print(i, tf.cond(i > 2, lambda: 'big', lambda: 'small'))
