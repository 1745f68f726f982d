# Sparse autoencoders: a KL penalty on mean activities, and k-sparse codes by top_k.
from __future__ import division

import numpy as np
import tensorflow as tf

VISIBLE, HIDDEN, RHO, K = 16, 10, 0.1, 3


def kl_divergence(rho, rho_hat):
    return rho * tf.log(rho / rho_hat) + (1 - rho) * tf.log((1 - rho) / (1 - rho_hat))


def patches(n, rng):
    base = np.kron(np.eye(4), np.ones((1, 4)))
    return np.clip(base[rng.randint(0, 4, n)] * 0.8 + 0.1 * rng.rand(n, VISIBLE), 0, 1).astype(np.float32)


class SparseAutoencoder(object):

    def __init__(self, x, beta=0.5, scope='kl'):
        with tf.variable_scope(scope):
            r = np.sqrt(6) / np.sqrt(VISIBLE + HIDDEN + 1)
            w1 = tf.Variable(tf.random_uniform([VISIBLE, HIDDEN], -r, r), name='W1')
            b1 = tf.Variable(tf.zeros([HIDDEN]), name='b1')
            w2 = tf.Variable(tf.random_uniform([HIDDEN, VISIBLE], -r, r), name='W2')
            b2 = tf.Variable(tf.zeros([VISIBLE]), name='b2')
            self.hidden = tf.sigmoid(tf.nn.xw_plus_b(x, w1, b1))
            self.out = tf.sigmoid(tf.nn.xw_plus_b(self.hidden, w2, b2))
            self.rho_hat = tf.clip_by_value(tf.reduce_mean(self.hidden, axis=0), 1e-6, 1 - 1e-6)
            self.penalty = beta * tf.reduce_sum(kl_divergence(RHO, self.rho_hat))
            decay = 1e-4 * (tf.nn.l2_loss(w1) + tf.nn.l2_loss(w2))
            self.cost = tf.reduce_mean(tf.reduce_sum(tf.squared_difference(self.out, x), 1)) / 2 + decay + self.penalty
            self.params = [w1, b1, w2, b2]


@tf.custom_gradient
def k_sparse(x):
    """The k largest of each row; the slope goes through those alone."""
    values, _ = tf.nn.top_k(x, K)
    kept = tf.cast(tf.greater_equal(x, values[:, -1:]), x.dtype)

    def grad(dy):
        return dy * kept

    return x * kept, grad


class KSparse(object):

    def __init__(self, x, scope='k_sparse'):
        with tf.variable_scope(scope, initializer=tf.glorot_uniform_initializer()):
            w = tf.get_variable('W', [VISIBLE, HIDDEN], regularizer=tf.contrib.layers.l1_regularizer(1e-4))
            b = tf.get_variable('b', [HIDDEN], initializer=tf.zeros_initializer())
            c = tf.get_variable('c', [VISIBLE], initializer=tf.zeros_initializer())
            self.code = k_sparse(tf.matmul(x, w) + b)
            self.places = tf.nn.top_k(self.code, K, sorted=False)[1]
            rows = tf.tile(tf.range(tf.shape(x)[0])[:, None], [1, K])
            self.mask = tf.scatter_nd(tf.stack([rows, self.places], 2), tf.ones_like(rows), tf.shape(self.code))
            self.out = tf.matmul(self.code, w, transpose_b=True) + c
            self.cost = tf.losses.mean_squared_error(x, self.out)
            self.params = [w, b, c]


class WinnerTakesAll(object):
    """Along the batch: each unit keeps its largest activities."""

    def __init__(self, x, rate=0.25):
        h = tf.contrib.layers.fully_connected(
            x, HIDDEN, scope='wta', weights_initializer=tf.truncated_normal_initializer(stddev=0.2))
        n = tf.to_int32(rate * tf.to_float(tf.shape(h)[0]))
        thresholds = tf.contrib.framework.sort(h, axis=0, direction='DESCENDING')[n - 1]
        self.code = tf.where(h >= thresholds, h, tf.zeros_like(h))
        self.out = tf.contrib.layers.fully_connected(self.code, VISIBLE, activation_fn=tf.sigmoid, scope='wta_out')
        self.cost = tf.losses.sigmoid_cross_entropy(x, self.out, scope='wta_loss')
        self.usage = tf.count_nonzero(self.code, axis=0, dtype=tf.int32)


tf.set_random_seed(20)
rng = np.random.RandomState(20)
train, test = patches(60, rng), patches(8, rng)
x = tf.placeholder(tf.float32, [None, VISIBLE], name='x')
models = [SparseAutoencoder(x), KSparse(x), WinnerTakesAll(x)]
for m in models:
    print(m.cost, m.out)
print(models[1].code, models[1].mask, models[2].usage, sep='\n')
print(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))
steps = [tf.contrib.opt.LazyAdamOptimizer(0.02).minimize(m.cost, name='train%d' % i) for i, m in enumerate(models)]

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(12):
        for lo in range(0, 60, 20):
            costs = sess.run([m.cost for m in models] + steps, {x: train[lo:lo + 20]})[:3]
        if epoch % 4 == 3:
            print(epoch, ' '.join('%.5f' % c for c in costs))
    rho, penalty = sess.run([models[0].rho_hat, models[0].penalty], {x: test})
    print(rho.round(4), '%.5f' % penalty)
    code, mask, places = sess.run([models[1].code, models[1].mask, models[1].places], {x: test})
    print((code != 0).sum(1), mask.sum(1), sorted(places[0]), (mask.astype(bool) >= (code != 0)).all())
    print(sess.run(models[2].usage, {x: test}))
    w = models[0].params[0]
    norms = tf.norm(w, axis=0)
    best = tf.divide(w, norms, name='best_inputs')
    print(sess.run(best, {x: test}).T[0].round(3), sess.run(tf.norm(best, ord='euclidean')).round(4))
    slope = tf.gradients(models[1].cost, models[1].params[1])[0]
    print(sess.run(slope, {x: test}).round(4))
    second = tf.gradients(models[0].cost, models[0].params[1])[0]
    hessian = tf.hessians(models[0].cost, models[0].params[1])[0]
    print(second.shape, np.diag(sess.run(hessian, {x: test})).round(4)[:4])
