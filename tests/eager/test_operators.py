"""Operators, strict dtypes and the texts of errors, in both modes."""

import operator

import numpy as np
import pytest

import twinflow as tf
from tests.ways import WAYS, eager, run

BINARY = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv,
    operator.mod, operator.pow, operator.lt, operator.le, operator.gt, operator.ge,
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS[:1] + WAYS[3:4])
@pytest.mark.parametrize("op", BINARY, ids=lambda op: op.__name__)
def test_binary(op, way):
    a, b = np.float32([1.5, 4.0, 3.0]), np.float32([2.0, 2.0, 3.0])
    wanted = op(a, b)
    np.testing.assert_allclose(run(way, lambda: op, a, b), wanted, rtol=1e-6)
    np.testing.assert_allclose(
        run(way, lambda: lambda x: op(x, 2.0), a), op(a, 2), rtol=1e-6
    )
    np.testing.assert_allclose(
        run(way, lambda: lambda x: op(2.0, x), a), op(2, a), rtol=1e-6
    )
    assert run(way, lambda: op, a, b).dtype == wanted.dtype


@pytest.mark.parametrize("way", WAYS[:1] + WAYS[3:4])
def test_unary_bool_and_matmul(way):
    p, q = np.array([True, False, True]), np.array([True, True, False])
    for op in (operator.and_, operator.or_, operator.xor):
        assert run(way, lambda op=op: op, p, q).tolist() == op(p, q).tolist()
    assert run(way, lambda: operator.invert, p).tolist() == (~p).tolist()
    a = np.float32([[1, -2], [3, 4]])
    for op in (operator.neg, abs):
        assert run(way, lambda op=op: op, a).tolist() == op(a).tolist()
    assert run(way, lambda: operator.matmul, a, a).tolist() == (a @ a).tolist()


@pytest.mark.parametrize("way", WAYS[:1] + WAYS[3:4])
def test_integer_division_as_python(way):
    a, b = np.int32([7, -7, 7, -7]), np.int32([2, 2, -2, -2])
    assert run(way, lambda: operator.floordiv, a, b).tolist() == (a // b).tolist()
    assert run(way, lambda: operator.mod, a, b).tolist() == (a % b).tolist()
    true = run(way, lambda: operator.truediv, a, b)
    assert true.dtype == np.float64 and true.tolist() == (a / b).tolist()


def test_in_place_operators_rebind():
    with eager():
        a = b = tf.constant(1)
        a += 1
        assert a.numpy() == 2 and b.numpy() == 1


def test_python_numbers_take_the_dtype_of_the_tensor():
    with eager():
        for dtype in (tf.float16, tf.float64, tf.int64, tf.uint8, tf.bfloat16):
            x = tf.constant(3, dtype)
            assert (x + 1).dtype is dtype and (1 + x).dtype is dtype
        with pytest.raises(TypeError, match="Expected int32, got"):
            tf.constant(1) + 1.5


# TensorFlow 1.12 words these so.
ERRORS = [
    (lambda: tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3])),
     "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3] [Op:MatMul] name: MatMul/",
     "Dimensions must be equal, but are 3 and 2 for 'MatMul' (op: 'MatMul') with input "
     "shapes: [2,3], [2,3]."),
    (lambda: tf.zeros([2]) + tf.zeros([3]),
     "Incompatible shapes: [2] vs. [3] [Op:Add] name: add/",
     "Dimensions must be equal, but are 2 and 3 for 'add' (op: 'Add') with input "
     "shapes: [2], [3]."),
    (lambda: tf.constant(1) + tf.constant(1.0),
     "cannot compute Add as input #0(zero-based) was expected to be a float tensor but "
     "is a int32 tensor [Op:Add] name: add/",
     "Input 'y' of 'Add' Op has type float32 that does not match type int32 of "
     "argument 'x'."),
    (lambda: tf.constant(1.0) * tf.constant(1.0, tf.float64),
     "cannot compute Mul as input #0(zero-based) was expected to be a double tensor "
     "but is a float tensor [Op:Mul] name: mul/",
     "Input 'y' of 'Mul' Op has type float64 that does not match type float32 of "
     "argument 'x'."),
]  # fmt: skip


@pytest.mark.parametrize("call, eagerly, in_graph", ERRORS)
def test_texts(call, eagerly, in_graph):
    with eager(), pytest.raises(tf.errors.InvalidArgumentError) as found:
        call()
    assert str(found.value) == eagerly
    with tf.Graph().as_default(), pytest.raises((ValueError, TypeError)) as found:
        call()
    assert str(found.value) == in_graph


def test_an_error_names_the_users_frame():
    with eager(), pytest.raises(tf.errors.InvalidArgumentError) as found:
        tf.zeros([2]) + tf.zeros([3])
    assert found.value.frames[0][0].co_name == "test_an_error_names_the_users_frame"


def test_symbolic_tensors_are_refused_eagerly_and_eager_ones_in_a_graph():
    with eager():
        e = tf.constant(1.0)
        with tf.Graph().as_default():
            s = tf.constant(1.0)
            with pytest.raises(
                RuntimeError, match="Attempting to capture an EagerTensor"
            ):
                s + e
        with pytest.raises(TypeError, match="graph tensor"):
            s + 1.0


class _KnowsMore:
    def __radd__(self, other):
        return "sum"


def test_what_knows_more_in_graphs():
    with tf.Graph().as_default():
        x = tf.constant([1.0])
        assert x + _KnowsMore() == "sum"
        with pytest.raises(
            TypeError, match=r"Expected float32, got <.* of type '_Know"
        ):
            x - _KnowsMore()
