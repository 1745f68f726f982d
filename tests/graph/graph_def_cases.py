"""Programs of inference, for TensorFlow 1.12 and for twinflow: see v1_cases.

Usage: `PYTHON tests/graph/graph_def_cases.py make FOLDER` under TensorFlow 1.12, or
`run FILE ...` under any TensorFlow.
"""

import os
import sys

import numpy as np

try:
    from tests.graph.v1_cases import built, check, saved, values
except ImportError:  # run as a script
    from v1_cases import built, check, saved, values

CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def dense(tf, x, units, name, activation=None, resource=False):
    """A layer of the simplest kind."""
    with tf.variable_scope(name, use_resource=resource):
        w = tf.get_variable("w", [int(x.shape[-1]), units])
        b = tf.get_variable("b", [units], initializer=tf.ones_initializer())
    y = tf.nn.bias_add(tf.matmul(x, w), b)
    return y if activation is None else activation(y)


# ------------------------------------------------------------------------- networks
@case
def mlp(tf):
    x = tf.placeholder(tf.float32, [None, 5], name="x")
    y = dense(tf, x, 7, "first", tf.nn.relu)
    y = dense(tf, tf.nn.dropout(y, 1.0), 3, "last", resource=True)
    best = tf.nn.top_k(y, 2)
    outputs = [tf.nn.softmax(y), tf.argmax(y, 1), best.values, best.indices]
    return outputs, [{"x": values(2, 5)}, {"x": values(3, 5)}]


