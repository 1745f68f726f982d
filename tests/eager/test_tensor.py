"""Eager tensors: printing, NumPy both ways, Python's protocols, ownership, copies."""

import copy
import pickle
import warnings

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager


@pytest.fixture(autouse=True)
def eagerly():
    with eager():
        yield


@pytest.mark.parametrize(
    "value, text",
    [
        (3, "tf.Tensor(3, shape=(), dtype=int32)"),
        (2.5, "tf.Tensor(2.5, shape=(), dtype=float32)"),
        (True, "tf.Tensor(True, shape=(), dtype=bool)"),
        ("a", "tf.Tensor(b'a', shape=(), dtype=string)"),
        ([[4.0]], "tf.Tensor([[4.]], shape=(1, 1), dtype=float32)"),
        ([1, 2], "tf.Tensor([1 2], shape=(2,), dtype=int32)"),
        ([[1, 2], [3, 4]], "tf.Tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)"),
        (["a", "b"], "tf.Tensor([b'a' b'b'], shape=(2,), dtype=string)"),
        (1 + 2j, "tf.Tensor((1+2j), shape=(), dtype=complex128)"),
    ],
)
def test_str(value, text):
    assert str(tf.constant(value)) == text


@pytest.mark.parametrize(
    "value, text",
    [
        (4.0, "shape=(), dtype=float32, numpy=4.0>"),
        (0.1, "shape=(), dtype=float32, numpy=0.1>"),
        (3, "shape=(), dtype=int32, numpy=3>"),
        (True, "shape=(), dtype=bool, numpy=True>"),
        ("a", "shape=(), dtype=string, numpy=b'a'>"),
        (np.float64(0.1), "shape=(), dtype=float64, numpy=0.1>"),
        ([[1, 2], [3, 4]], "shape=(2, 2), dtype=int32, numpy=\narray([[1, 2],\n"
         "       [3, 4]], dtype=int32)>"),
        ([1.0], "shape=(1,), dtype=float32, numpy=array([1.], dtype=float32)>"),
    ],
)  # fmt: skip
def test_repr(value, text):
    found = repr(tf.constant(value))
    assert found.startswith("<tf.Tensor: id=") and found.endswith(text)


def test_repr_keeps_its_id():
    a, b = tf.constant(1.0), tf.constant(1.0)
    assert repr(a) == repr(a) != repr(b)


def test_long_tensors_are_abbreviated():
    assert "[0. 0. 0. ... 0. 0. 0.]" in str(tf.zeros([2000]))


def test_format():
    assert f"hello, {tf.matmul([[2.0]], [[2.0]])}" == "hello, [[4.]]"
    assert f"{tf.constant(2.34567):.3f}" == "2.346" and f"{tf.constant(7):03d}" == "007"
    assert f"{tf.constant(0.5).numpy():f}" == "0.500000"


def test_python_numbers_and_arrays_become_tensors():
    for value, dtype in [
        (1, tf.int32), (1.0, tf.float32), (True, tf.bool), (2**40, tf.int64),
        (np.ones(2), tf.float64), (np.int64(1), tf.int64), (1j, tf.complex128),
        (np.float16(1), tf.float16), ([1, 2.0], tf.float32), ("s", tf.string),
    ]:  # fmt: skip
        assert tf.constant(value).dtype is dtype, value


def test_numpy_functions_take_tensors():
    a = tf.constant([1.0, 2.0])
    assert type(np.multiply(a, a)) is np.ndarray and np.square(a).tolist() == [1, 4]
    assert (
        type(a.numpy()) is np.ndarray and type(tf.constant(1.0).numpy()) is np.float32
    )
    assert np.asarray(a).dtype == np.float32 and np.array(a, np.float64).dtype == "f8"
    assert np.float32([1, 1]).dot(np.asarray(a)) == 3.0


def test_arrays_on_either_side():
    a, b = tf.constant([1.0, 2.0]), np.float32([10, 20])
    for c in (a + b, b + a, b * a, b - a, a / b):
        assert isinstance(c, tf.Tensor)
    assert (b - a).numpy().tolist() == [9, 18]
    assert (np.float32(10) - a).numpy().tolist() == [9, 8]


def test_scalars_are_python_numbers_where_asked():
    assert int(tf.constant(3)) == 3 and float(tf.constant(0.5)) == 0.5
    assert complex(tf.constant(1j)) == 1j and round(tf.constant(2.567), 1) == 2.6
    assert list(range(tf.constant(2).numpy())) == [0, 1] == list(range(tf.constant(2)))
    assert [10, 20][tf.constant(1)] == 20
    assert tf.constant(True) and not tf.constant(False)
    with pytest.raises(ValueError, match="Non-boolean tensor"):
        bool(tf.constant(1))
    with pytest.raises(
        ValueError, match=r"(?s)Non-scalar tensor .* cannot be converted to boolean"
    ):
        bool(tf.constant([1, 2]))
    with pytest.raises(TypeError):
        range(tf.constant(1.5))


def test_iteration_and_len():
    a = tf.constant([[1, 2], [3, 4]])
    assert [r.numpy().tolist() for r in a] == [[1, 2], [3, 4]]
    _, y = a
    assert y.numpy().tolist() == [3, 4]
    with pytest.raises(TypeError, match="has no len"):
        len(a)
    with pytest.raises(TypeError, match="Cannot iterate over a scalar tensor"):
        iter(tf.constant(1))
    assert all(tf.constant([0.1, 0.2]) < 0.5) and not any(tf.constant([0.1]) > 0.5)
    assert list(range(a.shape[0])) == [0, 1] and a.shape.as_list() == [2, 2]


