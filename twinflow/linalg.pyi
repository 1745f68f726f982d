# Made by `make stubs` from the table of the index.
from twinflow.ops.core.product import matmul as matmul
from twinflow.ops.core.transposing import matrix_transpose as transpose
from twinflow.ops.matrix.diagonal import adjoint as adjoint
from twinflow.ops.matrix.diagonal import eye as eye
from twinflow.ops.matrix.diagonal import trace as trace
from twinflow.ops.matrix.diagonal import matrix_diag as diag
from twinflow.ops.matrix.diagonal import matrix_diag_part as diag_part
from twinflow.ops.matrix.diagonal import matrix_set_diag as set_diag
from twinflow.ops.matrix.band import matrix_band_part as band_part
from twinflow.ops.matrix.inverse import matrix_inverse as inv
from twinflow.ops.matrix.inverse import matrix_determinant as det
from twinflow.ops.matrix.inverse import slogdet as slogdet
from twinflow.ops.matrix.solve import matrix_solve as solve
from twinflow.ops.matrix.solve import matrix_triangular_solve as triangular_solve
from twinflow.ops.matrix.cholesky import cholesky as cholesky
from twinflow.ops.matrix.cholesky import cholesky_solve as cholesky_solve
from twinflow.ops.matrix.cholesky import logdet as logdet
from twinflow.ops.matrix.qr import qr as qr
from twinflow.ops.matrix.svd import svd as svd
from twinflow.ops.matrix.eigen import self_adjoint_eig as eigh
from twinflow.ops.matrix.eigen import self_adjoint_eigvals as eigvalsh
from twinflow.ops.matrix.least_squares import matrix_solve_ls as lstsq
from twinflow.ops.matrix.exponential import matrix_exponential as expm
from twinflow.ops.matrix.exponential import matrix_logarithm as logm
from twinflow.ops.matrix.norm import norm as norm
from twinflow.ops.matrix.tensor_diag import diag as tensor_diag
from twinflow.ops.matrix.tensor_diag import diag_part as tensor_diag_part
from twinflow.ops.matrix.tensor_diag import cross as cross
from twinflow.ops.matrix.contraction import einsum as einsum
from twinflow.ops.matrix.contraction import tensordot as tensordot
from twinflow.ops.math.clip import global_norm as global_norm
from twinflow.ops.nn.moments import l2_normalize as l2_normalize
from twinflow.ops.linear_operator.base import LinearOperator as LinearOperator
from twinflow.ops.linear_operator.dense import LinearOperatorFullMatrix as LinearOperatorFullMatrix
from twinflow.ops.linear_operator.dense import LinearOperatorDiag as LinearOperatorDiag
from twinflow.ops.linear_operator.dense import LinearOperatorLowerTriangular as LinearOperatorLowerTriangular
from twinflow.ops.linear_operator.identity import LinearOperatorIdentity as LinearOperatorIdentity
from twinflow.ops.linear_operator.identity import LinearOperatorScaledIdentity as LinearOperatorScaledIdentity
from twinflow.ops.linear_operator.zeros import LinearOperatorZeros as LinearOperatorZeros
from twinflow.ops.linear_operator.composed import LinearOperatorComposition as LinearOperatorComposition
from twinflow.ops.linear_operator.composed import LinearOperatorBlockDiag as LinearOperatorBlockDiag
from twinflow.ops.linear_operator.kronecker import LinearOperatorKronecker as LinearOperatorKronecker
from twinflow.ops.linear_operator.low_rank import LinearOperatorLowRankUpdate as LinearOperatorLowRankUpdate
from twinflow.ops.linear_operator.circulant import LinearOperatorCirculant as LinearOperatorCirculant
from twinflow.ops.linear_operator.circulant import LinearOperatorCirculant2D as LinearOperatorCirculant2D
from twinflow.ops.linear_operator.circulant import LinearOperatorCirculant3D as LinearOperatorCirculant3D

__all__ = [
"matmul", "transpose", "adjoint", "eye", "trace", "diag", "diag_part", "set_diag",
"band_part", "inv", "det", "slogdet", "solve", "triangular_solve", "cholesky",
"cholesky_solve", "logdet", "qr", "svd", "eigh", "eigvalsh", "lstsq", "expm", "logm",
"norm", "tensor_diag", "tensor_diag_part", "cross", "einsum", "tensordot",
"global_norm", "l2_normalize", "LinearOperator", "LinearOperatorFullMatrix",
"LinearOperatorDiag", "LinearOperatorLowerTriangular", "LinearOperatorIdentity",
"LinearOperatorScaledIdentity", "LinearOperatorZeros", "LinearOperatorComposition",
"LinearOperatorBlockDiag", "LinearOperatorKronecker", "LinearOperatorLowRankUpdate",
"LinearOperatorCirculant", "LinearOperatorCirculant2D", "LinearOperatorCirculant3D"
]
