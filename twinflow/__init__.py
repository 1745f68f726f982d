"""twinflow: one program, run eagerly or as a graph; the TensorFlow 1.12 API."""

import warnings

from twinflow.base import openblas as _openblas  # noqa: F401 - acts before NumPy
from twinflow.base.lazy import attach
from twinflow.base.tracebacks import install as _shorten_tracebacks
from twinflow.base.versions import compat as _compat
from twinflow.eager.mode import MODE
from twinflow.graph.defaults import start
from twinflow.ops.core import operators as _operators  # noqa: F401 - puts them on Tensor

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
twinflow.sets: sets=*
twinflow.sparse: sparse=*
twinflow.initializers: initializers=*
twinflow.losses: losses=*
twinflow.metrics: metrics=*
twinflow.saved_model: saved_model=*
twinflow.estimator: estimator=*
twinflow.ops.parsing.features: FixedLenFeature FixedLenSequenceFeature SparseFeature
twinflow.ops.parsing.features: VarLenFeature
twinflow.ops.parsing.public: decode_json_example parse_example parse_single_example
twinflow.ops.parsing.public: parse_single_sequence_example
twinflow.summary: summary=*
twinflow.train: train=*
twinflow.keras: keras=*
twinflow.layers: layers=*
twinflow.data: data=*
twinflow.contrib: contrib=*
twinflow.ops.core.constant: constant convert_to_tensor identity stop_gradient cast
twinflow.ops.core.constant: to_float
twinflow.ops.core.constant: to_double to_int32 to_int64 to_bfloat16 to_complex64
twinflow.ops.core.constant: to_complex128
twinflow.ops.core.creation: zeros ones zeros_like ones_like fill range linspace
twinflow.ops.core.creation: lin_space
twinflow.ops.core.shape: shape rank reshape squeeze expand_dims
twinflow.ops.core.size: size
twinflow.ops.core.transposing: transpose
twinflow.ops.core.transposing: invert_permutation matrix_transpose
twinflow.ops.core.broadcast: broadcast_to
twinflow.ops.core.joining: concat stack unstack split tile
twinflow.ops.arrays.grid: meshgrid
twinflow.ops.core.slicing: newaxis slice strided_slice
twinflow.ops.arrays.padding: pad
twinflow.ops.core.index: IndexedSlices
twinflow.ops.core.indexed_slices: convert_to_tensor_or_indexed_slices
twinflow.ops.sparse.tensor: SparseTensor SparseTensorValue sparse_placeholder
twinflow.ops.sparse.tensor: convert_to_tensor_or_sparse_tensor
twinflow.ops.sparse.math: sparse_add sparse_maximum sparse_minimum
twinflow.ops.sparse.softmax: sparse_softmax
twinflow.ops.sparse.matmul: sparse_tensor_dense_matmul
twinflow.ops.sparse.reduce: sparse_reduce_max sparse_reduce_sum
twinflow.ops.sparse.reduce: sparse_reduce_max_sparse sparse_reduce_sum_sparse
twinflow.ops.sparse.dense: sparse_tensor_to_dense sparse_to_dense
twinflow.ops.sparse.order: sparse_reorder sparse_reshape sparse_transpose
twinflow.ops.sparse.parts: sparse_concat sparse_slice sparse_split
twinflow.ops.sparse.fill: sparse_fill_empty_rows
twinflow.ops.sparse.select: sparse_mask sparse_merge sparse_reset_shape sparse_retain
twinflow.ops.sparse.select: sparse_to_indicator
twinflow.ops.sparse.serialize: deserialize_many_sparse serialize_many_sparse
twinflow.ops.sparse.serialize: serialize_sparse
twinflow.ops.arrays.boolean_mask: boolean_mask
twinflow.ops.core.index: gather
twinflow.ops.core.index_vectors: gather_nd scatter_nd
twinflow.ops.arrays.one_hot: one_hot
twinflow.ops.arrays.gather_batch: batch_gather sequence_mask
twinflow.ops.math.segment: segment_sum segment_mean segment_prod segment_max segment_min
twinflow.ops.math.segment_unsorted: unsorted_segment_mean unsorted_segment_prod
twinflow.ops.math.segment_unsorted: unsorted_segment_max unsorted_segment_min
twinflow.ops.math.segment_unsorted: unsorted_segment_sqrt_n
twinflow.ops.math.segment_sparse: sparse_segment_sum sparse_segment_mean
twinflow.ops.math.segment_sparse: sparse_segment_sqrt_n
twinflow.ops.arrays.partition: dynamic_partition dynamic_stitch
twinflow.ops.arrays.unique: unique unique_with_counts setdiff1d
twinflow.ops.arrays.sorting: searchsorted
twinflow.ops.arrays.rearrange: reverse reverse_v2 reverse_sequence roll unravel_index
twinflow.ops.arrays.space_batch: space_to_batch space_to_batch_nd batch_to_space
twinflow.ops.arrays.space_batch: batch_to_space_nd required_space_to_batch_paddings
twinflow.ops.nn.space_depth: depth_to_space space_to_depth
twinflow.ops.nn.patches: extract_image_patches extract_volume_patches
twinflow.ops.arrays.passing: bitcast ensure_shape guarantee_const identity_n
twinflow.ops.core.shape_arithmetic: broadcast_dynamic_shape broadcast_static_shape
twinflow.ops.core.shape_arithmetic: parallel_stack shape_n
twinflow.ops.sparse.edit_distance: edit_distance
twinflow.ops.variables.cells: count_up_to
twinflow.ops.queues.queue: QueueBase
twinflow.ops.queues.accumulators: ConditionalAccumulatorBase ConditionalAccumulator
twinflow.ops.queues.accumulators: SparseConditionalAccumulator
twinflow.ops.queues.readers: ReaderBase WholeFileReader IdentityReader TextLineReader
twinflow.ops.queues.readers: FixedLengthRecordReader TFRecordReader LMDBReader
twinflow.python_io: python_io=*
twinflow.ops.queues.kinds: FIFOQueue PaddingFIFOQueue PriorityQueue RandomShuffleQueue
twinflow.ops.variables.parts: scatter_update scatter_add scatter_sub scatter_mul
twinflow.ops.variables.parts: scatter_div scatter_min scatter_max scatter_nd_update
twinflow.ops.variables.parts: scatter_nd_add scatter_nd_sub batch_scatter_update
twinflow.manip: manip=*
twinflow.ops.core.index: unsorted_segment_sum
twinflow.ops.core.complex: complex real imag conj
twinflow.ops.core.magnitude: angle
twinflow.ops.core.elementwise: add subtract multiply realdiv negative abs sign square
twinflow.ops.core.elementwise: sqrt
twinflow.ops.core.elementwise: rsqrt exp expm1 log log1p pow maximum minimum
twinflow.ops.core.elementwise: squared_difference reciprocal tanh sigmoid add_n
twinflow.ops.math.scalar_mul: scalar_mul
twinflow.ops.core.division: div divide truediv floordiv floor_div mod floormod
twinflow.ops.math.trigonometry: sin cos tan asin acos atan atan2 sinh cosh asinh acosh
twinflow.ops.math.trigonometry: atanh
twinflow.ops.core.rounding: floor ceil round rint is_nan is_inf is_finite log_sigmoid
twinflow.ops.special.error_function: erf erfc
twinflow.ops.special.gamma: digamma lbeta lgamma polygamma zeta
twinflow.ops.math.counting: bincount histogram_fixed_width histogram_fixed_width_bins
twinflow.ops.math.confusion_matrix: confusion_matrix
twinflow.ops.math.polynomial: accumulate_n
twinflow.ops.special.igamma: betainc igamma igammac
twinflow.ops.math.truncation: div_no_nan truncatediv truncatemod
twinflow.ops.core.compare: equal not_equal less less_equal greater greater_equal where
twinflow.ops.core.compare: logical_and logical_or logical_not logical_xor
twinflow.ops.math.clip: clip_by_value clip_by_norm clip_by_average_norm
twinflow.ops.math.clip: clip_by_global_norm
twinflow.ops.math.clip: global_norm saturate_cast
twinflow.ops.core.reduction: reduce_sum reduce_mean reduce_prod reduce_max reduce_min
twinflow.ops.core.reduction: reduce_any reduce_all reduce_logsumexp
twinflow.ops.math.positions: argmax argmin
twinflow.ops.math.positions: arg_max
twinflow.ops.core.reduction: count_nonzero
twinflow.ops.math.positions: arg_min
twinflow.ops.core.scan: cumsum cumprod
twinflow.spectral: spectral=*
twinflow.ops.core.product: matmul sparse_matmul
twinflow.ops.matrix.diagonal: matrix_diag matrix_diag_part matrix_set_diag trace eye
twinflow.ops.matrix.band: matrix_band_part
twinflow.ops.matrix.inverse: matrix_inverse matrix_determinant
twinflow.ops.matrix.solve: matrix_solve matrix_triangular_solve
twinflow.ops.matrix.cholesky: cholesky cholesky_solve
twinflow.ops.matrix.qr: qr
twinflow.ops.matrix.svd: svd
twinflow.ops.matrix.eigen: self_adjoint_eig self_adjoint_eigvals
twinflow.ops.matrix.least_squares: matrix_solve_ls
twinflow.ops.matrix.norm: norm
twinflow.ops.matrix.tensor_diag: diag diag_part cross
twinflow.ops.matrix.contraction: einsum tensordot
twinflow.ops.signal.fourier: fft fft2d fft3d ifft ifft2d ifft3d
twinflow.ops.random.draws: random_uniform random_normal truncated_normal
twinflow.ops.random.choice: multinomial random_crop random_shuffle
twinflow.ops.random.gamma: random_gamma random_poisson
twinflow.ops.random.streams: get_seed set_random_seed
twinflow.ops.random.initializers_plain: zeros_initializer=Zeros ones_initializer=Ones
twinflow.ops.random.initializers_plain: constant_initializer=Constant
twinflow.ops.random.initializers_plain: random_normal_initializer=RandomNormal
twinflow.ops.random.initializers_plain: random_uniform_initializer=RandomUniform
twinflow.ops.random.initializers_plain: truncated_normal_initializer=TruncatedNormal
twinflow.ops.random.initializers: glorot_uniform_initializer=GlorotUniform
twinflow.ops.random.initializers: glorot_normal_initializer=GlorotNormal
twinflow.ops.random.initializers: variance_scaling_initializer=VarianceScaling
twinflow.ops.random.initializers: orthogonal_initializer=Orthogonal
twinflow.ops.random.initializers: uniform_unit_scaling_initializer=UniformUnitScaling
twinflow.ops.arrays.placeholder: placeholder placeholder_with_default
twinflow.ops.variables.state: assign assign_add assign_sub
twinflow.ops.core.no_op: no_op
twinflow.ops.variables.kinds: Variable
twinflow.ops.variables.collections: GraphKeys global_variables trainable_variables
twinflow.ops.variables.collections: local_variables
twinflow.ops.variables.collections: global_variables_initializer
twinflow.ops.variables.collections: local_variables_initializer
twinflow.ops.variables.collections: variables_initializer initialize_all_variables
twinflow.autodiff.tape: GradientTape
twinflow.autodiff.registry: RegisterGradient NotDifferentiable NoGradient
twinflow.autodiff.custom_gradient: custom_gradient
twinflow.graph.gradients: gradients AggregationMethod
twinflow.graph.hessians: hessians
twinflow.test: test=*
twinflow.base.convert: register_tensor_conversion_function
twinflow.graph.scopes: add_to_collections op_scope colocate_with container
twinflow.ops.variables.creators: enable_resource_variables
twinflow.ops.variables.creators: disable_resource_variables
twinflow.ops.variables.collections: model_variables moving_average_variables
twinflow.ops.variables.collections: all_variables
twinflow.ops.variables.collections: initialize_variables initialize_local_variables
twinflow.compat: compat=*
twinflow.compat.refused: distributions feature_column profiler quantization
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
twinflow.ops.tensor_array.arrays: TensorArray
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
twinflow.ops.variables.creators: variable_creator_scope
twinflow.graph_util: graph_util=*
twinflow.graph.graph_def.import_def: import_graph_def
twinflow.graph.defaults: get_default_graph reset_default_graph enable_eager_execution
twinflow.graph.defaults: executing_eagerly
twinflow.graph.scopes: name_scope device control_dependencies group tuple
twinflow.graph.scopes: add_to_collection get_collection get_collection_ref
twinflow.ops.debugging.checks: Assert assert_equal assert_none_equal assert_less
twinflow.ops.debugging.checks: assert_less_equal assert_greater assert_greater_equal
twinflow.ops.debugging.checks: assert_near assert_negative assert_positive
twinflow.ops.debugging.checks: assert_non_negative assert_non_positive
twinflow.ops.debugging.static: assert_rank assert_rank_at_least assert_rank_in
twinflow.ops.debugging.static: assert_integer assert_type assert_scalar
twinflow.ops.debugging.static: assert_proper_iterable assert_same_float_dtype
twinflow.ops.debugging.numbers: is_numeric_tensor is_non_decreasing
twinflow.ops.debugging.numbers: is_strictly_increasing verify_tensor_all_finite
twinflow.ops.debugging.numbers: add_check_numerics_ops check_numerics
twinflow.ops.variables.initialized: is_variable_initialized
twinflow.ops.variables.initialized: report_uninitialized_variables
twinflow.ops.variables.initialized: assert_variables_initialized
twinflow.ops.debugging.print: Print print=print_v2 timestamp
twinflow.ops.strings.basic: string_join string_strip substr reduce_join
twinflow.ops.strings.split: string_split
twinflow.ops.strings.rewrite: regex_replace
twinflow.ops.strings.hash: string_to_hash_bucket string_to_hash_bucket_fast
twinflow.ops.strings.hash: string_to_hash_bucket_strong
twinflow.ops.strings.number: string_to_number as_string
twinflow.ops.tables.initialized: tables_initializer initialize_all_tables
twinflow.ops.strings.csv: decode_csv
twinflow.ops.files.contents: read_file write_file matching_files
twinflow.ops.strings.serialize: serialize_tensor parse_tensor
twinflow.formats.tensor_proto: make_tensor_proto make_ndarray
twinflow.formats.protos: AttrValue Event GraphDef HistogramProto LogMessage MetaGraphDef
twinflow.formats.protos: NameAttrList NodeDef SessionLog Summary SummaryMetadata
twinflow.formats.protos: TensorInfo
twinflow.base.versions: VERSION GIT_VERSION COMPILER_VERSION CXX11_ABI_FLAG
twinflow.base.versions: MONOLITHIC_BUILD GRAPH_DEF_VERSION
twinflow.base.versions: GRAPH_DEF_VERSION_MIN_CONSUMER
twinflow.base.versions: GRAPH_DEF_VERSION_MIN_PRODUCER
twinflow.ops.strings.bytes: encode_base64 decode_base64 decode_raw decode_compressed
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
twinflow.execute.session_handles: get_session_handle get_session_tensor
twinflow.execute.session_handles: delete_session_tensor
twinflow.formats.protos: ConfigProto GPUOptions GraphOptions OptimizerOptions
twinflow.formats.protos: RunOptions RunMetadata
twinflow.execute.function: function
twinflow.execute.py_func: py_func
""",
)

if _compat() < (1, 12):  # TWINFLOW_TF_COMPAT
    from twinflow.ops.variables.older import GraphVariable as Variable  # noqa: F401

# Overflow and 0/0 give inf and nan as in TensorFlow; NumPy's own settings stay as they
# are, so that the user's NumPy code still warns.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"twinflow\.")
start(MODE)
_shorten_tracebacks()
