"""tf.contrib.solvers, kernel_methods and nearest_neighbor, against TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf

S, K = tf.contrib.solvers, tf.contrib.kernel_methods
RNG = np.random.RandomState(0)
A, RHS = RNG.rand(6, 4), RNG.rand(6)
P, Q = A.T @ A + np.eye(4), RNG.rand(4)


def run(make):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(make())


def test_least_squares():
    found = run(lambda: S.least_squares.cgls(S.util.create_operator(A), RHS, 1e-10, 50))
    assert found.i == 4
    np.testing.assert_allclose(found.x, [-0.0374, 0.921, -0.5325, 0.1513], atol=1e-4)
    np.testing.assert_allclose(found.r, RHS - A @ found.x, atol=1e-12)


def test_linear_equations():
    solve, operator = S.linear_equations.conjugate_gradient, S.util.create_operator
    found = run(lambda: solve(operator(P), Q))
    assert found.i == 4
    np.testing.assert_allclose(found.x, np.linalg.solve(P, Q), atol=1e-6)
    found = run(lambda: solve(operator(P), Q, x=tf.constant(Q)))
    assert found.i == 3
    inverse = np.linalg.inv(P)
    assert run(lambda: solve(operator(P), Q, operator(inverse))).i == 1


@pytest.mark.parametrize("orthogonalize", [True, False])
def test_lanczos(orthogonalize):
    lanczos = S.lanczos

    def make():
        operator = S.util.create_operator(A)
        found = lanczos.lanczos_bidiag(operator, 4, orthogonalize, tf.constant(RHS))
        product = lanczos.bidiag_matmul(found.u, found.alpha, found.beta)
        return found, product, A @ found.v

    found, product, image = run(make)
    np.testing.assert_allclose(product, image, atol=1e-10)
    np.testing.assert_allclose(found.v.T @ found.v, np.eye(4), atol=1e-8)
    np.testing.assert_allclose(found.alpha, [2.4386, 0.738, 0.0897, 0.4714], atol=1e-4)
    np.testing.assert_allclose(found.beta, [1.7694, 0.3912, 0.4765, 0.6876], atol=1e-4)


def test_hinge_loss():
    logits = np.float32([[2, 1.5, 0], [0, 1, 3], [1, 1, 1]])

    def make():
        loss, labels = K.sparse_multiclass_hinge_loss, tf.constant([0, 2, 1])
        logits_ = tf.constant(logits)
        return [
            loss(labels, logits_),
            loss(labels, logits_, weights=[1, 0, 2.0]),
            loss(labels[:, None], logits_, reduction="none"),
        ]

    found = run(make)
    np.testing.assert_allclose(found[0], 0.5)
    np.testing.assert_allclose(found[1], 1.25)
    np.testing.assert_allclose(found[2], [0.5, 0, 1])


def test_mapper():
    mapper = K.RandomFourierFeatureMapper(3, 4000, stddev=1.5, seed=3)
    x, y = np.float32([[0.2, 0.5, 0.1]]), np.float32([[1.0, 0.1, 0.9]])
    a, b = run(lambda: [mapper.map(tf.constant(x)), mapper.map(tf.constant(y))])
    kernel = np.exp(-((x - y) ** 2).sum() / 2 / 1.5**2)
    # The standard deviation is below 1 / sqrt(4000): 0.1 is 6 of them.
    np.testing.assert_allclose((a * b).sum(), kernel, atol=0.1)
    with pytest.raises(Exception, match="expected 3 input features, got 2 instead"):
        mapper.map(x[:, :2])


def test_kernel_classifier():
    rng = np.random.RandomState(0)
    x = rng.uniform(-2, 2, (64, 2)).astype(np.float32)
    inside = ((x**2).sum(1, keepdims=True) < 2).astype(np.int32)
    column = tf.contrib.layers.real_valued_column("x", 2)
    mapper = K.RandomFourierFeatureMapper(2, 100)
    model = K.KernelLinearClassifier(
        kernel_mappers={column: [mapper]},
        optimizer=tf.train.FtrlOptimizer(learning_rate=5.0),
    )

    def input_fn():
        return {"x": tf.constant(x)}, tf.constant(inside)

    model.fit(input_fn=input_fn, steps=20)
    assert model.evaluate(input_fn=input_fn, steps=1)["accuracy"] > 0.9
