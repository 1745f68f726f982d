# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.base import nest as nest
from twinflow.base.convert import is_tensor as is_tensor
from twinflow.ops.arrays.sorting import argsort as argsort
from twinflow.ops.arrays.sorting import sort as sort
from twinflow.contrib.framework.argument_scopes import add_arg_scope as add_arg_scope
from twinflow.contrib.framework.argument_scopes import arg_scope as arg_scope
from twinflow.contrib.framework.argument_scopes import arg_scoped_arguments as arg_scoped_arguments
from twinflow.contrib.framework.argument_scopes import current_arg_scope as current_arg_scope
from twinflow.contrib.framework.argument_scopes import has_arg_scope as has_arg_scope
from twinflow.graph.scopes import get_name_scope as get_name_scope
from twinflow.graph.scopes import with_dependencies as with_dependencies
from twinflow.contrib.framework.zeros import zero_initializer as zero_initializer
from twinflow.train.training_util import get_global_step as get_global_step
from twinflow.train.training_util import create_global_step as create_global_step
from twinflow.train.training_util import assert_global_step as assert_global_step
from twinflow.train.training_util import get_or_create_global_step as get_or_create_global_step
from twinflow.contrib.framework.variables import assert_or_get_global_step as assert_or_get_global_step
from twinflow.contrib.framework.variables import get_variables as get_variables
from twinflow.contrib.framework.variables import get_model_variables as get_model_variables
from twinflow.contrib.framework.variables import get_local_variables as get_local_variables
from twinflow.contrib.framework.variables import get_trainable_variables as get_trainable_variables
def variable(name: Any, shape: Any = ..., dtype: Any = ..., initializer: Any = ..., regularizer: Any = ..., trainable: bool = ..., collections: Any = ..., caching_device: Any = ..., device: Any = ..., partitioner: Any = ..., custom_getter: Any = ..., use_resource: Any = ..., synchronization: Any = ..., aggregation: Any = ...) -> Any:
    r"""As tf.get_variable; `device` is accepted.

    Args:
        collections: those of the variable; the global ones if not given.
    """
from twinflow.contrib.framework.variables import get_variables_to_restore as get_variables_to_restore
from twinflow.contrib.framework.variables import get_variables_by_suffix as get_variables_by_suffix
from twinflow.contrib.framework.variables import get_variables_by_name as get_variables_by_name
from twinflow.contrib.framework.variables import get_unique_variable as get_unique_variable
from twinflow.contrib.framework.variables import filter_variables as filter_variables
from twinflow.contrib.framework.variables import get_variable_full_name as get_variable_full_name
from twinflow.contrib.framework.variables import add_model_variable as add_model_variable
def model_variable(name: Any, *args: Any, collections: Any = ..., **kwargs: Any) -> Any:
    r"""As `variable`, noted as one of a model.
    """
