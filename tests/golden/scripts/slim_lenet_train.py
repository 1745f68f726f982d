# LeNet in slim, trained by slim.learning.train and evaluated from its checkpoint.
from __future__ import print_function
import tempfile

import numpy as np
import tensorflow as tf
import tensorflow.contrib.slim as slim

tf.logging.set_verbosity(tf.logging.ERROR)
rng = np.random.RandomState(1)
prototypes = rng.rand(4, 10, 10, 1)
labels_np = rng.randint(0, 4, 40)
images_np = (prototypes[labels_np] + 0.1 * rng.randn(40, 10, 10, 1)).astype(np.float32)
log_dir = tempfile.mkdtemp()


def lenet(images, num_classes=4, is_training=False, scope='LeNet'):
    end_points = {}
    with tf.variable_scope(scope, 'LeNet', [images]):
        net = end_points['conv1'] = slim.conv2d(images, 8, [5, 5], scope='conv1')
        net = end_points['pool1'] = slim.max_pool2d(net, [2, 2], 2, scope='pool1')
        net = end_points['conv2'] = slim.conv2d(net, 8, [3, 3], scope='conv2')
        net = end_points['pool2'] = slim.max_pool2d(net, [2, 2], 2, scope='pool2')
        net = slim.flatten(net)
        end_points['Flatten'] = net
        net = end_points['fc3'] = slim.fully_connected(net, 32, scope='fc3')
        net = slim.dropout(net, 0.5, is_training=is_training, scope='dropout3')
        logits = slim.fully_connected(net, num_classes, activation_fn=None, scope='fc4')
    return logits, end_points


def train():
    with tf.Graph().as_default():
        tf.set_random_seed(3)
        images, labels = tf.constant(images_np), tf.constant(labels_np)
        logits, end_points = lenet(images, is_training=True)
        print(end_points['pool2'])
        one_hot = slim.one_hot_encoding(labels, 4)
        slim.losses.softmax_cross_entropy(logits, one_hot)
        total_loss = slim.losses.get_total_loss()
        optimizer = tf.train.AdamOptimizer(0.005)
        train_op = slim.learning.create_train_op(
            total_loss, optimizer, clip_gradient_norm=4, summarize_gradients=False)
        history = []

        def train_step_fn(sess, op, global_step, kwargs):
            loss, stop = slim.learning.train_step(sess, op, global_step, kwargs)
            history.append(loss)
            return loss, stop

        final = slim.learning.train(train_op, log_dir, train_step_fn=train_step_fn,
                                    number_of_steps=12, save_summaries_secs=0,
                                    log_every_n_steps=100)
        print('losses', np.array(history[:6]).round(4))
        print('final loss %.2f, %d steps' % (final, len(history)))


def evaluate():
    with tf.Graph().as_default():
        logits, _ = lenet(tf.constant(images_np))
        predictions = tf.argmax(logits, 1)
        names_to_values, names_to_updates = slim.metrics.aggregate_metric_map({
            'accuracy': slim.metrics.streaming_accuracy(predictions, labels_np),
            'mse': slim.metrics.streaming_mean_squared_error(predictions, labels_np),
        })
        print(sorted(names_to_values))
        checkpoint = tf.train.latest_checkpoint(log_dir)
        print(checkpoint.split('/')[-1])
        values = slim.evaluation.evaluate_once(
            '', checkpoint, log_dir, num_evals=2,
            eval_op=list(names_to_updates.values()),
            final_op=[names_to_values['accuracy'], tf.train.get_or_create_global_step()])
        print('accuracy %.1f at step %d' % tuple(values))
        init_fn = slim.assign_from_checkpoint_fn(
            checkpoint, slim.get_model_variables('LeNet'))
        with tf.Session() as sess:
            init_fn(sess)
            print(sess.run(slim.get_model_variables('LeNet/conv1')[1]).shape)


train()
evaluate()
for name, shape in tf.train.list_variables(log_dir):
    if 'Adam' not in name:
        print(name, shape)
