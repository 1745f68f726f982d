# MAML in a graph: inner updates by tf.gradients, tasks by map_fn, stop_grad or not.
from __future__ import print_function
import numpy as np
import tensorflow as tf
from tensorflow.python.platform import flags

FLAGS = flags.FLAGS
flags.DEFINE_integer('meta_batch_size', 3, 'number of tasks per meta-update')
flags.DEFINE_float('update_lr', 1e-2, 'step size of the inner gradient')
flags.DEFINE_integer('num_updates', 2, 'number of inner updates')
flags.DEFINE_bool('stop_grad', False, 'first order only')


class MAML(object):
    def __init__(self, dim_input=1, dim_output=1):
        self.dim_input, self.dim_output = dim_input, dim_output
        self.dim_hidden = [8, 8]

    def construct_fc_weights(self):
        weights = {}
        sizes = [self.dim_input] + self.dim_hidden + [self.dim_output]
        for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
            weights['w%d' % i] = tf.Variable(
                tf.truncated_normal([a, b], stddev=0.3), name='w%d' % i)
            weights['b%d' % i] = tf.Variable(tf.zeros([b]), name='b%d' % i)
        return weights

    def forward_fc(self, inp, weights, reuse=False):
        for i in range(len(self.dim_hidden)):
            inp = tf.nn.relu(tf.matmul(inp, weights['w%d' % i]) + weights['b%d' % i])
        last = len(self.dim_hidden)
        return tf.matmul(inp, weights['w%d' % last]) + weights['b%d' % last]

    def construct_model(self):
        self.inputa = tf.placeholder(tf.float32, [None, 5, 1], 'inputa')
        self.inputb = tf.placeholder(tf.float32, [None, 5, 1], 'inputb')
        self.labela = tf.placeholder(tf.float32, [None, 5, 1], 'labela')
        self.labelb = tf.placeholder(tf.float32, [None, 5, 1], 'labelb')
        with tf.variable_scope('model', reuse=None):
            self.weights = weights = self.construct_fc_weights()

            def task_metalearn(inp):
                inputa, inputb, labela, labelb = inp
                losses_b = []
                lossa = tf.reduce_mean(tf.square(
                    self.forward_fc(inputa, weights) - labela))
                fast = weights
                for _ in range(FLAGS.num_updates):
                    loss = tf.reduce_mean(tf.square(
                        self.forward_fc(inputa, fast) - labela))
                    names = sorted(fast)
                    grads = tf.gradients(loss, [fast[k] for k in names])
                    if FLAGS.stop_grad:
                        grads = [tf.stop_gradient(grad) for grad in grads]
                    fast = {k: fast[k] - FLAGS.update_lr * g
                            for k, g in zip(names, grads)}
                    losses_b.append(tf.reduce_mean(tf.square(
                        self.forward_fc(inputb, fast) - labelb)))
                return [lossa, losses_b]

            out_dtype = [tf.float32, [tf.float32] * FLAGS.num_updates]
            result = tf.map_fn(
                task_metalearn,
                elems=(self.inputa, self.inputb, self.labela, self.labelb),
                dtype=out_dtype, parallel_iterations=FLAGS.meta_batch_size)
            lossesa, lossesb = result
        self.total_loss1 = tf.reduce_sum(lossesa) / tf.to_float(FLAGS.meta_batch_size)
        self.total_losses2 = [tf.reduce_sum(loss) / tf.to_float(FLAGS.meta_batch_size)
                              for loss in lossesb]
        optimizer = tf.train.AdamOptimizer(0.01)
        self.gvs = gvs = optimizer.compute_gradients(self.total_losses2[-1])
        gvs = [(tf.clip_by_value(grad, -10, 10), var) for grad, var in gvs]
        self.metatrain_op = optimizer.apply_gradients(gvs)


def batch(rng):
    amp = rng.rand(FLAGS.meta_batch_size, 1, 1) * 4.9 + 0.1
    phase = rng.rand(FLAGS.meta_batch_size, 1, 1) * np.pi
    x = rng.rand(FLAGS.meta_batch_size, 10, 1) * 10 - 5
    y = amp * np.sin(x - phase)
    return x, y


def main(_):
    tf.set_random_seed(5)
    rng = np.random.RandomState(5)
    model = MAML()
    model.construct_model()
    print(model.total_loss1, model.total_losses2[-1])
    sess = tf.InteractiveSession()
    tf.global_variables_initializer().run()
    for itr in range(5):
        x, y = batch(rng)
        feed = {model.inputa: x[:, :5], model.inputb: x[:, 5:],
                model.labela: y[:, :5], model.labelb: y[:, 5:]}
        pre, post, norm = sess.run([
            model.total_loss1, model.total_losses2,
            tf.global_norm([g for g, _ in model.gvs])], feed)
        sess.run(model.metatrain_op, feed)
        print('Iteration %d: pre %.4f post %.4f norm %.4f' % (itr, pre, post[-1], norm))


if __name__ == '__main__':
    tf.app.run()
