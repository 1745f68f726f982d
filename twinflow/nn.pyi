# Made by `make stubs` from the table of the index.
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.nn.conv import conv2d as conv2d
from twinflow.ops.nn.conv import conv2d_backprop_filter as conv2d_backprop_filter
from twinflow.ops.nn.conv import conv2d_backprop_input as conv2d_backprop_input
from twinflow.ops.nn.conv import conv2d_transpose as conv2d_transpose
from twinflow.ops.nn.conv3d import conv3d as conv3d
from twinflow.ops.nn.conv3d import conv3d_backprop_filter_v2 as conv3d_backprop_filter_v2
from twinflow.ops.nn.conv3d import conv3d_transpose as conv3d_transpose
from twinflow.ops.nn.conv_depthwise import depthwise_conv2d_native as depthwise_conv2d_native
from twinflow.ops.nn.conv_depthwise import depthwise_conv2d_native_backprop_filter as depthwise_conv2d_native_backprop_filter
from twinflow.ops.nn.conv_depthwise import depthwise_conv2d_native_backprop_input as depthwise_conv2d_native_backprop_input
from twinflow.ops.nn.conv_separable import depthwise_conv2d as depthwise_conv2d
from twinflow.ops.nn.conv_separable import separable_conv2d as separable_conv2d
from twinflow.ops.nn.convolution import atrous_conv2d as atrous_conv2d
from twinflow.ops.nn.convolution import atrous_conv2d_transpose as atrous_conv2d_transpose
from twinflow.ops.nn.convolution import conv1d as conv1d
from twinflow.ops.nn.convolution import convolution as convolution
from twinflow.ops.nn.convolution import pool as pool
from twinflow.ops.nn.space import with_space_to_batch as with_space_to_batch
from twinflow.ops.nn.pool3d import avg_pool3d as avg_pool3d
from twinflow.ops.nn.pool3d import max_pool3d as max_pool3d
from twinflow.ops.nn.pool import avg_pool as avg_pool
from twinflow.ops.nn.pool import max_pool as max_pool
from twinflow.ops.nn.moments import batch_normalization as batch_normalization
from twinflow.ops.nn.moments import batch_norm_with_global_normalization as batch_norm_with_global_normalization
from twinflow.ops.nn.moments import fused_batch_norm as fused_batch_norm
from twinflow.ops.nn.moments import l2_normalize as l2_normalize
from twinflow.ops.nn.moments import moments as moments
from twinflow.ops.nn.moments import normalize_moments as normalize_moments
from twinflow.ops.nn.moments import sufficient_statistics as sufficient_statistics
from twinflow.ops.nn.moments import weighted_moments as weighted_moments
from twinflow.ops.nn.ctc import ctc_greedy_decoder as ctc_greedy_decoder
from twinflow.ops.nn.ctc import ctc_loss as ctc_loss
from twinflow.ops.nn.ctc_beam import ctc_beam_search_decoder as ctc_beam_search_decoder
from twinflow.ops.nn.dilation import dilation2d as dilation2d
from twinflow.ops.nn.dilation import erosion2d as erosion2d
from twinflow.ops.nn.fractional import fractional_avg_pool as fractional_avg_pool
from twinflow.ops.nn.fractional import fractional_max_pool as fractional_max_pool
from twinflow.ops.nn.lrn import local_response_normalization as local_response_normalization
from twinflow.ops.nn.lrn import local_response_normalization as lrn
from twinflow.ops.nn.pool_argmax import max_pool_with_argmax as max_pool_with_argmax
from twinflow.ops.nn.sampled import compute_accidental_hits as compute_accidental_hits
from twinflow.ops.nn.sampled import nce_loss as nce_loss
from twinflow.ops.nn.sampled import sampled_softmax_loss as sampled_softmax_loss
from twinflow.ops.nn.samplers import all_candidate_sampler as all_candidate_sampler
from twinflow.ops.nn.samplers import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
from twinflow.ops.nn.samplers import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from twinflow.ops.nn.samplers import log_uniform_candidate_sampler as log_uniform_candidate_sampler
from twinflow.ops.nn.samplers import uniform_candidate_sampler as uniform_candidate_sampler
from twinflow.ops.nn.activation import crelu as crelu
def elu(features: TensorValue, name: str | None = None) -> Tensor:
    r"""features where positive, else exp(features) - 1, elementwise.

    Args:
        features: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `features`.
    Example:
        tf.nn.elu([-1., 2.])  # [-0.632, 2.]
    """
from twinflow.ops.nn.activation import leaky_relu as leaky_relu
def relu(features: TensorValue, name: str | None = None) -> Tensor:
    r"""max(features, 0), elementwise.

    Args:
        features: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `features`.
    Example:
        tf.nn.relu([-1., 2.])  # [0., 2.]
    """
def relu6(features: TensorValue, name: str | None = None) -> Tensor:
    r"""min(max(features, 0), 6), elementwise.

    Args:
        features: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `features`.
    Example:
        tf.nn.relu6([-1., 2., 8.])  # [0., 2., 6.]
    """
def selu(features: TensorValue, name: str | None = None) -> Tensor:
    r"""1.0507 * (features where positive, else 1.6733 * (exp(features) - 1)), elementwise.

    Args:
        features: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `features`.
    Example:
        tf.nn.selu([-1., 2.])  # [-1.111, 2.101]
    """
