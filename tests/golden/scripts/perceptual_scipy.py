# Neural style by another way: an image optimised by L-BFGS for features and smoothness.
from __future__ import print_function

import numpy as np
import tensorflow as tf
from tensorflow.contrib.opt import ScipyOptimizerInterface

H, W = 12, 10
np.random.seed(6)
tf.set_random_seed(6)
yy, xx = np.mgrid[:H, :W].astype(np.float32)
content = np.stack([np.sin(xx / 2), np.cos(yy / 3), (xx + yy) / 20], -1)[None] * 100
style = np.stack([(xx % 3 == 0), (yy % 4 == 0), (xx > yy)], -1)[None].astype(np.float32) * 120
MEAN = np.array([103.9, 116.8, 123.7], np.float32).reshape((1, 1, 1, 3))


def vgg_like(image, weights):
    """Features of frozen layers: convolutions with constant weights, average pooling."""
    net, current = {}, image
    for name, kernel in weights:
        if name.startswith('conv'):
            w, b = tf.constant(kernel), tf.constant(np.zeros(kernel.shape[-1], np.float32))
            current = tf.nn.bias_add(tf.nn.conv2d(current, w, strides=[1, 1, 1, 1], padding='SAME'), b)
        elif name.startswith('relu'):
            current = tf.nn.relu(current)
        else:
            current = tf.nn.avg_pool(current, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding='SAME')
        net[name] = current
    return net


rng = np.random.RandomState(1)
k1 = (rng.randn(3, 3, 3, 6) * 0.1).astype(np.float32)
k2 = (rng.randn(3, 3, 6, 8) * 0.1).astype(np.float32)
layers = [('conv1', k1), ('relu1', None), ('pool1', None), ('conv2', k2), ('relu2', None)]


def style_loss(a, x):
    _, h, w, d = a.get_shape()
    m, n = h.value * w.value, d.value
    gram_a, gram_x = [tf.matmul(tf.reshape(f, (m, n)), tf.reshape(f, (m, n)), transpose_a=True) for f in (a, x)]
    return (1. / (4 * n ** 2 * m ** 2)) * tf.reduce_sum(tf.pow(gram_a - gram_x, 2))


image = tf.Variable(content + np.random.randn(1, H, W, 3).astype(np.float32) * 5, name='image', trainable=True)
generated = vgg_like(image, layers)
with tf.Session() as sess:
    given = {k: sess.run(v) for k, v in vgg_like(tf.constant(content), layers).items()}
    wanted = {k: tf.constant(v) for k, v in zip(['relu1', 'relu2'], sess.run(
        [vgg_like(tf.constant(style), layers)[k] for k in ['relu1', 'relu2']]))}
with tf.name_scope('losses'):
    L_content = 0.5 * tf.reduce_sum(tf.squared_difference(generated['relu2'], given['relu2'])) / given['relu2'].size
    L_style = tf.add_n([style_loss(wanted[k], generated[k]) for k in wanted]) / len(wanted)
    L_tv = tf.image.total_variation(image)[0]
    L_edges = tf.reduce_mean(tf.abs(tf.image.sobel_edges(image)))
    L_total = 5e-1 * L_content + 1e-3 * L_style + 1e-2 * L_tv
    dy, dx = tf.image.image_gradients(image)
    similarity = tf.image.ssim(image + MEAN, tf.constant(content) + MEAN, max_val=255.0) if min(H, W) >= 11 else None
    psnr = tf.image.psnr(image, content, max_val=255.0)
print(L_content, L_style, L_tv, L_total, dy, psnr, sep='\n')
print([v.name for v in tf.trainable_variables()], similarity is None)

history = []
optimizer = ScipyOptimizerInterface(
    L_total, method='L-BFGS-B', options={'maxiter': 12},
    var_to_bounds={image: (-150.0, 150.0)})
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print('start %.3f %.3f %.2f %.3f' % tuple(sess.run([L_content, L_style, L_tv, L_edges])))
    optimizer.minimize(sess, fetches=[L_total], loss_callback=lambda loss: history.append(float(loss)),
                       step_callback=lambda x: None)
    c, s, t, e, p = sess.run([L_content, L_style, L_tv, L_edges, psnr])
    print('calls %s first %.2f lower %s' % (len(history) > 8, history[0], history[-1] < 0.7 * history[0]))
    print(c.shape, s.dtype, sess.run(image).shape, sess.run(tf.reduce_max(tf.abs(image))) <= 150.0, p.shape)

# a problem with equality and inequality constraints, solved by SLSQP
vector = tf.Variable([7., 7.], name='vector')
objective = tf.reduce_sum(tf.square(vector))
equalities = [vector[1] - 2.]
inequalities = [vector[0] - 1.]
constrained = ScipyOptimizerInterface(objective, equalities=equalities, inequalities=inequalities, var_list=[vector],
                                      method='SLSQP')
with tf.Session() as sess:
    sess.run(tf.variables_initializer([vector]))
    constrained.minimize(sess, options=tf.RunOptions(trace_level=tf.RunOptions.NO_TRACE))
    print(sess.run(vector).round(4), '%.4f' % sess.run(objective))

quadratic = tf.reduce_sum(tf.square(vector - [1., -3.])) + tf.reduce_prod(vector) * 0.1


class Bad(tf.contrib.opt.ExternalOptimizerInterface):
    """One that walks down the slope itself."""

    def _minimize(self, initial_val, loss_grad_func, equality_funcs, equality_grad_funcs,
                  inequality_funcs, inequality_grad_funcs, packed_bounds, step_callback, optimizer_kwargs):
        x = initial_val
        for _ in range(optimizer_kwargs.get('steps', 5)):
            loss, grad = loss_grad_func(x)
            x = x - 0.2 * grad
            step_callback(x)
        return x


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    steps = []
    own = Bad(quadratic, var_list=[vector], steps=6)
    own.minimize(sess, step_callback=lambda x: steps.append(x.round(3).tolist()))
    print(steps[0], steps[-1], sess.run(vector).round(4), '%.5f' % sess.run(quadratic))
