"""What no graph could see: shapes that do not fit are refused when the graph runs."""

import numpy as np
import pytest

import twinflow as tf

X = np.arange(6, dtype=np.float32).reshape(3, 2)
CASES = {
    "top_k": (lambda x: tf.nn.top_k(x, 5), "least k columns. Had 2, needed 5"),
    "tile": (lambda x: tf.tile(x, [2]), "a vector of length 2 but got length 1"),
    "slice": (lambda x: tf.slice(x, [0, 0], [1, 5]), "size[1] in [0, 2], but got 5"),
    "short slice": (lambda x: tf.slice(x, [0], [1]), "1-D tensors of size 2, but got"),
    "unstack": (lambda x: tf.unstack(x, 2), "axis 0 must equal 2, got shape [3,2]"),
    "pad": (lambda x: tf.pad(x, [[1, 1]]), "must be the rank of inputs[1,2] [3,2]"),
    "mirror": (
        lambda x: tf.pad(x, [[3, 3], [0, 0]], "REFLECT"),
        "paddings must be less than the dimension size: 3, 3 not less than 3",
    ),
    "fill": (lambda x: tf.fill([2], x), "value must be a scalar, got shape [3,2]"),
    "dims": (lambda x: tf.fill(tf.to_int32(x), 1.0), "dims must be a vector, got"),
    "linspace": (lambda x: tf.linspace(x, 1.0, 3), "start must be a scalar, not shape"),
    "range": (lambda x: tf.range(x), "limit must be a scalar, not shape [3,2]"),
    "unique": (lambda x: tf.unique(x)[0], "unique expects a 1D vector."),
    "concat": (
        lambda x: tf.concat([x, [[1.0]]], 0),
        "inputs should match: shape[0] = [3,2] vs. shape[1] = [1,1]",
    ),
    "stack": (lambda x: tf.stack([x, [1.0]]), "values[0].shape = [3,2] != values[1]"),
    "split": (lambda x: tf.split(x, [1, 1]), "match input shape along split_dim"),
    "stitch": (
        lambda x: tf.dynamic_stitch([[0, 1]], [x]),
        "data[0].shape = [3,2] does not start with indices[0].shape = [2]",
    ),
    "segments": (
        lambda x: tf.segment_sum(x, [0, 1]),
        "segment_ids should be the same size as dimension 0 of input.",
    ),
    "ensured": (
        lambda x: tf.ensure_shape(x, [2, None]),
        "[3,2] is not compatible with expected shape [2,?].",
    ),
    "bits": (lambda x: tf.bitcast(x[:, :1], tf.complex64), "complex64: shape [3,1]"),
    "written": (
        lambda x: tf.scatter_add(tf.Variable([1.0, 2.0]), [0, 1], x),
        "shape of indices ([2]) is not compatible with the shape of updates ([3,2])",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_shapes_are_checked_when_the_graph_runs(name):
    f, text = CASES[name]
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, None)
        y = f(x)
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            session.run(y, {x: X})
    assert text in str(raised.value)
