# Made by `make stubs` from the table of the index.
from twinflow.autodiff.recompute import recompute_grad as recompute_grad
from twinflow.contrib.layers import outputs as utils
from twinflow.contrib.layers.dense import fully_connected as fully_connected
from twinflow.contrib.layers.dense import linear as linear
from twinflow.contrib.layers.dense import relu as relu
from twinflow.contrib.layers.dense import relu6 as relu6
from twinflow.contrib.layers.dense import elu as elu
from twinflow.contrib.layers.dense import legacy_linear as legacy_linear
from twinflow.contrib.layers.dense import legacy_fully_connected as legacy_fully_connected
from twinflow.contrib.layers.dense import legacy_relu as legacy_relu
from twinflow.contrib.layers.convolutional import convolution as convolution
from twinflow.contrib.layers.convolutional import convolution1d as convolution1d
from twinflow.contrib.layers.convolutional import convolution2d as convolution2d
from twinflow.contrib.layers.convolutional import convolution3d as convolution3d
from twinflow.contrib.layers.convolutional import convolution1d as conv1d
from twinflow.contrib.layers.convolutional import convolution2d as conv2d
from twinflow.contrib.layers.convolutional import convolution3d as conv3d
from twinflow.contrib.layers.transposed import convolution2d_transpose as convolution2d_transpose
from twinflow.contrib.layers.transposed import convolution3d_transpose as convolution3d_transpose
from twinflow.contrib.layers.transposed import convolution2d_transpose as conv2d_transpose
from twinflow.contrib.layers.transposed import convolution3d_transpose as conv3d_transpose
from twinflow.contrib.layers.separable import separable_convolution2d as separable_convolution2d
from twinflow.contrib.layers.separable import convolution2d_in_plane as convolution2d_in_plane
from twinflow.contrib.layers.separable import separable_convolution2d as separable_conv2d
from twinflow.contrib.layers.separable import convolution2d_in_plane as conv2d_in_plane
from twinflow.contrib.layers.pooling import avg_pool2d as avg_pool2d
from twinflow.contrib.layers.pooling import avg_pool3d as avg_pool3d
from twinflow.contrib.layers.pooling import max_pool2d as max_pool2d
from twinflow.contrib.layers.pooling import max_pool3d as max_pool3d
from twinflow.contrib.layers.pooling import pool as pool
from twinflow.contrib.layers.batch_normalization import batch_norm as batch_norm
from twinflow.contrib.layers.normalization import group_norm as group_norm
from twinflow.contrib.layers.normalization import instance_norm as instance_norm
from twinflow.contrib.layers.normalization import layer_norm as layer_norm
from twinflow.contrib.layers.normalization import unit_norm as unit_norm
from twinflow.contrib.layers.simple import bias_add as bias_add
from twinflow.contrib.layers.simple import dropout as dropout
from twinflow.contrib.layers.simple import flatten as flatten
from twinflow.contrib.layers.simple import maxout as maxout
from twinflow.contrib.layers.simple import one_hot_encoding as one_hot_encoding
from twinflow.contrib.layers.simple import repeat as repeat
from twinflow.contrib.layers.simple import softmax as softmax
from twinflow.contrib.layers.simple import spatial_softmax as spatial_softmax
from twinflow.contrib.layers.simple import stack as stack
from twinflow.contrib.layers.simple import dense_to_sparse as dense_to_sparse
from twinflow.contrib.layers.simple import images_to_sequence as images_to_sequence
from twinflow.contrib.layers.simple import sequence_to_images as sequence_to_images
from twinflow.contrib.layers.encoders import bow_encoder as bow_encoder
from twinflow.contrib.layers.encoders import embed_sequence as embed_sequence
from twinflow.contrib.layers.regularizers import apply_regularization as apply_regularization
from twinflow.contrib.layers.regularizers import l1_l2_regularizer as l1_l2_regularizer
from twinflow.contrib.layers.regularizers import l1_regularizer as l1_regularizer
from twinflow.contrib.layers.regularizers import l2_regularizer as l2_regularizer
from twinflow.contrib.layers.regularizers import sum_regularizer as sum_regularizer
from twinflow.contrib.layers.initializers import variance_scaling_initializer as variance_scaling_initializer
from twinflow.contrib.layers.initializers import xavier_initializer as xavier_initializer
from twinflow.contrib.layers.initializers import xavier_initializer as xavier_initializer_conv2d
from twinflow.contrib.layers.optimize import OPTIMIZER_CLS_NAMES as OPTIMIZER_CLS_NAMES
from twinflow.contrib.layers.optimize import OPTIMIZER_SUMMARIES as OPTIMIZER_SUMMARIES
from twinflow.contrib.layers.optimize import optimize_loss as optimize_loss
from twinflow.ops.nn.embedding_sparse import safe_embedding_lookup_sparse as safe_embedding_lookup_sparse

__all__ = [
"recompute_grad", "utils", "fully_connected", "linear", "relu", "relu6", "elu",
"legacy_linear", "legacy_fully_connected", "legacy_relu", "convolution",
"convolution1d", "convolution2d", "convolution3d", "conv1d", "conv2d", "conv3d",
"convolution2d_transpose", "convolution3d_transpose", "conv2d_transpose",
"conv3d_transpose", "separable_convolution2d", "convolution2d_in_plane",
"separable_conv2d", "conv2d_in_plane", "avg_pool2d", "avg_pool3d", "max_pool2d",
"max_pool3d", "pool", "batch_norm", "group_norm", "instance_norm", "layer_norm",
"unit_norm", "bias_add", "dropout", "flatten", "maxout", "one_hot_encoding", "repeat",
"softmax", "spatial_softmax", "stack", "dense_to_sparse", "images_to_sequence",
"sequence_to_images", "bow_encoder", "embed_sequence", "apply_regularization",
"l1_l2_regularizer", "l1_regularizer", "l2_regularizer", "sum_regularizer",
"variance_scaling_initializer", "xavier_initializer", "xavier_initializer_conv2d",
"OPTIMIZER_CLS_NAMES", "OPTIMIZER_SUMMARIES", "optimize_loss",
"safe_embedding_lookup_sparse"
]
