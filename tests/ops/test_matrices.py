"""Matrices and spectra: what rows of the op table cannot express."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, eager, interpreted
from twinflow.lower.lowering import kernel_of
from twinflow.ops.matrix import eigen, svd

BAD = {
    "Cholesky decomposition was not successful. The input might not be valid.": (
        lambda x: tf.cholesky(x - 2.0 * tf.eye(2))
    ),
    "Input is not invertible.": lambda x: tf.matrix_inverse(x * 0.0),
    "Input matrix is not invertible.": lambda x: tf.matrix_solve(x * 0.0, x),
    "Input matrix is not invertible. ": (
        lambda x: tf.matrix_triangular_solve(x * 0.0, x)
    ),
    "Self-adjoint eigen decomposition was not successful.": (
        lambda x: tf.self_adjoint_eigvals(x / 0.0)
    ),
    "must be negative or less or equal to number of rows (2) got: 3": (
        lambda x: tf.matrix_band_part(x, tf.cast(x[0, 0], tf.int64) + 2, 0)
    ),
    "Input matrix was rank deficient or ill-conditioned.": (
        lambda x: tf.matrix_solve_ls(
            tf.ones([200, 20, 20]) * x[0, 0], tf.ones([200, 20, 1])
        )
    ),
}


@pytest.mark.parametrize("way", [interpreted, compiled])
@pytest.mark.parametrize("text", BAD)
def test_bad_matrices_are_refused_by_every_engine(text, way):
    with eager(), way():
        x = tf.constant([[1.0, 0.0], [0.0, 1.0]])
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            tf.function(BAD[text])(x)
        assert text.strip() in str(raised.value)


def test_signs_of_vectors_are_the_same_in_both_engines():
    random = np.random.RandomState(0)
    for i in range(24):
        x = random.randn(5, 6).astype("f" if i % 4 else "F")
        attrs = {"compute_uv": True, "full_matrices": False}
        for a, b in zip(
            svd.Svd.np(x, **attrs), kernel_of(svd.Svd)(x, **attrs), strict=True
        ):
            np.testing.assert_allclose(a, b, atol=1e-2)
        square = x @ x.T
        square += np.diag(np.arange(len(square))).astype(x.dtype)
        op = eigen.SelfAdjointEigV2
        one, two = op.np(square, compute_v=True), kernel_of(op)(square, compute_v=True)
        np.testing.assert_allclose(one[1], two[1], atol=1e-2)


def test_eigenvalues_alone_have_a_gradient_where_two_are_equal():
    with eager():
        x = tf.eye(2)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.self_adjoint_eig(x)[0])
        np.testing.assert_allclose(tape.gradient(y, x), np.eye(2), atol=1e-6)


REAL = {
    "rfft": (tf.spectral.rfft, (None, [4], [5], [8])),
    "rfft2d": (tf.spectral.rfft2d, (None, [2, 4], [4, 7])),
    "rfft3d": (tf.spectral.rfft3d, (None, [2, 2, 4], [3, 4, 7])),
}
HALF = {
    "irfft": (tf.spectral.irfft, (None, [4], [7], [12])),
    "irfft2d": (tf.spectral.irfft2d, (None, [2, 5], [4, 12])),
    "irfft3d": (tf.spectral.irfft3d, (None, [2, 2, 5], [3, 4, 12])),
}


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("kind", [*REAL, *HALF])
def test_gradients_of_real_transforms_are_their_transposes(kind, known):
    """<T x, y> = <x, T' y> for all x and y, where T' is the gradient of T."""
    random = np.random.RandomState(0)
    function, lengths = {**REAL, **HALF}[kind]
    for n in lengths:
        x = random.randn(2, 3, 5)
        x = x + 1j * random.randn(2, 3, 5) if kind in HALF else x
        x = x.astype(np.complex64 if kind in HALF else np.float32)
        with tf.Graph().as_default(), tf.Session() as session:
            fed = tf.placeholder(x.dtype, x.shape if known else [None] * 3)
            y = function(fed, n)
            size = session.run(y, {fed: x})
            d = random.randn(*size.shape)
            d = d + 1j * random.randn(*size.shape) if kind in REAL else d
            d = d.astype(size.dtype)
            (dx,) = tf.gradients(y, fed, d)
            seed = tf.constant(d)
            (again,) = tf.gradients(tf.gradients(y, fed, seed)[0], seed, x)
            dx, again = session.run([dx, again], {fed: x})
        left = np.sum((np.conj(size) * d).real)
        assert left == pytest.approx(np.sum((np.conj(x) * dx).real), rel=1e-4)
        np.testing.assert_allclose(again, size, atol=2e-5)


def graph_value(function, *arrays):
    """What `function` gives where no size is known."""
    with tf.Graph().as_default(), tf.Session() as session:
        fed = [tf.placeholder(a.dtype, [None] * a.ndim) for a in arrays]
        return session.run(function(*fed), dict(zip(fed, arrays, strict=True)))


X = np.random.RandomState(1).uniform(-1, 1, (3, 4)).astype(np.float32)
UNKNOWN = [
    (lambda x: tf.matrix_solve_ls(x, x, l2_regularizer=0.5), (X,)),
    (lambda x: tf.spectral.dct(x, norm="ortho"), (X,)),
    (lambda x: tf.spectral.idct(x, norm="ortho"), (X,)),
    (lambda x: tf.spectral.idct(x), (X,)),
    (lambda x: tf.tensordot(x, x, [[0], [0]]), (X,)),
    (lambda x: tf.einsum("ij,kj,lj->ikl", x, x, x), (X,)),
    (lambda x: tf.einsum("ij,ik->jk", x, x), (X,)),
    (lambda x: tf.svd(x)[0], (X,)),
    (lambda x: tf.eye(tf.shape(x)[0], tf.shape(x)[1], tf.shape(x)), (X,)),
]


@pytest.mark.parametrize("case", range(len(UNKNOWN)))
def test_unknown_sizes_change_nothing(case):
    function, arrays = UNKNOWN[case]
    with eager():
        known = function(*map(tf.constant, arrays)).numpy()
    np.testing.assert_allclose(graph_value(function, *arrays), known, atol=1e-5)


def test_tensordot_of_unknown_rank():
    with tf.Graph().as_default(), tf.Session() as session:
        a, b = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
        feeds = {a: X, b: X.T}
        for axes in (1, [[-1], [0]]):
            found = session.run(tf.tensordot(a, b, axes), feeds)
            np.testing.assert_allclose(found, X @ X.T, atol=1e-5)


def test_qr_without_gradients_says_so():
    with eager():
        x = tf.constant(X)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.qr(x).r
        with pytest.raises(NotImplementedError, match="ncols > nrows"):
            tape.gradient(y, x)


def test_results_have_names():
    with eager():
        parts = tf.linalg.slogdet([[2.0]])
        assert parts.sign.numpy() == 1.0
        assert parts.log_abs_determinant.numpy() == pytest.approx(np.log(2.0))


def test_a_sparse_product_of_bfloat16_and_float32():
    with eager():
        a = tf.cast([[1.0, 2.0]], tf.bfloat16)
        y = tf.matmul(a, tf.constant([[3.0], [4.0]]), a_is_sparse=True)
        assert y.dtype is tf.float32
        assert y.numpy() == 11.0
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = tf.sparse_matmul(a, tf.constant([[3.0], [4.0]]))
        assert tape.gradient(y, a).dtype is tf.bfloat16
