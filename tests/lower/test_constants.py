"""What is computed while a cluster is lowered is checked as what is compiled."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, eager

BAD = {
    "gather": (lambda: tf.gather([1, 2], [7]), "= 7 is not in"),
    "bincount": (lambda: tf.bincount([1, -1]), "must be non-negative"),
}


@pytest.mark.parametrize("name", BAD)
def test_constants_are_checked(name):
    call, text = BAD[name]
    with tf.Graph().as_default(), tf.Session() as session, compiled():
        x = tf.placeholder(tf.float32, [2])
        made = [call(), x + 1.0]
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError, match=text):
                session.run(made, {x: [1.0, 2.0]})


def test_zero_to_a_complex_power():
    x, y = np.zeros(3, np.complex64), np.array([2, 2 + 1j, 0.5 - 1j], np.complex64)
    with eager(), compiled():
        found = tf.function(tf.pow)(x, y)
    np.testing.assert_array_equal(found, np.zeros(3))
