"""The models in jax, a step as one compiled function."""

import functools

import jax
import jax.numpy as jnp

from benchmarks import models

LAYOUT = ("NHWC", "HWIO", "NHWC")


class Kit:
    """What models are made of; see models."""

    relu, reshape = staticmethod(jax.nn.relu), staticmethod(jnp.reshape)

    @staticmethod
    def lookup(table, ids):
        return table[ids]

    def split(self, x, parts):
        return jnp.split(x, parts, -1)

    def halves(self, x):
        return jnp.split(x, 2, -1)

    def joined(self, x, y):
        return jnp.concatenate([x, y], -1)

    def dense(self, x, w, name):
        return x @ w[f"{name}/kernel"] + w[f"{name}/bias"]

    def cross_entropy(self, logits, labels):
        chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1)
        return -jnp.mean(chosen)

    def layer_norm(self, x, w, name):
        return self._normal(x, w, name, -1, 1e-6)

    def _normal(self, x, w, name, axes, epsilon):
        mean = jnp.mean(x, axes, keepdims=True)
        variance = jnp.mean(jnp.square(x - mean), axes, keepdims=True)
        x = (x - mean) * jax.lax.rsqrt(variance + epsilon)
        return x * w[f"{name}/scale"] + w[f"{name}/offset"]

    def swap(self, x):
        return x.transpose(0, 2, 1, 3)

    def attention(self, q, k, v):
        scores = q @ k.swapaxes(-1, -2) * q.shape[-1] ** -0.5
        earlier = jnp.tril(jnp.ones(scores.shape[-2:], bool))
        return jax.nn.softmax(jnp.where(earlier, scores, -1e9)) @ v

    def lstm(self, x, w, name, unrolled):
        kernel, bias = w[f"{name}/kernel"], w[f"{name}/bias"]

        def cell(state, x):
            c, h = state
            gates = jnp.concatenate([x, h], 1) @ kernel + bias
            i, j, f, o = jnp.split(gates, 4, 1)
            c = c * jax.nn.sigmoid(f + 1) + jax.nn.sigmoid(i) * jnp.tanh(j)
            h = jnp.tanh(c) * jax.nn.sigmoid(o)
            return (c, h), h

        zeros = jnp.zeros([len(x), len(bias) // 4])
        steps = x.transpose(1, 0, 2)
        _, outputs = jax.lax.scan(cell, (zeros, zeros), steps, unroll=unrolled or 1)
        return outputs.transpose(1, 0, 2)

    def last(self, outputs):
        return outputs[:, -1]

    def conv(self, x, w, name, size, stride):
        sides = [(size // 2, size // 2)] * 2
        return jax.lax.conv_general_dilated(
            x, w[f"{name}/kernel"], (stride, stride), sides, dimension_numbers=LAYOUT
        )

    def batch_norm(self, x, w, name):
        return self._normal(x, w, name, (0, 1, 2), 1e-3)

    def max_pool(self, x):
        sides = [(0, 0), (1, 1), (1, 1), (0, 0)]
        return jax.lax.reduce_window(
            x, -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 2, 2, 1), sides
        )

    def avg_pool(self, x):
        n, rows, columns, channels = x.shape
        x = x.reshape(n, rows // 2, 2, columns // 2, 2, channels)
        return x.mean((2, 4))

    def mean(self, x):
        return x.mean((1, 2))

    def widened(self, x, channels):
        more = channels - x.shape[-1]
        return jnp.pad(x, [(0, 0)] * 3 + [(more // 2, more - more // 2)])


def start(name, way, variant):
    """A function that does a step and returns its loss."""
    weights, batch = models.problem(name)
    weights = {key: jnp.asarray(value) for key, value in weights.items()}
    batch = [jnp.asarray(array) for array in batch]
    model = models.MODELS[name]
    loss_of = functools.partial(model.loss, Kit())

    @functools.partial(jax.jit, donate_argnums=0)
    def train(weights, *batch):
        loss, slopes = jax.value_and_grad(loss_of)(weights, *batch)
        moved = {key: w - model.rate * slopes[key] for key, w in weights.items()}
        return moved, loss

    def step():
        nonlocal weights
        weights, loss = train(weights, *batch)
        return float(loss)

    return step
