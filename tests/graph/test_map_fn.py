"""map_fn, foldl, foldr, scan and case: the same in every way of running."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import WAYS, eager, run

CASES = {
    "map": lambda x: tf.map_fn(lambda v: tf.sin(v) * v, x),
    "map of several": lambda x: tf.map_fn(
        lambda v: v["a"] * v["b"], {"a": x, "b": x * x}, dtype=x.dtype
    ),
    "map to several": lambda x: sum(
        tf.map_fn(lambda v: (v * v, [v]), x, dtype=(x.dtype, [x.dtype]))[1]
    ),
    "foldl": lambda x: tf.foldl(lambda a, v: a * 0.5 + v * v, x),
    "foldl from": lambda x: tf.foldl(
        lambda a, v: (a[0] * v, a[1] + v), x, (x[0] * 1.0, x[1])
    )[0],
    "foldr": lambda x: tf.foldr(lambda a, v: tf.sin(a) * v, x),
    "scan": lambda x: tf.scan(lambda a, v: a * v + 1.0, x),
    "scan from": lambda x: tf.scan(
        lambda a, v: (a[1], a[0] * v), x, (x[0] * 2.0, x[2] * 1.0)
    )[1],
    "scan back": lambda x: tf.scan(lambda a, v: a * v + v, x, reverse=True),
    "map in map": lambda x: tf.map_fn(
        lambda v: tf.reduce_sum(tf.map_fn(lambda w: w * v, x)), x
    ),
}


def slopes(f):
    """Value, first and second order of the sum of a function, as one function."""

    def all_orders(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            dx = inner.gradient(y, x)
            s = tf.reduce_sum(dx * tf.constant([1.0, -2.0, 0.5], x.dtype))
        return y, dx, outer.gradient(s, x, unconnected_gradients="zero")

    return all_orders


X = np.array([0.9, 0.4, 1.2])


@pytest.mark.parametrize("name", CASES)
def test_as_eager(name):
    wanted = run("eager", lambda: slopes(CASES[name]), X)
    for way in ("function", "session", "compiled session"):
        found = run(way, lambda: slopes(CASES[name]), X)
        for w, g in zip(wanted, found, strict=True):
            np.testing.assert_allclose(g, w, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("way", WAYS)
def test_values(way):
    def f(x):
        return (
            tf.foldl(lambda a, v: 10.0 * a + v, x),
            tf.foldr(lambda a, v: 10.0 * a + v, x, 7.0),
            tf.scan(lambda a, v: 10.0 * a + v, x, 7.0, reverse=True),
            tf.map_fn(lambda v: tf.cast(v, tf.int32), x, tf.int32),
        )

    left, right, scanned, ints = run(way, lambda: f, np.float32([1, 2, 3]))
    assert (left, right) == (123, 7321)
    assert scanned.tolist() == [7321, 732, 73] and ints.tolist() == [1, 2, 3]


@pytest.mark.parametrize("way", ["session", "compiled session"])
def test_lengths_that_only_the_run_knows(way):
    def f(x):
        y = tf.map_fn(lambda v: v * v, x)
        assert y.shape.as_list() == [None, 2]
        return y, tf.scan(lambda a, v: a + v, x)

    x = np.float32([[1, 2], [3, 4], [5, 6]])
    squares, sums = run(way, lambda: f, x, shapes=[[None, 2]])
    np.testing.assert_array_equal(squares, x * x)
    np.testing.assert_array_equal(sums, np.cumsum(x, 0))


def test_what_they_refuse():
    for mode in (eager(), tf.Graph().as_default()):
        with mode:
            x = tf.constant([1.0, 2.0])
            with pytest.raises(TypeError, match="fn must be callable"):
                tf.scan(3, x)
            with pytest.raises(ValueError, match="dimensional Tensor, not a scalar"):
                tf.map_fn(lambda v: v, 1.0)
            with pytest.raises(ValueError, match="same nested structure"):
                tf.map_fn(lambda v: v[0], (x, x))
            with pytest.raises(TypeError, match="the values of a sparse tensor use"):
                tf.map_fn(lambda v: v, tf.SparseTensor([[0]], [1.0], [2]))


def test_no_way_back():
    with tf.Graph().as_default():
        x = tf.constant([1.0, 2.0])
        y = tf.map_fn(lambda v: v * v, x, back_prop=False)
        assert tf.gradients(y, x) == [None]


# --------------------------------------------------------------------------- case
def chosen(x):
    return tf.case(
        [(x < 0.0, lambda: -x), (x > 1.0, lambda: x * x)], default=lambda: x * 0.5
    )


@pytest.mark.parametrize("way", WAYS)
def test_case(way):
    for value, wanted in ((-3.0, 3.0), (3.0, 9.0), (0.5, 0.25)):
        assert run(way, lambda: chosen, np.float64(value)) == wanted


@pytest.mark.parametrize("way", ["eager", "session"])
def test_cases_that_must_hold(way):
    def none(x):
        return tf.case([(x < 0.0, lambda: x * 1.0), (x > 9.0, lambda: x * 2.0)])

    def both(x):
        pairs = [(x < 1.0, lambda: x * 1.0), (x < 2.0, lambda: x * 2.0)]
        return tf.case(pairs, default=lambda: x * 3.0, exclusive=True)

    for f, text in ((none, "None of conditions"), (both, "more than 1 conditions")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            run(way, lambda f=f: f, np.float32(0.5))
    assert run(way, lambda: both, np.float32(1.5)) == 3.0


def test_what_case_refuses():
    with tf.Graph().as_default():
        true = tf.constant(True)
        for pairs, text in (
            (3, "fns must be a list, tuple, or dict"),
            ([3], "Each entry in pred_fn_pairs must be a 2-tuple"),
            ([(True, lambda: 1)], "pred must be a Tensor, got: True"),
            ([(true, 1)], "fn for pred Const:0 must be callable"),
            ([(tf.constant(1), lambda: 1)], "must be Tensor of type bool: Const_1:0"),
        ):
            with pytest.raises(TypeError, match=text):
                tf.case(pairs, default=lambda: 2)


def test_conditions_known_while_building():
    smart = tf.contrib.framework.smart_cond
    with tf.Graph().as_default() as graph:
        p = tf.placeholder_with_default(True, [])
        assert smart(True, lambda: 1, lambda: 2) == 1
        assert smart(0, lambda: 1, lambda: 2) == 2
        assert smart(tf.constant(False), lambda: 1, lambda: 2) == 2
        assert not any(n.type == "If" for n in graph.get_operations())
        assert smart(p, lambda: 1.0, lambda: 2.0).name == "cond/Merge:0"
        with pytest.raises(TypeError, match="Found instead: 3"):
            smart(3, lambda: 1, lambda: 2)
        cases = [(tf.constant(False), lambda: 1), (True, lambda: 2)]
        assert tf.contrib.framework.smart_case(cases, default=lambda: 3) == 2
