"""tf.sparse: sparse tensors and their ops."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.sparse.tensor: SparseTensor placeholder=sparse_placeholder
twinflow.ops.sparse.math: add=sparse_add maximum=sparse_maximum minimum=sparse_minimum
twinflow.ops.queues.accumulators: SparseConditionalAccumulator
twinflow.ops.sparse.softmax: softmax=sparse_softmax
twinflow.ops.sparse.matmul: matmul=sparse_tensor_dense_matmul
twinflow.ops.sparse.cross: cross=sparse_cross cross_hashed=sparse_cross_hashed
twinflow.ops.sparse.reduce: reduce_max=sparse_reduce_max reduce_sum=sparse_reduce_sum
twinflow.ops.sparse.reduce: reduce_max_sparse=sparse_reduce_max_sparse
twinflow.ops.sparse.reduce: reduce_sum_sparse=sparse_reduce_sum_sparse
twinflow.ops.sparse.dense: to_dense=sparse_tensor_to_dense
twinflow.ops.sparse.order: expand_dims=sparse_expand_dims reorder=sparse_reorder
twinflow.ops.sparse.order: reshape=sparse_reshape transpose=sparse_transpose
twinflow.ops.sparse.parts: concat=sparse_concat slice=sparse_slice split=sparse_split
twinflow.ops.sparse.fill: fill_empty_rows=sparse_fill_empty_rows
twinflow.ops.sparse.select: eye=sparse_eye mask=sparse_mask merge=sparse_merge
twinflow.ops.sparse.select: reset_shape=sparse_reset_shape retain=sparse_retain
twinflow.ops.sparse.select: to_indicator=sparse_to_indicator
twinflow.ops.math.segment_sparse: segment_mean=sparse_segment_mean
twinflow.ops.math.segment_sparse: segment_sqrt_n=sparse_segment_sqrt_n
twinflow.ops.math.segment_sparse: segment_sum=sparse_segment_sum
""",
)
