# A residual network of raw ops: hand-made batch norm with moving averages.
import numpy as np
import tensorflow as tf
from tensorflow.python.training import moving_averages

BN_DECAY = 0.9
BN_EPSILON = 0.001


class ResNet(object):
    def __init__(self, num_residual_units, is_training):
        self.n = num_residual_units
        self.is_training = is_training
        self._extra_train_ops = []

    def build(self, images):
        with tf.variable_scope('init'):
            x = self._conv('conv', images, 3, 3, 8, [1, 1, 1, 1])
        for stage, (filters, stride) in enumerate([(8, 1), (16, 2)]):
            for unit in range(self.n):
                with tf.variable_scope('unit_%d_%d' % (stage, unit)):
                    x = self._residual(x, filters, stride if unit == 0 else 1)
        with tf.variable_scope('last'):
            x = tf.nn.relu(self._batch_norm('bn', x))
            x = tf.reduce_mean(x, [1, 2])
        with tf.variable_scope('logit'):
            w = tf.get_variable('DW', [16, 5], initializer=tf.variance_scaling_initializer(
                distribution='uniform'))
            b = tf.get_variable('biases', [5], initializer=tf.constant_initializer())
            return tf.nn.xw_plus_b(x, w, b)

    def _batch_norm(self, name, x):
        with tf.variable_scope(name):
            params_shape = [x.get_shape()[-1]]
            beta = tf.get_variable('beta', params_shape, tf.float32,
                                   initializer=tf.constant_initializer(0.0, tf.float32))
            gamma = tf.get_variable('gamma', params_shape, tf.float32,
                                    initializer=tf.constant_initializer(1.0, tf.float32))
            moving_mean = tf.get_variable('moving_mean', params_shape, tf.float32,
                                          initializer=tf.constant_initializer(0.0),
                                          trainable=False)
            moving_variance = tf.get_variable('moving_variance', params_shape, tf.float32,
                                              initializer=tf.constant_initializer(1.0),
                                              trainable=False)
            if self.is_training:
                mean, variance = tf.nn.moments(x, [0, 1, 2], name='moments')
                self._extra_train_ops.append(moving_averages.assign_moving_average(
                    moving_mean, mean, BN_DECAY))
                self._extra_train_ops.append(moving_averages.assign_moving_average(
                    moving_variance, variance, BN_DECAY))
            else:
                mean, variance = moving_mean, moving_variance
            y = tf.nn.batch_normalization(x, mean, variance, beta, gamma, BN_EPSILON)
            y.set_shape(x.get_shape())
            return y

    def _residual(self, x, out_filter, stride):
        in_filter = x.get_shape().as_list()[-1]
        orig_x = x
        with tf.variable_scope('sub1'):
            x = tf.nn.relu(self._batch_norm('bn1', x))
            x = self._conv('conv1', x, 3, in_filter, out_filter, [1, stride, stride, 1])
        with tf.variable_scope('sub2'):
            x = tf.nn.relu(self._batch_norm('bn2', x))
            x = self._conv('conv2', x, 3, out_filter, out_filter, [1, 1, 1, 1])
        with tf.variable_scope('sub_add'):
            if in_filter != out_filter:
                orig_x = tf.nn.avg_pool(orig_x, [1, stride, stride, 1],
                                        [1, stride, stride, 1], 'VALID')
                pad = (out_filter - in_filter) // 2
                orig_x = tf.pad(orig_x, [[0, 0], [0, 0], [0, 0], [pad, pad]])
            x += orig_x
        tf.logging.debug('image after unit %s', x.get_shape())
        return x

    def _conv(self, name, x, filter_size, in_filters, out_filters, strides):
        with tf.variable_scope(name):
            n = filter_size * filter_size * out_filters
            kernel = tf.get_variable(
                'DW', [filter_size, filter_size, in_filters, out_filters], tf.float32,
                initializer=tf.random_normal_initializer(stddev=np.sqrt(2.0 / n)))
            return tf.nn.conv2d(x, kernel, strides, padding='SAME')


def decay():
    costs = []
    for var in tf.trainable_variables():
        if var.op.name.find(r'DW') > 0:
            costs.append(tf.nn.l2_loss(var))
    return tf.multiply(0.0002, tf.add_n(costs))


tf.set_random_seed(42)
rng = np.random.RandomState(0)
labels = rng.randint(0, 5, 16)
images = rng.randn(16, 8, 8, 3) + labels.reshape(-1, 1, 1, 1)

x = tf.placeholder(tf.float32, [None, 8, 8, 3])
with tf.variable_scope('model'):
    model = ResNet(2, True)
    logits = model.build(x)
with tf.variable_scope('model', reuse=True):
    test_logits = ResNet(2, False).build(x)
xent = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=labels)
cost = tf.reduce_mean(xent, name='xent') + decay()
lrn_rate = tf.constant(0.05, tf.float32)
optimizer = tf.train.MomentumOptimizer(lrn_rate, 0.9)
grads_and_vars = optimizer.compute_gradients(
    cost, gate_gradients=tf.train.Optimizer.GATE_GRAPH)
apply_op = optimizer.apply_gradients(grads_and_vars, name='train_step')
train_op = tf.group(*([apply_op] + model._extra_train_ops))

print(len(tf.trainable_variables()), len(tf.global_variables()))
print([v.name for v in tf.trainable_variables()][:6])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(4):
        c, _ = sess.run([cost, train_op], {x: images})
        print('step %d cost %.4f' % (step, c))
    print(np.round(sess.run(test_logits, {x: images[:2]}), 3))
    with tf.variable_scope('model', reuse=True):
        print(sess.run(tf.get_variable('last/bn/moving_mean')).round(4))
