"""What values become as tensors: dtypes, shapes, lists of several kinds, errors."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both
from tests.ways import eager

SHAPE = tf.TensorShape([2, 3])


@both
def test_shapes_and_their_dimensions_are_integers(run):
    assert run(lambda: tf.convert_to_tensor(SHAPE)).tolist() == [2, 3]
    assert run(lambda: tf.cast(SHAPE[1], tf.float32)).tolist() == 3.0
    assert run(lambda: tf.ones(SHAPE, tf.int32) * SHAPE[1]).tolist() == [[3] * 3] * 2
    assert run(lambda: tf.concat([SHAPE, [4]], 0)).tolist() == [2, 3, 4]
    assert run(lambda: tf.convert_to_tensor(SHAPE, tf.int64)).dtype == np.int64
    large = tf.TensorShape([2**31])
    assert run(lambda: tf.convert_to_tensor(large)).dtype == np.int64


@both
@pytest.mark.parametrize(
    ("value", "dtype", "error", "words"),
    [
        (tf.TensorShape([None, 2]), None, ValueError, "a partially known TensorShape"),
        (tf.Dimension(None), None, ValueError, "an unknown Dimension to a Tensor"),
        (SHAPE[0], tf.float32, TypeError, "Cannot convert a TensorShape to dtype"),
        (tf.TensorShape([2**31]), tf.int32, ValueError, r"too large \(2147483648\)"),
        ([1, 2.5], tf.int32, TypeError, "got 2.5 of type 'float'"),
        (np.array([1.5]), tf.int32, TypeError, "Expected int32"),
        (1, tf.bool, TypeError, "Expected bool, got 1"),
    ],
)
def test_what_would_lose_or_is_not_known(run, value, dtype, error, words):
    with pytest.raises(error, match=words):
        run(lambda: tf.convert_to_tensor(value, dtype))


@both
@pytest.mark.parametrize(
    ("value", "dtype", "wanted"),
    [
        (True, tf.int32, 1),
        ([True, False], tf.float32, [1.0, 0.0]),
        (np.array([True]), tf.int64, [1]),
        (np.array([0, 2]), tf.bool, [False, True]),
        (np.array([1.0, 2.0]), tf.int32, [1, 2]),
    ],
)
def test_what_may_be_taken_for_another_dtype(run, value, dtype, wanted):
    found = run(lambda: tf.constant(value, dtype))
    assert found.tolist() == wanted and found.dtype == dtype.as_numpy_dtype


# As TensorFlow 1.12, which takes float32 for each of these in a graph.
def test_doubles_of_numpy_that_come_first_stay_so_eagerly():
    with eager():
        assert tf.constant([np.float64(1), 2.0]).dtype is tf.float64
        assert tf.constant([2.0, np.float64(1)]).dtype is tf.float32
        assert tf.constant([np.arange(2.0)]).dtype is tf.float64
    with tf.Graph().as_default():
        assert tf.constant([np.float64(1), 2.0]).dtype is tf.float32


@pytest.mark.parametrize("value", [[True, "a"], [1, "a"], ["a", 1], [1.5, b"a"]])
def test_strings_beside_numbers(value):
    with eager(), pytest.raises(ValueError, match="sequence with mixed types"):
        tf.constant(value)
    with tf.Graph().as_default(), pytest.raises(TypeError, match="Failed to convert"):
        tf.constant(value)


def test_lists_that_differ_in_length():
    words = r"dense tensor: \[\[1, 2\], \[3\]\] - got shape \[2\], but wanted \[2, 2\]"
    with tf.Graph().as_default(), pytest.raises(ValueError, match=words):
        tf.constant([[1, 2], [3]])


@both
def test_a_constant_without_elements(run):
    found = run(lambda: tf.constant(1.0, shape=[0, 3]))
    assert found.shape == (0, 3) and found.dtype == np.float32


def test_what_is_a_tensor():
    is_tensor = tf.contrib.framework.is_tensor
    with tf.Graph().as_default():
        c, v = tf.constant([[1]], tf.int64), tf.Variable(1)
        assert all(map(is_tensor, [c, v, tf.SparseTensor(c, [1], [1])]))
    assert not any(map(is_tensor, [1, np.ones(2), [c], None]))
