"""tf.contrib.slim: layers as functions, and scopes of their arguments."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.contrib.framework.argument_scopes: add_arg_scope arg_scope arg_scope_func_key
twinflow.contrib.framework.argument_scopes: arg_scoped_arguments current_arg_scope
twinflow.contrib.framework.argument_scopes: has_arg_scope
twinflow.contrib.slim.learning: learning=*
twinflow.contrib.losses: losses=*
twinflow.contrib.metrics: metrics=*
twinflow.contrib.layers.outputs: utils=*
twinflow.contrib.layers: layers=*
twinflow.contrib.framework.variables: add_model_variable assert_or_get_global_step
twinflow.contrib.framework.variables: assign_from_values assign_from_values_fn
twinflow.contrib.framework.variables: filter_variables
twinflow.contrib.framework.variables: assign_from_checkpoint assign_from_checkpoint_fn
twinflow.contrib.framework.variables: get_local_variables get_model_variables
twinflow.contrib.framework.variables: get_trainable_variables get_unique_variable
twinflow.contrib.framework.variables: get_variable_full_name get_variables
twinflow.contrib.framework.variables: get_variables_by_name
twinflow.contrib.framework.variables: get_variables_by_suffix get_variables_to_restore
twinflow.contrib.framework.variables: global_variable local_variable model_variable
twinflow.contrib.framework.variables: variable
twinflow.train.training_util: assert_global_step create_global_step get_global_step
twinflow.train.training_util: get_or_create_global_step
twinflow.contrib.layers.dense: fully_connected linear relu relu6 elu
twinflow.contrib.layers.dense: legacy_fully_connected legacy_linear legacy_relu
twinflow.contrib.layers.convolutional: convolution convolution1d convolution2d
twinflow.contrib.layers.convolutional: convolution3d conv1d=convolution1d
twinflow.contrib.layers.convolutional: conv2d=convolution2d conv3d=convolution3d
twinflow.contrib.layers.transposed: convolution2d_transpose convolution3d_transpose
twinflow.contrib.layers.transposed: conv2d_transpose=convolution2d_transpose
twinflow.contrib.layers.transposed: conv3d_transpose=convolution3d_transpose
twinflow.contrib.layers.separable: separable_convolution2d convolution2d_in_plane
twinflow.contrib.layers.separable: separable_conv2d=separable_convolution2d
twinflow.contrib.layers.separable: conv2d_in_plane=convolution2d_in_plane
twinflow.contrib.layers.pooling: avg_pool2d avg_pool3d max_pool2d max_pool3d pool
twinflow.contrib.layers.batch_normalization: batch_norm
twinflow.contrib.layers.normalization: group_norm instance_norm layer_norm unit_norm
twinflow.contrib.layers.simple: bias_add dropout flatten maxout one_hot_encoding
twinflow.contrib.layers.simple: repeat softmax spatial_softmax stack
twinflow.contrib.layers.simple: dense_to_sparse images_to_sequence sequence_to_images
twinflow.contrib.layers.encoders: bow_encoder embed_sequence
twinflow.contrib.layers.regularizers: apply_regularization l1_l2_regularizer
twinflow.contrib.layers.regularizers: l1_regularizer l2_regularizer sum_regularizer
twinflow.contrib.layers.initializers: variance_scaling_initializer
twinflow.contrib.layers.initializers: xavier_initializer
twinflow.contrib.layers.initializers: xavier_initializer_conv2d=xavier_initializer
twinflow.contrib.layers.optimize: optimize_loss
twinflow.autodiff.recompute: recompute_grad
""",
)
