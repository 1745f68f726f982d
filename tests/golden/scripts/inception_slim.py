# An Inception module with slim's arg_scope, end points and regularization losses.
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import numpy as np
import tensorflow as tf

slim = tf.contrib.slim
trunc_normal = lambda stddev: tf.truncated_normal_initializer(0.0, stddev)


def inception_arg_scope(weight_decay=0.0004, batch_norm_decay=0.9, is_training=True):
    batch_norm_params = {'decay': batch_norm_decay, 'epsilon': 0.001,
                         'is_training': is_training,
                         'updates_collections': tf.GraphKeys.UPDATE_OPS}
    with slim.arg_scope([slim.conv2d, slim.fully_connected],
                        weights_regularizer=slim.l2_regularizer(weight_decay)):
        with slim.arg_scope([slim.conv2d],
                            weights_initializer=slim.variance_scaling_initializer(),
                            activation_fn=tf.nn.relu,
                            normalizer_fn=slim.batch_norm,
                            normalizer_params=batch_norm_params) as sc:
            return sc


def inception_base(inputs, scope=None):
    end_points = {}
    with tf.variable_scope(scope, 'InceptionV1', [inputs]):
        with slim.arg_scope([slim.conv2d, slim.max_pool2d], stride=1, padding='SAME'):
            end_point = 'Conv2d_1a_3x3'
            net = slim.conv2d(inputs, 8, [3, 3], stride=2, scope=end_point)
            end_points[end_point] = net
            end_point = 'Mixed_2b'
            with tf.variable_scope(end_point):
                with tf.variable_scope('Branch_0'):
                    branch_0 = slim.conv2d(net, 4, [1, 1], scope='Conv2d_0a_1x1')
                with tf.variable_scope('Branch_1'):
                    branch_1 = slim.conv2d(net, 4, [1, 1], scope='Conv2d_0a_1x1')
                    branch_1 = slim.conv2d(branch_1, 6, [3, 3], scope='Conv2d_0b_3x3')
                with tf.variable_scope('Branch_2'):
                    branch_2 = slim.conv2d(
                        net, 2, [1, 1], weights_initializer=trunc_normal(0.09),
                        scope='Conv2d_0a_1x1')
                    branch_2 = slim.repeat(branch_2, 2, slim.conv2d, 4, [3, 3],
                                           scope='Conv2d_0b')
                with tf.variable_scope('Branch_3'):
                    branch_3 = slim.max_pool2d(net, [3, 3], scope='MaxPool_0a_3x3')
                    branch_3 = slim.conv2d(branch_3, 3, [1, 1], scope='Conv2d_0b_1x1')
                net = tf.concat(axis=3, values=[branch_0, branch_1, branch_2, branch_3])
            end_points[end_point] = net
            return net, end_points


def inception(inputs, num_classes, is_training=True, reuse=None, scope='InceptionV1'):
    with tf.variable_scope(scope, 'InceptionV1', [inputs], reuse=reuse) as scope:
        with slim.arg_scope([slim.batch_norm, slim.dropout], is_training=is_training):
            net, end_points = inception_base(inputs, scope=scope)
            with tf.variable_scope('Logits'):
                net = slim.avg_pool2d(net, [4, 4], stride=1, scope='AvgPool_0a')
                net = slim.dropout(net, 0.8, scope='Dropout_0b')
                logits = slim.conv2d(net, num_classes, [1, 1], activation_fn=None,
                                     normalizer_fn=None, scope='Conv2d_0c_1x1')
                logits = tf.squeeze(logits, [1, 2], name='SpatialSqueeze')
                end_points['Logits'] = logits
                end_points['Predictions'] = slim.softmax(logits, scope='Predictions')
    return logits, end_points


tf.set_random_seed(8)
rng = np.random.RandomState(8)
images = rng.rand(10, 8, 8, 3).astype(np.float32)
labels = rng.randint(0, 4, 10)
with slim.arg_scope(inception_arg_scope()):
    logits, end_points = inception(tf.constant(images), 4)
for name in sorted(end_points):
    print(name, end_points[name].op.name, end_points[name].shape)
tf.losses.softmax_cross_entropy(slim.one_hot_encoding(labels, 4), logits)
total_loss = tf.losses.get_total_loss()
print(total_loss, len(tf.losses.get_regularization_losses()))
optimizer = tf.train.RMSPropOptimizer(0.01, decay=0.9, momentum=0.9, epsilon=1.0)
train_op = slim.learning.create_train_op(total_loss, optimizer)
for v in slim.get_model_variables()[:8]:
    print(v.op.name, v.shape.as_list())
print(len(slim.get_variables()), len(slim.get_variables_to_restore(
    exclude=['InceptionV1/Logits'])))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(5):
        print('loss %.4f' % sess.run(train_op))
    print('global step', sess.run(tf.train.get_global_step()))