@case
def convolutions(tf):
    x = tf.placeholder(tf.float32, [None, 8, 8, 3], name="x")
    y = tf.nn.conv2d(x, tf.get_variable("k", [3, 3, 3, 4]), [1, 1, 1, 1], "SAME")
    scale, offset = tf.constant(values(4)), tf.constant(values(4) + 1.0)
    y, _, _ = tf.nn.fused_batch_norm(
        y, scale, offset, offset * 0.1, offset + 2.0, is_training=False
    )
    y = tf.nn.max_pool(tf.nn.relu6(y), [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
    y = tf.nn.lrn(tf.nn.avg_pool(y, [1, 2, 2, 1], [1, 1, 1, 1], "SAME"), 2)
    flat = tf.reshape(y, [-1, 4 * 4 * 4])
    mean, variance = tf.nn.moments(y, [1, 2])
    return [dense(tf, flat, 10, "out"), mean, variance], [{"x": values(2, 8, 8, 3)}]


@case
def other_convolutions(tf):
    x = tf.placeholder(tf.float32, [1, None, None, 2], name="x")
    k = tf.constant(values(3, 3, 2, 2))
    y = tf.nn.depthwise_conv2d(x, k, [1, 1, 1, 1], "SAME", rate=[2, 2])
    z = tf.nn.atrous_conv2d(x, k, 2, "VALID")
    s = tf.nn.separable_conv2d(
        x, k, tf.constant(values(1, 1, 4, 3)), [1, 1, 1, 1], "VALID", rate=[2, 2]
    )
    t = tf.nn.conv2d_transpose(x, k, [1, 14, 14, 2], [1, 2, 2, 1], "SAME")
    r = tf.image.resize_bilinear(x, [4, 5], align_corners=True)
    return [y, z, s, t, r], [{"x": values(1, 7, 7, 2)}]


@case
def embeddings(tf):
    ids = tf.placeholder(tf.int64, [None, None], name="ids")
    table = tf.get_variable("table", [9, 4], initializer=tf.initializers.ones())
    rows = tf.nn.embedding_lookup(table * values(9, 1), ids)
    other = tf.get_variable("other", [9, 2], use_resource=True)
    more = tf.gather(other + 0.0, ids)
    hot = tf.one_hot(ids, 9, on_value=2.0)
    return [tf.reduce_mean(rows, 1), more, hot], [{"ids": [[1, 2, 8], [0, 0, 3]]}]


# ------------------------------------------------------------------------- other ops
@case
def strings(tf):
    x = tf.placeholder(tf.int32, [None], name="x")
    text = tf.string_join(["item ", tf.as_string(x), "!"])
    words = tf.string_split(text, " ")
    number = tf.string_to_number(tf.regex_replace(text, "[a-z !]", ""), tf.int32)
    bucket = tf.string_to_hash_bucket_fast(text, 1000)
    start = tf.decode_raw(tf.substr(text, 0, 3), tf.uint8)
    return [number, bucket, start, words.indices], [{"x": [1, 23, 456]}]


@case
def shapes(tf):
    x = tf.placeholder(tf.float32, [None, 3, 4], name="x")
    n = tf.shape(x)[0]
    parts = tf.split(x, [1, 3], 2)
    outputs = [
        tf.reshape(x, [n, -1]), x[1:, ..., ::-1], x[:, tf.newaxis, 0], parts[1],
        tf.stack(tf.unstack(x, axis=1)[:2]), tf.transpose(x, [2, 0, 1]),
        tf.pad(x, [[0, 0], [1, 0], [0, 2]], "REFLECT"), tf.tile(x, [1, 2, 1]),
        tf.gather_nd(x, [[0, 1], [1, 2]]), tf.cumsum(x, 1, exclusive=True),
        tf.where(x > 0.0, x, tf.zeros_like(x)), tf.squeeze(parts[0], [2]),
        tf.reverse_sequence(x, tf.fill([n], 2), 1), tf.expand_dims(x, -1),
        tf.boolean_mask(x, [True, False]), tf.range(n * 2), tf.size(x),
        tf.sequence_mask([1, 3], 4), tf.invert_permutation([1, 0]),
    ]  # fmt: skip
    return outputs, [{"x": values(2, 3, 4)}]


@case
def numbers(tf):
    x = tf.placeholder(tf.float64, [3, 3], name="x")
    spd = tf.matmul(x, x, transpose_b=True) + tf.eye(3, dtype=tf.float64)
    i = tf.cast(x * 10.0, tf.int32)
    z = tf.complex(x, x + 1.0)
    outputs = [
        tf.cholesky(spd), tf.matrix_solve(spd, x), tf.matrix_inverse(spd),
        tf.matrix_determinant(spd), tf.self_adjoint_eigvals(spd),
        tf.abs(tf.fft(tf.cast(z, tf.complex64))), tf.real(tf.conj(z) * z),
        i // 3, i % 3, tf.floordiv(x, 0.3), tf.pow(tf.abs(x), x), tf.lgamma(x + 2.0),
        tf.einsum("ij,kj->ik", x, x), tf.tensordot(x, x, [[0], [1]]), tf.norm(x),
        tf.reduce_logsumexp(x, 1), tf.reduce_prod(x, keepdims=True), tf.trace(x),
        tf.bitwise.bitwise_and(i, 6), tf.unsorted_segment_sum(x, [1, 0, 1], 2),
        tf.clip_by_norm(x, 1.0), tf.nn.l2_normalize(x, 1), tf.erf(x), tf.round(x * 4.0),
    ]  # fmt: skip
    return outputs, [{"x": values(3, 3)}]


@case
def sparse(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    s = tf.SparseTensor([[0, 1], [1, 0], [1, 2]], x, [2, 3])
    weights = tf.constant(values(3, 4))
    ids = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], [2, 0, 1], [2, 2])
    outputs = [
        tf.sparse_tensor_to_dense(s), tf.sparse_tensor_dense_matmul(s, weights),
        tf.nn.embedding_lookup_sparse(weights, ids, None, combiner="mean"),
        tf.sparse_reduce_sum(s, 1), tf.sparse_reorder(s).values,
    ]  # fmt: skip
    return outputs, [{"x": [1.0, 2.0, 3.0]}]


@case
def functions(tf):
    @tf.contrib.eager.defun
    def inner(a, b):
        return tf.matmul(a, b) + 1.0, tf.reduce_sum(a)

    @tf.contrib.eager.defun
    def outer(a):
        x, y = inner(a, a)
        return x * tf.sigmoid(x) - y

    x = tf.placeholder(tf.float32, [2, 2], name="x")
    return [outer(x)], [{"x": values(2, 2)}]


def main(command, paths):
    try:
        import tensorflow.compat.v1 as tf

        tf.disable_v2_behavior()
    except (ImportError, AttributeError):
        import tensorflow as tf
    if command == "run":
        for path in paths:
            with np.load(path) as file:
                check(tf, {name: file[name] for name in file.files})
        return
    from tensorflow.python.framework import graph_util

    freeze = graph_util.convert_variables_to_constants
    for name, function in sorted(CASES.items()):
        with open(os.path.join(paths[0], name + ".npz"), "wb") as file:
            file.write(saved(built(tf, function, freeze)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
