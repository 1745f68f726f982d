"""tf.contrib.framework: parts of the framework that were never moved to its core."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.base.nest: nest=*
twinflow.base.convert: is_tensor
twinflow.ops.arrays.sorting: argsort sort
twinflow.contrib.framework.argument_scopes: add_arg_scope arg_scope arg_scoped_arguments
twinflow.contrib.framework.argument_scopes: current_arg_scope has_arg_scope
twinflow.graph.scopes: get_name_scope with_dependencies
twinflow.train.training_util: get_global_step create_global_step assert_global_step
twinflow.train.training_util: get_or_create_global_step
twinflow.contrib.framework.variables: assert_or_get_global_step get_variables
twinflow.contrib.framework.variables: get_model_variables
twinflow.contrib.framework.variables: get_local_variables get_trainable_variables
twinflow.contrib.framework.variables: variable
twinflow.contrib.framework.variables: get_variables_to_restore get_variables_by_suffix
twinflow.contrib.framework.variables: get_variables_by_name get_unique_variable
twinflow.contrib.framework.variables: filter_variables
twinflow.contrib.framework.variables: get_variable_full_name add_model_variable
twinflow.contrib.framework.variables: model_variable
twinflow.contrib.framework.variables: local_variable global_variable assign_from_values
twinflow.contrib.framework.variables: assign_from_values_fn assign_from_checkpoint
twinflow.contrib.framework.variables: assign_from_checkpoint_fn
twinflow.checkpoint.reader: list_variables load_checkpoint load_variable
twinflow.checkpoint.starting: init_from_checkpoint
twinflow.checkpoint.vocabularies: load_and_remap_matrix_initializer
twinflow.checkpoint.vocabularies: load_embedding_initializer
twinflow.base.tensor_spec: TensorSpec BoundedTensorSpec
twinflow.graph.graph_def.scoped_names: strip_name_scope prepend_name_scope
twinflow.execute.py_func: py_func
twinflow.ops.debugging.static: assert_same_float_dtype assert_scalar
twinflow.ops.sparse.tensor: convert_to_tensor_or_sparse_tensor
twinflow.ops.math.confusion_matrix: remove_squeezable_dimensions
twinflow.compat.door.deprecation: deprecated deprecated_args deprecated_arg_values
twinflow.contrib.framework.shape_checks: with_shape with_same_shape assert_scalar_int
twinflow.contrib.framework.shape_checks: get_placeholders reduce_sum_n
twinflow.graph.case: smart_cond smart_case smart_constant_value
""",
)
