"""The cases of graphs and sessions, in the names of TensorFlow 1."""

from benchmarks import problem
from benchmarks.case import Case

LOOP_STEPS = 100
CHAIN = 5  # of a product and a tanh each: 10 ops


class Cell:
    """An LSTM cell, as both implementations of dynamic_rnn take one."""

    def __init__(self, tf, kernel, bias):
        self.tf, self.kernel, self.bias = tf, kernel, bias
        self.output_size = bias.shape[0] // 4
        self.state_size = (self.output_size, self.output_size)

    def zero_state(self, batch_size, dtype):
        """The state before the first step."""
        zeros = self.tf.zeros([batch_size, int(self.output_size)], dtype)
        return zeros, zeros

    def __call__(self, inputs, state, scope=None):
        tf, (c, h) = self.tf, state
        gates = tf.matmul(tf.concat([inputs, h], 1), self.kernel) + self.bias
        i, j, f, o = tf.split(gates, 4, axis=1)
        c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
        h = tf.tanh(c) * tf.sigmoid(o)
        return h, (c, h)


class SessionCases:
    """The cases of one implementation.

    Args:
        tf: the module with TensorFlow 1's names.
    """

    def __init__(self, tf):
        self.tf = tf

    def cases(self):
        """{row: {variant: a function that makes its Case}}."""
        return {
            "session_matmul": {"Session.run": self.matmul},
            "session_ops": {"Session.run": self.chain},
            "session_while": {"Session.run": self.loop},
            "session_rnn": {"Session.run": self.rnn},
        }

    def _case(self, fetches, feed_dict, warm_up=2.5):  # XLA takes 1 to 2 s
        session = self.tf.Session(graph=fetches[0].graph)
        names = {"sess": session, "fetches": fetches, "feeds": feed_dict}
        return Case("sess.run(fetches, feeds)", names, warm_up=warm_up)

    def matmul(self):
        """The product of a fed matrix and a constant one."""
        tf, (a, b) = self.tf, problem.matrices()
        with tf.Graph().as_default():
            x = tf.placeholder(tf.float32, [4, 4])
            return self._case([tf.matmul(x, tf.constant(b))], {x: a})

    def chain(self):
        """Ten ops in a row."""
        tf, (a, b) = self.tf, problem.matrices()
        with tf.Graph().as_default():
            x = y = tf.placeholder(tf.float32, [4, 4])
            for _ in range(CHAIN):
                y = tf.tanh(tf.matmul(y, tf.constant(b)))
            return self._case([y], {x: a})

    def loop(self):
        """A while_loop of 100 steps."""
        tf, (a, b) = self.tf, problem.matrices()
        with tf.Graph().as_default():
            x, w = tf.placeholder(tf.float32, [4, 4]), tf.constant(b)
            _, y = tf.while_loop(
                lambda i, y: i < LOOP_STEPS,
                lambda i, y: (i + 1, tf.tanh(tf.matmul(y, w))),
                [tf.constant(0), x],
            )
            return self._case([y], {x: a})

    def rnn(self):
        """dynamic_rnn over 50 steps of a batch of 32, forward and backward."""
        tf, (kernel, bias, steps) = self.tf, problem.rnn()
        with tf.Graph().as_default():
            x = tf.placeholder(tf.float32, [None, None, steps.shape[2]])
            weights = [tf.constant(kernel), tf.constant(bias)]
            cell = Cell(tf, *weights)
            outputs, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
            loss = tf.reduce_mean(tf.square(outputs))
            return self._case([loss, *tf.gradients(loss, weights)], {x: steps}, 4.0)
