"""A word-level language model with truncated backpropagation, on a made-up corpus."""
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import collections
import time

import numpy as np
import tensorflow as tf

flags = tf.flags
logging = tf.logging
flags.DEFINE_string("model", "test", "A type of model. Possible options are: small, test.")
flags.DEFINE_bool("use_fp16", False, "Train using 16-bit floats instead of 32bit floats")
FLAGS = flags.FLAGS


def data_type():
    return tf.float16 if FLAGS.use_fp16 else tf.float32


class TestConfig(object):
    """Tiny config, for testing."""
    init_scale = 0.1
    learning_rate = 1.0
    max_grad_norm = 5
    num_layers = 2
    num_steps = 5
    hidden_size = 20
    max_epoch = 2
    max_max_epoch = 3
    keep_prob = 1.0
    lr_decay = 0.5
    batch_size = 8
    vocab_size = 15


def raw_data(seed, length):
    rng = np.random.RandomState(seed)
    words, state = [], 0
    for _ in range(length):
        state = (state * 2 + rng.randint(3)) % 14 + 1 if rng.rand() > 0.1 else 0
        words.append(state)
    return words


def ptb_producer(raw, batch_size, num_steps, name=None):
    with tf.name_scope(name, "PTBProducer", [raw, batch_size, num_steps]):
        raw = tf.convert_to_tensor(raw, name="raw_data", dtype=tf.int32)
        data_len = tf.size(raw)
        batch_len = data_len // batch_size
        data = tf.reshape(raw[0: batch_size * batch_len], [batch_size, batch_len])
        epoch_size = (batch_len - 1) // num_steps
        assertion = tf.assert_positive(
            epoch_size, message="epoch_size == 0, decrease batch_size or num_steps")
        with tf.control_dependencies([assertion]):
            epoch_size = tf.identity(epoch_size, name="epoch_size")
        i = tf.train.range_input_producer(epoch_size, shuffle=False).dequeue()
        x = tf.strided_slice(data, [0, i * num_steps], [batch_size, (i + 1) * num_steps])
        x.set_shape([batch_size, num_steps])
        y = tf.strided_slice(data, [0, i * num_steps + 1],
                             [batch_size, (i + 1) * num_steps + 1])
        y.set_shape([batch_size, num_steps])
        return x, y


