"""tf.nn: neural-network ops."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.nn.conv: conv2d conv2d_backprop_filter conv2d_backprop_input
twinflow.ops.nn.conv: conv2d_transpose
twinflow.ops.nn.conv3d: conv3d conv3d_backprop_filter_v2 conv3d_transpose
twinflow.ops.nn.conv_depthwise: depthwise_conv2d_native
twinflow.ops.nn.conv_depthwise: depthwise_conv2d_native_backprop_filter
twinflow.ops.nn.conv_depthwise: depthwise_conv2d_native_backprop_input
twinflow.ops.nn.conv_separable: depthwise_conv2d separable_conv2d
twinflow.ops.nn.convolution: atrous_conv2d atrous_conv2d_transpose conv1d convolution
twinflow.ops.nn.convolution: pool
twinflow.ops.nn.space: with_space_to_batch
twinflow.ops.nn.pool3d: avg_pool3d max_pool3d
twinflow.ops.nn.pool: avg_pool max_pool
twinflow.ops.nn.moments: batch_normalization batch_norm_with_global_normalization
twinflow.ops.nn.moments: fused_batch_norm l2_normalize moments normalize_moments
twinflow.ops.nn.moments: sufficient_statistics weighted_moments
twinflow.ops.nn.ctc: ctc_greedy_decoder ctc_loss
twinflow.ops.nn.ctc_beam: ctc_beam_search_decoder
twinflow.ops.nn.dilation: dilation2d erosion2d
twinflow.ops.nn.fractional: fractional_avg_pool fractional_max_pool
twinflow.ops.nn.lrn: local_response_normalization lrn=local_response_normalization
twinflow.ops.nn.pool_argmax: max_pool_with_argmax
twinflow.ops.nn.sampled: compute_accidental_hits nce_loss sampled_softmax_loss
twinflow.ops.nn.samplers: all_candidate_sampler fixed_unigram_candidate_sampler
twinflow.ops.nn.samplers: learned_unigram_candidate_sampler
twinflow.ops.nn.samplers: log_uniform_candidate_sampler
twinflow.ops.nn.samplers: uniform_candidate_sampler
twinflow.ops.nn.activation: crelu elu leaky_relu relu relu6 selu softsign swish
twinflow.ops.nn.bias: bias_add relu_layer xw_plus_b
twinflow.ops.nn.softmax: log_softmax softmax
twinflow.ops.nn.loss: softmax_cross_entropy_with_logits
twinflow.ops.nn.loss: softmax_cross_entropy_with_logits_v2
twinflow.ops.nn.loss: sparse_softmax_cross_entropy_with_logits
twinflow.ops.nn.logistic: log_poisson_loss sigmoid_cross_entropy_with_logits
twinflow.ops.nn.logistic: weighted_cross_entropy_with_logits
twinflow.ops.nn.dropout: dropout l2_loss zero_fraction
twinflow.ops.arrays.topk: in_top_k top_k
twinflow.ops.nn.embedding: embedding_lookup
twinflow.ops.nn.embedding_sparse: embedding_lookup_sparse safe_embedding_lookup_sparse
twinflow.ops.core.elementwise: sigmoid tanh
twinflow.ops.core.rounding: softplus
twinflow.ops.arrays.space_batch: space_to_batch
twinflow.ops.nn.space_depth: depth_to_space space_to_depth
twinflow.rnn.cells: rnn_cell=*
twinflow.rnn.dynamic: dynamic_rnn bidirectional_dynamic_rnn
twinflow.rnn.raw: raw_rnn
twinflow.rnn.static: static_rnn static_bidirectional_rnn static_state_saving_rnn
twinflow.compat.refused: quantized_avg_pool=nn__quantized_avg_pool
twinflow.compat.refused: quantized_conv2d=nn__quantized_conv2d
twinflow.compat.refused: quantized_max_pool=nn__quantized_max_pool
twinflow.compat.refused: quantized_relu_x=nn__quantized_relu_x
""",
)
