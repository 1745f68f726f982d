# Sub-pixel super resolution: depth_to_space, PSNR, SSIM and bicubic baselines.
from __future__ import print_function

import math

import numpy as np
import tensorflow as tf

tf.app.flags.DEFINE_integer("scale", 2, "the upscaling factor")
tf.app.flags.DEFINE_integer("n_epochs", 4, "epochs")
FLAGS = tf.app.flags.FLAGS


class ESPCN(object):
    def __init__(self, sess, scale):
        self.sess = sess
        self.ratio = scale
        self.weights = []
        self.biases = []
        for shape, name in (([5, 5, 1, 8], 'w1'), ([3, 3, 8, 8], 'w2'),
                            ([3, 3, 8, scale ** 2], 'w3')):
            std = math.sqrt(2.0 / shape[2] / shape[0] ** 2)
            self.weights.append(tf.Variable(
                tf.random_normal(shape, stddev=std), name=name))
            self.biases.append(tf.Variable(tf.zeros(shape[-1:]), name=name + '_b'))

    def network(self, image):
        h = image
        for i, (w, b) in enumerate(zip(self.weights, self.biases)):
            h = tf.nn.conv2d(h, w, strides=[1, 1, 1, 1], padding='SAME')
            h = tf.nn.bias_add(h, b)
            if i < 2:
                h = tf.nn.tanh(h)
        return tf.depth_to_space(h, self.ratio, name='shuffled')


def psnr(a, b):
    mse = np.mean(np.square(a - b))
    return 10 * math.log10(1.0 / mse)


def main(unused_argv):
    tf.set_random_seed(1234)
    rng = np.random.RandomState(1)
    grid = np.arange(16) / 16.0
    high = np.stack([np.outer(np.sin(5 * grid + p), np.cos(3 * grid - p)) for p in
                     rng.rand(8) * 3])[..., None].astype(np.float32) * 0.5 + 0.5
    with tf.Session() as sess:
        hr = tf.placeholder(tf.float32, [None, 16, 16, 1], name='hr')
        lr = tf.image.resize_area(hr, [16 // FLAGS.scale] * 2)
        bicubic = tf.image.resize_bicubic(lr, [16, 16])
        bilinear = tf.image.resize_images(lr, [16, 16])
        nearest = tf.image.resize_nearest_neighbor(lr, tf.constant([16, 16]))
        net = ESPCN(sess, FLAGS.scale)
        sr = tf.add(net.network(lr - 0.5), 0.5, name='sr')
        print(lr, sr, bicubic, sep='\n')
        loss = tf.losses.mean_squared_error(hr, sr)
        batch = tf.Variable(0, name='step', trainable=False)
        learning_rate = tf.train.piecewise_constant(batch, [4, 8], [0.01, 0.005, 0.001])
        optimizer = tf.train.AdamOptimizer(learning_rate).minimize(
            loss, global_step=batch)
        sess.run(tf.global_variables_initializer())
        for epoch in range(FLAGS.n_epochs):
            for i in range(0, 8, 2):
                _, value = sess.run([optimizer, loss], {hr: high[i:i + 2]})
            print('epoch', epoch, 'loss %.5f' % value,
                  'rate %.3f' % sess.run(learning_rate))
        results = sess.run([sr, bicubic, bilinear, nearest], {hr: high})
        for name, result in zip(['sr', 'bicubic', 'bilinear', 'nearest'], results):
            print('%-8s PSNR %.3f' % (name, psnr(result, high)))
        p = tf.image.psnr(hr, bicubic, max_val=1.0)
        s = tf.image.ssim(tf.tile(hr, [1, 1, 1, 1]), bicubic, max_val=1.0)
        p, s = sess.run([p, s], {hr: high})
        print(np.round(p[:4], 3), np.round(s[:4], 4))
        print(sess.run(tf.space_to_depth(hr, 2), {hr: high}).shape)


if __name__ == '__main__':
    tf.app.run()
