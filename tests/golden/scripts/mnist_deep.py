# A deep classifier of small digits with convolutional layers.
"""The two-layer convnet of the tutorials: weight_variable, conv2d, dropout, Adam."""
from __future__ import absolute_import, division, print_function

import numpy as np
import tensorflow as tf

tf.set_random_seed(1234)
np.random.seed(1234)

centers = np.random.rand(10, 12, 12)


def next_batch(size):
    digits = np.random.randint(0, 10, size)
    images = centers[digits] + 0.2 * np.random.randn(size, 12, 12)
    return images.reshape(size, 144), digits


def deepnn(x):
    """Returns the logits and the placeholder of the dropout."""
    with tf.name_scope('reshape'):
        x_image = tf.reshape(x, [-1, 12, 12, 1])
    with tf.name_scope('conv1'):
        W_conv1 = weight_variable([5, 5, 1, 8])
        b_conv1 = bias_variable([8])
        h_conv1 = tf.nn.relu(conv2d(x_image, W_conv1) + b_conv1)
    with tf.name_scope('pool1'):
        h_pool1 = max_pool_2x2(h_conv1)
    with tf.name_scope('conv2'):
        W_conv2 = weight_variable([5, 5, 8, 16])
        b_conv2 = bias_variable([16])
        h_conv2 = tf.nn.relu(conv2d(h_pool1, W_conv2) + b_conv2)
    with tf.name_scope('pool2'):
        h_pool2 = max_pool_2x2(h_conv2)
    with tf.name_scope('fc1'):
        W_fc1 = weight_variable([3 * 3 * 16, 32])
        b_fc1 = bias_variable([32])
        h_pool2_flat = tf.reshape(h_pool2, [-1, 3 * 3 * 16])
        h_fc1 = tf.nn.relu(tf.matmul(h_pool2_flat, W_fc1) + b_fc1)
    with tf.name_scope('dropout'):
        keep_prob = tf.placeholder(tf.float32)
        h_fc1_drop = tf.nn.dropout(h_fc1, keep_prob)
    with tf.name_scope('fc2'):
        W_fc2 = weight_variable([32, 10])
        b_fc2 = bias_variable([10])
        y_conv = tf.matmul(h_fc1_drop, W_fc2) + b_fc2
    return y_conv, keep_prob


def conv2d(x, W):
    return tf.nn.conv2d(x, W, strides=[1, 1, 1, 1], padding='SAME')


def max_pool_2x2(x):
    return tf.nn.max_pool(x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1],
                          padding='SAME')


def weight_variable(shape):
    initial = tf.truncated_normal(shape, stddev=0.1)
    return tf.Variable(initial)


def bias_variable(shape):
    initial = tf.constant(0.1, shape=shape)
    return tf.Variable(initial)


x = tf.placeholder(tf.float32, [None, 144])
y_ = tf.placeholder(tf.int64, [None])
y_conv, keep_prob = deepnn(x)

with tf.name_scope('loss'):
    cross_entropy = tf.losses.sparse_softmax_cross_entropy(labels=y_, logits=y_conv)
with tf.name_scope('adam_optimizer'):
    train_step = tf.train.AdamOptimizer(1e-3).minimize(cross_entropy)
with tf.name_scope('accuracy'):
    correct_prediction = tf.equal(tf.argmax(y_conv, 1), y_)
    accuracy = tf.reduce_mean(tf.cast(correct_prediction, tf.float32))

for v in tf.trainable_variables():
    print(v.name, v.get_shape().as_list())
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(12):
        images, labels = next_batch(20)
        if i % 3 == 0:
            train_accuracy = accuracy.eval(feed_dict={
                x: images, y_: labels, keep_prob: 1.0})
            print('step %d, training accuracy %g' % (i, train_accuracy))
        loss, _ = sess.run([cross_entropy, train_step],
                           feed_dict={x: images, y_: labels, keep_prob: 0.5})
        print('  loss %.4f' % loss)
    images, labels = next_batch(100)
    print('test accuracy %.2f' % accuracy.eval(feed_dict={
        x: images, y_: labels, keep_prob: 1.0}))
