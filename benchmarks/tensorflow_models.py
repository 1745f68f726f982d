"""The models in TensorFlow's names: one source for twinflow and for TensorFlow."""

import functools

import numpy as np

from benchmarks import models
from benchmarks.sessions import Cell

WINDOW = [1, 2, 2, 1]


class Kit:
    """What models are made of; see models.

    Args:
        tf: the module with TensorFlow 1's names.
        fused: whether an LSTM is one op over all its steps, as in PyTorch.
    """

    def __init__(self, tf, fused=False):
        self.tf, self.fused = tf, fused
        self.relu, self.reshape, self.split = tf.nn.relu, tf.reshape, self._split
        self.lookup = tf.nn.embedding_lookup
        if hasattr(tf, "contrib"):  # twinflow's own
            self.reversible = self._reversible

    def _split(self, x, parts):
        return self.tf.split(x, parts, axis=-1)

    halves = functools.partialmethod(_split, parts=2)

    def joined(self, x, y):
        return self.tf.concat([x, y], -1)

    def dense(self, x, w, name):
        product = self.tf.matmul(x, w[f"{name}/kernel"])
        return self.tf.nn.bias_add(product, w[f"{name}/bias"])

    def cross_entropy(self, logits, labels):
        tf = self.tf
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=labels, logits=logits
        )
        return tf.reduce_mean(losses)

    def layer_norm(self, x, w, name):
        tf, weights = self.tf, (w[f"{name}/offset"], w[f"{name}/scale"])
        mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
        return tf.nn.batch_normalization(x, mean, variance, *weights, 1e-6)

    def swap(self, x):
        return self.tf.transpose(x, [0, 2, 1, 3])

    def attention(self, q, k, v):
        tf, size = self.tf, models.TIME
        later = np.triu(np.full([size, size], -1e9, np.float32), 1)
        scores = tf.matmul(q, k, transpose_b=True) * int(q.shape[-1]) ** -0.5
        return tf.matmul(tf.nn.softmax(scores + later), v)

    def lstm(self, x, w, name, unrolled):
        if self.fused:
            return self._fused_lstm(x, w[f"{name}/kernel"], w[f"{name}/bias"], unrolled)
        tf, cell = self.tf, Cell(self.tf, w[f"{name}/kernel"], w[f"{name}/bias"])
        if not unrolled:
            return tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)[0]
        state, outputs = cell.zero_state(int(x.shape[0]), tf.float32), []
        for step in tf.unstack(x, axis=1):
            y, state = cell(step, state)
            outputs.append(y)
        return outputs

    def _fused_lstm(self, x, kernel, bias, unrolled):
        run = self._fused_cell if hasattr(self.tf, "contrib") else self._block_lstm
        outputs = run(self.steps_first(x), kernel, bias)
        return outputs if unrolled else self.steps_first(outputs)

    def _fused_cell(self, x, kernel, bias):
        cell = self.tf.contrib.rnn.LSTMBlockFusedCell(int(bias.shape[0]) // 4)
        cell._kernel, cell._bias, cell._diagonals = kernel, bias, []  # no new ones
        cell.built = True
        return cell(x, dtype=self.tf.float32)[0]

    def _block_lstm(self, x, kernel, bias):
        tf, n = self.tf, int(bias.shape[0]) // 4
        state, peeps = tf.zeros([int(x.shape[1]), n]), tf.zeros([n])
        return tf.raw_ops.BlockLSTM(
            seq_len_max=tf.constant(int(x.shape[0]), tf.int64), x=x, cs_prev=state,
            h_prev=state, w=tf.convert_to_tensor(kernel), wci=peeps, wcf=peeps,
            wco=peeps, b=tf.convert_to_tensor(bias),
        )[-1]  # fmt: skip

    def steps_first(self, x):
        return self.tf.transpose(x, [1, 0, 2])

    def last(self, outputs):
        return outputs[-1]

    def conv(self, x, w, name, size, stride):
        tf, kernel = self.tf, w[f"{name}/kernel"]
        if stride == 1:
            return tf.nn.conv2d(x, kernel, [1, 1, 1, 1], "SAME")
        side = size // 2
        x = tf.pad(x, [[0, 0], [side, side], [side, side], [0, 0]]) if side else x
        return tf.nn.conv2d(x, kernel, [1, stride, stride, 1], "VALID")

    def batch_norm(self, x, w, name):
        weights = w[f"{name}/scale"], w[f"{name}/offset"]
        return self.tf.nn.fused_batch_norm(x, *weights, epsilon=1e-3)[0]

    def max_pool(self, x):
        tf = self.tf
        x = tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]])  # after relu: not below 0
        return tf.nn.max_pool(x, [1, 3, 3, 1], WINDOW, "VALID")

    def avg_pool(self, x):
        return self.tf.nn.avg_pool(x, WINDOW, WINDOW, "VALID")

    def _reversible(self, x1, x2, pairs):
        blocks = [tuple(pair) for pair in pairs]
        sequence = self.tf.contrib.reversible.ReversibleSequence(blocks)
        return self.halves(sequence(self.joined(x1, x2)))

    def mean(self, x):
        return self.tf.reduce_mean(x, [1, 2])

    def widened(self, x, channels):
        more = channels - int(x.shape[-1])
        return self.tf.pad(x, [[0, 0]] * 3 + [[more // 2, more - more // 2]])


class ModelCases:
    """How one implementation trains the models.

    Args:
        tf: the module with TensorFlow 1's names.
        variable: makes a variable of eager programs.
        functions: {variant: what compiles a Python function}.
    """

    def __init__(self, tf, variable, functions):
        self.tf, self.variable, self.functions = tf, variable, functions

    def start(self, name, way, variant):
        """A function that does a step and returns its loss."""
        if models.on_gpu():
            with self.tf.device("/gpu:0"):
                return self._on_gpu(self._started(name, way, variant))
        return self._started(name, way, variant)

    def _on_gpu(self, step):
        """The step under a device scope, for what is computed at once."""

        def step_there():
            with self.tf.device("/gpu:0"):
                return step()

        return step_there

    def _started(self, name, way, variant):
        weights, batch = models.problem(name)
        kit = Kit(self.tf, models.FUSED in variant)
        if way == "graph":
            return self._graph(kit, name, weights, batch)
        variables = {key: self.variable(value) for key, value in weights.items()}
        step = self._step(kit, name, variables)
        batch = [self.tf.constant(array) for array in batch]
        if way == "function":
            step = self.functions[variant.partition(",")[0]](step)
        return lambda: float(step(*batch))

    def _step(self, kit, name, variables):
        tf, loss_of = self.tf, models.MODELS[name].loss
        rate, sources = models.MODELS[name].rate, list(variables.values())
        optimizer = tf.train.GradientDescentOptimizer(rate)

        def step(*batch):
            with tf.GradientTape() as tape:
                loss = loss_of(kit, variables, *batch)
            optimizer.apply_gradients(zip(tape.gradient(loss, sources), sources))
            return loss

        return step

    def _graph(self, kit, name, weights, batch):
        tf = self.tf
        with tf.Graph().as_default():
            variables = {
                key: tf.Variable(array, name=key.replace("/", "_"), use_resource=True)
                for key, array in weights.items()
            }
            fed = [tf.placeholder(array.dtype, array.shape) for array in batch]
            loss = models.MODELS[name].loss(kit, variables, *fed)
            train = tf.train.GradientDescentOptimizer(
                models.MODELS[name].rate
            ).minimize(loss)
            session = tf.Session()
            session.run(tf.global_variables_initializer())
        feeds, fetches = dict(zip(fed, batch)), [loss, train]
        return lambda: float(session.run(fetches, feeds)[0])
