# A multilayer perceptron that writes summaries, and the reading of its event file.
from __future__ import print_function

import os
import tempfile

import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_integer('max_steps', 6, 'Number of steps to run trainer.')
flags.DEFINE_float('learning_rate', 0.01, 'Initial learning rate')
flags.DEFINE_float('dropout', 0.9, 'Keep probability for training dropout.')
flags.DEFINE_string('log_dir', None, 'Summaries log directory')
FLAGS = flags.FLAGS


def variable_summaries(var):
    """Attach a lot of summaries to a Tensor (for TensorBoard visualization)."""
    with tf.name_scope('summaries'):
        mean = tf.reduce_mean(var)
        tf.summary.scalar('mean', mean)
        with tf.name_scope('stddev'):
            stddev = tf.sqrt(tf.reduce_mean(tf.square(var - mean)))
        tf.summary.scalar('stddev', stddev)
        tf.summary.scalar('max', tf.reduce_max(var))
        tf.summary.histogram('histogram', var)


def nn_layer(input_tensor, input_dim, output_dim, layer_name, act=tf.nn.relu):
    with tf.name_scope(layer_name):
        with tf.name_scope('weights'):
            weights = tf.Variable(
                tf.truncated_normal([input_dim, output_dim], stddev=0.1))
            variable_summaries(weights)
        with tf.name_scope('biases'):
            biases = tf.Variable(tf.constant(0.1, shape=[output_dim]))
        with tf.name_scope('Wx_plus_b'):
            preactivate = tf.matmul(input_tensor, weights) + biases
            tf.summary.histogram('pre_activations', preactivate)
        return act(preactivate, name='activation')


def read_back(log_dir):
    names = tf.gfile.Glob(os.path.join(log_dir, 'events*'))
    print(len(names), 'file')
    for event in tf.train.summary_iterator(names[0]):
        if event.HasField('graph_def'):
            print('the graph')
        elif event.summary.value and event.step in (0, 5):
            for value in event.summary.value:
                kind = value.WhichOneof('value')
                if kind == 'simple_value':
                    print(event.step, value.tag, '%.4f' % value.simple_value)
                elif kind == 'histo':
                    histo = value.histo
                    print(event.step, value.tag, histo.num, '%.4f' % histo.sum,
                          len(histo.bucket))
                else:
                    print(event.step, value.tag, value.image.height,
                          value.image.width, value.image.colorspace)


def main(_):
    tf.set_random_seed(0)
    rng = np.random.RandomState(3)
    data = rng.rand(60, 36).astype(np.float32)
    target = (data[:, :3].sum(1) > 1.5).astype(np.int64)
    log_dir = FLAGS.log_dir or os.path.join(tempfile.mkdtemp(), 'logs')
    if tf.gfile.Exists(log_dir):
        tf.gfile.DeleteRecursively(log_dir)
    tf.gfile.MakeDirs(log_dir)

    with tf.name_scope('input'):
        x = tf.placeholder(tf.float32, [None, 36], name='x-input')
        y_ = tf.placeholder(tf.int64, [None], name='y-input')
        tf.summary.image('input', tf.reshape(x, [-1, 6, 6, 1]), 2)
    hidden1 = nn_layer(x, 36, 20, 'layer1')
    with tf.name_scope('dropout'):
        keep_prob = tf.placeholder(tf.float32)
        tf.summary.scalar('dropout_keep_probability', keep_prob)
        dropped = tf.nn.dropout(hidden1, keep_prob)
    y = nn_layer(dropped, 20, 2, 'layer2', act=tf.identity)
    with tf.name_scope('cross_entropy'):
        diff = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y_, logits=y)
        with tf.name_scope('total'):
            cross_entropy = tf.reduce_mean(diff)
    tf.summary.scalar('cross_entropy', cross_entropy)
    with tf.name_scope('train'):
        train_step = tf.train.AdamOptimizer(
            FLAGS.learning_rate).minimize(cross_entropy)
    merged = tf.summary.merge_all()
    print(merged)

    with tf.Session() as sess:
        writer = tf.summary.FileWriter(log_dir, sess.graph)
        sess.run(tf.global_variables_initializer())
        for i in range(FLAGS.max_steps):
            feed = {x: data, y_: target, keep_prob: FLAGS.dropout}
            summary, loss = sess.run([merged, cross_entropy], feed)
            sess.run(train_step, feed)
            writer.add_summary(summary, i)
            print('loss at step %d: %.5f' % (i, loss))
        writer.close()
    read_back(log_dir)


if __name__ == '__main__':
    tf.app.run()
