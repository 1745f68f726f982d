"""The ops of graphs of before TensorFlow 1.0: they do what their successors do."""

from twinflow.base.op import define
from twinflow.ops.matrix.band import MatrixBandPart
from twinflow.ops.matrix.cholesky import Cholesky, CholeskyGrad
from twinflow.ops.matrix.diagonal import (
    MatrixDiag,
    MatrixDiagPart,
    MatrixSetDiag,
)
from twinflow.ops.matrix.eigen import SelfAdjointEig, SelfAdjointEigV2
from twinflow.ops.matrix.inverse import MatrixDeterminant, MatrixInverse
from twinflow.ops.matrix.least_squares import MatrixSolveLs
from twinflow.ops.matrix.solve import MatrixSolve, MatrixTriangularSolve
from twinflow.ops.matrix.svd import Svd

_LINES = {
    Cholesky: "(input: T) -> (output: T)",
    CholeskyGrad: "(l: T, grad: T) -> (output: T)",
    MatrixBandPart: "(input: T, num_lower: int64, num_upper: int64) -> (band: T)",
    MatrixDeterminant: "(input: T) -> (output: T)",
    MatrixDiag: "(diagonal: T) -> (output: T)",
    MatrixDiagPart: "(input: T) -> (diagonal: T)",
    MatrixInverse: "(input: T) -> (output: T); adjoint=False",
    MatrixSetDiag: "(input: T, diagonal: T) -> (output: T)",
    MatrixSolve: "(matrix: T, rhs: T) -> (output: T); adjoint=False",
    MatrixSolveLs: (
        "(matrix: T, rhs: T, l2_regularizer: float64) -> (output: T); fast=True"
    ),
    MatrixTriangularSolve: (
        "(matrix: T, rhs: T) -> (output: T); lower=True, adjoint=False"
    ),
    SelfAdjointEig: "(input: T) -> (output: T)",
    SelfAdjointEigV2: "(input: T) -> (e: T, v: T); compute_v=True",
    Svd: "(input: T) -> (s: T, u: T, v: T); compute_uv=True, full_matrices=False",
}

LEGACY = {f"Batch{op.type}": op for op in _LINES}
for _op, _line in _LINES.items():
    define(
        f"Batch{_op.type}{_line}",
        infer=_op.infer,
        kernel=_op.kernel,
        lower=_op.lower,
        types={k: v for k, v in _op.types.items() if k == "T"},
        guard=_op.guard,
        check=_op.check,
        grad=_op.joint or [r for r, a in zip(_op.rules, _op.sig.inputs) if not a.host],
        none_ok=_op.none_ok,
    )
