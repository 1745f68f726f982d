"""Rows of the ops on matrices that solve, decompose and transcend."""

import numpy as np

from tests.support.op_cases.table import case, error, floats
from twinflow.base import dtypes
from twinflow.ops.core.complex import complex, conj, imag, real
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import abs as abs_of
from twinflow.ops.core.elementwise import add, multiply, square
from twinflow.ops.core.product import matmul, sparse_matmul
from twinflow.ops.matrix.cholesky import cholesky, cholesky_solve, logdet
from twinflow.ops.matrix.diagonal import adjoint, matrix_diag
from twinflow.ops.matrix.eigen import self_adjoint_eig, self_adjoint_eigvals
from twinflow.ops.matrix.exponential import matrix_exponential, matrix_logarithm
from twinflow.ops.matrix.inverse import matrix_determinant, matrix_inverse, slogdet
from twinflow.ops.matrix.least_squares import matrix_solve_ls
from twinflow.ops.matrix.qr import qr
from twinflow.ops.matrix.solve import matrix_solve, matrix_triangular_solve
from twinflow.ops.matrix.svd import svd

_LOSS = {"float32": 1e-5, "float64": 1e-11}
_REASON = "the conditions of the matrices of the row and of its gradients are up to 100"
_NOT_SQUARE = error(np.zeros((2, 3)), text="Input matrix must be square.")
_VECTOR = error(np.zeros(3), text="input must be at least 2-dim, received shape: [3]")


def _near_identity(*shape, seed=0, scale=0.5):
    """Well-conditioned matrices."""
    random = np.random.RandomState(seed)
    return scale * random.uniform(-1, 1, shape) + 2 * np.eye(*shape[-2:])


_A, _B = _near_identity(3, 3), _near_identity(2, 3, 3, seed=1)


def _row(op, *inputs, **more):
    case(op, *inputs, tol=_LOSS, reason=_REASON, **more)


def _h(a):
    return np.conj(np.swapaxes(a, -1, -2))


# ------------------------------------------------------------------ inverse
def _inverse(a, adjoint=False):
    return np.linalg.inv(_h(a) if adjoint else a)


for _adjoint in (False, True):
    for _a in (_A, _B):
        _row(
            "MatrixInverse", _a, reference=_inverse, attrs={"adjoint": _adjoint},
            errors=[
                error(np.zeros((2, 2)), text="Input is not invertible."),
                error(np.full((2, 2), np.nan), text="Input is not invertible."),
                _NOT_SQUARE, _VECTOR,
            ],
        )  # fmt: skip
_row("MatrixInverse", np.zeros((0, 0)), reference=np.zeros((0, 0)), grad=())


def _solve(a, b, adjoint=False):
    return np.linalg.solve(_h(a) if adjoint else a, b)


_Z = np.zeros
_SHAPES = [
    error(_Z((2, 2)), _Z((3, 1)), text="Input matrix and rhs are incompatible."),
    error(_Z((3, 2, 2)), _Z((2, 2)), text="All input tensors must have the same rank."),
    error(
        _Z((3, 2, 2)), _Z((2, 2, 2)),
        text="All input tensors must have the same outer dimensions.",
    ),
    error(_Z((3, 2)), _Z((3, 1)), text="First input (lhs) must be a square matrix."),
    error(_Z((2, 2)), np.ones((2, 1)), text="Input matrix is not invertible."),
]  # fmt: skip
for _adjoint in (False, True):
    for _a, _b in (_A, floats(3, 2)), (_B, floats(2, 3, 1)):
        _row(
            "MatrixSolve", _a, _b, reference=_solve, attrs={"adjoint": _adjoint},
            errors=_SHAPES,
        )  # fmt: skip


def _triangular(a, b, lower=True, adjoint=False):
    a = np.tril(a) if lower else np.triu(a)
    return _solve(a, b, adjoint)


for _lower in (True, False):
    for _adjoint in (False, True):
        for _a, _b in (_A, floats(3, 2)), (_B, floats(2, 3, 1)):
            _row(
                "MatrixTriangularSolve", _a, _b, reference=_triangular, errors=_SHAPES,
                attrs={"lower": _lower, "adjoint": _adjoint},
            )  # fmt: skip
_large = _near_identity(70, 70, seed=3, scale=0.02)
_row("MatrixTriangularSolve", _large, floats(70, 1), reference=_triangular, grad=())

# ------------------------------------------------------------------ determinants
for _a in (_A, _B):
    _row("MatrixDeterminant", _a, reference=np.linalg.det, errors=[_NOT_SQUARE])
    _row(
        "LogMatrixDeterminant", -_a, reference=lambda a: list(np.linalg.slogdet(a)),
        errors=[_NOT_SQUARE],
    )  # fmt: skip
