"""tf.L.LinearOperator and its kin against their dense matrices."""

import functools

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager
from twinflow.ops.linear_operator import addition

L = tf.linalg
RANDOM = np.random.RandomState(0)


def near_identity(*shape):
    return (0.3 * RANDOM.uniform(-1, 1, shape) + 2 * np.eye(*shape[-2:])).astype("d")


def diag(d):
    return np.asarray(d)[..., None] * np.eye(np.shape(d)[-1])


A, B = near_identity(3, 3), near_identity(2, 3, 3)
C = A + 0.2j * near_identity(3, 3)
S = A @ A.T
D2 = np.array([1.5, 2.5])
U, V = RANDOM.uniform(-1, 1, (3, 2)), RANDOM.uniform(-1, 1, (3, 2))
R, T = near_identity(2, 3), near_identity(3, 2)
TRUE = {"is_self_adjoint": True, "is_positive_definite": True}


def full(a, **hints):
    return L.LinearOperatorFullMatrix(a, **hints)


def blocks(*parts):
    n = sum(p.shape[-1] for p in parts)
    out, at = np.zeros((n, n)), 0
    for p in parts:
        k = p.shape[-1]
        out[at : at + k, at : at + k] = p
        at += k
    return out


def circulant(spectrum):
    """F^H diag(spectrum) F from its definition."""
    n = spectrum.size
    columns = [
        np.fft.ifftn(spectrum * np.fft.fftn(e.reshape(spectrum.shape))).ravel()
        for e in np.eye(n)
    ]
    return np.stack(columns, -1)


Q = np.array([3.0, 1 + 0.5j, 2, 1 - 0.5j]).astype(np.complex64)
Q2 = (RANDOM.uniform(1, 2, (2, 3)) + 0.1j).astype(np.complex64)
Q3 = RANDOM.uniform(1, 2, (2, 1, 2)).astype(np.float32)

# name -> (makes the operator, its dense matrix)
OPERATORS = {
    "full": (lambda: full(A), A),
    "definite": (lambda: full(S, **TRUE), S),
    "batch": (lambda: full(B), B),
    "complex": (lambda: full(C), C),
    "wide": (lambda: full(R), R),
    "lower": (lambda: L.LinearOperatorLowerTriangular(A), np.tril(A)),
    "diag": (lambda: L.LinearOperatorDiag(np.diag(A).copy()), np.diag(np.diag(A))),
    "complex diag": (lambda: L.LinearOperatorDiag(C[0] + 1), np.diag(C[0] + 1)),
    "identity": (lambda: L.LinearOperatorIdentity(3, dtype=tf.float64), np.eye(3)),
    "identities": (
        lambda: L.LinearOperatorIdentity(2, batch_shape=[3], dtype=tf.float64),
        np.stack([np.eye(2)] * 3),
    ),
    "scaled": (
        lambda: L.LinearOperatorScaledIdentity(3, D2), diag(np.outer(D2, np.ones(3)))
    ),
    "zeros": (
        lambda: L.LinearOperatorZeros(
            2, 3, dtype=tf.float64, is_square=False, is_self_adjoint=False
        ),
        np.zeros((2, 3)),
    ),
    "composition": (
        lambda: L.LinearOperatorComposition([full(A), full(B), full(S)]), A @ B @ S
    ),
    "wide composition": (
        lambda: L.LinearOperatorComposition([full(R), full(A)]), R @ A
    ),
    "blocks": (
        lambda: L.LinearOperatorBlockDiag([
            full(A, is_square=True), L.LinearOperatorDiag(D2)
        ]),
        blocks(A, np.diag(D2)),
    ),
    "kronecker": (
        lambda: L.LinearOperatorKronecker([
            full(A), L.LinearOperatorDiag(D2), full(S)
        ]),
        np.kron(np.kron(A, np.diag(D2)), S),
    ),
    "wide kronecker": (
        lambda: L.LinearOperatorKronecker([full(R), full(R)]), np.kron(R, R)
    ),
    "batch kronecker": (
        lambda: L.LinearOperatorKronecker([full(B), full(A)]),
        np.stack([np.kron(b, A) for b in B]),
    ),
    "low rank": (
        lambda: L.LinearOperatorLowRankUpdate(full(A), U, D2, V),
        A + U @ np.diag(D2) @ V.T,
    ),
    "definite low rank": (
        lambda: L.LinearOperatorLowRankUpdate(
            full(S, **TRUE), U, D2, is_diag_update_positive=True
        ),
        S + U @ np.diag(D2) @ U.T,
    ),
    "rank without diagonal": (
        lambda: L.LinearOperatorLowRankUpdate(full(B), U), B + U @ U.T
    ),
    "circulant": (lambda: L.LinearOperatorCirculant(Q), circulant(Q)),
    "circulant 2d": (lambda: L.LinearOperatorCirculant2D(Q2), circulant(Q2)),
    "circulant 3d": (lambda: L.LinearOperatorCirculant3D(Q3), circulant(Q3)),
    "real circulant": (
        lambda: L.LinearOperatorCirculant(Q, input_output_dtype=tf.float32),
        circulant(Q).real,
    ),
}  # fmt: skip


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def close(found, wanted):
    scale = max(1.0, np.abs(wanted).max(initial=0))
    single = found.dtype in (tf.float32, tf.complex64)
    limit = 2e-5 if single else 1e-9
    assert found.shape.as_list() == list(np.shape(wanted))
    np.testing.assert_allclose(found.numpy(), wanted, atol=limit * scale)


