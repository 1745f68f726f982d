"""tf.Assert and its family in every mode; the texts are TensorFlow 1.12's."""

import numpy as np
import pytest

import twinflow as tf
from tests import ways
from twinflow.base import errors
from twinflow.execute.tiers import POLICY

InvalidArgument = errors.InvalidArgumentError


@pytest.mark.parametrize("way", ways.WAYS)
def test_a_failed_assertion_stops_what_depends_on_it(way):
    def build():
        v = tf.contrib.eager.Variable(1.0)

        def f(x):
            check = tf.Assert(tf.reduce_all(x > 0), ["x is", x], summarize=2)
            with tf.control_dependencies([] if check is None else [check]):
                return v.assign_add(tf.reduce_sum(x)) * 1.0

        return f

    good, bad = np.float32([1, 2, 3]), np.float32([1, -2, 3])
    assert ways.run(way, build, good) == 7.0
    with pytest.raises(InvalidArgument) as raised:
        ways.run(way, build, bad)
    texts = {
        True: "Summarized data: b'x is'\n1.0, -2.0, ...",
        False: "assertion failed: [x is] [1 -2...]",
    }
    assert texts[way == "eager"] in str(raised.value)


def test_an_assertion_stays_in_the_cluster():
    """Its texts are constants that the compiled form does not need."""

    def f(x):
        with tf.control_dependencies([tf.assert_less(x, 10.0)]):
            return x * 2.0

    with ways.eager(), ways.compiled():
        f = tf.contrib.eager.defun(f)
        x = tf.constant([1.0, 2.0])
        for _ in range(2):
            np.testing.assert_array_equal(f(x).numpy(), [2, 4])
        (plan,) = ways.plans(f, x)
        assert len(plan.clusters) == len(plan.steps) == 1
        assert ways.states(plan) == ["chosen"]
        with pytest.raises(InvalidArgument, match="did not hold element-wise"):
            f(tf.constant([1.0, 20.0]))
    assert POLICY.enabled


def test_assertions_in_branches():
    def f(x):
        def checked():
            with tf.control_dependencies([tf.assert_positive(x)]):
                return tf.identity(x)

        return tf.cond(x < 5.0, checked, lambda: -x)

    for way in ways.WAYS:
        assert ways.run(way, lambda: f, np.float32(3)) == 3
        assert ways.run(way, lambda: f, np.float32(7)) == -7
        with pytest.raises(InvalidArgument, match="x > 0 did not hold"):
            ways.run(way, lambda: f, np.float32(-1))


def test_assert_equal_says_where():
    with ways.eager(), pytest.raises(InvalidArgument) as raised:
        tf.assert_equal([1, 2, 3], [1, 5, 6], message="counts")
    assert str(raised.value) == (
        "counts\nCondition x == y did not hold.\n"
        "Indices of first 2 different values:\n[[1]\n [2]]\n"
        "Corresponding x values:\n[2 3]\nCorresponding y values:\n[5 6]\n"
        "First 3 elements of x:\n[1 2 3]\nFirst 3 elements of y:\n[1 5 6]\n"
    )


def test_what_is_known_is_decided_at_once():
    with tf.Graph().as_default():
        with pytest.raises(InvalidArgument, match="x == y did not hold"):
            tf.assert_equal(tf.shape(tf.zeros([2, 3]))[0], 3)
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        assert (
            tf.assert_rank(x, 2).name == "assert_rank/static_checks_determined_all_ok"
        )
        with pytest.raises(ValueError) as raised:
            tf.assert_rank(x, 1, message="m")
        assert str(raised.value) == (
            "m.  Tensor x:0 must have rank 1.  Received rank 2, shape (?, 3)"
        )
        with pytest.raises(TypeError, match="must be of type <dtype: 'int32'>"):
            tf.assert_type(x, tf.int32)
        with pytest.raises(TypeError, match='Expected "x" to be integer type'):
            tf.assert_integer(x)
        with pytest.raises(ValueError, match="Expected scalar shape for x:0, saw"):
            tf.assert_scalar(x)


def test_ranks_that_are_not_known():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32)
        rank = tf.placeholder(tf.int32)
        for op, wanted, text in (
            (tf.assert_rank(x, rank), 1, "must have rank"),
            (tf.assert_rank_at_least(x, rank), 2, "must have rank at least"),
            (tf.assert_rank_in(x, [rank, 0]), 1, "must have rank in"),
        ):
            session.run(op, {x: np.ones([2] * wanted), rank: wanted})
            with pytest.raises(InvalidArgument, match=text):
                session.run(op, {x: np.ones([2] * wanted), rank: 3})
            with pytest.raises(InvalidArgument, match="Rank must be a scalar"):
                session.run(op, {x: 1.0, rank: [1]})


def test_checks_of_variables_and_of_all_tensors():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, name="x")
        v = tf.Variable(1.0, name="v")
        missing, ready = (
            tf.report_uninitialized_variables(),
            tf.assert_variables_initialized(),
        )
        y = tf.identity(x * 2.0, name="y")
        checks = tf.add_check_numerics_ops()
        assert session.run(missing).tolist() == [b"v"]
        with pytest.raises(errors.FailedPreconditionError):
            session.run(ready)
        session.run(tf.global_variables_initializer())
        session.run(ready)
        assert session.run(missing).tolist() == []
        assert session.run([y, checks], {x: 1.0})[0] == 2
        with pytest.raises(InvalidArgument, match="x:0 : Tensor had NaN values"):
            session.run(checks, {x: np.nan})
        assert session.run(tf.is_variable_initialized(v))
