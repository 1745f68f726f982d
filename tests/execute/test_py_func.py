"""py_func: what it takes and gives, its errors, and gradients from inside loops."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager

tfe = tf.contrib.eager


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as found:
        yield found


def kept(function):
    """`function`, and the list of the arguments it was called with."""
    seen = []

    def body(*args):
        seen.append(args)
        return function(*args)

    return body, seen


# ------------------------------------------------------------------ in and out
def test_results_follow_tout(session):
    x = tf.constant([1.0, 2.0])
    assert isinstance(tf.py_func(np.sin, [x], tf.float32), tf.Tensor)
    one, empty = tf.py_func(np.sin, [x], [tf.float32]), tf.py_func(print, [x], [])
    assert isinstance(one, list) and isinstance(empty, tf.Operation)
    pair = tf.py_func(lambda a: (a, a.sum()), [x], [tf.float32, tf.float32])
    assert [v.tolist() for v in session.run(pair)] == [[1.0, 2.0], 3.0]
    assert pair[0].shape.ndims is None and pair[0].op.type == "PyFunc"


def test_strings_and_scalars(session):
    body, seen = kept(lambda s, n: ["é", b"x"])
    inputs = [tf.constant(["a", "b"]), tf.constant(2.0)]
    found = session.run(tf.py_func(body, inputs, [tf.string, tf.string]))
    assert found == ["é".encode(), b"x"]
    ((texts, number),) = seen
    assert texts.tolist() == [b"a", b"b"] and type(number) is np.float32


def test_the_function_gets_arrays_of_its_own(session):
    def body(a):
        a += 1.0
        return a

    x = tf.constant([1.0])
    found = session.run([tf.py_func(body, [x], tf.float32), x])
    assert [v.tolist() for v in found] == [[2.0], [1.0]]


def test_stateless_calls_may_be_left_out(session):
    body, seen = kept(lambda: np.float32(1.0))
    plain = tf.py_func(body, [], tf.float32, stateful=False, name="plain")
    assert plain.op.type == "PyFuncStateless" and plain.name == "plain:0"
    with eager():

        def f(x):
            tf.py_func(body, [], tf.float32, stateful=False)
            tf.py_func(body, [], tf.float32)
            return x

        tfe.defun(f)(tf.constant(1.0))
    assert len(seen) == 1


def test_eager_functions_of_arrays():
    with eager():
        assert tf.py_func(lambda a: 3, [1.0], tf.float32).dtype is tf.int32
        assert tf.py_func(lambda a: None, [1.0], []) is None
        with pytest.raises(ZeroDivisionError):
            tf.py_func(lambda a: 1 / 0, [1.0], tf.float32)


# ------------------------------------------------------------------ errors
ERRORS = [
    (ValueError, tf.errors.InvalidArgumentError),
    (TypeError, tf.errors.InvalidArgumentError),
    (StopIteration, tf.errors.OutOfRangeError),
    (MemoryError, tf.errors.ResourceExhaustedError),
    (NotImplementedError, tf.errors.UnimplementedError),
    (RuntimeError, tf.errors.UnknownError),
]


@pytest.mark.parametrize(("raised", "kind"), ERRORS)
@pytest.mark.parametrize("call", [tf.py_func, tfe.py_func])
def test_kinds_of_errors(session, call, raised, kind):
    def body(x):
        raise raised("why")

    with pytest.raises(kind, match=f"{raised.__name__}: why"):
        session.run(call(body, [1.0], tf.float32))


MISFITS = [
    (tf.py_func, lambda a: np.float64(1), "0-th value .* is double, but expects float"),
    (tf.py_func, lambda a: 3, "0-th value returned by pyfunc_.* is int64"),
    (tf.py_func, lambda a: [a, a], "returns 2 values, but expects to see 1 values"),
    (tf.py_func, lambda a: None, "returns 0 values, but expects to see 1 values"),
    (tfe.py_func, lambda a: tf.cast(a, tf.float64), "0-th value .* is double"),
]


@pytest.mark.parametrize(("call", "body", "text"), MISFITS)
def test_results_that_do_not_fit(session, call, body, text):
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        session.run(call(body, [1.0], tf.float32))


def test_inputs_must_be_a_list(session):
    with pytest.raises(TypeError, match="Expected list for 'input' argument"):
        tf.py_func(np.sin, tf.constant(1.0), tf.float32)


# ------------------------------------------------------------------ slopes
def test_the_function_runs_once_for_value_and_gradient(session):
    body, seen = kept(lambda a: a * a)
    x = tf.constant(3.0)
    y = tfe.py_func(body, [x], tf.float32)
    (dx,) = tf.gradients(y, x)
    assert session.run([y, dx]) == [9.0, 6.0] and len(seen) == 1
    (ddx,) = tf.gradients(dx, x)
    assert session.run([dx, ddx]) == [6.0, 2.0]
    assert tf.gradients(tf.py_func(np.sin, [x], tf.float32), x) == [None]


def test_gradients_in_loops_and_branches(session):
    x, chosen = tf.constant([1.0, 2.0]), tf.placeholder(tf.bool)
    squared = lambda a: tfe.py_func(lambda a: a * a, [a], tf.float32)
    _, z = tf.while_loop(
        lambda i, z: i < 3, lambda i, z: (i + 1, squared(z)), [0, x],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape(None)],
    )  # fmt: skip
    y = tf.cond(chosen, lambda: squared(x), lambda: 3.0 * x)
    slopes = [tf.gradients(z, x)[0], tf.gradients(y, x)[0]]
    dz, dy = session.run(slopes, {chosen: True})
    assert dz.tolist() == [8.0, 1024.0] and dy.tolist() == [2.0, 4.0]
    assert session.run(slopes[1], {chosen: False}).tolist() == [3.0, 3.0]


def test_inputs_without_slopes_and_results_that_ignore_them(session):
    x, n = tf.constant(2.0), tf.constant(3)
    y = tfe.py_func(lambda x, n: (x * 5.0, n), [x, n], [tf.float32, tf.int32])
    assert tf.gradients(y[0], [x, n])[1] is None
    assert session.run(tf.gradients(y[0], x)) == [5.0]
    still = tfe.py_func(lambda x: tf.constant(1.0), [x], tf.float32)
    assert session.run(tf.gradients(still, x)) == [0.0]


def test_eager_gradients_reach_variables():
    with eager():
        v = tfe.Variable(2.0)
        with tf.GradientTape() as tape:
            y = tfe.py_func(lambda x: x * v, [3.0], tf.float32)
        assert tape.gradient(y, v).numpy() == 3.0


@pytest.mark.parametrize(
    "result, words",
    [
        ({"a": 1}, "Unsupported object type dict"),
        (np.zeros(2, [("a", np.float32)]), "Unsupported numpy type"),
    ],
)
def test_results_that_no_tensor_can_hold(session, result, words):
    y = tf.py_func(lambda: result, [], tf.float32)
    with pytest.raises(tf.errors.UnimplementedError, match=words):
        session.run(y)


def test_a_pure_function_without_results_gives_none(session):
    function, seen = kept(lambda x: None)
    assert tf.py_func(function, [1.0], [], stateful=False) == []
    op = tf.py_func(function, [2.0], [])
    assert session.run(op) is None and len(seen) == 1


def test_variables_are_no_results(session):
    v = tfe.Variable(1.0)
    y = tfe.py_func(lambda: v, [], tf.float32)
    with pytest.raises(tf.errors.UnknownError, match="Attempting to return a variable"):
        session.run(y)