from twinflow.contrib.framework.variables import local_variable as local_variable
from twinflow.contrib.framework.variables import global_variable as global_variable
from twinflow.contrib.framework.variables import assign_from_values as assign_from_values
from twinflow.contrib.framework.variables import assign_from_values_fn as assign_from_values_fn
from twinflow.contrib.framework.variables import assign_from_checkpoint as assign_from_checkpoint
from twinflow.contrib.framework.variables import assign_from_checkpoint_fn as assign_from_checkpoint_fn
from twinflow.contrib.framework.critical_section import CriticalSection as CriticalSection
from twinflow.ops.queues.record_input import RecordInput as RecordInput
from twinflow.contrib.framework.checkpoints import list_variables as list_variables
from twinflow.contrib.framework.checkpoints import load_checkpoint as load_checkpoint
from twinflow.contrib.framework.checkpoints import load_variable as load_variable
from twinflow.contrib.framework.checkpoints import init_from_checkpoint as init_from_checkpoint
from twinflow.checkpoint.vocabularies import load_and_remap_matrix_initializer as load_and_remap_matrix_initializer
from twinflow.checkpoint.vocabularies import load_embedding_initializer as load_embedding_initializer
from twinflow.checkpoint.vocabularies import load_linear_multiclass_bias_initializer as load_linear_multiclass_bias_initializer
from twinflow.checkpoint.vocabularies import load_variable_slot_initializer as load_variable_slot_initializer
from twinflow.base.tensor_spec import TensorSpec as TensorSpec
from twinflow.base.tensor_spec import BoundedTensorSpec as BoundedTensorSpec
from twinflow.graph.graph_def.scoped_names import strip_name_scope as strip_name_scope
from twinflow.graph.graph_def.scoped_names import prepend_name_scope as prepend_name_scope
from twinflow.contrib.framework.python_functions import py_func as py_func
from twinflow.contrib.framework.placing import VariableDeviceChooser as VariableDeviceChooser
from twinflow.compat.door.framework import get_graph_from_inputs as get_graph_from_inputs
from twinflow.ops.random.initializers_orthogonal import ConvolutionDeltaOrthogonal as convolutional_delta_orthogonal
from twinflow.ops.random.initializers_orthogonal import ConvolutionOrthogonal1D as convolutional_orthogonal_1d
from twinflow.ops.random.initializers_orthogonal import ConvolutionOrthogonal2D as convolutional_orthogonal_2d
from twinflow.ops.random.initializers_orthogonal import ConvolutionOrthogonal3D as convolutional_orthogonal_3d
from twinflow.ops.debugging.static import assert_same_float_dtype as assert_same_float_dtype
from twinflow.ops.debugging.static import assert_scalar as assert_scalar
from twinflow.ops.sparse.tensor import convert_to_tensor_or_sparse_tensor as convert_to_tensor_or_sparse_tensor
from twinflow.contrib.framework.squeezing import remove_squeezable_dimensions as remove_squeezable_dimensions
from twinflow.compat.door.deprecation import deprecated as deprecated
from twinflow.compat.door.deprecation import deprecated_args as deprecated_args
from twinflow.compat.door.deprecation import deprecated_arg_values as deprecated_arg_values
from twinflow.contrib.framework.fusing import fuse_op as fuse_op
from twinflow.contrib.framework.shape_checks import with_shape as with_shape
from twinflow.contrib.framework.shape_checks import with_same_shape as with_same_shape
from twinflow.contrib.framework.shape_checks import assert_scalar_int as assert_scalar_int
from twinflow.contrib.framework.shape_checks import get_placeholders as get_placeholders
from twinflow.contrib.framework.shape_checks import reduce_sum_n as reduce_sum_n
from twinflow.graph.case import smart_cond as smart_cond
from twinflow.graph.case import smart_case as smart_case
from twinflow.graph.case import smart_constant_value as smart_constant_value

__all__ = [
"nest", "is_tensor", "argsort", "sort", "add_arg_scope", "arg_scope",
"arg_scoped_arguments", "current_arg_scope", "has_arg_scope", "get_name_scope",
"with_dependencies", "zero_initializer", "get_global_step", "create_global_step",
"assert_global_step", "get_or_create_global_step", "assert_or_get_global_step",
"get_variables", "get_model_variables", "get_local_variables",
"get_trainable_variables", "variable", "get_variables_to_restore",
"get_variables_by_suffix", "get_variables_by_name", "get_unique_variable",
"filter_variables", "get_variable_full_name", "add_model_variable", "model_variable",
"local_variable", "global_variable", "assign_from_values", "assign_from_values_fn",
"assign_from_checkpoint", "assign_from_checkpoint_fn", "CriticalSection", "RecordInput",
"list_variables", "load_checkpoint", "load_variable", "init_from_checkpoint",
"load_and_remap_matrix_initializer", "load_embedding_initializer",
"load_linear_multiclass_bias_initializer", "load_variable_slot_initializer",
"TensorSpec", "BoundedTensorSpec", "strip_name_scope", "prepend_name_scope", "py_func",
"VariableDeviceChooser", "get_graph_from_inputs", "convolutional_delta_orthogonal",
"convolutional_orthogonal_1d", "convolutional_orthogonal_2d",
"convolutional_orthogonal_3d", "assert_same_float_dtype", "assert_scalar",
"convert_to_tensor_or_sparse_tensor", "remove_squeezable_dimensions", "deprecated",
"deprecated_args", "deprecated_arg_values", "fuse_op", "with_shape", "with_same_shape",
"assert_scalar_int", "get_placeholders", "reduce_sum_n", "smart_cond", "smart_case",
"smart_constant_value"
]
