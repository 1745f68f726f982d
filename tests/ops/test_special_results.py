"""What TensorFlow 1.12 gives at nan, infinities and zeros, in every engine.

The numbers are those of TensorFlow 1.12.3 on a CPU.
"""

import numpy as np
import pytest

import twinflow as tf
from tests import ways

NAN, INF = np.nan, np.inf
ROWS = np.array(
    [[NAN, 1, 2], [1, NAN, 2], [1, 2, NAN], [NAN] * 3, [INF, NAN, -INF],
     [-INF, -INF, NAN]], np.float32,
)  # fmt: skip
X = np.float32([7, -7, 7, -7, 1e-20, 0, -0.0, INF, 1, NAN, 1, 0, 5, -5])
Y = np.float32([2, 2, -2, -2, 1e10, -3, 3, 2, INF, 1, -INF, 0, 0, 0])
W = np.float32([NAN, -0.0, 0.0, INF, -INF, 7])
A = np.float32([0, 0, 1, INF, 1, INF, -1, 0, -1, NAN, INF, NAN, 1])
B = np.float32([0, 1, 0, 1, INF, INF, 1, INF, 0, 0, 0, 1, -1])
CASES = {
    "reduce_max": (lambda x: tf.reduce_max(x, 1), [ROWS], [2, 2, 2, -INF, INF, -INF]),
    "reduce_min": (lambda x: tf.reduce_min(x, 1), [ROWS], [1, 1, 1, INF, -INF, -INF]),
    "reduce_max of all": (tf.reduce_max, [ROWS], INF),
    "argmax": (lambda x: tf.argmax(x, 1), [ROWS], [2, 2, 1, 0, 0, 0]),
    "argmin": (lambda x: tf.argmin(x, 1), [ROWS], [1, 0, 0, 0, 2, 0]),
    "top_k values": (lambda x: tf.nn.top_k(x, 1)[0], [ROWS[:3]], [[2], [2], [2]]),
    "top_k indices": (lambda x: tf.nn.top_k(x, 1)[1], [ROWS], [2, 2, 1, 0, 0, 0]),
    "sign": (tf.sign, [W], [0, 0, 0, 1, -1, 1]),
    "relu": (tf.nn.relu, [W], [NAN, -0.0, 0, INF, 0, 7]),
    "relu6": (tf.nn.relu6, [W], [NAN, -0.0, 0, 6, 0, 6]),
    "elu": (tf.nn.elu, [W], [NAN, -0.0, 0, INF, -1, 7]),
    "selu": (tf.nn.selu, [W], [NAN, -0.0, 0, INF, -1.7580993, 7.354907]),
    "igamma": (
        tf.igamma, [A, B],
        [0, NAN, 0, NAN, 1, NAN, NAN, NAN, 0, 0, 0, NAN, NAN],
    ),
    "igammac": (
        tf.igammac, [A, B],
        [NAN, NAN, 1, NAN, 0, 0, NAN, NAN, NAN, NAN, 1, NAN, NAN],
    ),
    "truncatediv": (
        tf.truncatediv, [X, Y],
        [3.5, -3.5, -3.5, 3.5, 1e-30, -0.0, -0.0, INF, 0, NAN, -0.0, NAN, INF, -INF],
    ),
    "truncatemod": (
        tf.truncatemod, [X, Y],
        [1, -1, 1, -1, 1e-20, 0, -0.0, NAN, 1, NAN, 1, NAN, NAN, NAN],
    ),
    "floordiv": (
        tf.floordiv, [X, Y],
        [3, -4, -4, 3, 0, -0.0, -0.0, INF, 0, NAN, -0.0, NAN, INF, -INF],
    ),
    "floormod": (
        tf.floormod, [X, Y],
        [1, 1, -1, -1, 1e-20, -0.0, -0.0, NAN, 1, NAN, NAN, NAN, NAN, NAN],
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", ways.WAYS)
@pytest.mark.parametrize("name", CASES)
def test_tensorflows_result(name, way):
    function, arrays, wanted = CASES[name]
    found = np.asarray(ways.run(way, lambda: function, *arrays))
    wanted = np.reshape(np.asarray(wanted, found.dtype), found.shape)
    np.testing.assert_array_max_ulp(found, wanted, 4)
    if found.dtype.kind == "f":
        number = ~np.isnan(found)
        signs = np.signbit(found[number]), np.signbit(wanted[number])
        assert np.array_equal(*signs), found


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("way", ways.WAYS)
def test_a_running_sum_of_half_floats_rounds_once(way, dtype):
    x = np.full(1000, 0.1, np.float32).astype(tf.as_dtype(dtype).as_numpy_dtype)
    found = np.asarray(ways.run(way, lambda: tf.cumsum, x), np.float32)
    wanted = np.cumsum(x.astype(np.float64))
    eps = 2.0**-11 if dtype == "float16" else 2.0**-8
    assert np.abs(found / wanted - 1).max() <= 1.01 * eps
