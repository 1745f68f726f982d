"""Each op that is written: LiteRT gives what the op gives."""

import numpy as np
import pytest

import twinflow as tf
from tests.interchange.lite.models import off, run, written

RANDOM = np.random.RandomState(0)
X = RANDOM.randn(1, 4, 6, 8).astype("f4")
Y = RANDOM.rand(1, 4, 6, 8).astype("f4") + 0.5
K = RANDOM.randint(0, 3, [1, 4]).astype("i4")
N = RANDOM.randint(-5, 6, [1, 5]).astype("i4")
C = tf.constant
MATRIX = RANDOM.randn(8, 5).astype("f4")
BOXES = [[1, 1], [0, 2]]

# {name: function of X, Y, K and N}; several results are a list
CASES = {
    "add": lambda x, y, k, n: x + y, "subtract": lambda x, y, k, n: x - y,
    "multiply": lambda x, y, k, n: x * y, "divide": lambda x, y, k, n: x / y,
    "by_parts": lambda x, y, k, n: (x + y[:, :1]) * y[..., :1] - 2.0,
    "maximum": lambda x, y, k, n: tf.maximum(x, y),
    "minimum": lambda x, y, k, n: tf.minimum(x, 0.5),
    "power": lambda x, y, k, n: tf.pow(y, x), "floor": lambda x, y, k, n: tf.floor(x),
    "floordiv": lambda x, y, k, n: [tf.floordiv(x, y), tf.floordiv(n, 3)],
    "floormod": lambda x, y, k, n: [tf.floormod(x, y), tf.floormod(n, 3)],
    "squared_difference": lambda x, y, k, n: tf.squared_difference(x, y),
    "abs": lambda x, y, k, n: [tf.abs(x), tf.abs(n), tf.ceil(x)],
    "negative": lambda x, y, k, n: [-x, -n], "round": lambda x, y, k, n: tf.round(x),
    "sign": lambda x, y, k, n: [tf.sign(x), tf.sign(n)],
    "square": lambda x, y, k, n: [tf.square(x), tf.square(n)],
    "exp": lambda x, y, k, n: tf.exp(x), "log": lambda x, y, k, n: tf.log(y),
    "log1p": lambda x, y, k, n: tf.log1p(y), "expm1": lambda x, y, k, n: tf.expm1(x),
    "sqrt": lambda x, y, k, n: tf.sqrt(y), "rsqrt": lambda x, y, k, n: tf.rsqrt(y),
    "reciprocal": lambda x, y, k, n: tf.reciprocal(y),
    "trigonometry": lambda x, y, k, n: [tf.sin(x), tf.cos(x), tf.tan(y)],
    "hyperbolic": lambda x, y, k, n: [tf.sinh(x), tf.cosh(x), tf.tanh(x)],
    "erf": lambda x, y, k, n: [tf.erf(x), tf.erfc(x)],
    "sigmoid": lambda x, y, k, n: tf.sigmoid(x),
    "activations": lambda x, y, k, n: [
        tf.nn.relu(x), tf.nn.relu6(x * 5), tf.nn.elu(x), tf.nn.selu(x),
        tf.nn.softplus(x), tf.nn.softsign(x), tf.nn.leaky_relu(x, 0.3),
    ],
    "softmax": lambda x, y, k, n: [tf.nn.softmax(x), tf.nn.log_softmax(x)],
    "softmax_of_an_axis": lambda x, y, k, n: tf.nn.softmax(x, axis=1),
    "compare": lambda x, y, k, n: [
        x < y, x <= y, x > y, x >= y, tf.equal(k, 1), tf.not_equal(k, 1),
    ],
    "logic": lambda x, y, k, n: [
        (x < y) & (x > 0), (x < y) | (y > 1), ~(x < y), tf.logical_xor(x < y, y > 1),
    ],
    "where": lambda x, y, k, n: [
        tf.where(x < y, x, y), tf.where(k[0] > 0, x[0], y[0]), tf.where(x > 0),
    ],
    "cast": lambda x, y, k, n: [
        tf.cast(x, tf.int32), tf.cast(k, tf.float32), tf.cast(x > 0, tf.float32),
        tf.cast(n, tf.int64),
    ],
    "numbers": lambda x, y, k, n: [
        tf.is_nan(x), tf.is_finite(x), tf.div_no_nan(x, tf.nn.relu(x)),
    ],
    "add_n": lambda x, y, k, n: tf.add_n([x, y, x]),
    "reshape": lambda x, y, k, n: [
        tf.reshape(x, [-1, 8]), tf.reshape(x, [tf.shape(x)[0], -1]),
        tf.layers.flatten(x), tf.squeeze(x[:, :1], [1]), tf.expand_dims(x, 1),
    ],
    "transpose": lambda x, y, k, n: tf.transpose(x, [0, 3, 1, 2]),
    "concat": lambda x, y, k, n: [tf.concat([x, y], 1), tf.concat([x, y], -1)],
    "stack": lambda x, y, k, n: [tf.stack([x, y], -1), tf.stack([x, y])],
    "unstack": lambda x, y, k, n: tf.unstack(x, axis=1),
    "split": lambda x, y, k, n: [*tf.split(x, 2, -1), *tf.split(x, [1, 3, 2], 2)],
    "tile": lambda x, y, k, n: tf.tile(x, [1, 2, 1, 3]),
    "fill": lambda x, y, k, n: tf.fill([2, 3], x[0, 0, 0, 0]),
    "like": lambda x, y, k, n: [x + tf.ones_like(x), tf.zeros_like(x) * y],
    "range": lambda x, y, k, n: tf.range(n[0, 0], n[0, 0] + 4) * 1,
    "pad": lambda x, y, k, n: [
        tf.pad(x, [[0, 0], [1, 2], [0, 1], [0, 0]]),
        tf.pad(x, [[0, 0], [1, 2], [0, 1], [0, 0]], constant_values=3.0),
        tf.pad(x, [[0, 0], [1, 2], [0, 1], [0, 0]], "REFLECT"),
        tf.pad(x, [[0, 0], [1, 2], [0, 1], [0, 0]], "SYMMETRIC"),
    ],
    "one_hot": lambda x, y, k, n: [
        tf.one_hot(k, 3), tf.one_hot(k, 4, 2.0, -1.0, axis=1),
    ],
    "cumsum": lambda x, y, k, n: [
        tf.cumsum(x, 2), tf.cumsum(x, 1, exclusive=True, reverse=True),
    ],
    "broadcast": lambda x, y, k, n: tf.broadcast_to(x[:, :1], [1, 4, 6, 8]),
    "slices": lambda x, y, k, n: [
        x[:, 1:3], x[:, ::2, 1:-1], x[:, -1], x[..., 2], x[:, tf.newaxis, 1, ..., 3:],
        x[:, ::-1], x[:, 3:0:-2, 5], tf.slice(x, [0, 1, 0, 2], [1, 2, -1, 3]),
    ],
    "gather": lambda x, y, k, n: [
        tf.gather(x, [2, 0, 3], axis=1), tf.gather(MATRIX, k),
        tf.nn.embedding_lookup(C(MATRIX), k), tf.gather_nd(x, [[0, 1, 2], [0, 3, 0]]),
    ],
    "scatter": lambda x, y, k, n: tf.scatter_nd([[1], [3]], x[0, :2], [5, 6, 8]),
    "top": lambda x, y, k, n: [
        *tf.nn.top_k(x, 3), tf.argmax(x, -1), tf.argmin(x, 1, output_type=tf.int32),
    ],
    "reverse": lambda x, y, k, n: [
        tf.reverse(x, [1]), tf.reverse(x, [1, -1]), tf.reverse_sequence(x, [3], 1),
    ],
    "unique": lambda x, y, k, n: list(tf.unique(k[0])),
    "space": lambda x, y, k, n: [
        tf.space_to_depth(x, 2), tf.depth_to_space(x, 2),
        tf.space_to_batch_nd(x, [2, 2], [[0, 0], [1, 1]]),
    ],
    "matmul": lambda x, y, k, n: [
        tf.matmul(x[0, 0], MATRIX), tf.matmul(x[0, 0], y[0, 0], transpose_b=True),
        tf.matmul(x[0, 0], y[0, 0], transpose_a=True),
        tf.matmul(x, y, transpose_b=True), tf.tensordot(x, C(MATRIX), 1),
    ],
    "reductions": lambda x, y, k, n: [
        tf.reduce_sum(x, [1, 2]), tf.reduce_mean(x, -1, True), tf.reduce_max(x),
        tf.reduce_min(x, 1), tf.reduce_prod(y, [3]), tf.reduce_any(x > 2, 1),
        tf.reduce_all(x < 2, [1, 2]), tf.nn.l2_loss(x), tf.reduce_logsumexp(x, 1),
    ],
    "resize": lambda x, y, k, n: [
        tf.image.resize_bilinear(x, [7, 9]), tf.image.resize_bilinear(x, [7, 9], True),
        tf.image.resize_nearest_neighbor(x, [8, 3]),
    ],
    "normalisation": lambda x, y, k, n: [
        tf.nn.l2_normalize(x, -1), tf.nn.lrn(x, 2, alpha=0.3),
        tf.nn.fused_batch_norm(x, y[0, 0, 0], y[0, 0, 1])[0],
    ],
    "pools": lambda x, y, k, n: [
        tf.nn.max_pool(x, [1, 2, 3, 1], [1, 2, 1, 1], "SAME"),
        tf.nn.avg_pool(x, [1, 3, 3, 1], [1, 1, 2, 1], "VALID"),
    ],
    "branches": lambda x, y, k, n: [
        tf.cond(C(True), lambda: x + 1, lambda: x * 2),
        tf.cond(x[0, 0, 0, 0] > 0, lambda: x + 1, lambda: x * 2),
    ],
    "loop": lambda x, y, k, n: tf.while_loop(
        lambda i, a: i < 3, lambda i, a: (i + 1, tf.sin(a) + y), (0, x)
    ),
    "map": lambda x, y, k, n: tf.map_fn(lambda row: row * row[:1], x[0]),
    "function": lambda x, y, k, n: tf.contrib.eager.defun(lambda a: tf.exp(a) * y)(x),
    "constants": lambda x, y, k, n: [C(MATRIX) * 2.0, x],
}  # fmt: skip


