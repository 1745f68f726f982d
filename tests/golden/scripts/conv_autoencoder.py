# A denoising autoencoder of convolutions and transposed convolutions, tied weights too.
import math

import numpy as np
import tensorflow as tf


def lrelu(x, leak=0.2, name="lrelu"):
    with tf.variable_scope(name):
        f1 = 0.5 * (1 + leak)
        f2 = 0.5 * (1 - leak)
        return f1 * x + f2 * abs(x)


def corrupt(x):
    """Take an input tensor and add uniform masking."""
    return tf.multiply(x, tf.cast(tf.random_uniform(
        shape=tf.shape(x), minval=0, maxval=2, dtype=tf.int32), tf.float32))


def autoencoder(input_shape=[None, 64], n_filters=[1, 6, 6], filter_sizes=[3, 3],
                corruption=True):
    x = tf.placeholder(tf.float32, input_shape, name='x')
    x_dim = np.sqrt(x.get_shape().as_list()[1])
    if x_dim != int(x_dim):
        raise ValueError('Unsupported input dimensions')
    x_dim = int(x_dim)
    x_tensor = tf.reshape(x, [-1, x_dim, x_dim, n_filters[0]])
    current_input = x_tensor
    if corruption:
        current_input = corrupt(current_input)

    encoder = []
    shapes = []
    for layer_i, n_output in enumerate(n_filters[1:]):
        n_input = current_input.get_shape().as_list()[3]
        shapes.append(current_input.get_shape().as_list())
        W = tf.Variable(tf.random_uniform([
            filter_sizes[layer_i], filter_sizes[layer_i], n_input, n_output],
            -1.0 / math.sqrt(n_input), 1.0 / math.sqrt(n_input)))
        b = tf.Variable(tf.zeros([n_output]))
        encoder.append(W)
        output = lrelu(tf.add(tf.nn.conv2d(
            current_input, W, strides=[1, 2, 2, 1], padding='SAME'), b))
        current_input = output
    z = current_input
    encoder.reverse()
    shapes.reverse()

    for layer_i, shape in enumerate(shapes):
        W = encoder[layer_i]
        b = tf.Variable(tf.zeros([W.get_shape().as_list()[2]]))
        output = lrelu(tf.add(tf.nn.conv2d_transpose(
            current_input, W,
            tf.stack([tf.shape(x)[0], shape[1], shape[2], shape[3]]),
            strides=[1, 2, 2, 1], padding='SAME'), b))
        current_input = output
    y = current_input
    cost = tf.reduce_sum(tf.square(y - x_tensor))
    return {'x': x, 'z': z, 'y': y, 'cost': cost}


tf.set_random_seed(2016)
rng = np.random.RandomState(2016)
data = np.outer(rng.rand(40), np.sin(np.arange(64) / 5.)) ** 2
mean_img = np.mean(data, axis=0)
ae = autoencoder()
print(ae['z'], ae['y'], ae['cost'], sep='\n')
optimizer = tf.train.AdamOptimizer(0.01).minimize(ae['cost'])
print([v.name for v in tf.trainable_variables()])

sess = tf.Session()
sess.run(tf.global_variables_initializer())
for epoch_i in range(5):
    for batch_i in range(4):
        batch_xs = data[batch_i * 10:batch_i * 10 + 10]
        train = np.array([img - mean_img for img in batch_xs])
        sess.run(optimizer, feed_dict={ae['x']: train})
    print(epoch_i, '%.4f' % sess.run(ae['cost'], feed_dict={ae['x']: train}))
recon = sess.run(ae['y'], feed_dict={ae['x']: data[:3] - mean_img})
print(recon.shape, recon.dtype)
print(np.round(recon[0, 0, :4, 0] + mean_img[:4], 3))
