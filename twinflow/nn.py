"""tf.nn: neural-network ops."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.conv: conv2d conv2d_backprop_filter conv2d_backprop_input conv2d_transpose
twinflow.ops.pool: avg_pool max_pool
twinflow.ops.norm: batch_normalization batch_norm_with_global_normalization
twinflow.ops.norm: fused_batch_norm l2_normalize moments normalize_moments
twinflow.ops.norm: sufficient_statistics weighted_moments
twinflow.ops.nn_activation: crelu elu leaky_relu relu relu6 selu softsign
twinflow.ops.nn_bias: bias_add relu_layer xw_plus_b
twinflow.ops.nn_softmax: log_softmax softmax
twinflow.ops.nn_loss: softmax_cross_entropy_with_logits
twinflow.ops.nn_loss: softmax_cross_entropy_with_logits_v2
twinflow.ops.nn_loss: sparse_softmax_cross_entropy_with_logits
twinflow.ops.nn_logistic: log_poisson_loss sigmoid_cross_entropy_with_logits
twinflow.ops.nn_logistic: weighted_cross_entropy_with_logits
twinflow.ops.nn: dropout l2_loss zero_fraction
twinflow.ops.nn_topk: in_top_k top_k
twinflow.ops.nn_embedding: embedding_lookup
twinflow.ops.elementwise: sigmoid tanh
twinflow.ops.special: softplus
""",
)
