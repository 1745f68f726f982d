"""NumPy and Python as scripts of 2018 expect them, and as they were before."""

import collections
import fractions
import io

import numpy as np
import pytest

import twinflow as tf
from twinflow.compat.door import absent, habits


@pytest.fixture
def old():
    """Old habits, and modern manners again afterwards."""
    undo = habits.restore()
    yield
    undo()
    assert not hasattr(np.ndarray, "tostring") and not hasattr(fractions, "gcd")
    assert np.array.__module__ == "numpy" and repr(np.float32(1)) == "np.float32(1.0)"


def test_names(old):
    assert np.zeros(2, np.float).dtype == np.float64 and np.int is int
    assert np.asscalar(np.array([3])) == 3 and np.product([2, 3]) == 6
    assert np.in1d([1, 2], [2]).tolist() == [False, True] and np.rank([[1]]) == 2
    assert np.lib.pad is np.pad
    assert np.math.sqrt(4.0) == 2.0 and np.alltrue([1, 1]) and fractions.gcd(4, 6) == 2
    assert issubclass(list, collections.Iterable)
    assert list(xrange(2)) == [0, 1] and unicode("a") == "a"  # noqa: F821
    assert reduce(lambda a, b: a + b, [1, 2]) == 3  # noqa: F821


def test_methods_of_arrays(old):
    a = np.arange(4, dtype=np.uint8)
    assert (
        a.tostring() == a.tobytes() == b"\0\1\2\3" and np.uint8(7).tostring() == b"\7"
    )
    a.itemset(0, 9)
    b = a.reshape(2, 2)
    b.itemset((1, 1), 8)
    b.itemset(1, 0, 7)
    assert a.tolist() == [9, 1, 7, 8] and a.ptp() == 8
    assert a.view(np.uint16).newbyteorder().dtype.byteorder == ">"


def test_manners(old):
    a = np.arange(3)
    assert np.array(a, copy=False) is a and np.array([1], np.float32, copy=False).size
    assert np.fromstring(b"\1\2", dtype=np.uint8).tolist() == [1, 2]
    assert np.fromstring("1 2", sep=" ").tolist() == [1.0, 2.0]
    ragged = np.array([[1, 2], [3]])
    assert ragged.dtype == object and ragged.shape == (2,)
    assert np.asarray([[1], [2, 3]]).dtype == object
    assert np.array([128, -1, 300], np.int8).tolist() == [-128, -1, 44]
    assert np.asarray([-1, 2], np.uint16).tolist() == [65535, 2]
    for kind in np.int64, np.int32:
        with pytest.raises(OverflowError):
            np.array([1 << 70], kind)
    with pytest.raises(ValueError, match="sequence"):
        np.array([[1, 2], [3]], np.int32)
    assert np.vstack(np.ones(2) for _ in range(3)).shape == (3, 2)
    assert np.histogram([1, 2], 2, normed=True)[0].tolist() == [1.0, 1.0]
    assert str([np.float32(0.5), np.int64(3)]) == "[0.5, 3]"


def test_ragged_lists_are_still_no_tensors(old):
    with pytest.raises(ValueError, match=r"non-rectangular|must be a dense tensor"):
        tf.constant([[1, 2], [3]])


def test_renamed_modules():
    for name, attribute in [("cPickle", "loads"), ("StringIO", "StringIO")]:
        spec = absent.FINDER.find_spec(name)
        module = type(io)(name)
        module.__spec__ = spec
        absent.FINDER.exec_module(module)
        assert hasattr(module, attribute) and module.__name__ == name