_row("MatrixDeterminant", _Z((2, 2)), reference=np.array(0.0), grad=())
_row("MatrixDeterminant", _Z((2, 0, 0)), reference=np.ones(2), grad=())
_row(
    "LogMatrixDeterminant", _Z((2, 2)), reference=[np.array(0.0), np.array(-np.inf)],
    grad=(),
)  # fmt: skip


# ------------------------------------------------------------------ Cholesky
def _definite(a):
    """A positive definite matrix that depends smoothly on every entry of `a`."""
    a = convert_to_tensor(a)
    one = matrix_diag(ones_like(a[..., 0]))
    return add(matmul(a, a, adjoint_b=True), one)


def _definite_array(a):
    return a @ _h(a) + np.eye(a.shape[-1])


def cholesky_of_square(a):
    return cholesky(_definite(a))


def cholesky_solution(a, b):
    return cholesky_solve(cholesky(_definite(a)), b)


def logdet_of_square(a):
    return logdet(_definite(a))


_POSITIVE = "Cholesky decomposition was not successful. The input might not be valid."
_nans = np.array([[[np.nan, 0], [0, 1]], [[4, 9], [0, 1]]])
_row(
    "Cholesky", _definite_array(_B), reference=np.linalg.cholesky, grad=(),
    errors=[error(-np.eye(2), text=_POSITIVE), _NOT_SQUARE, _VECTOR],
)  # fmt: skip
_row(
    "Cholesky", _nans, grad=(),
    reference=np.array([[[np.nan, 0], [np.nan, np.nan]], [[2, 0], [0, 1]]]),
)  # fmt: skip
_row("Cholesky", _Z((0, 0)), reference=_Z((0, 0)), grad=())
for _a in (_A, _B):
    _row(
        cholesky_of_square,
        _a,
        reference=lambda a: np.linalg.cholesky(_definite_array(a)),
    )
    _row(
        cholesky_solution, _a, floats(*_a.shape[:-1], 2),
        reference=lambda a, b: np.linalg.solve(_definite_array(a), b),
    )  # fmt: skip
    _row(
        logdet_of_square,
        _a,
        reference=lambda a: np.log(np.linalg.det(_definite_array(a))),
    )
_row(
    "CholeskyGrad",
    np.array([[2.0, 0], [1, 3]]),
    np.array([[1.0, 5], [2, 3]]),
    reference=np.array([[0.125, 0.25], [0.25, 0.5]]),
)


# ------------------------------------------------------------------ decompositions
# The signs of their columns are free: these rows ask what does not depend on them.
def qr_product(a, full_matrices=False):
    q, r = qr(a, full_matrices)
    return matmul(q, r), matmul(q, q, adjoint_a=True)


def qr_parts(a):
    q, r = qr(a)
    return square(q), square(r)


def _qr_squares(a):
    q, r = np.linalg.qr(a)
    return [q**2, r**2]


_TALL, _WIDE = _near_identity(4, 3, seed=4), _near_identity(2, 3, 4, seed=5)
for _a in (_A, _B, _TALL):
    _row(qr_parts, _a, reference=_qr_squares, needs="shape")
for _a in (_TALL, _WIDE):
    for _full in (False, True):
        _k = _a.shape[-2] if _full else 3
        _row(
            qr_product, _a, attrs={"full_matrices": _full}, grad=(),
            reference=lambda a, full_matrices, k=_k: [
                a, np.broadcast_to(np.eye(k), (*a.shape[:-2], k, k))
            ],
        )  # fmt: skip
        _row(
            "Qr", _a, attrs={"full_matrices": _full}, grad=(),
            reference=lambda a, full_matrices: list(
                np.linalg.qr(a, "complete" if full_matrices else "reduced")
            ),
            errors=[_VECTOR],
        )  # fmt: skip


def singular_parts(a, full_matrices=False):
    s, u, v = svd(a, full_matrices)
    return s, square(u), square(v)


def _singular_parts(a, full_matrices=False):
    u, s, vh = np.linalg.svd(a, full_matrices)
    return [s, u**2, np.swapaxes(vh, -1, -2) ** 2]


_distinct = np.diag([3.0, 2, 1]) + 0.1 * _A
_tall = np.vstack([_distinct, [[0.3, -0.2, 0.4]]])
_taller = np.vstack([_tall, [[0.1, -0.5, 0.2]]])
for _a in (_distinct, _tall, _taller, _tall.T.copy(), np.stack([_tall, 2 * _tall])):
    _row(singular_parts, _a, reference=_singular_parts)
    _row(
        "Svd", _a, attrs={"compute_uv": False},
        reference=lambda a, compute_uv: [
            np.linalg.svd(a, compute_uv=False), _Z(0), _Z(0)
        ],
        errors=[_VECTOR],
    )  # fmt: skip
