"""The cases in TensorFlow's API: one source for twinflow and for TensorFlow itself."""

from benchmarks import problem
from benchmarks.case import Case

RATE = problem.LEARNING_RATE
OPERATIONS = {
    "add": "a + b",
    "matmul": "a @ b",
    "tanh": "tf.tanh(a)",
    "add_number": "a + 1.0",
    "sum": "tf.reduce_sum(a)",
}


class TensorFlowCases:
    """The cases of one implementation of the API, run eagerly.

    Args:
        tf: the module.
        variable: makes a variable from its first value.
        function: compiles a Python function.
    """

    def __init__(self, tf, variable, function):
        self.tf, self.variable, self.function = tf, variable, function

    def cases(self):
        """{row: {variant: a function that makes its Case}}."""
        made = {
            "tape_gradient": {"GradientTape": self.tape_gradient},
            "mlp_eager": {"GradientTape": self.mlp_eager},
            "mlp_function": {"function": self.mlp_function},
        }
        opening = "with tf.GradientTape() as tape:\n    tape.watch([a, b])"
        for row, expression in OPERATIONS.items():
            made[row] = {expression: self._operation(expression)}
            made["tape_" + row] = {expression: self._operation(expression, opening)}
        return made

    def _operation(self, expression, opening=""):
        def make():
            a, b = map(self.tf.constant, problem.matrices())
            return Case(expression, {"tf": self.tf, "a": a, "b": b}, opening)

        return make

    def tape_gradient(self):
        """Gradients of sum(tanh(x @ w + b)) for w and b."""
        tf = self.tf
        x, w, b = map(tf.constant, problem.affine())

        def slopes():
            with tf.GradientTape() as tape:
                tape.watch([w, b])
                y = tf.reduce_sum(tf.tanh(x @ w + b))
            return tape.gradient(y, [w, b])

        return Case("slopes()", {"slopes": slopes})

    def mlp_eager(self):
        """A training step of the dense network, op by op."""
        step, x, y = self._step(self._mlp_logits, *problem.mlp())
        return Case("float(step(x, y))", {"step": step, "x": x, "y": y})

    def mlp_function(self):
        """The same step as one compiled function."""
        step, x, y = self._step(self._mlp_logits, *problem.mlp())
        names = {"step": self.function(step), "x": x, "y": y}
        return Case("float(step(x, y))", names, warm_up=1.0)

    def first_step(self, weights, images, labels):
        """The loss of the first step of the convolutional network, compiled."""
        step, x, y = self._step(self._cnn_logits, weights, images, labels)
        return float(self.function(step)(x, y))

    def _step(self, logits, weights, x, y):
        """A function that does one step of gradient descent, and its batch."""
        tf = self.tf
        variables = [self.variable(weight) for weight in weights]

        def step(x, y):
            with tf.GradientTape() as tape:
                losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
                    labels=y, logits=logits(x, *variables)
                )
                loss = tf.reduce_mean(losses)
            slopes = tape.gradient(loss, variables)
            for variable, slope in zip(variables, slopes):
                variable.assign_sub(RATE * slope)
            return loss

        return step, tf.constant(x), tf.constant(y)

    def _mlp_logits(self, x, w1, b1, w2, b2):
        tf = self.tf
        return tf.nn.relu(x @ w1 + b1) @ w2 + b2

    def _cnn_logits(self, x, k1, b1, k2, b2, w3, b3, w4, b4):
        tf = self.tf
        x = self._block(self._block(x, k1, b1), k2, b2)
        return tf.nn.relu(tf.reshape(x, [-1, 128]) @ w3 + b3) @ w4 + b4

    def _block(self, x, kernel, bias):
        tf = self.tf
        x = tf.nn.conv2d(x, kernel, strides=[1, 1, 1, 1], padding="SAME") + bias
        return tf.nn.max_pool(tf.nn.relu(x), [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