def test_each_op():
    """All in one model: starting an interpreter is what takes the time."""
    places = {}

    def together(*xs):
        found = []
        for name, call in CASES.items():
            made = tf.contrib.framework.nest.flatten(call(*xs))
            places[name] = (len(found), len(found) + len(made))
            found += [tf.identity(t) for t in made]
        return found

    arrays = [X, Y, K, N]
    model, want = written(together, arrays)
    found = run(model, arrays)
    errors = [off(a, b) for a, b in zip(found, want, strict=True)]
    wrong = {n: errors[i:j] for n, (i, j) in places.items() if max(errors[i:j]) > 1e-5}
    assert not wrong


def test_an_op_without_a_counterpart():
    def call(x):
        return tf.lgamma(x)  # this line

    with pytest.raises(tf.errors.UnimplementedError) as caught:
        written(call, [X])
    text = str(caught.value)
    assert "'Lgamma' of the node 'Lgamma' cannot be written" in text
    assert "allow_custom_ops=True" in text and "test_ops.py" in text


def test_loops_that_only_a_run_knows():
    def call(n):
        return tf.while_loop(lambda i: i < n[0, 0], lambda i: i + 1, [0])

    with pytest.raises(tf.errors.UnimplementedError, match="by a run alone"):
        written(call, [N])