for _a in (_tall, _tall.T.copy()):
    _row(
        singular_parts,
        _a,
        attrs={"full_matrices": True},
        reference=_singular_parts,
    )
_row(
    "Svd", np.full((2, 2), np.nan), attrs={"compute_uv": False}, grad=(),
    reference=[np.full(2, np.nan), _Z(0), _Z(0)],
)  # fmt: skip


def eigen_parts(a):
    e, v = self_adjoint_eig(a)
    return e, square(v)


def _symmetric(a):
    low = np.tril(a, -1)
    return low + np.swapaxes(low, -1, -2) + np.eye(len(a)) * np.diag(a)


_EIGEN = [error(np.full((2, 2), np.nan), text="Self-adjoint eigen decomposition was")]
for _a in (_distinct, -_distinct):
    _row(
        eigen_parts, _a, errors=_EIGEN,
        reference=lambda a: [
            np.linalg.eigh(_symmetric(a))[0], np.linalg.eigh(_symmetric(a))[1] ** 2
        ],
    )  # fmt: skip
    _row(
        self_adjoint_eigvals, _a, errors=_EIGEN,
        reference=lambda a: np.linalg.eigvalsh(_symmetric(a)),
    )  # fmt: skip
_row(
    "SelfAdjointEigV2", np.stack([np.diag([2.0, 1]), np.diag([3.0, 1])]), grad=(),
    attrs={"compute_v": False}, reference=[np.array([[1.0, 2], [1, 3]]), _Z(0)],
    errors=[_NOT_SQUARE],
)  # fmt: skip
_row("SelfAdjointEig", np.diag([1.0]), reference=np.ones((2, 1)), grad=())


# ------------------------------------------------------------------ least squares
def _ls(a, b, l2_regularizer=0.0, fast=True):
    if not fast:
        return np.linalg.pinv(a) @ b
    if a.shape[-2] >= a.shape[-1]:
        return np.linalg.solve(
            _h(a) @ a + l2_regularizer * np.eye(a.shape[-1]), _h(a) @ b
        )
    return _h(a) @ np.linalg.solve(a @ _h(a) + l2_regularizer * np.eye(a.shape[-2]), b)


_LS_ERRORS = [
    error(_Z((3, 2)), _Z((2, 1)), np.float64(0), text="Input matrix and rhs are incom"),
    error(_Z((3, 2)), _Z((3, 1)), np.float64(-1), text="l2_regularizer must be >= 0."),
]
for _a in (_TALL, _WIDE[0], _WIDE):
    _b = floats(*_a.shape[:-1], 2)
    for _l2 in (0.0, 0.5):
        _row(matrix_solve_ls, _a, _b, reference=_ls, attrs={"l2_regularizer": _l2})
for _a in (_TALL, _WIDE):
    _b = floats(*_a.shape[:-1], 2)
    _row(
        "MatrixSolveLs", _a, _b, np.array(0.5), grad=(0, 1), dtypes=("float64",),
        reference=_ls, attrs={"fast": True},
        errors=[
            *_LS_ERRORS,
            error(np.ones((3, 2)), _Z((3, 1)), np.float64(0), text="was rank defi"),
        ],
    )  # fmt: skip
    _row(
        matrix_solve_ls, _a, _b, grad=(), attrs={"fast": False},
        reference=lambda a, b, fast: _ls(a, b, fast=False),
    )  # fmt: skip
_row(
    matrix_solve_ls, np.array([[1.0, 2], [2, 4], [3, 6]]), np.ones((3, 1)), grad=(),
    attrs={"fast": False}, reference=np.array([[3.0], [6.0]]) / 35,
)  # fmt: skip


# ------------------------------------------------------------------ exp and log
def _series(a):
    """exp(a) by its series on a / 2^10."""
    b, term = a / 1024, np.eye(a.shape[-1])
    total = term
    for i in range(1, 12):
        term = term @ b / i
        total = total + term
    for _ in range(10):
        total = total @ total
    return total


_row("MatrixExponential", _A - np.eye(3), reference=_series, errors=[_NOT_SQUARE])
_row("MatrixExponential", np.stack([0.1 * _A, 3 * _A]), reference=_series)
_row("MatrixExponential", np.array([[0.0, 1], [0, 0]]), reference=_series)
_row("MatrixExponential", np.zeros((0, 0)), reference=np.zeros((0, 0)), grad=())


