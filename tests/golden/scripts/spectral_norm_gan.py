# A GAN whose discriminator has spectral normalisation, put in by a custom getter.
from __future__ import print_function

import numpy as np
import tensorflow as tf

Z, SIDE, BATCH = 4, 8, 8


def spectral_norm(w, iterations=1, name='sn'):
    """w / sigma(w) by power iteration; the vector u is kept in a variable."""
    with tf.variable_scope(name, reuse=tf.AUTO_REUSE, custom_getter=lambda getter, *a, **k: getter(*a, **k)):
        shape = w.shape.as_list()
        flat = tf.reshape(w, [-1, shape[-1]])
        u = tf.get_variable('u', [1, shape[-1]], initializer=tf.truncated_normal_initializer(), trainable=False,
                            collections=['SN', tf.GraphKeys.GLOBAL_VARIABLES])
        u_hat = u
        for _ in range(iterations):
            v_hat = tf.nn.l2_normalize(tf.matmul(u_hat, flat, transpose_b=True))
            u_hat = tf.nn.l2_normalize(tf.matmul(v_hat, flat))
        sigma = tf.squeeze(tf.matmul(tf.matmul(tf.stop_gradient(v_hat), flat), tf.stop_gradient(u_hat), transpose_b=True))
        if len(tf.get_collection('SN_UPDATES')) < 3:
            tf.add_to_collection('SN_UPDATES', u.assign(u_hat))
        return tf.divide(w, sigma, name='normalized')


def normalizing_getter(getter, name, *args, **kwargs):
    w = getter(name, *args, **kwargs)
    if name.endswith('kernel') and kwargs.get('trainable', True):
        return spectral_norm(w, name=name.split('/')[-2] + '_sn')
    return w


def generator(z, labels, training):
    with tf.variable_scope('generator', reuse=tf.AUTO_REUSE):
        x = tf.concat([z, tf.one_hot(labels, 2)], 1)
        x = tf.layers.dense(x, 2 * 2 * 8, name='fc')
        x = tf.reshape(x, [-1, 2, 2, 8])
        for i, filters in enumerate([6, 4]):
            x = tf.image.resize_nearest_neighbor(x, [int(2 * n) for n in x.shape[1:3]])
            x = tf.layers.conv2d(x, filters, 3, padding='same', use_bias=False, name='conv%d' % i)
            with tf.variable_scope('cbn%d' % i):
                gamma = tf.get_variable('gamma', [2, filters], initializer=tf.ones_initializer())
                beta = tf.get_variable('beta', [2, filters], initializer=tf.zeros_initializer())
                mean, variance = tf.nn.moments(x, [0, 1, 2], keep_dims=True)
                g, b = [tf.gather(t, labels)[:, None, None, :] for t in (gamma, beta)]
                x = tf.nn.relu(tf.nn.batch_normalization(x, mean, variance, b, g, 1e-5))
        return tf.tanh(tf.layers.conv2d(x, 1, 3, padding='same', name='rgb'))


def discriminator(x, labels):
    with tf.variable_scope('discriminator', reuse=tf.AUTO_REUSE, custom_getter=normalizing_getter):
        for i, filters in enumerate([4, 8]):
            x = tf.layers.conv2d(x, filters, 4, 2, padding='same', activation=tf.nn.leaky_relu, name='conv%d' % i)
        h = tf.reduce_sum(x, [1, 2])
        with tf.variable_scope('projection'):
            table = tf.get_variable('embedding', [2, 8], initializer=tf.glorot_normal_initializer())
        projected = tf.reduce_sum(tf.nn.embedding_lookup(table, labels) * h, 1, keepdims=True)
        return tf.layers.dense(h, 1, name='fc') + projected


tf.set_random_seed(17)
rng = np.random.RandomState(17)
classes = rng.randint(0, 2, 32)
ramp = np.linspace(-0.9, 0.9, SIDE)
images = np.where(classes[:, None, None], ramp[None, :, None], ramp[None, None, :]) + 0.05 * rng.randn(32, SIDE, SIDE)
real = tf.placeholder(tf.float32, [None, SIDE, SIDE, 1])
labels = tf.placeholder(tf.int32, [None])
z = tf.random_normal([tf.shape(labels)[0], Z], seed=1)
fake = generator(z, labels, True)
d_real, d_fake = discriminator(real, labels), discriminator(fake, labels)
d_loss = tf.reduce_mean(tf.nn.relu(1. - d_real)) + tf.reduce_mean(tf.nn.relu(1. + d_fake))
g_loss = -tf.reduce_mean(d_fake)
print(fake, d_real, d_loss, sep='\n')
for v in tf.global_variables():
    print('%-42s %-16s %s' % (v.name, v.shape, v in tf.trainable_variables()))
print([v.op.name for v in tf.get_collection('SN')], len(tf.get_collection('SN_UPDATES')))
g_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope='generator')
d_vars = tf.trainable_variables('discriminator')
step = tf.train.get_or_create_global_step()
rate = tf.train.linear_cosine_decay(0.02, step, 20, num_periods=1.0, beta=0.01)
d_train = tf.train.AdamOptimizer(rate, beta1=0., beta2=0.9).minimize(d_loss, var_list=d_vars)
with tf.control_dependencies([d_loss]):
    g_train = tf.train.AdamOptimizer(rate, beta1=0., beta2=0.9).minimize(g_loss, step, g_vars)
ema = tf.train.ExponentialMovingAverage(0.9, zero_debias=True)
average = ema.apply(g_vars[:2])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(8):
        lo = i * BATCH % 32
        feed = {real: images[lo:lo + BATCH, :, :, None], labels: classes[lo:lo + BATCH]}
        d, _ = sess.run([d_loss, d_train], feed)
        g, r, _ = sess.run([g_loss, rate, g_train], feed)
        sess.run([average] + tf.get_collection('SN_UPDATES'))
        if i % 2:
            print('%d d %.4f g %.4f rate %.5f' % (sess.run(step), d, g, r))
    kernel = sess.run([op for op in tf.get_default_graph().get_operations() if op.name.endswith('conv0_sn/normalized')][0].outputs[0])
    print(kernel.shape, np.linalg.norm(kernel.reshape(-1, 4), 2).round(3))
    print(sess.run(fake, {labels: [0, 1]}).shape, sorted(ema.variables_to_restore(g_vars))[:2])
