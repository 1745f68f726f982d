"""What XLA makes of sums along a network: how much it computes again."""

import re

import pytest

from twinflow.lower.lowering import kernel_of
from twinflow.ops.core.broadcast import BroadcastTo

jax = pytest.importorskip("jax")


def _most_operands(depth, broadcast):
    """Of the fusions in a chain of sums with means' gradients, each read twice."""

    def chain(x, weights):
        found = []
        for w in weights:
            row = (x @ w).sum(1, keepdims=True)
            x = x * 0.5 + (jax.numpy.tanh(x @ w) + x)
            x = jax.lax.optimization_barrier(x + broadcast(row, (64, 128)) / 128.0)
            found.append(x.T @ x)
        return found

    args = [jax.ShapeDtypeStruct(s, "float32") for s in [(64, 128), (depth, 128, 128)]]
    text = jax.jit(chain).lower(*args).compile().as_text()
    lines = re.findall(r" fusion\((.*?)\), kind=", text)
    return max(line.count("%") for line in lines)


def test_sums_do_not_start_over():
    kernel = kernel_of(BroadcastTo)
    assert _most_operands(12, kernel) == _most_operands(3, kernel)
