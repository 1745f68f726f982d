"""tf.linalg: matrices."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.linalg: matmul
twinflow.ops.shape: transpose=matrix_transpose
twinflow.ops.matrix: adjoint eye trace
twinflow.ops.matrix: diag=matrix_diag diag_part=matrix_diag_part
twinflow.ops.matrix: set_diag=matrix_set_diag
twinflow.ops.matrix_band: band_part=matrix_band_part
twinflow.ops.matrix_inverse: inv=matrix_inverse det=matrix_determinant slogdet
twinflow.ops.matrix_solve: solve=matrix_solve triangular_solve=matrix_triangular_solve
twinflow.ops.cholesky: cholesky cholesky_solve logdet
twinflow.ops.qr: qr
twinflow.ops.svd: svd
twinflow.ops.eigen: eigh=self_adjoint_eig eigvalsh=self_adjoint_eigvals
twinflow.ops.least_squares: lstsq=matrix_solve_ls
twinflow.ops.matrix_exponential: expm=matrix_exponential logm=matrix_logarithm
twinflow.ops.matrix_norm: norm
twinflow.ops.tensor_diag: tensor_diag=diag tensor_diag_part=diag_part cross
twinflow.ops.contraction: einsum tensordot
twinflow.ops.clip: global_norm
twinflow.ops.norm: l2_normalize
twinflow.ops.linear_operator: LinearOperator
twinflow.ops.linear_operator_dense: LinearOperatorFullMatrix LinearOperatorDiag
twinflow.ops.linear_operator_dense: LinearOperatorLowerTriangular
twinflow.ops.linear_operator_identity: LinearOperatorIdentity
twinflow.ops.linear_operator_identity: LinearOperatorScaledIdentity
twinflow.ops.linear_operator_zeros: LinearOperatorZeros
twinflow.ops.linear_operator_composed: LinearOperatorComposition
twinflow.ops.linear_operator_composed: LinearOperatorBlockDiag
twinflow.ops.linear_operator_kronecker: LinearOperatorKronecker
twinflow.ops.linear_operator_low_rank: LinearOperatorLowRankUpdate
twinflow.ops.linear_operator_circulant: LinearOperatorCirculant
twinflow.ops.linear_operator_circulant: LinearOperatorCirculant2D
twinflow.ops.linear_operator_circulant: LinearOperatorCirculant3D
""",
)
