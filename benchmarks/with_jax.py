"""jax's cases: arrays op by op, and jax.jit; calls return early, so each is awaited."""

import functools

import jax
import jax.numpy as jnp

from benchmarks import jax_models, jax_ops, problem
from benchmarks.case import Case

VERSION = jax.__version__
start_model = jax_models.start
OPERATIONS = {
    "add": "(a + b).block_until_ready()",
    "matmul": "(a @ b).block_until_ready()",
    "tanh": "jnp.tanh(a).block_until_ready()",
    "add_number": "(a + 1.0).block_until_ready()",
    "sum": "jnp.sum(a).block_until_ready()",
}


def _operation(expression):
    def make():
        a, b = map(jnp.asarray, problem.matrices())
        return Case(expression, {"jnp": jnp, "a": a, "b": b})

    return make


def _mean_loss(logits, y):
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], axis=1)
    return -jnp.mean(chosen)


def _mlp_loss(weights, x, y):
    w1, b1, w2, b2 = weights
    return _mean_loss(jax.nn.relu(x @ w1 + b1) @ w2 + b2, y)


def _block(x, kernel, bias):
    layout = ("NHWC", "HWIO", "NHWC")
    x = jax.lax.conv_general_dilated(
        x, kernel, (1, 1), "SAME", dimension_numbers=layout
    )
    x = jax.nn.relu(x + bias)
    window = (1, 2, 2, 1)
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, window, window, "SAME")


def _cnn_loss(weights, x, y):
    k1, b1, k2, b2, w3, b3, w4, b4 = weights
    x = _block(_block(x, k1, b1), k2, b2).reshape(-1, 128)
    return _mean_loss(jax.nn.relu(x @ w3 + b3) @ w4 + b4, y)


def _step(loss):
    """One step of gradient descent, compiled; it may reuse the weights' memory."""

    @functools.partial(jax.jit, donate_argnums=0)
    def step(weights, x, y):
        value, slopes = jax.value_and_grad(loss)(weights, x, y)
        moved = [w - problem.LEARNING_RATE * s for w, s in zip(weights, slopes)]
        return moved, value

    return step


class _Training:
    """Keeps the weights between steps."""

    def __init__(self, loss, weights):
        self.step, self.weights = _step(loss), list(map(jnp.asarray, weights))

    def __call__(self, x, y):
        self.weights, loss = self.step(self.weights, x, y)
        return loss


def _mlp_function():
    weights, x, y = problem.mlp()
    names = {"step": _Training(_mlp_loss, weights)}
    names.update(x=jnp.asarray(x), y=jnp.asarray(y))
    return Case("float(step(x, y))", names, warm_up=1.0)


def first_step(weights, images, labels):
    """The loss of the first step of the convolutional network, compiled."""
    train = _Training(_cnn_loss, weights)
    return float(train(jnp.asarray(images), jnp.asarray(labels)))


CASES = {row: {text: _operation(text)} for row, text in OPERATIONS.items()}
CASES["mlp_function"] = {"jit": _mlp_function}
CASES.update(jax_ops.cases())
