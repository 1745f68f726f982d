"""Of several outputs mostly one has a gradient: what the rules of an op get then."""

import numpy as np
import pytest

import twinflow as tf
from tests import ways
from twinflow.base.dispatch import apply
from twinflow.base.op import Op


def split_op(none_ok, seen):
    """An op with outputs 2x and 3x; its rule notes what it got."""

    def rule(d_a, d_b, x):
        seen.append((d_a, d_b))
        parts = [d * f for d, f in ((d_a, 2.0), (d_b, 3.0)) if d is not None]
        return (tf.add_n(parts) + 0.0 * x,)

    return Op(
        "Split23(x: T) -> (a: T, b: T)",
        infer=lambda x: [x._shape, x._shape],
        kernel=lambda xp: lambda x: (2 * x, 3 * x),
        grad=rule,
        none_ok=none_ok,
    )


def rules_op(none_ok, seen):
    """The same with a rule per input, which reads the gradients as a list."""

    def rule(dy, x):
        seen.append(tuple(dy))
        return tf.add_n([d * f for d, f in zip(dy, (2.0, 3.0)) if d is not None])

    return Op(
        "Split23(x: T) -> (a: T, b: T)",
        infer=lambda x: [x._shape, x._shape],
        kernel=lambda xp: lambda x: (2 * x, 3 * x),
        grad=[rule],
        none_ok=none_ok,
    )


@pytest.mark.parametrize("make", [split_op, rules_op])
@pytest.mark.parametrize("none_ok", [True, False])
@pytest.mark.parametrize("way", ["eager", "function", "session"])
@pytest.mark.parametrize(("used", "slope"), [((0,), 2), ((1,), 3), ((0, 1), 5)])
def test_a_missing_gradient_is_none_or_zeros(make, none_ok, way, used, slope):
    seen = []
    op = make(none_ok, seen)

    def build():
        def function(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                out = apply(op, (x,))
                y = tf.add_n([tf.reduce_sum(out[i]) for i in used])
            return tape.gradient(y, x)

        return function

    found = ways.run(way, build, np.float32([1, 2]))
    np.testing.assert_array_equal(found, np.float32([slope, slope]))
    for i, d in enumerate(seen[-1]):
        assert (d is None) == (none_ok and i not in used)


@pytest.mark.parametrize("none_ok", [True, False])
def test_tf_gradients_gives_none_for_what_is_missing(none_ok):
    seen = []
    op = split_op(none_ok, seen)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None])
        (slope,) = tf.gradients(apply(op, (x,))[1], x)
        assert (seen[-1][0] is None) == none_ok
        assert session.run(slope, {x: [1, 2, 3]}).tolist() == [3, 3, 3]
