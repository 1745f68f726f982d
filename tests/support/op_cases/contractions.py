"""Rows of einsum, tensordot, norms, and the ops of graphs of before TensorFlow 1.0."""

import numpy as np

from tests.support.op_cases.table import (
    away_from_zero,
    case,
    distinct,
    error,
    floats,
)
from twinflow.ops.core.complex import complex, real
from twinflow.ops.matrix.contraction import einsum, tensordot
from twinflow.ops.matrix.legacy import LEGACY
from twinflow.ops.matrix.norm import norm


# ------------------------------------------------------------------ einsum
def contracted(*inputs, equation):
    return einsum(equation, *inputs)


_Z = np.zeros
_BAD = [
    error(_Z((2, 3)), type=ValueError, equation=equation, text=text)
    for equation, text in (
        ("ij,jk->ik", 'Got 1 arguments for equation "ij,jk->ik", expecting 2'),
        ("i1", "Indices have incorrect format: i1"),
        ("...i", "Subscripts with ellipses are not yet supported."),
        ("ii->i", "Invalid equation: ii->i"),
        ("ij->k", "Invalid equation: ij->k"),
        ("ijk", "Tensor t0 of rank 2 does not match einsum reduction of length 3"),
    )
]
_EQUATIONS = {
    "ij,jk->ik": ((2, 3), (3, 4)),
    "ij,jk": ((2, 3), (3, 4)),
    "ij,kj->ki": ((2, 3), (4, 3)),
    "i,j->ij": ((2,), (3,)),
    "ij->ji": ((2, 3),),
    "ji": ((2, 3),),
    "ij->": ((2, 3),),
    "ij->i": ((2, 3),),
    "aij,ajk->aik": ((2, 3, 4), (2, 4, 2)),
    "abijk,acjkl->abcil": ((2, 1, 2, 3, 2), (2, 2, 3, 2, 3)),
    "ij,ij->": ((2, 3), (2, 3)),
    "ij,ij->ij": ((2, 3), (2, 3)),
    "bi,bj,bk->ijk": ((2, 2), (2, 3), (2, 1)),
    "ij,jk,kl->il": ((2, 3), (3, 2), (2, 4)),
    "i,i,i->": ((3,), (3,), (3,)),
    "ij,k->jki": ((2, 3), (2,)),
    "ij,jk->k i": ((2, 3), (3, 4)),
}
for _equation, _shapes in _EQUATIONS.items():
    case(
        contracted, *[floats(*s) for s in _shapes], attrs={"equation": _equation},
        reference=lambda *inputs, equation: np.einsum(equation, *inputs), errors=_BAD,
        needs="rank",
    )  # fmt: skip

# ------------------------------------------------------------------ tensordot
_WRONG = [
    error(_Z((2, 3)), _Z((3, 2)), axes, type=ValueError, text=text)
    for axes, text in (
        (-1, "'axes' must be at least 0."),
        (3, "'axes' must not be larger than the number of dimensions of tensor"),
        ([1], "'axes' must be an integer or have length 2."),
        ([[1], [0, 1]], "Different number of contraction axes 'a' and 'b', 1 != 2."),
    )
]
_AXES: tuple = (
    ((2, 3), (3, 4), 1),
    ((2, 3), (3, 4), [[-1], [0]]),
    ((2,), (3,), 0),
    ((2, 3, 4), (4, 3, 2), [[2, 1], [0, 1]]),
    ((2, 3, 4), (2, 4, 3), [[0, 2], [0, 1]]),
    ((2, 3), (4, 3), [1, 1]),
    ((2, 3), (2, 3), 2),
)
for _a, _b, _axes in _AXES:
    case(
        tensordot, floats(*_a), floats(*_b), _axes, reference=np.tensordot,
        errors=_WRONG,
    )  # fmt: skip
case(
    tensordot, floats(2, 3), floats(4, 3), np.array([[1], [1]], np.int32),
    reference=lambda a, b, axes: np.tensordot(a, b, ([1], [1])),
)  # fmt: skip
case("TwinOtherAxes", [1, -1], 4, reference=np.array([0, 2], np.int32))


# ------------------------------------------------------------------ norms
def _norm(x, ord="euclidean", axis=None, keepdims=False):
    flat = axis is None
    ord = None if ord in ("euclidean", "fro") else ord
    y = np.linalg.norm(x.ravel() if flat else x, ord, axis, keepdims)
    return np.reshape(y, (1,) * x.ndim) if flat and keepdims else np.asarray(y)


_NO_NORM = [
    error(_Z((4, 4)), type=ValueError, text=text, **attrs)
    for attrs, text in (
        ({"ord": "fro", "axis": 0}, "'ord' must be a supported vector norm, got fro"),
        ({"ord": 0}, "'ord' must be a supported vector norm, got 0"),
        (
            {"ord": 3, "axis": [0, 1]},
            "supported matrix norm in ['euclidean', 'fro', 1, 2, inf], got 3",
        ),
        ({"axis": [0]}, "'axis' must be None, an integer, or a tuple of 2 unique"),
        ({"axis": (1, 1)}, "'axis' must be None, an integer, or a tuple of 2 unique"),
    )
]
for _ord in ("euclidean", 1, 2, 3, 2.5, np.inf):
    for _axis in (None, 1, -1):
        for _keep in (False, True):
            _any = away_from_zero(2, 3, 4)
            _x = distinct(2, 3, 4, low=0.3) if _ord == np.inf else _any
            case(
                norm, _x, reference=_norm, errors=_NO_NORM,
                attrs={"ord": _ord, "axis": _axis, "keepdims": _keep},
            )  # fmt: skip
for _ord in ("euclidean", "fro", 1, np.inf, 2):
    for _pair, _keep in ((0, 2), False), ((-1, 0), True), ([1, 2], False):
        case(
            norm, away_from_zero(2, 3, 4),
            reference=lambda x, ord, axis, keepdims: _norm(
                x, ord, tuple(axis), keepdims
            ),
            attrs={"ord": _ord, "axis": _pair, "keepdims": _keep},
            tol={"float32": 1e-5, "float64": 1e-12},
            reason="singular values of float32 have an error of about 10 units",
        )  # fmt: skip


def complex_norm(a, b, ord="euclidean"):
    return real(norm(complex(a, b), ord))


for _ord in ("euclidean", 1, np.inf, 3):
    case(
        complex_norm, floats(3), floats(3), attrs={"ord": _ord},
        reference=lambda a, b, ord: _norm(a + 1j * b, ord),
    )  # fmt: skip


# ------------------------------------------------------------------ older ops
_M = np.array([[4.0, 1, 0], [1, 3, 0.5], [0, 0.5, 2]])
_INPUTS = {
    "MatrixBandPart": (_M, np.int64(0), np.int64(1)),
    "MatrixDiag": (_M,),
    "MatrixSetDiag": (_M, _M[0]),
    "CholeskyGrad": (np.linalg.cholesky(_M), _M),
    "MatrixSolve": (_M, _M),
    "MatrixTriangularSolve": (_M, _M),
    "MatrixSolveLs": (_M, _M, np.float64(0)),
}


def _as_successor(kind):
    return lambda *inputs, **_: LEGACY[kind].np(*inputs, **LEGACY[kind].sig.attrs)


for _kind, _op in LEGACY.items():
    case(
        _kind, *_INPUTS.get(_op.type, (_M,)), reference=_as_successor(_kind), grad=(),
        tol={"float32": 1e-5, "float64": 1e-12}, reason="float32 decompositions",
        dtypes=("float64",) if _op.type == "MatrixSolveLs" else ("float32", "float64"),
    )  # fmt: skip
