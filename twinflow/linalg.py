"""tf.linalg: matrices."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.core.product: matmul
twinflow.ops.core.transposing: transpose=matrix_transpose
twinflow.ops.matrix.diagonal: adjoint eye trace
twinflow.ops.matrix.diagonal: diag=matrix_diag diag_part=matrix_diag_part
twinflow.ops.matrix.diagonal: set_diag=matrix_set_diag
twinflow.ops.matrix.band: band_part=matrix_band_part
twinflow.ops.matrix.inverse: inv=matrix_inverse det=matrix_determinant slogdet
twinflow.ops.matrix.solve: solve=matrix_solve triangular_solve=matrix_triangular_solve
twinflow.ops.matrix.cholesky: cholesky cholesky_solve logdet
twinflow.ops.matrix.qr: qr
twinflow.ops.matrix.svd: svd
twinflow.ops.matrix.eigen: eigh=self_adjoint_eig eigvalsh=self_adjoint_eigvals
twinflow.ops.matrix.least_squares: lstsq=matrix_solve_ls
twinflow.ops.matrix.exponential: expm=matrix_exponential logm=matrix_logarithm
twinflow.ops.matrix.norm: norm
twinflow.ops.matrix.tensor_diag: tensor_diag=diag tensor_diag_part=diag_part cross
twinflow.ops.matrix.contraction: einsum tensordot
twinflow.ops.math.clip: global_norm
twinflow.ops.nn.moments: l2_normalize
twinflow.ops.linear_operator.base: LinearOperator
twinflow.ops.linear_operator.dense: LinearOperatorFullMatrix LinearOperatorDiag
twinflow.ops.linear_operator.dense: LinearOperatorLowerTriangular
twinflow.ops.linear_operator.identity: LinearOperatorIdentity
twinflow.ops.linear_operator.identity: LinearOperatorScaledIdentity
twinflow.ops.linear_operator.zeros: LinearOperatorZeros
twinflow.ops.linear_operator.composed: LinearOperatorComposition
twinflow.ops.linear_operator.composed: LinearOperatorBlockDiag
twinflow.ops.linear_operator.kronecker: LinearOperatorKronecker
twinflow.ops.linear_operator.low_rank: LinearOperatorLowRankUpdate
twinflow.ops.linear_operator.circulant: LinearOperatorCirculant
twinflow.ops.linear_operator.circulant: LinearOperatorCirculant2D
twinflow.ops.linear_operator.circulant: LinearOperatorCirculant3D
""",
)