@pytest.fixture(autouse=True)
def eagerly():
    with eager():
        yield


@pytest.fixture(params=OPERATORS)
def both(request):
    """The operator, and its dense matrix."""
    make, dense = OPERATORS[request.param]
    return make(), dense


def argument(operator, shape):
    x = np.random.RandomState(1).uniform(-1, 1, shape)
    return x.astype(operator.dtype.as_numpy_dtype)


def test_shapes(both):
    operator, dense = both
    assert operator.shape.as_list() == list(dense.shape)
    assert operator.shape_tensor().numpy().tolist() == list(dense.shape)
    assert operator.batch_shape_tensor().numpy().tolist() == list(dense.shape[:-2])
    assert operator.tensor_rank == operator.tensor_rank_tensor().numpy() == dense.ndim
    assert operator.domain_dimension == dense.shape[-1]
    assert operator.domain_dimension_tensor().numpy() == dense.shape[-1]
    assert operator.range_dimension_tensor().numpy() == dense.shape[-2]
    assert operator.is_square == (dense.shape[-1] == dense.shape[-2])


def test_products(both):
    operator, dense = both
    m, n = dense.shape[-2:]
    for flip in (False, True):
        a = adjoint(dense) if flip else dense
        x = argument(operator, (m if flip else n, 2))
        close(operator.matmul(x, adjoint=flip), a @ x)
        close(operator.matmul(adjoint(x).copy(), adjoint=flip, adjoint_arg=True), a @ x)
        close(operator.matvec(x[:, 0], adjoint=flip), a @ x[:, 0])
        many = argument(operator, (*dense.shape[:-2], *x.shape))
        close(operator.matmul(many, adjoint=flip), a @ many)


def test_entries(both):
    operator, dense = both
    close(operator.to_dense(), dense)
    close(operator.diag_part(), np.diagonal(dense, 0, -2, -1))
    close(operator.trace(), np.trace(dense, axis1=-2, axis2=-1))
    x = argument(operator, dense.shape)
    close(operator.add_to_tensor(x), dense + x)


def test_systems(both):
    operator, dense = both
    if not operator.is_square or operator.is_non_singular is False:
        with pytest.raises(NotImplementedError, match="Exact solve not implemented"):
            operator.solve(argument(operator, (dense.shape[-2], 1)))
        return
    for flip in (False, True):
        a = adjoint(dense) if flip else dense
        x = argument(operator, (dense.shape[-1], 2))
        wanted = np.linalg.solve(a, np.broadcast_to(x, (*a.shape[:-2], *x.shape)))
        close(operator.solve(x, adjoint=flip), wanted)
        close(operator.solve(adjoint(x).copy(), adjoint=flip, adjoint_arg=True), wanted)
        close(operator.solvevec(x[:, 0], adjoint=flip), wanted[..., 0])


def test_determinants(both):
    operator, dense = both
    if not operator.is_square:
        with pytest.raises(NotImplementedError, match="Determinant not implemented"):
            operator.determinant()
        return
    close(operator.determinant(), np.linalg.det(dense))
    close(operator.log_abs_determinant(), np.linalg.slogdet(dense)[1])


@pytest.mark.parametrize("kind", ["definite", "lower", "diag", "identity", "scaled",
                                  "blocks", "kronecker", "circulant 3d"])  # fmt: skip
def test_good_operators_pass_their_checks(kind):
    operator = OPERATORS[kind][0]()
    operator.assert_non_singular()
    if kind not in ("lower", "blocks", "kronecker"):
        operator.assert_self_adjoint()
        operator.assert_positive_definite()


