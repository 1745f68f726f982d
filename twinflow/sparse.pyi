# Made by `make stubs` from the table of the index.
from twinflow.ops.sparse.tensor import SparseTensor as SparseTensor
from twinflow.ops.sparse.tensor import sparse_placeholder as placeholder
from twinflow.ops.sparse.math import sparse_add as add
from twinflow import sparse_maximum as maximum
from twinflow import sparse_minimum as minimum
from twinflow.ops.queues.accumulators import SparseConditionalAccumulator as SparseConditionalAccumulator
from twinflow.ops.sparse.softmax import sparse_softmax as softmax
from twinflow.ops.sparse.matmul import sparse_tensor_dense_matmul as matmul
from twinflow.ops.sparse.cross import sparse_cross as cross
from twinflow.ops.sparse.cross import sparse_cross_hashed as cross_hashed
from twinflow import sparse_reduce_max as reduce_max
from twinflow import sparse_reduce_sum as reduce_sum
from twinflow import sparse_reduce_max_sparse as reduce_max_sparse
from twinflow import sparse_reduce_sum_sparse as reduce_sum_sparse
from twinflow.ops.sparse.dense import sparse_tensor_to_dense as to_dense
from twinflow.ops.sparse.order import sparse_expand_dims as expand_dims
from twinflow.ops.sparse.order import sparse_reorder as reorder
from twinflow.ops.sparse.order import sparse_reshape as reshape
from twinflow.ops.sparse.order import sparse_transpose as transpose
from twinflow.ops.sparse.parts import sparse_concat as concat
from twinflow.ops.sparse.parts import sparse_slice as slice
from twinflow.ops.sparse.parts import sparse_split as split
from twinflow.ops.sparse.fill import sparse_fill_empty_rows as fill_empty_rows
from twinflow.ops.sparse.select import sparse_eye as eye
from twinflow.ops.sparse.select import sparse_mask as mask
from twinflow.ops.sparse.select import sparse_merge as merge
from twinflow.ops.sparse.select import sparse_reset_shape as reset_shape
from twinflow.ops.sparse.select import sparse_retain as retain
from twinflow.ops.sparse.select import sparse_to_indicator as to_indicator
from twinflow.ops.math.segment_sparse import sparse_segment_mean as segment_mean
from twinflow.ops.math.segment_sparse import sparse_segment_sqrt_n as segment_sqrt_n
from twinflow.ops.math.segment_sparse import sparse_segment_sum as segment_sum

__all__ = [
"SparseTensor", "placeholder", "add", "maximum", "minimum",
"SparseConditionalAccumulator", "softmax", "matmul", "cross", "cross_hashed",
"reduce_max", "reduce_sum", "reduce_max_sparse", "reduce_sum_sparse", "to_dense",
"expand_dims", "reorder", "reshape", "transpose", "concat", "slice", "split",
"fill_empty_rows", "eye", "mask", "merge", "reset_shape", "retain", "to_indicator",
"segment_mean", "segment_sqrt_n", "segment_sum"
]
