# Gaussian process regression: the kernel's parameters learned from the marginal likelihood.
from __future__ import absolute_import, division, print_function

import numpy as np
import tensorflow as tf

FLOAT = tf.float64
JITTER = 1e-6


class Positive(object):
    """A positive parameter, kept as the inverse softplus of its value."""

    def __init__(self, value, name):
        start = np.log(np.expm1(np.asarray(value, np.float64)))
        self.raw = tf.get_variable(name, initializer=start)
        self.value = tf.identity(tf.nn.softplus(self.raw), name=name + '_positive')


class RBF(object):

    def __init__(self, dims, name='rbf'):
        with tf.variable_scope(name) as self.scope:
            self.variance = Positive(1.0, 'variance').value
            self.lengths = Positive(np.ones(dims), 'lengths').value

    def __call__(self, a, b=None):
        with tf.name_scope('kernel'):
            a = a / self.lengths
            b = a if b is None else b / self.lengths
            aa = tf.reduce_sum(tf.square(a), axis=1)
            bb = tf.reduce_sum(tf.square(b), axis=1)
            cross = tf.matmul(a, b, transpose_b=True)
            squared = aa[:, tf.newaxis] + bb[tf.newaxis, :] - 2 * cross
            return self.variance * tf.exp(-0.5 * tf.maximum(squared, 0))

    def diag(self, a):
        return tf.fill(tf.stack([tf.shape(a)[0]]), self.variance)


class GPR(object):

    def __init__(self, x, y, kernel):
        self.x, self.y, self.kernel = x, y, kernel
        self.noise = Positive(0.1, 'noise').value
        n = tf.shape(x)[0]
        k = kernel(x)
        with tf.control_dependencies([tf.assert_equal(tf.shape(k), tf.stack([n, n]))]):
            k = tf.matrix_set_diag(k, tf.diag_part(k) + self.noise + JITTER)
        self.L = tf.cholesky(k, name='L')
        self.alpha = tf.cholesky_solve(self.L, y, name='alpha')
        self.v = tf.matrix_triangular_solve(self.L, y, lower=True)

    def neg_log_likelihood(self):
        n = tf.cast(tf.size(self.y), FLOAT)
        fit = 0.5 * tf.reduce_sum(tf.square(self.v))
        complexity = tf.reduce_sum(tf.log(tf.matrix_diag_part(self.L)))
        return tf.add_n([fit, complexity, 0.5 * n * np.log(2 * np.pi)], name='nll')

    def predict(self, new, full_cov=False):
        kx = self.kernel(self.x, new)
        mean = tf.matmul(kx, self.alpha, transpose_a=True)
        a = tf.matrix_triangular_solve(self.L, kx, lower=True)
        if full_cov:
            return mean, self.kernel(new) - tf.matmul(a, a, adjoint_a=True)
        return mean, self.kernel.diag(new) - tf.reduce_sum(tf.square(a), axis=0)


np.random.seed(3)
X = np.random.uniform(0, 4, [25, 2])
Y = np.sin(2 * X[:, :1]) + 0.1 * X[:, 1:] + 0.05 * np.random.randn(25, 1)
NEW = np.stack(np.meshgrid([0.5, 2.0, 3.5], [1.0, 3.0]), -1).reshape(-1, 2)

tf.set_random_seed(3)
x_ph = tf.placeholder(FLOAT, [None, 2], name='X')
y_ph = tf.placeholder(FLOAT, [None, 1], name='Y')
model = GPR(x_ph, y_ph, RBF(2))
nll = model.neg_log_likelihood()
grads = tf.gradients(nll, tf.trainable_variables())
optimizer = tf.train.AdamOptimizer(0.1, beta1=0.8)
train = optimizer.apply_gradients(zip(grads, tf.trainable_variables()))
new_ph = tf.placeholder_with_default(NEW, [None, 2], name='new')
mean, var = model.predict(new_ph)
_, cov = model.predict(new_ph, full_cov=True)
prior = tf.contrib.distributions.MultivariateNormalTriL(
    loc=tf.squeeze(mean, 1), scale_tril=tf.cholesky(cov + 1e-5 * tf.eye(tf.shape(new_ph)[0], dtype=FLOAT)))
paths = prior.sample(2, seed=7)

for t in [model.L, model.alpha, nll, mean, var, cov, paths, prior]:
    print(t)
for v, g in zip(tf.trainable_variables(), grads):
    print(v.name, v.shape, v.dtype, g.name)

feed = {x_ph: X, y_ph: Y}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print([np.round(g, 6).tolist() for g in sess.run(grads, feed)])
    for step in range(31):
        value, _ = sess.run([nll, train], feed)
        if step % 10 == 0:
            print('%2d  nll %.6f' % (step, value))
    print(sess.run([model.kernel.variance, model.kernel.lengths, model.noise]))
    m, s, c = sess.run([mean, var, cov], feed)
    print(np.hstack([m, s[:, None]]).round(5))
    print(c[0].round(5), np.allclose(np.diag(c), s))
    print(sess.run(paths, feed).shape)
    print(sess.run(prior.log_prob(m[:, 0]), feed).round(4))
    logdet = tf.linalg.logdet(tf.matmul(model.L, model.L, transpose_b=True))
    sign, same = tf.linalg.slogdet(tf.matmul(model.L, model.L, transpose_b=True))
    print(sess.run([logdet, sign, same], feed))
    hess = tf.hessians(nll, tf.trainable_variables()[1])[0]
    print(hess, sess.run(hess, feed).round(4).tolist())
    try:
        sess.run(tf.cholesky(-tf.eye(2)))
    except tf.errors.InvalidArgumentError as e:
        print(e.message.split('\n')[0])
