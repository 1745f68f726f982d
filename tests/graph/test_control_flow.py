"""tf.cond and tf.while_loop: the same values and slopes in every way of running."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import WAYS, run, run_each

CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


@case
def branch(x):
    return tf.cond(tf.reduce_sum(x) > 0.0, lambda: x * x * x, lambda: tf.sin(x))


@case
def branch_of_captured(x):
    y = tf.exp(x)
    return tf.cond(x[0] > 0.0, lambda: y * x, lambda: tf.stop_gradient(y) * x)


@case
def nested_branches(x):
    def inner():
        return tf.cond(x[1] > 0.0, lambda: x * tf.tanh(x), lambda: x * x)

    return tf.cond(x[0] > 0.0, inner, lambda: -inner())


@case
def structured_branch(x):
    a, b = tf.cond(x[0] > 0.0, lambda: (x * x, x), lambda: (x, tf.exp(x)))
    return a * b


@case
def loop(x):
    return tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y) * x), [0, x]
    )[1]


@case
def loop_of_no_trips(x):
    return tf.while_loop(lambda i, y: i < 0, lambda i, y: (i + 1, y * y), [0, x * x])[1]


@case
def loop_of_many_trips(x):
    n = tf.cast(tf.reduce_sum(x * 0.0) + 19.0, tf.int32)
    return tf.while_loop(
        lambda i, y: i < n, lambda i, y: (i + 1, tf.sin(y) + 0.1 * x), [0, x]
    )[1]


@case
def loop_until_large(x):
    return tf.while_loop(
        lambda y: tf.reduce_sum(tf.abs(y)) < 20.0, lambda y: y * 1.5 + x * x, [x]
    )


@case
def loop_in_loop(x):
    def outer(i, y):
        z = tf.while_loop(
            lambda j, z: j <= i, lambda j, z: (j + 1, z * tf.cos(z)), [0, y]
        )
        return i + 1, z[1] + x

    return tf.while_loop(lambda i, y: i < 3, outer, [0, x])[1]


@case
def branch_in_loop_in_branch(x):
    def body(i, y):
        odd = tf.equal(tf.mod(i, 2), 1)
        return i + 1, tf.cond(odd, lambda: y * x, lambda: tf.sin(y) + x)

    def then():
        return tf.while_loop(lambda i, y: i < 4, body, [0, x])[1]

    return tf.cond(x[0] > 0.0, then, lambda: x * x)


@case
def loop_in_branch_in_loop(x):
    def inner(y):
        return tf.while_loop(
            lambda j, z: j < 2, lambda j, z: (j + 1, z * tf.tanh(z)), [0, y]
        )[1]

    def body(i, y):
        return i + 1, tf.cond(i > 0, lambda: inner(y) + x, lambda: y * y)

    return tf.while_loop(lambda i, y: i < 3, body, [0, x])[1]


@case
def loop_with_unused_variable(x):
    out = tf.while_loop(
        lambda i, y, z: i < 3, lambda i, y, z: (i + 1, y * x, z * z), [0, x, x + 1.0]
    )
    return out[1]


@case
def loop_that_swaps(x):
    out = tf.while_loop(
        lambda i, y, z: i < 3, lambda i, y, z: (i + 1, z * x, y), [0, x, x * x]
    )
    return out[1] + out[2] * x


@case
def loop_with_limit(x):
    return tf.while_loop(
        lambda i, y: i < 9, lambda i, y: (i + 1, y * x), [0, x], maximum_iterations=2
    )[1]


def slope(f, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


@case
def tape_in_a_loop(x):
    return tf.while_loop(
        lambda i, y: i < 3,
        lambda i, y: (i + 1, slope(lambda z: tf.sin(z) * z * z, y) * 0.5),
        [0, x],
    )[1]


@case
def tape_in_a_branch(x):
    return tf.cond(x[0] > 0.0, lambda: slope(tf.exp, x) * x, lambda: x * x)


@case
def calls_in_a_branch(x):
    g = tf.contrib.eager.defun(lambda z: tf.sin(z) * z)
    return tf.cond(x[0] > 0.0, lambda: g(x) * g(g(x)), lambda: g(x))


@case
def branch_in_a_call_in_a_loop(x):
    g = tf.contrib.eager.defun(
        lambda z: tf.cond(z[0] > 0.5, lambda: z * z * 0.3, lambda: tf.tanh(z))
    )
    return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, g(y) + x), [0, x])[1]


@case
def gathered_in_a_loop(x):
    return tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, y * tf.gather(x, i)), [0, x]
    )[1]


@case
def sliced_in_a_loop(x):
    return tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, y + x[i] * x), [0, x]
    )[1]


@case
def loop_over_a_structure(x):
    start = {"i": tf.constant(0), "y": (x, x * x)}

    def body(d):
        a, b = d["y"]
        return {"i": d["i"] + 1, "y": (b, a * x)}

    a, b = tf.while_loop(lambda d: d["i"] < 3, body, [start])["y"]
    return a * b


REFUSED: dict = {}  # what the compiler may leave to the interpreter


def slopes(f):
    """Value, first and second order of a function, as one function."""

    def all_orders(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            dx = inner.gradient(y, x, unconnected_gradients="zero")
            dx = tf.convert_to_tensor(dx)  # of rows, too
            s = tf.reduce_sum(dx * tf.constant([1.0, -2.0, 0.5], x.dtype))
        d2 = outer.gradient(s, x, unconnected_gradients="zero")
        return y, dx, tf.convert_to_tensor(d2)

    return all_orders


INPUTS = ([0.9, 0.4, 1.2], [-0.6, -0.3, 0.8])


@pytest.mark.parametrize("way", WAYS[1:])
@pytest.mark.parametrize("name", CASES)
def test_as_eager(name, way):
    check(name, way, lambda: slopes(CASES[name]))


def check(name, way, build, shapes=None):
    """One function at all inputs, which take different branches, beside eager."""
    calls = [[np.array(values)] for values in INPUTS]
    wanted = run_each("eager", lambda: slopes(CASES[name]), calls)
    found = run_each(way, build, calls, shapes, REFUSED.get(name))
    for w, g in zip(sum(wanted, ()), sum(found, ()), strict=True):
        np.testing.assert_allclose(g, w, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", [n for n in CASES if n != "branch_of_captured"])
def test_eager_slopes_are_right(name):
    """The reference of the others, against differences."""
    for values in INPUTS:
        x, eps = np.array(values), 1e-5
        w = np.array([1.0, -2.0, 0.5])

        def value(a, name=name):
            return run("eager", lambda: slopes(CASES[name]), a)

        _, dx, d2 = value(x)
        for i in range(3):
            step = np.eye(3)[i] * eps
            high, low = value(x + step), value(x - step)
            first = (high[0].sum() - low[0].sum()) / (2 * eps)
            second = ((high[1] - low[1]) * w).sum() / (2 * eps)
            np.testing.assert_allclose(dx[i], first, rtol=1e-6, atol=1e-6)
            np.testing.assert_allclose(d2[i], second, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("way", ["session", "compiled session"])
@pytest.mark.parametrize("name", CASES)
def test_gradients_function(name, way):
    """tf.gradients twice, with unknown static shapes."""

    def build():
        def f(x):
            y = CASES[name](x)
            dx = tf.convert_to_tensor(tf.gradients(y, x)[0])  # of rows, too
            s = tf.reduce_sum(dx * tf.constant([1.0, -2.0, 0.5], x.dtype))
            (d2,) = tf.gradients(s, x)
            return y, dx, tf.zeros_like(x) if d2 is None else tf.convert_to_tensor(d2)

        return f

    check(name, way, build, shapes=[[3]])


@pytest.mark.parametrize("way", WAYS)
def test_a_loop_whose_variable_grows(way):
    shapes = [tf.TensorShape([]), tf.TensorShape([None])]

    def f(x):
        def grown(x):
            return tf.while_loop(
                lambda i, y: i < 3,
                lambda i, y: (i + 1, tf.concat([y * y, x], 0)),
                [0, x],
                shape_invariants=shapes,
            )[1]

        return grown(x), slope(grown, x)

    x = np.array([0.5, 2.0])
    y, dx = run(way, lambda: f, x, refusals=" ")
    terms = [x**8, x**4, x**2, x]
    np.testing.assert_allclose(y, np.concatenate(terms), rtol=1e-12)
    np.testing.assert_allclose(dx, 8 * x**7 + 4 * x**3 + 2 * x + 1, rtol=1e-12)


def test_what_a_loop_refuses():
    with tf.Graph().as_default():
        one = [tf.constant([0])]
        with pytest.raises(TypeError, match="int32 and has dtype float"):
            tf.while_loop(lambda i: i[0] < 3, lambda i: tf.cast(i, tf.float32), one)
        with pytest.raises(ValueError, match="enters the loop with shape"):
            tf.while_loop(lambda i: i[0] < 3, lambda i: tf.concat([i, i], 0), one)
        with pytest.raises(ValueError, match="No loop variables provided"):
            tf.while_loop(lambda: True, lambda: None, [])
        with pytest.raises(TypeError, match="must be callable"):
            tf.while_loop(True, lambda i: i, one)


def test_what_a_branch_refuses():
    with tf.Graph().as_default():
        p = tf.placeholder(tf.bool, [])
        with pytest.raises(TypeError, match="pred must not be a Python bool"):
            tf.cond(True, lambda: 1.0, lambda: 2.0)
        with pytest.raises(ValueError, match="must have the same type: float32, int32"):
            tf.cond(p, lambda: 1.0, lambda: 2)
        with pytest.raises((TypeError, ValueError), match="same"):
            tf.cond(p, lambda: (1.0, 2.0), lambda: (1.0,))


@pytest.mark.parametrize("way", WAYS)
def test_branches_of_different_shapes(way):
    def f(x):
        return tf.cond(x[0] > 0.0, lambda: x, lambda: x[:1])

    for value in ([1.0, 2.0], [-1.0, 2.0]):
        found = run(way, lambda: f, np.float32(value), refusals="cond")
        assert found.tolist() == (value if value[0] > 0 else value[:1])


def test_invariants_of_indexed_slices():
    with tf.Graph().as_default():
        x = tf.IndexedSlices(tf.zeros([2, 2]), tf.constant([0, 3]), tf.constant([9, 2]))

        def loop(rows):
            def body(i, x):
                values = tf.concat([x.values, x.values], 0)
                indices = tf.concat([x.indices, x.indices], 0)
                return i + 1, tf.IndexedSlices(values, indices, x.dense_shape)

            shapes = [tf.TensorShape([]), tf.TensorShape(rows)]
            return tf.while_loop(lambda i, x: i < 2, body, [0, x], shapes)[1]

        found = loop([None, 2])
        assert found.values.shape.as_list() == [None, 2]
        assert tf.Session().run(found).indices.tolist() == [0, 3] * 4
        with pytest.raises(ValueError, match="values tensor of this IndexedSlices"):
            loop([None, 5])
