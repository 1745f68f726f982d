"""tf.contrib.signal where sizes are known by a run alone."""

import numpy as np

import twinflow as tf


def test_mel_scales_of_any_number_of_frequencies():
    make = tf.contrib.signal.linear_to_mel_weight_matrix
    with tf.Graph().as_default(), tf.Session() as session:
        count = tf.placeholder(tf.int32, [])
        made = make(20, count, 8000.0, 125.0, 3800.0)
        found = session.run(made, {count: 129})
        wanted = session.run(make(20, 129, 8000.0, 125.0, 3800.0))
    np.testing.assert_allclose(found, wanted, atol=3e-6)