@pytest.mark.parametrize(("make", "check", "text"), [
    (lambda: full([[1.0, 1], [1, 1]]), "non_singular", "Singular matrix up to"),
    (lambda: full([[1.0, 2], [0, 1]]), "self_adjoint", "was not equal to its adjoint"),
    (lambda: L.LinearOperatorDiag([0.0, 1]), "non_singular", "contained zero values"),
    (lambda: L.LinearOperatorDiag([-1.0]), "positive_definite", "non-positive diag"),
    (lambda: L.LinearOperatorDiag([1j]), "self_adjoint", "non-zero imaginary values"),
    (lambda: L.LinearOperatorLowerTriangular([[0.0]]), "non_singular", "zero values"),
    (lambda: L.LinearOperatorScaledIdentity(2, 0.0), "non_singular", "was singular"),
    (lambda: L.LinearOperatorZeros(2), "non_singular", "always non-invertible"),
    (lambda: L.LinearOperatorCirculant([0.0, 1.0]), "non_singular", "zero values"),
    (lambda: L.LinearOperatorKronecker([full(R)]), "non_singular", "must be square"),
])  # fmt: skip
def test_bad_operators_fail_their_checks(make, check, text):
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        getattr(make(), f"assert_{check}")()


@pytest.mark.parametrize(("make", "error", "text"), [
    (lambda: full([1.0]), ValueError, "must have at least 2 dimensions"),
    (lambda: full([[1]]), TypeError, "Argument matrix must have dtype in"),
    (lambda: L.LinearOperatorDiag(1.0), ValueError, "at least 1 dimension."),
    (lambda: L.LinearOperatorDiag([1.0], is_self_adjoint=False), ValueError,
     "A real diagonal operator is always self adjoint."),
    (lambda: L.LinearOperatorIdentity(2, is_square=False), ValueError,
     "An identity operator is always square."),
    (lambda: L.LinearOperatorIdentity(-2), ValueError, "must be non-negative"),
    (lambda: L.LinearOperatorIdentity(2.0), TypeError, "must be integer type"),
    (lambda: L.LinearOperatorIdentity([2]), ValueError, "must be a 0-D Tensor"),
    (lambda: L.LinearOperatorIdentity(2, batch_shape=2), ValueError, "a 1-D Tensor"),
    (lambda: L.LinearOperatorZeros(2, 3), ValueError,
     r"is_square=True, but got num_rows\(2\) != num_columns\(3\)"),
    (lambda: L.LinearOperatorComposition([]), ValueError, "Expected a non-empty list"),
    (lambda: L.LinearOperatorComposition([full(A), full(A.astype("f"))]), TypeError,
     "Expected all operators to have the same dtype"),
    (lambda: L.LinearOperatorComposition([full(A), full(R)]).shape, ValueError,
     "not compatible"),
    (lambda: L.LinearOperatorKronecker(
        [L.LinearOperatorIdentity(2)], is_non_singular=False), ValueError,
     "The Kronecker product of non-singular operators is always non-singular."),
    (lambda: L.LinearOperatorBlockDiag([full(R)]), ValueError,
     "Can only represent a block diagonal of square matrices."),
    (lambda: full(A, is_positive_definite=True, is_non_singular=False), ValueError,
     "A positive definite matrix is always non-singular."),
    (lambda: full(A, is_self_adjoint=True, is_square=False), ValueError,
     "A self-adjoint matrix is always square."),
    (lambda: full(A, is_square=False).is_square, ValueError, "the operator was square"),
    (lambda: full(A).matmul(A.astype("f")), TypeError, "Expected argument to have"),
    (lambda: full(A).matmul(R), ValueError, "not compatible"),
    (lambda: L.LinearOperatorCirculant(A), TypeError, "Argument spectrum must have"),
    (lambda: L.LinearOperator(tf.float32, [1]), ValueError, "is not a Tensor"),
])  # fmt: skip
def test_errors(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_gradients_reach_what_operators_are_made_of():
    d, u = tf.constant(D2[:1]), tf.constant(U[:, :1])
    base = tf.constant(S)
    with tf.GradientTape() as tape:
        tape.watch([base, d, u])
        operator = L.LinearOperatorLowRankUpdate(
            full(base, **TRUE), u, d, is_diag_update_positive=True
        )
        y = operator.log_abs_determinant()
    inverse = np.linalg.inv(S + D2[0] * U[:, :1] @ U[:, :1].T)
    found = tape.gradient(y, [base, d, u])
    np.testing.assert_allclose(found[0], inverse, atol=1e-9)
    np.testing.assert_allclose(found[1][0], (U[:, :1].T @ inverse @ U[:, :1])[0, 0])
    np.testing.assert_allclose(found[2], 2 * D2[0] * inverse @ U[:, :1], atol=1e-9)


def test_own_operators_need_three_methods():
    class Double(L.LinearOperator):
        def __init__(self):
            super().__init__(tf.float32)

        def _shape(self):
            return tf.TensorShape([2, 2])

        def _shape_tensor(self):
            return tf.constant([2, 2])

        def _matmul(self, x, adjoint=False, adjoint_arg=False):
            return 2.0 * (L.adjoint(x) if adjoint_arg else x)

    operator = Double()
    close(operator.to_dense(), 2 * np.eye(2))
    close(operator.determinant(), 4.0)
    close(operator.solvevec([2.0, 4.0]), [1.0, 2.0])


DYNAMIC = {
    "full": (full, A),
    "lower": (L.LinearOperatorLowerTriangular, A),
    "diag": (L.LinearOperatorDiag, D2),
    "identity": (
        lambda x: L.LinearOperatorIdentity(
            tf.shape(x)[0], tf.shape(x), tf.float64, assert_proper_shapes=True
        ),
        np.zeros((2, 3)),
    ),
    "scaled": (lambda x: L.LinearOperatorScaledIdentity(tf.shape(x)[0], x), D2),
    "zeros": (
        lambda x: L.LinearOperatorZeros(*tf.unstack(tf.shape(x), 2), dtype="float64"),
        S,
    ),
    "composition": (lambda x: L.LinearOperatorComposition([full(x)] * 2), A),
    "blocks": (
        lambda x: L.LinearOperatorBlockDiag([full(x, is_square=True)] * 2), A
    ),
    "kronecker": (lambda x: L.LinearOperatorKronecker([full(x)] * 2), A),
    "low rank": (lambda x: L.LinearOperatorLowRankUpdate(full(x), x), A),
    "circulant": (L.LinearOperatorCirculant, Q),
}  # fmt: skip


@pytest.mark.parametrize("kind", DYNAMIC)
def test_unknown_sizes_change_nothing(kind):
    make, array = DYNAMIC[kind]

    def everything(x):
        operator = make(x)
        dense = operator.to_dense()
        found = [operator.shape_tensor(), operator.batch_shape_tensor(), dense,
                 operator.matmul(dense, adjoint=True), operator.diag_part(),
                 operator.trace(), operator.add_to_tensor(dense)]  # fmt: skip
        if kind != "zeros":
            found += [operator.solve(dense), operator.log_abs_determinant()]
        return found

    known = [t.numpy() for t in everything(tf.constant(array))]
    with tf.Graph().as_default(), tf.Session() as session:
        fed = tf.placeholder(array.dtype, [None] * array.ndim)
        found = session.run(everything(fed), {fed: array})
    for a, b in zip(found, known, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-5)


def test_names_in_a_graph():
    with tf.Graph().as_default():
        y = functools.partial(L.LinearOperatorDiag, name="d")([1.0]).matvec([2.0])
        assert y.op.name.startswith("d/matvec/")


def test_sums_take_the_plainest_form():
    with eager():
        make = [
            lambda: L.LinearOperatorIdentity(2),
            lambda: L.LinearOperatorScaledIdentity(2, np.float32(3)),
            lambda: L.LinearOperatorDiag([1.0, 2.0]),
            lambda: L.LinearOperatorLowerTriangular([[1.0, 0.0], [2.0, 3.0]]),
            lambda: L.LinearOperatorFullMatrix([[1.0, 5.0], [2.0, 3.0]]),
        ]
        kinds = [
            "ScaledIdentity",
            "ScaledIdentity",
            "Diag",
            "LowerTriangular",
            "FullMatrix",
        ]
        for n in range(2, 6):
            operators = [m() for m in make[:n]]
            (found,) = addition.add_operators(operators)
            assert type(found).__name__ == f"LinearOperator{kinds[n - 1]}"
            wanted = sum(o.to_dense().numpy() for o in operators)
            np.testing.assert_allclose(found.to_dense(), wanted)
            tier = [addition.AddAndReturnScaledIdentity()]
            kept = addition.add_operators(operators, addition_tiers=[tier])
            assert len(kept) == n - 1
        assert found.name.startswith("Add/LinearOperatorFullMatrix__Add/")
        with pytest.raises(ValueError, match="must contain at least one operator"):
            addition.add_operators([])
        with pytest.raises(ValueError, match="must have the same domain dimension"):
            addition.add_operators([make[2](), L.LinearOperatorDiag([1.0])])
