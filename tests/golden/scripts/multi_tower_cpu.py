# Data parallel towers with shared variables and averaged gradients, all on the CPU.
from __future__ import division, print_function

import numpy as np
import tensorflow as tf

NUM_GPUS = 3
BATCH = 6
TOWER_NAME = 'tower'


def _variable_on_cpu(name, shape, initializer):
    with tf.device('/cpu:0'):
        return tf.get_variable(name, shape, initializer=initializer, dtype=tf.float32)


def inference(images):
    with tf.variable_scope('hidden') as scope:
        weights = _variable_on_cpu('weights', [8, 10],
                                   tf.truncated_normal_initializer(stddev=0.3, seed=2))
        biases = _variable_on_cpu('biases', [10], tf.constant_initializer(0.1))
        tf.add_to_collection('losses', 0.001 * tf.nn.l2_loss(weights))
        hidden = tf.nn.relu(tf.matmul(images, weights) + biases, name=scope.name)
    with tf.variable_scope('softmax') as scope:
        weights = _variable_on_cpu('weights', [10, 3],
                                   tf.truncated_normal_initializer(stddev=0.1, seed=3))
        biases = _variable_on_cpu('biases', [3], tf.constant_initializer(0.0))
        return tf.add(tf.matmul(hidden, weights), biases, name=scope.name)


def tower_loss(scope, images, labels):
    logits = inference(images)
    cross_entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=labels, logits=logits)
    tf.add_to_collection('losses', tf.reduce_mean(cross_entropy))
    losses = tf.get_collection('losses', scope)
    return tf.add_n(losses, name='total_loss')


def average_gradients(tower_grads):
    average_grads = []
    for grad_and_vars in zip(*tower_grads):
        grads = []
        for g, _ in grad_and_vars:
            grads.append(tf.expand_dims(g, 0))
        grad = tf.reduce_mean(tf.concat(axis=0, values=grads), 0)
        average_grads.append((grad, grad_and_vars[0][1]))
    return average_grads


def train():
    rng = np.random.RandomState(0)
    x_all = rng.rand(NUM_GPUS * BATCH * 4, 8).astype(np.float32)
    y_all = (x_all[:, 0] * 3).astype(np.int32)
    with tf.Graph().as_default(), tf.device('/cpu:0'):
        tf.set_random_seed(1)
        global_step = tf.get_variable('global_step', [], dtype=tf.int64, trainable=False,
                                      initializer=tf.constant_initializer(0))
        lr = tf.train.polynomial_decay(0.5, global_step, 8, 0.1, power=2.0)
        opt = tf.train.GradientDescentOptimizer(lr)
        images = tf.placeholder(tf.float32, [NUM_GPUS * BATCH, 8])
        labels = tf.placeholder(tf.int32, [NUM_GPUS * BATCH])
        parts = zip(tf.split(images, NUM_GPUS), tf.split(labels, NUM_GPUS))
        tower_grads, tower_losses = [], []
        with tf.variable_scope(tf.get_variable_scope()):
            for i, (x, y) in enumerate(parts):
                with tf.device('/cpu:0'):
                    with tf.name_scope('%s_%d' % (TOWER_NAME, i)) as scope:
                        loss = tower_loss(scope, x, y)
                        print(loss.name, scope)
                        tf.get_variable_scope().reuse_variables()
                        grads = opt.compute_gradients(loss)
                        tower_grads.append(grads)
                        tower_losses.append(loss)
        grads = average_gradients(tower_grads)
        apply_gradient_op = opt.apply_gradients(grads, global_step=global_step)
        averages = tf.train.ExponentialMovingAverage(0.9, global_step)
        variables_averages_op = averages.apply(tf.trainable_variables())
        train_op = tf.group(apply_gradient_op, variables_averages_op)
        for g, v in grads:
            print(v.op.name, v.device, g.op.name, g.shape)
        saver = tf.train.Saver(averages.variables_to_restore())
        print(sorted(averages.variables_to_restore()))
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        sess.run(tf.global_variables_initializer())
        for step in range(8):
            part = slice(step % 4 * NUM_GPUS * BATCH, (step % 4 + 1) * NUM_GPUS * BATCH)
            feed = {images: x_all[part], labels: y_all[part]}
            losses, rate = sess.run([tower_losses, lr], feed)
            sess.run(apply_gradient_op, feed)
            sess.run(variables_averages_op)
            print('step %d' % step, np.round(losses, 4), '%.4f' % rate)
        print(type(saver).__name__, train_op.type, len(tf.get_collection('losses')))


train()
