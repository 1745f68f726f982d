"""Shape rules run once per shapes, and no call that does not fit goes through."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.base.op_lookup import registry
from twinflow.eager import fitting

pytestmark = pytest.mark.usefixtures("eager")


@pytest.fixture
def counted(monkeypatch):
    """The calls of ConcatV2's shape rule."""
    calls, op = [], registry["ConcatV2"]
    rule = op.infer

    def infer(*args, **attrs):
        calls.append(args)
        return rule(*args, **attrs)

    monkeypatch.setattr(op, "infer", infer)
    monkeypatch.setattr(fitting, "_known", set())
    return calls


def test_a_rule_runs_once_per_shapes(counted):
    x, y = tf.ones([2, 3]), tf.ones([2, 4])
    for _ in range(3):
        assert tf.concat([x, x], 0).shape == (4, 3)
    assert len(counted) == 1
    tf.concat([x, x], 1)
    tf.concat([x, y], 1)
    tf.concat([x, x, x], 1)
    tf.concat([tf.cast(x, tf.int32)] * 2, 1)
    assert len(counted) == 5


def test_what_does_not_fit_is_refused_each_time(counted):
    x, y = tf.ones([2, 3]), tf.ones([2, 4])
    for _ in range(3):
        tf.concat([x, y], 1)
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="Dimensions of inputs"
        ):
            tf.concat([x, y], 0)
        with pytest.raises(tf.errors.InvalidArgumentError, match="a scalar"):
            tf.concat([x, y], [[1]])


def test_a_list_of_shape_that_changes_counts_as_another():
    x, shape = tf.ones([6]), [2, 3]
    assert tf.reshape(x, shape).shape == (2, 3)
    shape[:] = [3, 2]
    assert tf.reshape(x, shape).shape == (3, 2)
    shape[:] = [4, 2]
    with pytest.raises(tf.errors.InvalidArgumentError, match="8"):
        tf.reshape(x, shape)
    with pytest.raises(tf.errors.InvalidArgumentError, match="8"):
        tf.reshape(x, [tf.constant(4), 2])
    with pytest.raises(tf.errors.InvalidArgumentError, match="8"):
        tf.reshape(x, np.array([4, 2]))


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(fitting, "_known", set())
    monkeypatch.setattr(fitting, "_MOST", 8)
    for n in range(1, 40):
        tf.reshape(tf.ones([n]), [1, n])
        assert len(fitting._known) <= 8


@pytest.mark.parametrize("zeros", [(0, -0.0, 0.0, -0.0), (-0.0, 0, -0.0, 0.0)])
def test_zeros_of_both_signs_are_told_apart(zeros):
    one = tf.constant([1.0])
    for zero in zeros:
        assert (one / zero).numpy() == (-np.inf if np.signbit(zero) else np.inf)
        assert np.signbit(tf.multiply(one, zero).numpy()[0]) == np.signbit(zero)