from twinflow.math import softsign as softsign
from twinflow.ops.nn.activation import swish as swish
from twinflow.ops.nn.bias import bias_add as bias_add
from twinflow.ops.nn.bias import relu_layer as relu_layer
from twinflow.ops.nn.bias import xw_plus_b as xw_plus_b
from twinflow.ops.nn.softmax import log_softmax as log_softmax
from twinflow.ops.nn.softmax import softmax as softmax
from twinflow.ops.nn.loss import softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits
from twinflow.ops.nn.loss import softmax_cross_entropy_with_logits_v2 as softmax_cross_entropy_with_logits_v2
from twinflow.ops.nn.loss import sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits
from twinflow.ops.nn.logistic import log_poisson_loss as log_poisson_loss
from twinflow.ops.nn.logistic import sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits
from twinflow.ops.nn.logistic import weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits
from twinflow.ops.nn.dropout import dropout as dropout
from twinflow.ops.nn.dropout import l2_loss as l2_loss
from twinflow.ops.nn.dropout import zero_fraction as zero_fraction
from twinflow.ops.arrays.topk import in_top_k as in_top_k
from twinflow.ops.arrays.topk import top_k as top_k
from twinflow.ops.nn.embedding import embedding_lookup as embedding_lookup
from twinflow.ops.nn.embedding_sparse import embedding_lookup_sparse as embedding_lookup_sparse
from twinflow.ops.nn.embedding_sparse import safe_embedding_lookup_sparse as safe_embedding_lookup_sparse
from twinflow import sigmoid as sigmoid
from twinflow import tanh as tanh
from twinflow.math import softplus as softplus
from twinflow.ops.arrays.space_batch import space_to_batch as space_to_batch
from twinflow.ops.nn.space_depth import depth_to_space as depth_to_space
from twinflow.ops.nn.space_depth import space_to_depth as space_to_depth
from twinflow.rnn import cells as rnn_cell
from twinflow.rnn.dynamic import dynamic_rnn as dynamic_rnn
from twinflow.rnn.dynamic import bidirectional_dynamic_rnn as bidirectional_dynamic_rnn
from twinflow.rnn.raw import raw_rnn as raw_rnn
from twinflow.rnn.static import static_rnn as static_rnn
from twinflow.rnn.static import static_bidirectional_rnn as static_bidirectional_rnn
from twinflow.rnn.static import static_state_saving_rnn as static_state_saving_rnn
from twinflow.ops.nn.quantized import quantized_avg_pool as quantized_avg_pool
from twinflow.ops.nn.quantized import quantized_conv2d as quantized_conv2d
from twinflow.ops.nn.quantized import quantized_max_pool as quantized_max_pool
from twinflow.ops.nn.quantized import quantized_relu_x as quantized_relu_x

__all__ = [
"conv2d", "conv2d_backprop_filter", "conv2d_backprop_input", "conv2d_transpose",
"conv3d", "conv3d_backprop_filter_v2", "conv3d_transpose", "depthwise_conv2d_native",
"depthwise_conv2d_native_backprop_filter", "depthwise_conv2d_native_backprop_input",
"depthwise_conv2d", "separable_conv2d", "atrous_conv2d", "atrous_conv2d_transpose",
"conv1d", "convolution", "pool", "with_space_to_batch", "avg_pool3d", "max_pool3d",
"avg_pool", "max_pool", "batch_normalization", "batch_norm_with_global_normalization",
"fused_batch_norm", "l2_normalize", "moments", "normalize_moments",
"sufficient_statistics", "weighted_moments", "ctc_greedy_decoder", "ctc_loss",
"ctc_beam_search_decoder", "dilation2d", "erosion2d", "fractional_avg_pool",
"fractional_max_pool", "local_response_normalization", "lrn", "max_pool_with_argmax",
"compute_accidental_hits", "nce_loss", "sampled_softmax_loss", "all_candidate_sampler",
"fixed_unigram_candidate_sampler", "learned_unigram_candidate_sampler",
"log_uniform_candidate_sampler", "uniform_candidate_sampler", "crelu", "elu",
"leaky_relu", "relu", "relu6", "selu", "softsign", "swish", "bias_add", "relu_layer",
"xw_plus_b", "log_softmax", "softmax", "softmax_cross_entropy_with_logits",
"softmax_cross_entropy_with_logits_v2", "sparse_softmax_cross_entropy_with_logits",
"log_poisson_loss", "sigmoid_cross_entropy_with_logits",
"weighted_cross_entropy_with_logits", "dropout", "l2_loss", "zero_fraction", "in_top_k",
"top_k", "embedding_lookup", "embedding_lookup_sparse", "safe_embedding_lookup_sparse",
"sigmoid", "tanh", "softplus", "space_to_batch", "depth_to_space", "space_to_depth",
"rnn_cell", "dynamic_rnn", "bidirectional_dynamic_rnn", "raw_rnn", "static_rnn",
"static_bidirectional_rnn", "static_state_saving_rnn", "quantized_avg_pool",
"quantized_conv2d", "quantized_max_pool", "quantized_relu_x"
]
