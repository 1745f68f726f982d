"""Guards of compiled clusters: what fails has changed nothing."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled


def test_a_failed_guard_leaves_a_variable_of_another_shape():
    words = "a guard may have to undo"
    with compiled(words) as entries, tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable([1.0], validate_shape=False)
        i, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [4])
        row = tf.gather(tf.constant([1.0, 2.0, 3.0]), i)
        update = tf.assign(v, x * row, validate_shape=False)
        sess.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="7 is not in"):
            sess.run(update, {i: 7, x: np.ones(4)})
        assert sess.run(v).tolist() == [1.0]
        assert sess.run(update, {i: 1, x: np.ones(4)}).tolist() == [2.0] * 4
        assert sess.run(v).tolist() == [2.0] * 4
    assert any(words in str(e.error) for e in entries)
