"""tf.gradients, tf.hessians, registered gradients and tf.test.compute_gradient."""

import numpy as np
import pytest

import twinflow as tf


@pytest.fixture(autouse=True)
def session():
    """A graph of its own, and a session."""
    with tf.Graph().as_default(), tf.Session() as s:
        yield s


def test_stopped_gradients_are_partial_derivatives(session):
    a = tf.constant(0.0)
    b = 2 * a
    found = tf.gradients(a + b, [a, b], stop_gradients=[a, b])
    assert session.run(found) == [1.0, 1.0]
    assert session.run(tf.gradients(a + b, [a, b])) == [3.0, 1.0]
    x = tf.constant(1.0)
    y = tf.identity(x)
    assert tf.gradients(y * y, x, stop_gradients=y) == [None]


def test_incoming_gradients(session):
    x = tf.constant([1.0, 2.0])
    y = x * x
    found = tf.gradients([y, 3.0 * x], x, grad_ys=[tf.constant([1.0, 10.0]), None])
    assert session.run(found[0]).tolist() == [5.0, 43.0]
    with pytest.raises(ValueError, match="Passed 2 grad_ys for 1 ys"):
        tf.gradients(y, x, grad_ys=[y, y])
    with pytest.raises(ValueError, match="Invalid aggregation_method specified 77"):
        tf.gradients(y, x, aggregation_method=77)
    tf.gradients(y, x, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_TREE)
    z = tf.constant(1 + 2j)
    with pytest.raises(TypeError, match="complex tensors must set grad_ys"):
        tf.gradients(z * z, z)


def test_hessians(session):
    x = tf.constant([1.0, 2.0, 3.0])
    (h,) = tf.hessians(tf.reduce_sum(x**3) * x[0], x)
    assert h.shape == [3, 3]
    wanted = [[12, 12, 27], [12, 12, 0], [27, 0, 18]]
    np.testing.assert_allclose(session.run(h), wanted)


def test_hessians_of_unknown_size(session):
    x = tf.placeholder(tf.float32, [None])
    (h,) = tf.hessians(tf.reduce_sum(tf.exp(x)), [x])
    for n in (1, 4):
        found = session.run(h, {x: np.zeros(n)})
        np.testing.assert_allclose(found, np.eye(n))
    with pytest.raises(ValueError, match="no y depends on"):
        tf.hessians(tf.constant(1.0), x)


@tf.RegisterGradient("TestSevenfold")
def _sevenfold(op, dy):
    assert op.type == "Identity"
    return 7.0 * dy


def test_registered_gradients(session):
    x = tf.constant(1.0)
    graph = tf.get_default_graph()
    with graph.gradient_override_map({"Identity": "TestSevenfold"}):
        y = tf.identity(x)
    assert session.run(tf.gradients(y + tf.identity(x), x)) == [8.0]
    with graph.gradient_override_map({"Identity": "TestNobody"}):
        y = tf.identity(x)
    with pytest.raises(LookupError, match="No gradient defined for operation"):
        tf.gradients(y, x)
    with pytest.raises(KeyError, match="Registering two gradient with name"):
        tf.RegisterGradient("TestSevenfold")(_sevenfold)
    with pytest.raises(TypeError, match="op_type must be a string"):
        tf.RegisterGradient(3)


def test_compute_gradient(session):
    x = tf.constant([0.5, 2.0])
    y = x**2
    a, b = tf.test.compute_gradient(x, [2], y, [2], np.array([1.0, 3.0]))
    np.testing.assert_allclose(a, [[2, 0], [0, 6]])
    np.testing.assert_allclose(b, a, atol=1e-3)
    assert tf.test.compute_gradient_error(x, [2], y, [2]) < 1e-3
    pairs = tf.test.compute_gradient([x, y], [[2], [2]], x * y, [2])
    assert len(pairs) == 2
    bad = tf.stop_gradient(x) * x
    assert tf.test.compute_gradient_error(x, [2], bad, [2]) > 0.1


def test_compute_gradient_of_complex_numbers(session):
    z = tf.placeholder(tf.complex64, [2])
    y = tf.conj(z) * z * (1 + 2j)
    assert tf.test.compute_gradient_error(z, [2], y, [2]) < 1e-2
