"""The network of model.py out of variables and single ops."""

import twinflow as tf


def convolution(x, size, filters, name):
    """Convolution with bias, then the largest of squares of 2 x 2 pixels."""
    with tf.variable_scope(name):
        shape = [size, size, int(x.shape[-1]), filters]
        kernel = tf.get_variable("kernel", shape)
        bias = tf.get_variable("bias", [filters], initializer=tf.zeros_initializer())
        x = tf.nn.conv2d(x, kernel, strides=[1, 1, 1, 1], padding="SAME")
        x = tf.nn.bias_add(x, bias)
        return tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], padding="SAME")


def dense(x, units, name):
    with tf.variable_scope(name):
        kernel = tf.get_variable("kernel", [int(x.shape[-1]), units])
        bias = tf.get_variable("bias", [units], initializer=tf.zeros_initializer())
        return tf.nn.xw_plus_b(x, kernel, bias)


def logits_of(images, units, classes):
    x = tf.reshape(images, [-1, 28, 28, 1])
    x = convolution(x, 5, 32, "conv1")
    x = convolution(x, 5, 64, "conv2")
    x = tf.transpose(tf.reshape(x, [-1, 49, 64]), perm=[0, 2, 1])
    cell = tf.nn.rnn_cell.LSTMCell(units)
    _, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    return dense(state.h, classes, "output")