@pytest.mark.parametrize(
    "index",
    [
        0, -1, slice(None), slice(1, None), slice(None, None, 2), slice(None, None, -1),
        (0, 1), (slice(None), 1), (Ellipsis, 0), (None, 0), (slice(0, 1), slice(1, 3)),
        (0, Ellipsis, None), (slice(2, 0, -1), slice(None)),
    ],
)  # fmt: skip
def test_index(index):
    a = np.arange(12).reshape(3, 4)
    assert tf.constant(a)[index].numpy().tolist() == a[index].tolist()


def test_index_out_of_range_and_assignment():
    a = tf.constant([1, 2, 3])
    with pytest.raises(
        (tf.errors.InvalidArgumentError, IndexError), match="out of bounds"
    ):
        a[3]
    with pytest.raises(TypeError, match="does not support item assignment"):
        a[0] = 1


def test_equality_is_identity():
    a = tf.constant([1, 2])
    assert (a == tf.constant([1, 2])) is False and (a == a) is True and a in {a: 1}
    assert (a != tf.constant([1, 2])) is True


@pytest.mark.parametrize("name", ["name", "op", "graph", "value_index"])
def test_what_has_no_meaning_eagerly(name):
    words = f"Tensor.{name} is meaningless when eager execution is enabled."
    with pytest.raises(AttributeError, match=words):
        getattr(tf.constant(1.0), name)


def test_device():
    wanted = "/job:localhost/replica:0/task:0/device:CPU:0"
    assert tf.constant(1.0).device == wanted


# ------------------------------------------------------------------ ownership
def test_what_enters_is_copied():
    a = np.ones(3, np.float32)
    tensors = [
        tf.constant(a),
        tf.convert_to_tensor(a),
        tf.identity(a),
        tf.reshape(a, [3, 1]),
    ]
    v = tf.Variable(a)
    w = tf.Variable(tf.zeros([3]))
    w.assign(a)
    a[:] = 9.0
    for t in [*tensors, v, w]:
        assert t.numpy().ravel().tolist() == [1, 1, 1]


def test_what_leaves_is_copied():
    v = tf.Variable([1.0, 1.0])
    t, r = tf.constant([1.0, 1.0]), v.value()
    for x in (t, v, r, tf.identity(t), tf.reshape(t, [1, 2])[0], t[0:2]):
        for array in (x.numpy(), np.array(x)):
            array[:] = 9.0
    for x in (t, v, r):
        assert x.numpy().tolist() == [1, 1]


def test_asarray_does_not_open_the_tensor():
    t = tf.constant([1.0, 1.0])
    a = np.asarray(t)
    if a.flags.writeable:
        a[:] = 9.0
    assert t.numpy().tolist() == [1, 1]


def test_reads_are_snapshots():
    v = tf.Variable([1.0])
    r, s = v.value(), v.read_value()
    v.assign_add([1.0])
    v.assign([5.0])
    assert r.numpy().tolist() == [1.0] == s.numpy().tolist()


def test_assigned_tensors_are_not_shared():
    v, w = tf.Variable([1.0]), tf.Variable([0.0])
    w.assign(v)
    v.assign_add([1.0])
    assert w.numpy().tolist() == [1.0] and v.numpy().tolist() == [2.0]


# ------------------------------------------------------------------ copies
@pytest.mark.parametrize(
    "again", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
@pytest.mark.parametrize(
    "value", [1.5, [1, 2], [["a", "b"]], True, np.arange(3, dtype=np.float64)]
)
def test_tensors_are_copied_and_pickled(again, value):
    t = tf.constant(value)
    c = again(t)
    assert (
        c.dtype is t.dtype and c.numpy().tolist() == t.numpy().tolist() and c is not t
    )


@pytest.mark.parametrize(
    "again", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_variables_are_copied_and_pickled(again):
    v = tf.Variable([1.0, 2.0], name="mine", trainable=False)
    holder = {"a": v, "b": [v]}
    c = again(holder)
    assert c["a"] is c["b"][0] is not v
    c["a"].assign_add([1.0, 1.0])
    assert v.numpy().tolist() == [1, 2] and c["a"].numpy().tolist() == [2, 3]
    suffix = "_copy" if again is copy.deepcopy else ""
    assert c["a"].name == f"mine{suffix}:0" and not c["a"].trainable
    with tf.GradientTape() as tape:
        tape.watch(c["a"])
        y = tf.reduce_sum(c["a"] * v)
    assert tape.gradient(y, c["a"]).numpy().tolist() == [1, 2]


def test_bfloat16_is_copied_and_pickled():
    t = tf.constant([1.5, 2.5], tf.bfloat16)
    c = pickle.loads(pickle.dumps(t))
    assert c.dtype is tf.bfloat16 and tf.cast(c, tf.float32).numpy().tolist() == [
        1.5,
        2.5,
    ]


# ------------------------------------------------------------------ warnings
def test_kernels_are_silent_and_the_users_numpy_still_warns():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"twinflow\.")
        tf.constant(1.0) / tf.constant(0.0)
        tf.log(tf.constant(-1.0))
        tf.exp(tf.constant(1000.0))
        tf.constant([1e38]) * tf.constant([1e38])
        assert not seen
        np.float32(1) / np.float32(0)
        assert len(seen) == 1


def test_importing_silences_only_twinflow():
    filters = [
        f for f in warnings.filters if f[2] is RuntimeWarning and f[0] == "ignore"
    ]
    assert all(f[3] is not None for f in filters)
