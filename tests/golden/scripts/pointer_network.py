# A pointer network that sorts numbers: a while_loop of attention over the inputs.
import numpy as np
import tensorflow as tf

BATCH, LENGTH, UNITS = 16, 5, 20


class PointerNetwork(object):
    """Points at its inputs, one after the other, as tf.while_loop goes on."""

    def __init__(self, units, length, lr=0.02):
        self.units, self.length = units, length
        init = tf.random_uniform_initializer(-0.2, 0.2)
        self.inputs = tf.placeholder(tf.float32, [None, length], name='inputs')
        self.targets = tf.placeholder(tf.int32, [None, length], name='targets')
        self.teacher = tf.placeholder_with_default(False, [], name='teacher')
        with tf.variable_scope('pointer', initializer=init):
            self._encode()
            self._decode()
        with tf.name_scope('loss'):
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=self.targets, logits=self.logits)
            self.loss = tf.reduce_mean(loss)
        self.correct = tf.reduce_mean(tf.to_float(tf.equal(self.pointers, self.targets)))
        step = tf.Variable(0, trainable=False, name='global_step')
        rate = tf.train.exponential_decay(lr, step, 20, 0.9, staircase=True)
        optimizer = tf.train.RMSPropOptimizer(rate)
        pairs = [(tf.clip_by_norm(g, 2.0), v) for g, v in optimizer.compute_gradients(self.loss)]
        self.train = optimizer.apply_gradients(pairs, global_step=step, name='train')

    def _encode(self):
        cell = tf.nn.rnn_cell.GRUCell(self.units)
        x = tf.expand_dims(self.inputs, -1)
        self.memory, self.state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, scope='encoder')
        w1 = tf.get_variable('w1', [self.units, self.units])
        self.keys = tf.tensordot(self.memory, w1, [[2], [0]])
        self.keys.set_shape([None, self.length, self.units])

    def _decode(self):
        cell = tf.nn.rnn_cell.GRUCell(self.units)
        w2 = tf.get_variable('w2', [self.units, self.units])
        v = tf.get_variable('v', [self.units])
        start = tf.get_variable('start', [1, self.units])
        batch = tf.shape(self.inputs)[0]
        logits_ta = tf.TensorArray(tf.float32, size=self.length, name='logits')
        pointers_ta = tf.TensorArray(tf.int32, size=self.length, name='pointers')
        rows = tf.range(batch)

        def cond(t, *_):
            return t < self.length

        def body(t, x, state, logits_ta, pointers_ta):
            output, state = cell(x, state)
            query = tf.expand_dims(tf.matmul(output, w2), 1)
            logits = tf.reduce_sum(v * tf.tanh(self.keys + query), 2)
            pointer = tf.argmax(logits, 1, output_type=tf.int32)
            chosen = tf.cond(self.teacher, lambda: self.targets[:, t], lambda: pointer)
            x = tf.gather_nd(self.memory, tf.stack([rows, chosen], 1))
            x.set_shape([None, self.units])
            return t + 1, x, state, logits_ta.write(t, logits), pointers_ta.write(t, pointer)

        first = tf.tile(start, [batch, 1])
        _, _, _, logits_ta, pointers_ta = tf.while_loop(
            cond, body, [tf.constant(0), first, self.state, logits_ta, pointers_ta], name='decoder')
        self.logits = tf.transpose(logits_ta.stack(), [1, 0, 2], name='logits')
        self.pointers = tf.transpose(pointers_ta.stack(), name='order')


rng = np.random.RandomState(8)
tf.set_random_seed(8)
net = PointerNetwork(UNITS, LENGTH)
print(net.logits)
print(net.pointers)
print(sorted(v.op.name for v in tf.global_variables() if 'RMSProp' not in v.name))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(60):
        x = rng.rand(BATCH, LENGTH)
        y = np.argsort(x, 1)
        loss, correct, _ = sess.run([net.loss, net.correct, net.train],
                                    {net.inputs: x, net.targets: y, net.teacher: True})
        if i < 4:
            print('step %d loss %.5f correct %.4f' % (i, loss, correct))
        elif i % 30 == 29:
            print('step %d loss %.1f' % (i, loss))
    x = np.array([[0.9, 0.1, 0.5, 0.3, 0.7]])
    print(sess.run(tf.shape(net.logits), {net.inputs: x, net.targets: np.argsort(x, 1)}))
