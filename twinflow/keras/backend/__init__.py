"""tf.keras.backend: defaults, and the functions that layers were once written with."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.keras.backend.defaults: floatx set_floatx epsilon set_epsilon image_data_format
twinflow.keras.backend.defaults: set_image_data_format get_uid reset_uids clear_session
twinflow.keras.backend.defaults: learning_phase set_learning_phase cast_to_floatx
twinflow.keras.backend.defaults: snake_case
twinflow.keras.backend.defaults: unique_name
twinflow.keras.backend.sessions: get_session set_session get_value set_value eval
twinflow.keras.backend.sessions: batch_get_value batch_set_value function
twinflow.keras.backend.sessions: manual_variable_initialization
twinflow.keras.activations: relu elu softplus softsign sigmoid hard_sigmoid tanh
twinflow.keras.backend.nn: softmax dropout l2_normalize in_top_k bias_add
twinflow.keras.backend.nn: batch_normalization normalize_batch_in_training
twinflow.keras.backend.nn: moving_average_update binary_crossentropy
twinflow.keras.backend.nn: categorical_crossentropy sparse_categorical_crossentropy
twinflow.keras.backend.convolutions: conv1d conv2d conv3d conv2d_transpose
twinflow.keras.backend.convolutions: separable_conv2d pool2d pool3d
twinflow.keras.backend.convolutions: spatial_2d_padding spatial_3d_padding
twinflow.keras.backend.convolutions: temporal_padding resize_images resize_volumes
twinflow.keras.layers.unrolling: rnn
twinflow.keras.backend.batch_products: batch_dot
twinflow.keras.backend.variables: variable placeholder constant zeros ones eye
twinflow.keras.backend.variables: zeros_like ones_like is_sparse to_dense
twinflow.keras.backend.variables: random_uniform_variable random_normal_variable
twinflow.keras.backend.variables: random_uniform random_normal truncated_normal
twinflow.keras.backend.variables: random_binomial update update_add update_sub
twinflow.keras.backend.variables: count_params int_shape ndim dtype is_keras_tensor
twinflow.keras.backend.variables: gradients stop_gradient name_scope backend
twinflow.keras.backend.arrays: reshape permute_dimensions transpose expand_dims
twinflow.keras.backend.arrays: squeeze flatten batch_flatten concatenate stack repeat
twinflow.keras.backend.arrays: repeat_elements reverse gather one_hot cast shape arange
twinflow.keras.backend.arrays: tile
twinflow.keras.backend.math: abs all any argmax argmin clip cos dot equal exp greater
twinflow.keras.backend.math: greater_equal less less_equal log logsumexp max maximum
twinflow.keras.backend.math: mean min minimum not_equal pow prod round sign sin sqrt
twinflow.keras.backend.math: square std sum var cumsum cumprod
twinflow.keras.backend.control_flow: switch in_train_phase in_test_phase map_fn foldl
twinflow.keras.backend.control_flow: foldr
twinflow.keras.backend.control_flow: print_tensor ctc_decode ctc_batch_cost
twinflow.keras.backend.control_flow: ctc_label_dense_to_sparse
""",
)