def logarithm(a):
    y = matrix_logarithm(complex(a, multiply(a, 0.0)))
    return real(y)


_LOG = {"float32": 1e-5, "float64": 1e-10}
for _a in (_A, np.stack([_A, 4 * _A])):
    case(
        logarithm, _series(_a / 2), reference=_a / 2, tol=_LOG,
        reason="each of the square roots on the way doubles the rounding errors",
    )  # fmt: skip
case(
    "MatrixLogarithm", np.zeros((1, 1), np.complex64), errors=[_NOT_SQUARE][:0],
    reference=np.full((1, 1), np.nan, np.complex64),
)  # fmt: skip


# ------------------------------------------------------------------ complex matrices
def on_complex(a, b, function=None):
    """A function of a complex matrix as one of its two parts."""
    y = function(complex(a, b))
    return [abs_of(y)] if not y.dtype.is_complex else [real(y), imag(y)]


def _size(z):
    """|z|^2, which is smooth."""
    return real(multiply(z, conj(z)))


_FUNCTIONS = {
    matrix_inverse: np.linalg.inv,
    matrix_determinant: np.linalg.det,
    matrix_exponential: _series,
    adjoint: _h,
    (lambda z: matrix_solve(z, z[..., :1], adjoint=True)): (
        lambda z: np.linalg.solve(_h(z), z[..., :1])
    ),
    (lambda z: matrix_triangular_solve(z, z[..., :1], adjoint=True)): (
        lambda z: np.linalg.solve(_h(np.tril(z)), z[..., :1])
    ),
    (lambda z: cholesky(_definite(z))): (
        lambda z: np.linalg.cholesky(_definite_array(z))
    ),
    (lambda z: logdet(_definite(z))): (
        lambda z: abs(np.log(np.linalg.det(_definite_array(z)).real))
    ),
    (lambda z: real(slogdet(z).log_abs_determinant)): (
        lambda z: abs(np.linalg.slogdet(z)[1])
    ),
    (lambda z: matrix_solve_ls(z, z[..., :1], l2_regularizer=0.0)): (
        lambda z: np.linalg.solve(z, z[..., :1])
    ),
    (lambda z: svd(z, compute_uv=False)): (
        lambda z: np.linalg.svd(z, compute_uv=False)
    ),
    (lambda z: _size(svd(z)[2])): lambda z: abs(_h(np.linalg.svd(z)[2])) ** 2,
    (lambda z: _size(svd(z)[1])): lambda z: abs(np.linalg.svd(z)[0]) ** 2,
    (lambda z: _size(self_adjoint_eig(_definite(z))[1])): (
        lambda z: abs(np.linalg.eigh(_definite_array(z))[1]) ** 2
    ),
    (lambda z: real(self_adjoint_eigvals(_definite(z)))): (
        lambda z: np.linalg.eigvalsh(_definite_array(z))
    ),
}


def _parts_of(a, b, function):
    y = _FUNCTIONS[function](a + 1j * b)
    return [y.real, y.imag] if y.dtype.kind == "c" else [y]


for _function in _FUNCTIONS:
    _row(
        on_complex, _distinct, 0.2 * _near_identity(3, 3, seed=7), reference=_parts_of,
        attrs={"function": _function},
    )  # fmt: skip


# ------------------------------------------------------------------ sparse products
def _sparse(a, b, transpose_a=False, transpose_b=False, **_):
    a, b = (x.astype(np.float64) for x in (a, b))
    out = (a.T if transpose_a else a) @ (b.T if transpose_b else b)
    return out.astype(np.float32)


for _p in (False, True):
    for _q in (False, True):
        case(
            "SparseMatMul", floats(*((3, 2) if _p else (2, 3))),
            floats(*((4, 3) if _q else (3, 4))), dtypes=("float32",), grad=(),
            reference=_sparse, attrs={"transpose_a": _p, "transpose_b": _q},
            errors=[
                error(_Z((2, 3)), _Z((2, 3)), transpose_a=False, transpose_b=False,
                      text="Matrix size incompatible: a: [2,3], b: [2,3]"),
                error(_Z(2), _Z((2, 3)), text="a is not a matrix"),
            ],
        )  # fmt: skip
_bfloat = np.arange(4).reshape(2, 2).astype(dtypes.bfloat16.np)
case(
    sparse_matmul, _bfloat, np.ones((2, 2), np.float32), grad=(),
    reference=_sparse, attrs={"a_is_sparse": True},
)  # fmt: skip
case(
    matmul, _bfloat, _bfloat, attrs={"a_is_sparse": True}, grad=(),
    reference=(np.array([[2, 3], [6, 11]])).astype(dtypes.bfloat16.np),
)  # fmt: skip
