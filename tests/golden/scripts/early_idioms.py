# As programs of 2016 were written: flags, InteractiveSession, old names, static cells.
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import ops
from tensorflow.python.ops import array_ops, math_ops, variable_scope as vs
from tensorflow.python.platform import gfile

flags = tf.app.flags
FLAGS = flags.FLAGS
flags.DEFINE_integer('num_steps', 5, 'Number of unrolled steps.')
flags.DEFINE_integer('hidden_units', 6, 'Units of each layer.')
flags.DEFINE_float('learning_rate', 0.5, 'Initial learning rate.')
flags.DEFINE_boolean('use_lstm', True, 'Whether cells are LSTMs.')
flags.DEFINE_string('train_dir', 'train', 'Directory of the logs.')
flags.DEFINE_enum('mode', 'train', ['train', 'decode'], 'What to do.')
flags.DEFINE_list('layers', '2,3', 'Sizes.')


def warm_up():
    sess = tf.InteractiveSession()
    x = tf.Variable([1.0, 2.0], name='x')
    a = tf.constant([3.0, 3.0])
    x.initializer.run()
    sub = tf.subtract(x, a)
    print(sub.eval(), x.eval(), tf.rank(x).eval(), x.get_shape(), x.dtype)
    state = tf.Variable(0, name='counter')
    update = tf.assign(state, tf.add(state, tf.constant(1)))
    tf.initialize_all_variables().run()
    for _ in range(3):
        update.op.run()
    print(state.eval(), sess.run(tf.trainable_variables()), tf.all_variables() ==
          tf.global_variables(), len(tf.report_uninitialized_variables().eval()))
    print(tf.to_int32(tf.constant([1.7, -1.7])).eval(), tf.matmul([[1., 2.]], [[3.], [4.]]).eval())
    parts = tf.split(tf.reshape(tf.range(6), [2, 3]), 3, 1)
    print([p.eval().tolist() for p in parts], tf.unstack(tf.transpose([[1, 2], [3, 4]]))[0].eval())
    print(tf.concat([[[1]], [[2]]], 1).eval(), tf.stack([1, 2]).eval(),
          tf.squeeze([[7]]).eval(), tf.tile([1, 2], [2]).eval(), tf.reverse([1, 2], [0]).eval())
    print(tf.sparse_to_dense([[0, 1], [1, 0]], [2, 2], [5, 6], -1).eval(),
          tf.nn.in_top_k([[.1, .9]], [1], 1).eval())
    with tf.device('/cpu:0'), tf.variable_op_scope([a], 'old', 'default'):
        print(tf.get_variable('v', [2], initializer=tf.constant_initializer([1, 2])).name)
    with tf.op_scope([a], 'scope'):
        print(tf.identity(a).name)
    sess.close()
    tf.reset_default_graph()
    print(len(tf.get_default_graph().get_operations()), tf.get_default_session())


class SequenceModel(object):
    def __init__(self, is_training, batch_size=4):
        self.inputs = [tf.placeholder(tf.float32, [batch_size, 3], name='input%d' % i)
                       for i in range(FLAGS.num_steps)]
        self.targets = tf.placeholder(tf.int64, [batch_size])
        cell = self._cell()
        if is_training:
            cell = tf.nn.rnn_cell.DropoutWrapper(cell, output_keep_prob=0.9, seed=3)
        cell = tf.contrib.rnn.MultiRNNCell([cell, self._cell()], state_is_tuple=True)
        initial = cell.zero_state(batch_size, tf.float32)
        outputs, self.state = tf.contrib.rnn.static_rnn(cell, self.inputs, initial_state=initial)
        with vs.variable_scope('softmax', initializer=tf.random_uniform_initializer(-.1, .1, 2)):
            w = vs.get_variable('w', [cell.output_size, 2])
            b = vs.get_variable('b', [2], initializer=tf.constant_initializer(0.0))
        logits = tf.nn.xw_plus_b(outputs[-1], w, b)
        costs = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=self.targets, logits=logits)
        self.cost = math_ops.reduce_sum(costs) / batch_size
        self.accuracy = tf.reduce_mean(tf.cast(tf.nn.in_top_k(logits, self.targets, 1), 'float'))
        self.lr = tf.Variable(0.0, trainable=False)
        tvars = tf.trainable_variables()
        grads, self.norm = tf.clip_by_global_norm(tf.gradients(self.cost, tvars), 5)
        optimizer = tf.train.GradientDescentOptimizer(self.lr)
        self.train_op = optimizer.apply_gradients(zip(grads, tvars))
        self.size = cell.state_size

    def _cell(self):
        if FLAGS.use_lstm:
            return tf.contrib.rnn.BasicLSTMCell(FLAGS.hidden_units, forget_bias=0.5)
        return tf.contrib.rnn.GRUCell(FLAGS.hidden_units)


def main(_):
    warm_up()
    if not gfile.Exists(FLAGS.train_dir):
        gfile.MakeDirs(FLAGS.train_dir)
    rng = np.random.RandomState(2)
    tf.set_random_seed(6)
    model = SequenceModel(True)
    print(model.size, [v.op.name for v in tf.trainable_variables()])
    merged = tf.summary.merge([tf.summary.scalar('cost', model.cost)])
    with tf.Session() as session:
        writer = tf.summary.FileWriter(FLAGS.train_dir, session.graph)
        session.run(tf.global_variables_initializer())
        session.run(tf.assign(model.lr, FLAGS.learning_rate))
        for i in range(4):
            data = rng.randn(4, FLAGS.num_steps, 3)
            feed = {p: data[:, t] for t, p in enumerate(model.inputs)}
            feed[model.targets] = (data[:, :, 0].sum(1) > 0).astype(np.int64)
            cost, norm, text, _ = session.run([model.cost, model.norm, merged, model.train_op], feed)
            writer.add_summary(text, i)
            print('step %d cost %.4f norm %.4f' % (i, cost, norm))
        writer.close()
        print([s.h.shape for s in session.run(model.state, feed)], session.run(model.accuracy, feed))
    print(FLAGS.mode, FLAGS.layers, ops.get_default_graph() is tf.get_default_graph(),
          array_ops.shape(model.cost).shape, len(gfile.ListDirectory(FLAGS.train_dir)))


if __name__ == '__main__':
    tf.app.run()
