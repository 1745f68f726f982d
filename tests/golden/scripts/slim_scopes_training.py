# slim: nested arg_scopes, repeat and stack, a training loop with its own saver, evaluation loops.
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import os

import numpy as np
import tensorflow as tf

slim = tf.contrib.slim
tf.logging.set_verbosity(tf.logging.ERROR)
rng = np.random.RandomState(21)
centres = rng.randn(3, 12, 12, 2)
classes = rng.randint(0, 3, 24)
pictures = (centres[classes] + 0.3 * rng.randn(24, 12, 12, 2)).astype(np.float32)


def net_arg_scope(weight_decay=0.01, is_training=True):
    batch_norm_params = {'decay': 0.9, 'epsilon': 0.001, 'is_training': is_training}
    with slim.arg_scope([slim.conv2d, slim.fully_connected],
                        weights_regularizer=slim.l2_regularizer(weight_decay),
                        weights_initializer=slim.variance_scaling_initializer(seed=4),
                        activation_fn=tf.nn.relu6):
        with slim.arg_scope([slim.conv2d], normalizer_fn=slim.batch_norm,
                            normalizer_params=batch_norm_params, padding='SAME'):
            with slim.arg_scope([slim.max_pool2d, slim.avg_pool2d], padding='VALID') as scope:
                return scope


@slim.add_arg_scope
def residual(inputs, depth, scale=1.0, outputs_collections=None, scope=None):
    with tf.variable_scope(scope, 'residual', [inputs]) as sc:
        shortcut = slim.conv2d(inputs, depth, [1, 1], activation_fn=None, scope='shortcut')
        branch = slim.repeat(inputs, 2, slim.conv2d, depth, [3, 3], scope='conv')
        output = tf.nn.relu(shortcut + scale * branch)
        return slim.utils.collect_named_outputs(outputs_collections, sc.name, output)


def network(images, num_classes, is_training=True, reuse=None):
    with tf.variable_scope('net', 'net', [images], reuse=reuse) as sc:
        end_points_collection = sc.name + '_end_points'
        with slim.arg_scope([slim.conv2d, residual, slim.max_pool2d],
                            outputs_collections=end_points_collection):
            net = slim.conv2d(images, 4, [3, 3], stride=2, scope='root')
            with slim.arg_scope([residual], scale=0.5):
                net = residual(net, 6, scope='block1')
            net = slim.max_pool2d(net, [2, 2], scope='pool')
            net = residual(net, 8, scope='block2')
        net = tf.reduce_mean(net, [1, 2], name='global_pool')
        net = slim.stack(net, slim.fully_connected, [10, 6], scope='fc')
        net = slim.dropout(net, 0.9, is_training=is_training, seed=6)
        logits = slim.fully_connected(net, num_classes, activation_fn=None, scope='logits')
        end_points = slim.utils.convert_collection_to_dict(end_points_collection)
        end_points['predictions'] = slim.softmax(logits, scope='predictions')
    return logits, end_points


def train(log_dir):
    with tf.Graph().as_default():
        tf.set_random_seed(5)
        with slim.arg_scope(net_arg_scope()):
            logits, end_points = network(tf.constant(pictures), 3)
        for name in end_points:
            print(name, end_points[name].shape)
        tf.losses.softmax_cross_entropy(
            slim.one_hot_encoding(classes, 3), logits, label_smoothing=0.1)
        total_loss = tf.losses.get_total_loss()
        print(len(tf.losses.get_regularization_losses()), total_loss.op.name)
        step = tf.train.get_or_create_global_step()
        rate = tf.train.polynomial_decay(0.05, step, 20, 0.001)
        losses = []

        def train_step_fn(sess, train_op, global_step, kwargs):
            loss, stop = slim.learning.train_step(sess, train_op, global_step, kwargs)
            losses.append(loss)
            return loss, stop or losses[-1] < 0.05

        head = slim.get_variables_to_restore(include=['net/logits', 'net/fc'])
        body = slim.get_variables_to_restore(exclude=['net/logits', 'net/fc', 'global_step'])
        print([v.op.name for v in head], len(body))
        multipliers = {v.op.name: 2.0 for v in head if 'logits' in v.op.name}
        train_op = slim.learning.create_train_op(
            total_loss, tf.train.MomentumOptimizer(rate, 0.9),
            gradient_multipliers=multipliers, summarize_gradients=True)
        print(len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)), train_op.op.name)
        slim.summaries.add_scalar_summary(total_loss, 'total', print_summary=False)
        last = slim.learning.train(
            train_op, log_dir, train_step_fn=train_step_fn, number_of_steps=10,
            saver=tf.train.Saver(slim.get_model_variables() + [step]),
            log_every_n_steps=50, save_summaries_secs=None)
        print(np.round(losses, 3), '%.3f' % last)
        slim.model_analyzer.analyze_vars(slim.get_model_variables()[:2], print_info=False)


def evaluate(log_dir):
    with tf.Graph().as_default():
        with slim.arg_scope(net_arg_scope(is_training=False)):
            logits, _ = network(tf.constant(pictures), 3, is_training=False)
        labels = tf.constant(classes)
        names_to_values, names_to_updates = slim.metrics.aggregate_metric_map({
            'recall@2': slim.metrics.streaming_sparse_recall_at_k(
                logits, tf.to_int64(labels)[:, tf.newaxis], 2),
            'accuracy': slim.metrics.streaming_accuracy(tf.argmax(logits, 1), labels)})
        for name, value in sorted(names_to_values.items()):
            tf.summary.scalar(name, value)
        results = slim.evaluation.evaluation_loop(
            '', log_dir, os.path.join(log_dir, 'eval'), num_evals=1,
            eval_op=[names_to_updates[k] for k in sorted(names_to_updates)],
            final_op=[names_to_values[k] for k in sorted(names_to_values)],
            eval_interval_secs=0, max_number_of_evaluations=1)
        print(np.round(results, 3), sorted(names_to_values))
    events = [f for f in os.listdir(os.path.join(log_dir, 'eval'))]
    for e in tf.train.summary_iterator(os.path.join(log_dir, 'eval', events[0])):
        print(e.step, ['%s %.3f' % (v.tag, v.simple_value) for v in e.summary.value])


train('logs')
evaluate('logs')
for name, shape in tf.contrib.framework.list_variables('logs')[:6]:
    print(name, shape)
