"""twinflow: one program, run eagerly or as a graph; the TensorFlow 1.12 API."""

import warnings

from twinflow.base import openblas as _openblas  # noqa: F401 - acts before NumPy
from twinflow.base.lazy import attach
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
twinflow.nn: nn=*
twinflow.linalg: linalg=*
twinflow.random: random=*
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
twinflow.ops.array: concat stack unstack split tile reverse reverse_v2 meshgrid
twinflow.ops.slicing: slice strided_slice
twinflow.ops.padding: pad
twinflow.ops.indexed_slices: IndexedSlices convert_to_tensor_or_indexed_slices
twinflow.ops.index: boolean_mask gather gather_nd one_hot scatter_nd
twinflow.ops.index: unsorted_segment_sum
twinflow.ops.complex: complex real imag conj angle
twinflow.ops.elementwise: add subtract multiply realdiv negative abs sign square sqrt
twinflow.ops.elementwise: rsqrt exp expm1 log log1p pow maximum minimum
twinflow.ops.elementwise: squared_difference reciprocal tanh sigmoid add_n scalar_mul
twinflow.ops.division: div divide truediv floordiv floor_div mod floormod
twinflow.ops.trigonometry: sin cos tan asin acos atan atan2 sinh cosh asinh acosh atanh
twinflow.ops.special: floor ceil round rint erf erfc is_nan is_inf is_finite log_sigmoid
twinflow.ops.compare: equal not_equal less less_equal greater greater_equal where
twinflow.ops.compare: logical_and logical_or logical_not logical_xor
twinflow.ops.clip: clip_by_value clip_by_norm clip_by_average_norm clip_by_global_norm
twinflow.ops.clip: global_norm check_numerics saturate_cast
twinflow.ops.reduction: reduce_sum reduce_mean reduce_prod reduce_max reduce_min
twinflow.ops.reduction: reduce_any reduce_all reduce_logsumexp argmax argmin arg_max
twinflow.ops.reduction: arg_min count_nonzero
twinflow.ops.scan: cumsum cumprod
twinflow.ops.linalg: matmul
twinflow.ops.random: random_uniform random_normal truncated_normal
twinflow.ops.random_choice: multinomial random_crop random_shuffle
twinflow.ops.streams: set_random_seed
twinflow.ops.initializers_plain: zeros_initializer=Zeros ones_initializer=Ones
twinflow.ops.initializers_plain: constant_initializer=Constant
twinflow.ops.initializers_plain: random_normal_initializer=RandomNormal
twinflow.ops.initializers_plain: random_uniform_initializer=RandomUniform
twinflow.ops.initializers_plain: truncated_normal_initializer=TruncatedNormal
twinflow.ops.initializers: glorot_uniform_initializer=GlorotUniform
twinflow.ops.initializers: glorot_normal_initializer=GlorotNormal
twinflow.ops.initializers: variance_scaling_initializer=VarianceScaling
twinflow.ops.placeholder: placeholder placeholder_with_default
twinflow.ops.state: assign assign_add assign_sub no_op
twinflow.ops.variable: Variable=ResourceVariable
twinflow.ops.collections: GraphKeys global_variables trainable_variables local_variables
twinflow.ops.collections: global_variables_initializer local_variables_initializer
twinflow.ops.collections: variables_initializer initialize_all_variables
twinflow.autodiff.tape: GradientTape
twinflow.autodiff.custom_gradient: custom_gradient
twinflow.graph.gradients: gradients
twinflow.graph.graph: Graph
twinflow.graph.node: Operation=Node
twinflow.graph.cond: cond
twinflow.graph.while_loop: while_loop
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
twinflow.debugging: debugging=*
twinflow.strings: strings=*
twinflow.io: io=*
twinflow.gfile: gfile=*
twinflow.logging: logging=*
twinflow.app: app=*
twinflow.flags: flags=*
twinflow.compat: compat=*
twinflow.sysconfig: sysconfig=*
twinflow.resource_loader: resource_loader=*
twinflow.execute.session: Session InteractiveSession get_default_session
twinflow.execute.function: function
""",
)

# Overflow and 0/0 give inf and nan as in TensorFlow; NumPy's own settings stay as they
# are, so that the user's NumPy code still warns.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"twinflow\.")
start(MODE)
