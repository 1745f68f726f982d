# A small neural Turing machine that copies bits: content and location addressing.
import numpy as np
import tensorflow as tf

tf.set_random_seed(17)
rng = np.random.RandomState(17)
BITS, LENGTH, N, M, UNITS, BATCH = 3, 3, 8, 5, 12, 8


def softplus_plus_one(x):
    return tf.nn.softplus(x) + 1.0


class NTMCell(tf.nn.rnn_cell.RNNCell):
    def __init__(self, controller_units, memory_size, memory_dim, output_dim, reuse=None):
        super(NTMCell, self).__init__(_reuse=reuse)
        self.units, self.n, self.m, self.out = controller_units, memory_size, memory_dim, output_dim

    @property
    def state_size(self):
        return (tf.TensorShape([self.m]), tf.TensorShape([self.n]), tf.TensorShape([self.n, self.m]))

    @property
    def output_size(self):
        return self.out

    def address(self, raw, memory, previous):
        k, beta, gate, shift, gamma = tf.split(raw, [self.m, 1, 1, 3, 1], 1)
        k, beta, gate = tf.tanh(k), tf.nn.softplus(beta), tf.sigmoid(gate)
        shift, gamma = tf.nn.softmax(shift), softplus_plus_one(gamma)
        inner = tf.squeeze(tf.matmul(memory, tf.expand_dims(k, 2)), [2])
        norms = tf.norm(memory, axis=2) * tf.norm(k, axis=1, keepdims=True)
        content = tf.nn.softmax(beta * inner / (norms + 1e-6))
        gated = gate * content + (1 - gate) * previous
        rolled = tf.stack([tf.manip.roll(gated, s, axis=1) for s in (-1, 0, 1)], 2)
        shifted = tf.reduce_sum(rolled * tf.expand_dims(shift, 1), 2)
        sharp = tf.pow(shifted + 1e-6, gamma)
        return sharp / tf.reduce_sum(sharp, 1, keepdims=True)

    def call(self, inputs, state):
        read, weights, memory = state
        h = tf.layers.dense(tf.concat([inputs, read], 1), self.units, tf.tanh, name="controller")
        w = self.address(tf.layers.dense(h, self.m + 6, name="head"), memory, weights)
        erase = tf.expand_dims(tf.layers.dense(h, self.m, tf.sigmoid, name="erase"), 1)
        add = tf.expand_dims(tf.layers.dense(h, self.m, tf.tanh, name="add"), 1)
        w_ = tf.expand_dims(w, 2)
        memory = memory * (1 - tf.matmul(w_, erase)) + tf.matmul(w_, add)
        read = tf.squeeze(tf.matmul(w_, memory, transpose_a=True), [1])
        output = tf.layers.dense(tf.concat([h, read], 1), self.out, name="output")
        return output, (read, w, memory)


x = tf.placeholder(tf.float32, [BATCH, 2 * LENGTH + 1, BITS + 1], name="x")
y = tf.placeholder(tf.float32, [BATCH, LENGTH, BITS], name="y")
cell = NTMCell(UNITS, N, M, BITS)
start = (tf.zeros([BATCH, M]), tf.one_hot([0] * BATCH, N), tf.fill([BATCH, N, M], 1e-3))
outputs, (read, weights, memory) = tf.nn.dynamic_rnn(cell, x, initial_state=start)
logits = outputs[:, LENGTH + 1:]
loss = tf.losses.sigmoid_cross_entropy(y, logits)
optimizer = tf.train.RMSPropOptimizer(5e-3, momentum=0.9)
gradients, variables = zip(*optimizer.compute_gradients(loss))
train = optimizer.apply_gradients(zip([tf.clip_by_value(g, -10, 10) for g in gradients], variables))
wrong = tf.reduce_sum(tf.abs(tf.round(tf.sigmoid(logits)) - y)) / BATCH

for v in tf.trainable_variables():
    print(v.name, v.shape)
print(memory)


def batch():
    bits = rng.randint(2, size=(BATCH, LENGTH, BITS)).astype(np.float32)
    inputs = np.zeros((BATCH, 2 * LENGTH + 1, BITS + 1), np.float32)
    inputs[:, :LENGTH, :BITS] = bits
    inputs[:, LENGTH, BITS] = 1
    return {x: inputs, y: bits}


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(15):
        l, e, w, _ = sess.run([loss, wrong, weights, train], batch())
        if step < 3:
            print("step %d loss %.5f wrong bits %.3f" % (step, l, e))
    print("weights add up:", np.allclose(w.sum(1), 1), "loss %.1f" % l)
