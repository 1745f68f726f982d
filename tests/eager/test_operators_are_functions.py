"""An operator is a public function: the same bits, in each mode, at every size."""

import operator

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager, interpreted, run
from twinflow.base import dtypes
from twinflow.ops.core.operators import METHODS

FUNCTIONS = {
    "add": tf.add, "sub": tf.subtract, "mul": tf.multiply, "truediv": tf.truediv,
    "div": tf.div, "floordiv": tf.floordiv, "mod": tf.floormod, "pow": tf.pow,
    "matmul": tf.matmul, "and": tf.logical_and, "or": tf.logical_or,
    "xor": tf.logical_xor, "lt": tf.less, "le": tf.less_equal, "gt": tf.greater,
    "ge": tf.greater_equal,
}  # fmt: skip
ONE = {"neg": tf.negative, "abs": tf.abs, "invert": tf.logical_not}
ELEMENTWISE = [n for n in FUNCTIONS if n != "matmul"]
MATRICES = [(1, 1, 1), (3, 4, 5), (96, 96, 96), (160, 160, 160), (256, 256, 256),
            (64, 784, 128), (10, 154, 512), (300, 1, 300), (1, 500, 1), (33, 33, 2000),
            (0, 3, 2), (25, 9000, 32)]  # fmt: skip
ALL = [t for t in dtypes.ALL_TYPES if t.is_number or t.is_bool]


def test_every_operator_is_here():
    signs = {n.strip("_") for n in METHODS} - {"getitem"}
    assert signs == {*FUNCTIONS, *ONE} | {f"r{n}" for n in FUNCTIONS if n not in
                                          ("lt", "le", "gt", "ge")}  # fmt: skip


def applied(name):
    """The operator of a name as programs write it."""
    if name == "div":
        return lambda x, y: x.__div__(y)
    return getattr(operator, f"{name}_" if name in ("and", "or") else name)


def reflected(name):
    return lambda x, y: getattr(y, f"__r{name}__")(x)


def outcome(function, *args):
    """The bits of a result, or the class of what is raised."""
    try:
        out = np.asarray(function(*args))
    except Exception as error:
        return type(error)
    return out.dtype, out.shape, out.tobytes()


def array(dtype, shape, seed):
    random = np.random.RandomState(seed)
    if dtype.is_bool:
        return random.uniform(size=shape) > 0.5
    numbers = random.uniform(1, 6, shape)
    return (numbers if dtype.is_inexact else np.floor(numbers)).astype(dtype.np)


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_elementwise_eagerly(name):
    shapes = [
        ((), ()),
        ((7,), (7,)),
        ((3, 1), (1, 4)),
        ((130, 257), (257,)),
        ((2,), (3,)),
    ]
    values = 0
    with eager():
        for dtype in ALL:
            for left, right in shapes:
                x = tf.constant(array(dtype, left, 0))
                y = tf.constant(array(dtype, right, 1))
                wanted = outcome(FUNCTIONS[name], x, y)
                assert outcome(applied(name), x, y) == wanted
                if f"__r{name}__" in METHODS:
                    assert outcome(reflected(name), x, y) == wanted
                values += isinstance(wanted, tuple)
    assert values > 3


@pytest.mark.parametrize("name", ELEMENTWISE)
@pytest.mark.parametrize("number", [2, 0.5, -3, True, [1, 2]])
def test_python_values_beside_a_tensor(name, number):
    with eager():
        for dtype in ALL:
            x = tf.constant(array(dtype, (2,), 0))
            f, op = FUNCTIONS[name], applied(name)
            assert outcome(op, x, number) == outcome(f, x, number), dtype
            if name not in ("div", "lt", "le", "gt", "ge"):  # Python turns these round
                assert outcome(op, number, x) == outcome(f, number, x), dtype


@pytest.mark.parametrize("way", ["function", "session"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_in_functions_and_graphs(name, way):
    dtype = tf.bool if name in ("and", "or", "xor") else tf.float32
    shape = (65, 65) if name == "matmul" else (33,)
    x, y = array(dtype, shape, 0), array(dtype, shape, 1)
    both = run(
        way, lambda: lambda x, y: (applied(name)(x, y), FUNCTIONS[name](x, y)), x, y
    )
    assert both[0].tobytes() == both[1].tobytes() and both[0].dtype == both[1].dtype
    if way != "compiled":
        with eager():
            now = applied(name)(tf.constant(x), tf.constant(y)).numpy()
        assert now.tobytes() == both[0].tobytes()


@pytest.mark.parametrize("name", ONE)
def test_operators_of_one_tensor(name):
    op = getattr(operator, name)
    with eager():
        for dtype in ALL:
            x = tf.constant(array(dtype, (3, 2), 0))
            assert outcome(op, x) == outcome(ONE[name], x)


@pytest.mark.parametrize("sizes", MATRICES, ids=str)
def test_products_eagerly_in_functions_and_in_graphs(sizes):
    m, k, n = sizes
    for dtype in (tf.float32, tf.float64, tf.float16, tf.int32, tf.complex64):
        slow = dtype is tf.float16 or not dtype.is_floating
        if slow and m * k * n > 10**6:
            continue  # NumPy takes seconds for these
        x, y = array(dtype, (m, k), 0), array(dtype, (k, n), 1)
        with eager(), interpreted():
            a, b = tf.constant(x), tf.constant(y)
            found = [a @ b, tf.matmul(a, b), b.__rmatmul__(a), a @ y, x @ b]
            found = [t.numpy().tobytes() for t in found]
        for way in ("function", "session"):
            later = run(way, lambda: lambda x, y: (x @ y, tf.matmul(x, y)), x, y)
            found += [t.tobytes() for t in later]
        assert len(set(found)) == 1, (dtype, sizes)


@pytest.mark.parametrize("where", [0, 1])
def test_variables_have_the_operators_of_their_values(where):
    with eager():
        x = array(tf.float32, (96, 96), 0)
        v, t = tf.Variable(x), tf.constant(x)
        for name in FUNCTIONS:
            if name not in ("and", "or", "xor", "div"):
                args = [t, t]
                args[where] = v
                wanted = outcome(FUNCTIONS[name], t, t)
                assert outcome(applied(name), *args) == wanted, name