class PTBInput(object):
    def __init__(self, config, data, name=None):
        self.batch_size = batch_size = config.batch_size
        self.num_steps = num_steps = config.num_steps
        self.epoch_size = ((len(data) // batch_size) - 1) // num_steps
        self.input_data, self.targets = ptb_producer(data, batch_size, num_steps, name=name)


class PTBModel(object):
    def __init__(self, is_training, config, input_):
        self._input = input_
        size, vocab_size = config.hidden_size, config.vocab_size

        def lstm_cell():
            return tf.contrib.rnn.BasicLSTMCell(
                size, forget_bias=0.0, state_is_tuple=True, reuse=tf.get_variable_scope().reuse)

        cell = tf.contrib.rnn.MultiRNNCell(
            [lstm_cell() for _ in range(config.num_layers)], state_is_tuple=True)
        self._initial_state = cell.zero_state(input_.batch_size, data_type())
        with tf.device("/cpu:0"):
            embedding = tf.get_variable("embedding", [vocab_size, size], dtype=data_type())
            inputs = tf.nn.embedding_lookup(embedding, input_.input_data)
        outputs, state = [], self._initial_state
        with tf.variable_scope("RNN"):
            for time_step in range(input_.num_steps):
                if time_step > 0:
                    tf.get_variable_scope().reuse_variables()
                (cell_output, state) = cell(inputs[:, time_step, :], state)
                outputs.append(cell_output)
        output = tf.reshape(tf.concat(axis=1, values=outputs), [-1, size])
        softmax_w = tf.get_variable("softmax_w", [size, vocab_size], dtype=data_type())
        softmax_b = tf.get_variable("softmax_b", [vocab_size], dtype=data_type())
        logits = tf.nn.xw_plus_b(output, softmax_w, softmax_b)
        logits = tf.reshape(logits, [input_.batch_size, input_.num_steps, vocab_size])
        loss = tf.contrib.seq2seq.sequence_loss(
            logits, input_.targets,
            tf.ones([input_.batch_size, input_.num_steps], dtype=data_type()),
            average_across_timesteps=False, average_across_batch=True)
        self._cost = cost = tf.reduce_sum(loss)
        self._final_state = state
        if not is_training:
            return
        self._lr = tf.Variable(0.0, trainable=False)
        tvars = tf.trainable_variables()
        grads, _ = tf.clip_by_global_norm(tf.gradients(cost, tvars), config.max_grad_norm)
        optimizer = tf.train.GradientDescentOptimizer(self._lr)
        self._train_op = optimizer.apply_gradients(
            zip(grads, tvars), global_step=tf.train.get_or_create_global_step())
        self._new_lr = tf.placeholder(tf.float32, shape=[], name="new_learning_rate")
        self._lr_update = tf.assign(self._lr, self._new_lr)

    def assign_lr(self, session, lr_value):
        session.run(self._lr_update, feed_dict={self._new_lr: lr_value})

    input = property(lambda self: self._input)
    initial_state = property(lambda self: self._initial_state)
    cost = property(lambda self: self._cost)
    final_state = property(lambda self: self._final_state)
    lr = property(lambda self: self._lr)
    train_op = property(lambda self: self._train_op)


def run_epoch(session, model, eval_op=None, verbose=False):
    start_time = time.time()
    costs, iters = 0.0, 0
    state = session.run(model.initial_state)
    fetches = {"cost": model.cost, "final_state": model.final_state}
    if eval_op is not None:
        fetches["eval_op"] = eval_op
    for step in range(model.input.epoch_size):
        feed_dict = {}
        for i, (c, h) in enumerate(model.initial_state):
            feed_dict[c] = state[i].c
            feed_dict[h] = state[i].h
        vals = session.run(fetches, feed_dict)
        state = vals["final_state"]
        costs += vals["cost"]
        iters += model.input.num_steps
        if verbose and step % (model.input.epoch_size // 4) == 1:
            assert time.time() >= start_time
            print("%.3f perplexity: %.3f" % (step * 1.0 / model.input.epoch_size,
                                             np.exp(costs / iters)))
    return np.exp(costs / iters)


def main(_):
    config = TestConfig()
    train_data, valid_data = raw_data(0, 900), raw_data(1, 300)
    with tf.Graph().as_default():
        tf.set_random_seed(8)
        initializer = tf.random_uniform_initializer(-config.init_scale, config.init_scale)
        with tf.name_scope("Train"):
            train_input = PTBInput(config=config, data=train_data, name="TrainInput")
            with tf.variable_scope("Model", reuse=None, initializer=initializer):
                m = PTBModel(is_training=True, config=config, input_=train_input)
            tf.summary.scalar("Training_Loss", m.cost)
            tf.summary.scalar("Learning_Rate", m.lr)
        with tf.name_scope("Valid"):
            valid_input = PTBInput(config=config, data=valid_data, name="ValidInput")
            with tf.variable_scope("Model", reuse=True, initializer=initializer):
                mvalid = PTBModel(is_training=False, config=config, input_=valid_input)
            tf.summary.scalar("Validation_Loss", mvalid.cost)
        for v in tf.trainable_variables():
            print(v.name, v.shape)
        print(m.final_state[1].h)
        print(mvalid.cost.name, len(tf.get_collection(tf.GraphKeys.SUMMARIES)))
        sv = tf.train.Supervisor()
        with sv.managed_session() as session:
            for i in range(config.max_max_epoch):
                lr_decay = config.lr_decay ** max(i + 1 - config.max_epoch, 0.0)
                m.assign_lr(session, config.learning_rate * lr_decay)
                print("Epoch: %d Learning rate: %.3f" % (i + 1, session.run(m.lr)))
                train_perplexity = run_epoch(session, m, eval_op=m.train_op, verbose=i == 0)
                print("Epoch: %d Train Perplexity: %.3f" % (i + 1, train_perplexity))
                print("Epoch: %d Valid Perplexity: %.3f" % (i + 1, run_epoch(session, mvalid)))


if __name__ == "__main__":
    tf.app.run()
