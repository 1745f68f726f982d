"""The ops of graphs of before TensorFlow 1.0: they do what their successors do."""

from twinflow.base import signature
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

_SUCCESSORS = (
    Cholesky, CholeskyGrad, MatrixBandPart, MatrixDeterminant, MatrixDiag,
    MatrixDiagPart, MatrixInverse, MatrixSetDiag, MatrixSolve, MatrixSolveLs,
    MatrixTriangularSolve, SelfAdjointEig, SelfAdjointEigV2, Svd,
)  # fmt: skip
LEGACY = {f"Batch{op.type}": op for op in _SUCCESSORS}
for _type, _op in LEGACY.items():
    _allowed = signature.allowed_types(_type).get("T", ())
    _types = _op.types.get("T", ())
    define(
        _type,
        infer=_op.infer,
        kernel=_op.kernel,
        lower=_op.lower,
        types=None if set(_types) == set(_allowed) else _types,
        guard=_op.guard,
        check=_op.check,
        grad=_op.joint or [r for r, a in zip(_op.rules, _op.sig.inputs) if not a.host],
        none_ok=_op.none_ok,
    )
