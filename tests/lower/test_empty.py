"""Empty arrays run in every way: no size is found out by dividing by nothing."""

import numpy as np
import pytest

import twinflow as tf
from tests import ways
from twinflow.lower.lowering import NeedsValue


def _slope(f):
    def of(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    return of


def _joined(x):
    return tf.TensorArray(tf.float32, 2).unstack(x).concat()


FUNCTIONS = {
    "concat of a TensorArray": (_joined, (2, 3, 0)),
    "its gradient": (_slope(_joined), (2, 3, 0)),
    "dynamic_partition": (lambda x: tf.dynamic_partition(x, [0, 1], 2)[1], (2, 0)),
    "its gradient ": (_slope(lambda x: tf.dynamic_partition(x, [0, 1], 2)[0]), (2, 0)),
    "dynamic_stitch": (lambda x: tf.dynamic_stitch([[1, 0]], [x]), (2, 0)),
    "unsorted_segment_max": (
        lambda x: tf.unsorted_segment_max(x, [0, 1], 2), (2, 0),
    ),
    "a loop without turns": (
        lambda x: tf.reduce_sum(tf.map_fn(lambda a: a * 2, x)), (0, 3),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("way", ways.WAYS)
def test_empty_inputs(way, name):
    f, shape = FUNCTIONS[name]
    found = ways.run(way, lambda: f, np.zeros(shape, np.float32), refusals=NeedsValue)
    wanted = ways.run("eager", lambda: f, np.zeros(shape, np.float32))
    assert found.shape == wanted.shape and found.dtype == wanted.dtype
    assert not found.any()
