"""tf.contrib.layers: layers as functions with many arguments."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.autodiff.recompute: recompute_grad
twinflow.contrib.layers.outputs: utils=*
twinflow.contrib.layers.dense: fully_connected linear relu relu6 elu legacy_linear
twinflow.contrib.layers.dense: legacy_fully_connected legacy_relu
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
twinflow.contrib.layers.optimize: OPTIMIZER_CLS_NAMES OPTIMIZER_SUMMARIES optimize_loss
twinflow.ops.nn.embedding_sparse: safe_embedding_lookup_sparse
""",
)
