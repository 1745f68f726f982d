"""Arrays lent to other libraries, and taken from them: values, memory and lifetimes."""

import gc

import jax
import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager

tfe = tf.contrib.eager

KINDS = [
    tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.bool, tf.int8, tf.uint16,
    tf.int64, tf.complex64, tf.complex128,
]  # fmt: skip


@pytest.fixture(autouse=True)
def eagerly():
    with eager():
        yield


def _bits(a):
    return np.asarray(a).tobytes(), np.shape(a)


def test_asarray_lends_for_reading():
    x = tf.constant(np.arange(6.0).reshape(2, 3))
    a = np.asarray(x)
    assert np.shares_memory(a, x._a) and not a.flags.writeable
    assert np.array(x).flags.writeable and x.numpy().flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        a[0, 0] = 5.0
    with pytest.raises(ValueError, match="only as a copy"):
        np.asarray(x, np.int32, copy=False)
    assert np.asarray(x, np.float32).flags.writeable
    assert memoryview(np.asarray(x)).readonly


@pytest.mark.parametrize("kind", KINDS, ids=lambda d: d.name)
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 4)], ids=str)
def test_round_trip(kind, shape):
    x = tf.cast(tf.ones(shape), kind)
    back = tf.from_dlpack(tf.to_dlpack(x))
    assert back.dtype is kind and _bits(back) == _bits(x)
    if len(shape) > 0 and 0 not in shape:
        assert np.shares_memory(back._a, x._a)
    again = tf.from_dlpack(jax.dlpack.from_dlpack(x))
    if kind not in (tf.float64, tf.int64, tf.complex128):  # jax makes 32 bits of them
        assert again.dtype is kind and _bits(again) == _bits(x)


def test_transposed_and_repeated():
    x = tf.transpose(tf.constant(np.arange(6.0).reshape(2, 3)))
    assert np.from_dlpack(x).tolist() == x.numpy().tolist()
    row = tf.broadcast_to(tf.constant([1.0, 2.0]), [3, 2])
    assert np.from_dlpack(row).tolist() == [[1.0, 2.0]] * 3


def test_old_consumers_get_a_copy():
    x = tf.constant([1.0, 2.0])
    taken = tf.from_dlpack(x.__dlpack__())
    assert not np.shares_memory(taken._a, x._a)
    with pytest.raises(BufferError, match=r"DLPack 1\.0"):
        x.__dlpack__(copy=False)
    assert not np.from_dlpack(x).flags.writeable


def test_lent_memory_stays():
    a = np.from_dlpack(tf.constant(np.arange(1000.0)))
    b = np.asarray(tf.constant(np.arange(1000.0)))
    gc.collect()
    junk = [tf.zeros([1000]) + 7.0 for _ in range(50)]
    assert a.tolist() == b.tolist() == list(range(1000)) and junk


def test_lent_memory_of_a_variable_stays():
    v = tfe.Variable(np.zeros(1 << 16, np.float32))
    lent = np.asarray(v.read_value())
    lent_too, copied = np.asarray(v), np.from_dlpack(v)
    for _ in range(3):
        v.assign_add(np.ones(1 << 16, np.float32))
    assert not lent.any() and not lent_too.any() and not copied.any()
    with pytest.raises(BufferError, match="only as a copy"):
        v.__dlpack__(max_version=(1, 0), copy=False)


def test_lent_gradient_is_not_added_to():
    """Sums in place look at who holds the array; a reader counts."""
    x = tf.constant(np.ones(1 << 16, np.float32))
    lent = []

    @tf.custom_gradient
    def spy(t):
        def back(dy):
            lent.append(np.asarray(dy))
            return dy * 2.0

        return tf.identity(t), back

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = spy(x) + spy(x) + x * 3.0
    dx = tape.gradient(y, x)
    assert (lent[0] == 1.0).all() and (lent[1] == 1.0).all()
    assert (dx.numpy() == 7.0).all()


def test_arrays_that_others_write_to_are_copied():
    a = np.arange(4.0)
    x, shared = tf.from_dlpack(a), tf.from_dlpack(a, copy=False)
    a[0] = 9.0
    assert x.numpy()[0] == 0.0 and shared.numpy()[0] == 9.0


def test_a_graph_gets_a_constant():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.from_dlpack(np.array([1.0, 2.0], np.float32))
        assert session.run(x * 2.0).tolist() == [2.0, 4.0]
        with pytest.raises(RuntimeError, match="graph"):
            tf.to_dlpack(x)


def test_errors():
    with pytest.raises(BufferError, match="no dtype"):
        tf.to_dlpack(tf.constant("text"))
    with pytest.raises(TypeError, match="convert_to_tensor"):
        tf.from_dlpack(3.0)
    capsule = tf.to_dlpack([1.0])
    tf.from_dlpack(capsule)
    with pytest.raises(ValueError, match="taken once"):
        tf.from_dlpack(capsule)
    with pytest.raises(BufferError, match="streams"):
        tf.constant(1.0).__dlpack__(stream=1)
    with pytest.raises(BufferError, match="asked for on"):
        tf.constant(1.0).__dlpack__(dl_device=(2, 0))
