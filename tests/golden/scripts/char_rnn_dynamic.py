# A character model of stacked LSTM cells with dropout; the state is fed between batches.
from __future__ import print_function
import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_integer("rnn_size", 32, "size of RNN hidden state")
flags.DEFINE_integer("num_layers", 2, "number of layers in the RNN")
flags.DEFINE_integer("batch_size", 4, "minibatch size")
flags.DEFINE_integer("seq_length", 10, "RNN sequence length")
flags.DEFINE_float("learning_rate", 0.01, "learning rate")
flags.DEFINE_float("grad_clip", 5., "clip gradients at this value")
flags.DEFINE_string("model", "lstm", "rnn, gru or lstm")
FLAGS = flags.FLAGS

TEXT = ("the quick brown fox jumps over the lazy dog. " * 8 +
        "pack my box with five dozen liquor jugs. " * 8)


class Model():
    def __init__(self, vocab_size, training=True):
        self.cell_fns = {"rnn": tf.nn.rnn_cell.BasicRNNCell, "gru": tf.nn.rnn_cell.GRUCell,
                         "lstm": tf.nn.rnn_cell.BasicLSTMCell}
        cell_fn = self.cell_fns[FLAGS.model]
        batch, length = (FLAGS.batch_size, FLAGS.seq_length) if training else (1, 1)
        cells = []
        for _ in range(FLAGS.num_layers):
            cells.append(cell_fn(FLAGS.rnn_size))
        self.cell = cell = tf.contrib.rnn.MultiRNNCell(cells, state_is_tuple=True)
        self.input_data = tf.placeholder(tf.int32, [batch, length], name="input_data")
        self.targets = tf.placeholder(tf.int32, [batch, length], name="targets")
        self.initial_state = cell.zero_state(batch, tf.float32)
        with tf.variable_scope('rnnlm'):
            softmax_w = tf.get_variable("softmax_w", [FLAGS.rnn_size, vocab_size])
            softmax_b = tf.get_variable("softmax_b", [vocab_size], initializer=tf.zeros_initializer())
            embedding = tf.get_variable("embedding", [vocab_size, FLAGS.rnn_size])
            inputs = tf.nn.embedding_lookup(embedding, self.input_data)
            outputs, self.final_state = tf.nn.dynamic_rnn(
                cell, inputs, initial_state=self.initial_state)
            if training:
                outputs = tf.nn.dropout(outputs, 0.9)
            output = tf.reshape(outputs, [-1, FLAGS.rnn_size])
            self.logits = tf.matmul(output, softmax_w) + softmax_b
            self.probs = tf.nn.softmax(self.logits)
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=tf.reshape(self.targets, [-1]), logits=self.logits)
        self.cost = tf.reduce_mean(loss)
        if training:
            self.lr = tf.Variable(0.0, trainable=False, name="lr")
            tvars = tf.trainable_variables()
            grads, self.norm = tf.clip_by_global_norm(
                tf.gradients(self.cost, tvars), FLAGS.grad_clip)
            self.train_op = tf.train.AdamOptimizer(self.lr).apply_gradients(zip(grads, tvars))

    def sample(self, sess, chars, vocab, num, prime):
        state = sess.run(self.cell.zero_state(1, tf.float32))
        for char in prime[:-1]:
            state = sess.run(self.final_state, {self.input_data: [[vocab[char]]],
                                                self.initial_state: state})
        ret, char = prime, prime[-1]
        for _ in range(num):
            feed = {self.input_data: [[vocab[char]]], self.initial_state: state}
            probs, state = sess.run([self.probs, self.final_state], feed)
            char = chars[int(np.argmax(probs[0]))]
            ret += char
        return ret


def main(_):
    chars = sorted(set(TEXT))
    vocab = {c: i for i, c in enumerate(chars)}
    print("vocabulary of", len(chars))
    data = np.array([vocab[c] for c in TEXT])
    span = FLAGS.batch_size * FLAGS.seq_length
    num_batches = len(data) // span
    xdata = data[:num_batches * span]
    ydata = np.copy(xdata)
    ydata[:-1], ydata[-1] = xdata[1:], xdata[0]
    x_batches = np.split(xdata.reshape(FLAGS.batch_size, -1), num_batches, 1)
    y_batches = np.split(ydata.reshape(FLAGS.batch_size, -1), num_batches, 1)

    tf.set_random_seed(1)
    model = Model(len(chars))
    print(model.final_state[0])
    for v in tf.trainable_variables():
        print(v.name, v.get_shape())
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for e in range(4):
            sess.run(tf.assign(model.lr, FLAGS.learning_rate * 0.97 ** e))
            state = sess.run(model.initial_state)
            for b in range(num_batches):
                feed = {model.input_data: x_batches[b], model.targets: y_batches[b]}
                for i, (c, h) in enumerate(model.initial_state):
                    feed[c] = state[i].c
                    feed[h] = state[i].h
                cost, norm, state, _ = sess.run(
                    [model.cost, model.norm, model.final_state, model.train_op], feed)
                if e == 0 and b < 3:
                    print("{}/{}, loss = {:.4f}, norm = {:.3f}".format(b, num_batches, cost, norm))
            print("epoch {} ends with {:.2f}".format(e, cost))
        saver = tf.train.Saver(tf.global_variables())
        path = saver.save(sess, "./char_rnn.ckpt", global_step=e)
    with tf.Graph().as_default():
        model = Model(len(chars), training=False)
        with tf.Session() as sess:
            tf.global_variables_initializer().run()
            tf.train.Saver(tf.trainable_variables()).restore(sess, path)
            text = model.sample(sess, chars, vocab, 12, "the")
            print(len(text), text[:3])


if __name__ == '__main__':
    tf.app.run()
