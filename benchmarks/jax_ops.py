"""The ops at size in jax, each a compiled function; float64 is not enabled there."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks import ops
from benchmarks.case import Case

POLYNOMIAL = "a + 0.044715 * jnp.power(a, 3)"
CONV = "dimension_numbers=('NHWC', 'HWIO', 'NHWC')"
NORMAL = "(a - a.mean({0}, keepdims=True)) * lax.rsqrt(a.var({0}, keepdims=True) + {1})"
OPERATIONS = {
    "add": "a + b",
    "affine": "a * b + c",
    "tanh": "jnp.tanh(a)",
    "exp": "jnp.exp(a)",
    "sigmoid": "jax.nn.sigmoid(a)",
    "relu": "jax.nn.relu(a)",
    "gelu": f"0.5 * a * (1 + jnp.tanh(0.7978845608 * ({POLYNOMIAL})))",
    "sum": "a.sum()",
    "sum_0": "a.sum(0)",
    "sum_1": "a.sum(1)",
    "max": "a.max()",
    "argmax": "a.argmax(1)",
    "softmax": "jax.nn.softmax(a)",
    "sparse_xent": "-jnp.take_along_axis(jax.nn.log_softmax(a), b[:, None], 1)[:, 0]",
    "matmul": "a @ b",
    "tensordot": "jnp.tensordot(a, b, 1)",
    "attention": "a @ b.swapaxes(-1, -2)",
    "transpose": "a.T.reshape(-1)",
    "transpose_0213": "a.transpose(0, 2, 1, 3).reshape(-1)",
    "concat": "jnp.concatenate([a, b], 1)",
    "gather": "a[b]",
    "one_hot": "jax.nn.one_hot(a, b)",
    "conv": f"lax.conv_general_dilated(a, b, (1, 1), 'SAME', {CONV})",
    "conv_1x1": f"lax.conv_general_dilated(a, b, (1, 1), 'SAME', {CONV})",
    "conv_stride": f"lax.conv_general_dilated(a, b, (2, 2), 'VALID', {CONV})",
    "depthwise": "lax.conv_general_dilated(a, b.swapaxes(2, 3), (1, 1), 'SAME', "
        f"{CONV}, feature_group_count=a.shape[3])",
    "max_pool": "lax.reduce_window(a, -jnp.inf, lax.max, window, window, 'SAME')",
    "avg_pool": "lax.reduce_window(a, 0.0, lax.add, window, window, 'SAME') / 4",
    "batch_norm": NORMAL.format((0, 1, 2), 1e-3) + " * b + c",
    "layer_norm": NORMAL.format(2, 1e-6) + " * b + c",
    "sort": "jnp.sort(a)",
    "top_k": "lax.top_k(a, 100)[0]",
    "cumsum": "jnp.cumsum(a)",
    "random_normal": "jax.random.normal(key, [a])",
    "random_uniform": "jax.random.uniform(key, [a])",
    "where": "jnp.where(a, b, c)",
    "segment_sum": "jax.ops.segment_sum(a, b, c)",
    "pad": "jnp.pad(a, [(0, 0), (1, 1), (1, 1), (0, 0)])",
    "svd": "singular(a)",
    "matrix_solve": "jnp.linalg.solve(a, b)",
    "cholesky": "jnp.linalg.cholesky(a)",
    "fft": "jnp.fft.fft(a)",
}  # fmt: skip


def _singular(a):
    """The singular values and both matrices, as TensorFlow orders them."""
    left, values, right = jnp.linalg.svd(a, full_matrices=False)
    return values, left, right.T


NAMES = {"jax": jax, "jnp": jnp, "lax": jax.lax, "window": (1, 2, 2, 1),
         "singular": _singular}  # fmt: skip


def _case(name, size, slopes):
    op = ops.OPS[name]
    inputs = op.inputs(size)
    arrays = {k: jnp.asarray(v) for k, v in inputs.items() if not isinstance(v, int)}
    names = {**NAMES, **inputs}
    if op.random:
        arrays["key"] = jax.random.key(0)
    forward = eval(f"lambda {', '.join(arrays)}: {OPERATIONS[name]}", names)
    if slopes:
        function, arguments = _slopes(op, forward, arrays)
    else:
        function, arguments = jax.jit(forward), list(arrays.values())

    def host(found):
        parts = found if isinstance(found, tuple | list) else [found]
        turned = np.conj if slopes else np.asarray  # jax's slopes are the conjugates
        return np.concatenate([ops.digest(turned(part), op) for part in parts])

    names = {"function": function, "args": arguments, "wait": jax.block_until_ready}
    return Case("wait(function(*args))", names, whole=host)


def _slopes(op, forward, arrays):
    """The gradients of some inputs as a compiled function, and its arguments."""
    others = {k: v for k, v in arrays.items() if k not in op.slopes}
    sources = [arrays[letter] for letter in op.slopes]

    def taken(*sources):
        return forward(**others, **dict(zip(op.slopes, sources)))

    @jax.jit
    def slopes(upstream, *sources):
        return jax.vjp(taken, *sources)[1](upstream)

    upstream = jax.tree.map(
        lambda part: jnp.asarray(np.conj(op.upstream(part))), taken(*sources)
    )
    return slopes, [upstream, *sources]


def cases():
    """{row: {variant: a function that makes its Case}}."""
    return {
        row: {"jit": functools.partial(_case, *what)}
        for row, what in ops.ROWS.items()
        if what[0] in OPERATIONS
    }
