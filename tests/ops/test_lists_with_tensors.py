"""Lists with tensors in them, where a tensor of some dtype is wanted: as in 1.12."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both

TWO, HALF = lambda: tf.constant(2), lambda: tf.constant(0.5)


@both
@pytest.mark.parametrize(
    "value, dtype, wanted",
    [
        (lambda: [0, TWO()], tf.int64, [0, 2]),
        (lambda: [TWO(), TWO()], tf.int64, [2, 2]),
        (lambda: [0.5, TWO()], tf.float32, [0.5, 2.0]),
        (lambda: [HALF(), 1], tf.float64, [0.5, 1.0]),
        (lambda: [[TWO(), 1], [2, 3]], tf.int64, [[2, 1], [2, 3]]),
        (lambda: (TWO(), 3), tf.float32, [2.0, 3.0]),
    ],
)
def test_its_tensors_are_cast(run, value, dtype, wanted):
    found = run(lambda: tf.convert_to_tensor(value(), dtype=dtype))
    assert found.dtype == dtype.as_numpy_dtype and found.tolist() == wanted


@both
def test_ops_that_want_one_dtype_get_it(run):
    def build():
        sparse = tf.SparseTensor([[0, TWO()]], [1.0], [3, TWO() + 1])
        assert sparse.indices.dtype is sparse.dense_shape.dtype is tf.int64
        part = tf.sparse_slice(sparse, [0, TWO()], [1, 1])
        return part.values, tf.constant([1, 2], tf.int64) + [TWO(), 1]

    values, sums = run(build)
    assert values.tolist() == [1.0]
    assert sums.dtype == np.int64 and sums.tolist() == [3, 3]


def test_several_dtypes_are_refused():
    with tf.Graph().as_default():
        double = tf.constant(1.0, tf.float64)
        with pytest.raises(TypeError, match="of dtype <dtype: 'float64'> to <"):
            tf.convert_to_tensor([HALF(), double])
        assert tf.convert_to_tensor([HALF(), double], tf.float64).dtype is tf.float64


@both
def test_a_crop_of_a_size_that_is_partly_known(run):
    found = run(lambda: tf.random_crop(tf.ones([4, 4]), [2, TWO() + 1]))
    assert found.shape == (2, 3)
