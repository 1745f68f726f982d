"""twinflow: one program, run eagerly or as a graph; the TensorFlow 1.12 API."""

import warnings

from twinflow.base import openblas as _openblas  # noqa: F401 - acts before NumPy
from twinflow.base.lazy import attach
from twinflow.base.versions import compat as _compat
from twinflow.eager.mode import MODE
from twinflow.graph.defaults import start
from twinflow.ops import operators as _operators  # noqa: F401 - puts them on Tensor

__version__ = "0.1.0.dev0"

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.base.dtypes: DType as_dtype float16 half float32 float64 double bfloat16
twinflow.base.dtypes: complex64 complex128 int8 int16 int32 int64 uint8 uint16 uint32
twinflow.base.dtypes: uint64 bool string resource variant qint8 quint8 qint16 quint16
twinflow.base.dtypes: qint32 QUANTIZED_DTYPES
twinflow.base.shapes: TensorShape Dimension
twinflow.base.tensor: Tensor
twinflow.base.tensor_spec: TensorSpec
twinflow.base.devices: DeviceSpec
twinflow.base.errors: OpError
twinflow.errors: errors=*
twinflow.math: math=*
twinflow.bitwise: bitwise=*
twinflow.dtypes: dtypes=*
twinflow.nn: nn=*
twinflow.image: image=*
twinflow.linalg: linalg=*
twinflow.random: random=*
twinflow.sparse: sparse=*
twinflow.initializers: initializers=*
twinflow.losses: losses=*
twinflow.train: train=*
twinflow.keras: keras=*
twinflow.data: data=*
twinflow.contrib: contrib=*
twinflow.ops.constant: constant convert_to_tensor identity stop_gradient cast to_float
twinflow.ops.constant: to_double to_int32 to_int64 to_bfloat16 to_complex64
twinflow.ops.constant: to_complex128
twinflow.ops.creation: zeros ones zeros_like ones_like fill range linspace lin_space
twinflow.ops.shape: shape size rank reshape transpose squeeze expand_dims
twinflow.ops.shape: invert_permutation matrix_transpose
twinflow.ops.broadcast: broadcast_to
twinflow.ops.array: concat stack unstack split tile
twinflow.ops.grid: meshgrid
twinflow.ops.slicing: newaxis slice strided_slice
twinflow.ops.padding: pad
twinflow.ops.indexed_slices: IndexedSlices convert_to_tensor_or_indexed_slices
twinflow.ops.sparse_tensor: SparseTensor SparseTensorValue sparse_placeholder
twinflow.ops.sparse_tensor: convert_to_tensor_or_sparse_tensor
twinflow.ops.sparse_math: sparse_add sparse_maximum sparse_minimum
twinflow.ops.sparse_softmax: sparse_softmax
twinflow.ops.sparse_matmul: sparse_tensor_dense_matmul
twinflow.ops.sparse_reduce: sparse_reduce_max sparse_reduce_sum
twinflow.ops.sparse_reduce: sparse_reduce_max_sparse sparse_reduce_sum_sparse
twinflow.ops.sparse_dense: sparse_tensor_to_dense sparse_to_dense
twinflow.ops.sparse_order: sparse_reorder sparse_reshape sparse_transpose
twinflow.ops.sparse_parts: sparse_concat sparse_slice sparse_split
twinflow.ops.sparse_fill: sparse_fill_empty_rows
twinflow.ops.sparse_select: sparse_mask sparse_merge sparse_reset_shape sparse_retain
twinflow.ops.sparse_select: sparse_to_indicator
twinflow.ops.sparse_serialize: deserialize_many_sparse serialize_many_sparse
twinflow.ops.sparse_serialize: serialize_sparse
twinflow.ops.boolean_mask: boolean_mask
twinflow.ops.index: gather gather_nd scatter_nd
twinflow.ops.one_hot: one_hot
twinflow.ops.gather_batch: batch_gather sequence_mask
twinflow.ops.segment: segment_sum segment_mean segment_prod segment_max segment_min
twinflow.ops.segment_unsorted: unsorted_segment_mean unsorted_segment_prod
twinflow.ops.segment_unsorted: unsorted_segment_max unsorted_segment_min
twinflow.ops.segment_unsorted: unsorted_segment_sqrt_n
twinflow.ops.segment_sparse: sparse_segment_sum sparse_segment_mean
twinflow.ops.segment_sparse: sparse_segment_sqrt_n
twinflow.ops.partition: dynamic_partition dynamic_stitch
twinflow.ops.unique: unique unique_with_counts setdiff1d
twinflow.ops.sorting: searchsorted
twinflow.ops.rearrange: reverse reverse_v2 reverse_sequence roll unravel_index
twinflow.ops.space_batch: space_to_batch space_to_batch_nd batch_to_space
twinflow.ops.space_batch: batch_to_space_nd required_space_to_batch_paddings
twinflow.ops.space_depth: depth_to_space space_to_depth
twinflow.ops.patches: extract_image_patches extract_volume_patches
twinflow.ops.passing: bitcast ensure_shape guarantee_const identity_n
twinflow.ops.shape_arithmetic: broadcast_dynamic_shape broadcast_static_shape
twinflow.ops.shape_arithmetic: parallel_stack shape_n
twinflow.ops.edit_distance: edit_distance
twinflow.ops.cells: count_up_to
twinflow.ops.queues: QueueBase
twinflow.ops.accumulators: ConditionalAccumulatorBase ConditionalAccumulator
twinflow.ops.accumulators: SparseConditionalAccumulator
twinflow.ops.readers: ReaderBase WholeFileReader IdentityReader TextLineReader
twinflow.ops.readers: FixedLengthRecordReader TFRecordReader LMDBReader
twinflow.python_io: python_io=*
twinflow.ops.queue_kinds: FIFOQueue PaddingFIFOQueue PriorityQueue RandomShuffleQueue
twinflow.ops.variable_parts: scatter_update scatter_add scatter_sub scatter_mul
twinflow.ops.variable_parts: scatter_div scatter_min scatter_max scatter_nd_update
twinflow.ops.variable_parts: scatter_nd_add scatter_nd_sub batch_scatter_update
twinflow.manip: manip=*
twinflow.ops.index: unsorted_segment_sum
twinflow.ops.complex: complex real imag conj angle
twinflow.ops.elementwise: add subtract multiply realdiv negative abs sign square sqrt
twinflow.ops.elementwise: rsqrt exp expm1 log log1p pow maximum minimum
twinflow.ops.elementwise: squared_difference reciprocal tanh sigmoid add_n
twinflow.ops.scalar_mul: scalar_mul
twinflow.ops.division: div divide truediv floordiv floor_div mod floormod
twinflow.ops.trigonometry: sin cos tan asin acos atan atan2 sinh cosh asinh acosh atanh
twinflow.ops.special: floor ceil round rint is_nan is_inf is_finite log_sigmoid
twinflow.ops.error_function: erf erfc
twinflow.ops.gamma: digamma lbeta lgamma polygamma zeta
twinflow.ops.counting: bincount histogram_fixed_width histogram_fixed_width_bins
twinflow.ops.confusion_matrix: confusion_matrix
twinflow.ops.polynomial: accumulate_n
twinflow.ops.igamma: betainc igamma igammac
twinflow.ops.truncation: div_no_nan truncatediv truncatemod
twinflow.ops.compare: equal not_equal less less_equal greater greater_equal where
twinflow.ops.compare: logical_and logical_or logical_not logical_xor
twinflow.ops.clip: clip_by_value clip_by_norm clip_by_average_norm clip_by_global_norm
twinflow.ops.clip: global_norm check_numerics saturate_cast
twinflow.ops.reduction: reduce_sum reduce_mean reduce_prod reduce_max reduce_min
twinflow.ops.reduction: reduce_any reduce_all reduce_logsumexp argmax argmin arg_max
twinflow.ops.reduction: arg_min count_nonzero
twinflow.ops.scan: cumsum cumprod
twinflow.spectral: spectral=*
twinflow.ops.linalg: matmul sparse_matmul
twinflow.ops.matrix: matrix_diag matrix_diag_part matrix_set_diag trace eye
twinflow.ops.matrix_band: matrix_band_part
twinflow.ops.matrix_inverse: matrix_inverse matrix_determinant
twinflow.ops.matrix_solve: matrix_solve matrix_triangular_solve
twinflow.ops.cholesky: cholesky cholesky_solve
twinflow.ops.qr: qr
twinflow.ops.svd: svd
twinflow.ops.eigen: self_adjoint_eig self_adjoint_eigvals
twinflow.ops.least_squares: matrix_solve_ls
twinflow.ops.matrix_norm: norm
twinflow.ops.tensor_diag: diag diag_part cross
twinflow.ops.contraction: einsum tensordot
twinflow.ops.spectral: fft fft2d fft3d ifft ifft2d ifft3d
twinflow.ops.random: random_uniform random_normal truncated_normal
twinflow.ops.random_choice: multinomial random_crop random_shuffle
twinflow.ops.random_gamma: random_gamma random_poisson
twinflow.ops.streams: get_seed set_random_seed
twinflow.ops.initializers_plain: zeros_initializer=Zeros ones_initializer=Ones
twinflow.ops.initializers_plain: constant_initializer=Constant
twinflow.ops.initializers_plain: random_normal_initializer=RandomNormal
twinflow.ops.initializers_plain: random_uniform_initializer=RandomUniform
twinflow.ops.initializers_plain: truncated_normal_initializer=TruncatedNormal
twinflow.ops.initializers: glorot_uniform_initializer=GlorotUniform
twinflow.ops.initializers: glorot_normal_initializer=GlorotNormal
twinflow.ops.initializers: variance_scaling_initializer=VarianceScaling
twinflow.ops.initializers: orthogonal_initializer=Orthogonal
twinflow.ops.initializers: uniform_unit_scaling_initializer=UniformUnitScaling
twinflow.ops.placeholder: placeholder placeholder_with_default
twinflow.ops.state: assign assign_add assign_sub no_op
twinflow.ops.variable: Variable=ResourceVariable
twinflow.ops.collections: GraphKeys global_variables trainable_variables local_variables
twinflow.ops.collections: global_variables_initializer local_variables_initializer
twinflow.ops.collections: variables_initializer initialize_all_variables
twinflow.autodiff.tape: GradientTape
twinflow.autodiff.registry: RegisterGradient NotDifferentiable NoGradient
twinflow.autodiff.custom_gradient: custom_gradient
twinflow.graph.gradients: gradients AggregationMethod
twinflow.graph.hessians: hessians
twinflow.test: test=*
twinflow.base.convert: register_tensor_conversion_function
twinflow.graph.scopes: add_to_collections op_scope colocate_with container
twinflow.graph.scopes: enable_resource_variables disable_resource_variables
twinflow.ops.collections: model_variables moving_average_variables all_variables
twinflow.ops.collections: initialize_variables initialize_local_variables
twinflow.compat: compat=*
twinflow.compat.refused: distributions feature_column profiler quantization sets
twinflow.compat.refused: quantize quantize_v2 dequantize quantized_concat
twinflow.compat.refused: fake_quant_with_min_max_args fake_quant_with_min_max_vars
twinflow.compat.refused: fake_quant_with_min_max_args_gradient
twinflow.compat.refused: fake_quant_with_min_max_vars_gradient
twinflow.compat.refused: fake_quant_with_min_max_vars_per_channel
twinflow.compat.refused: fake_quant_with_min_max_vars_per_channel_gradient
twinflow.compat.refused: load_library load_op_library load_file_system_library
twinflow.compat.refused: create_partitioned_variables
twinflow.graph.graph: Graph
twinflow.graph.node: Operation=Node
twinflow.graph.cond: cond
twinflow.graph.while_loop: while_loop
twinflow.ops.tensor_array: TensorArray
twinflow.graph.map_fn: map_fn foldl foldr scan
twinflow.graph.case: case
twinflow.graph.variable_scope: variable_scope VariableScope get_variable
twinflow.graph.variable_scope: get_local_variable get_variable_scope
twinflow.graph.variable_scope: variable_op_scope no_regularizer
twinflow.graph.variable_store: AUTO_REUSE VariableAggregation VariableSynchronization
twinflow.graph.template: make_template
twinflow.graph.partitioners: fixed_size_partitioner min_max_variable_partitioner
twinflow.graph.partitioners: variable_axis_size_partitioner
twinflow.graph.scopes: init_scope
twinflow.ops.variable_creators: variable_creator_scope
twinflow.graph.defaults: get_default_graph reset_default_graph enable_eager_execution
twinflow.graph.defaults: executing_eagerly
twinflow.graph.scopes: name_scope device control_dependencies group tuple
twinflow.graph.scopes: add_to_collection get_collection get_collection_ref
twinflow.ops.debugging: Assert assert_equal assert_none_equal assert_less
twinflow.ops.debugging: assert_less_equal assert_greater assert_greater_equal
twinflow.ops.debugging: assert_near assert_negative assert_positive
twinflow.ops.debugging: assert_non_negative assert_non_positive
twinflow.ops.debugging_static: assert_rank assert_rank_at_least assert_rank_in
twinflow.ops.debugging_static: assert_integer assert_type assert_scalar
twinflow.ops.debugging_static: assert_proper_iterable assert_same_float_dtype
twinflow.ops.debugging_numbers: is_numeric_tensor is_non_decreasing
twinflow.ops.debugging_numbers: is_strictly_increasing verify_tensor_all_finite
twinflow.ops.debugging_numbers: add_check_numerics_ops is_variable_initialized
twinflow.ops.debugging_numbers: report_uninitialized_variables
twinflow.ops.debugging_numbers: assert_variables_initialized
twinflow.ops.print: Print print=print_v2 timestamp
twinflow.ops.string_basic: string_join string_strip substr reduce_join
twinflow.ops.string_split: string_split
twinflow.ops.string_regex: regex_replace
twinflow.ops.string_hash: string_to_hash_bucket string_to_hash_bucket_fast
twinflow.ops.string_hash: string_to_hash_bucket_strong
twinflow.ops.string_number: string_to_number as_string
twinflow.ops.tables: tables_initializer initialize_all_tables
twinflow.ops.string_csv: decode_csv
twinflow.ops.files: read_file write_file matching_files
twinflow.ops.serialize: serialize_tensor parse_tensor
twinflow.base.tensor_proto: make_tensor_proto make_ndarray
twinflow.base.versions: VERSION GIT_VERSION COMPILER_VERSION CXX11_ABI_FLAG
twinflow.base.versions: MONOLITHIC_BUILD GRAPH_DEF_VERSION
twinflow.base.versions: GRAPH_DEF_VERSION_MIN_CONSUMER
twinflow.base.versions: GRAPH_DEF_VERSION_MIN_PRODUCER
twinflow.ops.string_bytes: encode_base64 decode_base64 decode_raw decode_compressed
twinflow.debugging: debugging=*
twinflow.strings: strings=*
twinflow.io: io=*
twinflow.gfile: gfile=*
twinflow.logging: logging=*
twinflow.app: app=*
twinflow.compat.flags: flags=*
twinflow.compat: compat=*
twinflow.sysconfig: sysconfig=*
twinflow.resource_loader: resource_loader=*
twinflow.execute.session: Session InteractiveSession get_default_session
twinflow.execute.function: function
twinflow.execute.py_func: py_func
""",
)

if _compat() < (1, 12):  # TWINFLOW_TF_COMPAT
    from twinflow.ops.variable_older import GraphVariable as Variable  # noqa: F401

# Overflow and 0/0 give inf and nan as in TensorFlow; NumPy's own settings stay as they
# are, so that the user's NumPy code still warns.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"twinflow\.")
start(MODE)
