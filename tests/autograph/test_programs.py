"""Programs give the same values and gradients eagerly, converted and compiled."""

import numpy as np
import pytest

import twinflow as tf
from tests import ways
from tests.autograph import (  # noqa: F401 - each adds its programs to PROGRAMS
    everyday_programs,
    list_programs,
    more_programs,
)
from tests.autograph.programs import PROGRAMS
from twinflow.autograph.calls import converted
from twinflow.base import nest
from twinflow.base.tensor import Tensor
from twinflow.lower.lowering import NeedsValue

# Lists of a length that only the data say stay on the host.
_MAY_REFUSE = dict.fromkeys(
    (
        "append_some",
        "append_in_while",
        "lists_in_branches",
        "greedy_decoder",
        "collatz_path",
    ),
    NeedsValue,
)


def _values_and_slopes(function, args):
    """What a function gives, and its gradients, as arrays."""
    tensors = [tf.constant(a) for a in args]
    inexact = [t for t in tensors if t.dtype.is_floating]
    with tf.GradientTape() as tape:
        for t in inexact:
            tape.watch(t)
        out = function(*tensors)
        whole = sum(
            tf.reduce_sum(t)
            for t in nest.flatten(out)
            if isinstance(t, Tensor) and t.dtype.is_floating
        )
    slopes = tape.gradient(whole, inexact) if isinstance(whole, Tensor) else []
    return [np.asarray(v) for v in nest.flatten(out)], [
        None if s is None else np.asarray(tf.convert_to_tensor(s)) for s in slopes
    ]


def _same(found, wanted):
    for f, w in zip(found[0], wanted[0], strict=True):
        np.testing.assert_allclose(f, w, 1e-5)
    for f, w in zip(found[1], wanted[1], strict=True):
        np.testing.assert_allclose(
            0.0 if f is None else f, 0.0 if w is None else w, 1e-4
        )


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_mean_the_same_in_each_way(name):
    function, args = PROGRAMS[name]
    with ways.eager():
        wanted = _values_and_slopes(function, args)
        _same(_values_and_slopes(converted(function), args), wanted)
        with ways.interpreted():
            _same(_values_and_slopes(tf.function(function), args), wanted)
        with ways.compiled(refusals=_MAY_REFUSE.get(name)):
            compiled = tf.function(function)
            _same(_values_and_slopes(compiled, args), wanted)
            _same(_values_and_slopes(compiled, args), wanted)


def test_second_gradients_go_through_lists_that_loops_pop_from():
    def power_sum(x):
        found = [x * 1.0]
        total = tf.constant(0.0)
        for i in range(tf.constant(3)):
            found.append(found[i] * x)
        while len(found) > 1:
            total = total * x + found.pop()
        return total  # x**6 + x**4 + x**2

    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [])
        y = tf.contrib.autograph.to_graph(power_sum)(x)
        (slope,) = tf.gradients(y, x)
        (curve,) = tf.gradients(slope, x)
        wanted = [
            x**6 + x**4 + x**2,
            6.0 * x**5 + 4.0 * x**3 + 2.0 * x,
            30.0 * x**4 + 12.0 * x**2 + 2.0,
        ]
        found, wanted = session.run([[y, slope, curve], wanted], {x: 1.5})
    np.testing.assert_allclose(found, wanted, 1e-5)


def test_loops_over_datasets_take_nothing_after_a_break():
    taken = []

    def noted(v):
        taken.append(int(v))
        return v

    def first_above(n):
        for v in tf.data.Dataset.range(10).map(
            lambda v: tf.py_func(noted, [v], tf.int64)
        ):
            if v > n:
                return v
        return n

    with ways.eager():
        for run in (first_above, tf.function(first_above)):
            taken.clear()
            assert int(run(tf.constant(3, tf.int64))) == 4
            assert taken == [0, 1, 2, 3, 4]
            assert int(run(tf.constant(30, tf.int64))) == 30
