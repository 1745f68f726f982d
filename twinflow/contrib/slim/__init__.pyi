# Made by `make stubs` from the table of the index.
from twinflow.contrib.framework.argument_scopes import add_arg_scope as add_arg_scope
from twinflow.contrib.framework.argument_scopes import arg_scope as arg_scope
from twinflow.contrib.framework.argument_scopes import arg_scope_func_key as arg_scope_func_key
from twinflow.contrib.framework.argument_scopes import arg_scoped_arguments as arg_scoped_arguments
from twinflow.contrib.framework.argument_scopes import current_arg_scope as current_arg_scope
from twinflow.contrib.framework.argument_scopes import has_arg_scope as has_arg_scope
from twinflow.contrib.slim import learning as learning
from twinflow.contrib import losses as losses
from twinflow.contrib import metrics as metrics
from twinflow.contrib.layers import outputs as utils
from twinflow.contrib import layers as layers
from twinflow.contrib.framework.zeros import zero_initializer as zero_initializer
from twinflow.contrib.framework.variables import add_model_variable as add_model_variable
from twinflow.contrib.framework.variables import assert_or_get_global_step as assert_or_get_global_step
from twinflow.contrib.framework.variables import assign_from_values as assign_from_values
from twinflow.contrib.framework.variables import assign_from_values_fn as assign_from_values_fn
from twinflow.contrib.framework.variables import filter_variables as filter_variables
from twinflow.contrib.framework.variables import assign_from_checkpoint as assign_from_checkpoint
from twinflow.contrib.framework.variables import assign_from_checkpoint_fn as assign_from_checkpoint_fn
from twinflow.contrib.framework.variables import get_local_variables as get_local_variables
from twinflow.contrib.framework.variables import get_model_variables as get_model_variables
from twinflow.contrib.framework.variables import get_trainable_variables as get_trainable_variables
from twinflow.contrib.framework.variables import get_unique_variable as get_unique_variable
from twinflow.contrib.framework.variables import get_variable_full_name as get_variable_full_name
from twinflow.contrib.framework.variables import get_variables as get_variables
from twinflow.contrib.framework.variables import get_variables_by_name as get_variables_by_name
from twinflow.contrib.framework.variables import get_variables_by_suffix as get_variables_by_suffix
from twinflow.contrib.framework.variables import get_variables_to_restore as get_variables_to_restore
from twinflow.contrib.framework.variables import global_variable as global_variable
from twinflow.contrib.framework.variables import local_variable as local_variable
from twinflow.contrib.framework import model_variable as model_variable
from twinflow.contrib.framework import variable as variable
from twinflow.train.training_util import assert_global_step as assert_global_step
from twinflow.train.training_util import create_global_step as create_global_step
from twinflow.train.training_util import get_global_step as get_global_step
from twinflow.train.training_util import get_or_create_global_step as get_or_create_global_step
from twinflow.contrib.layers import fully_connected as fully_connected
from twinflow.contrib.layers.dense import linear as linear
from twinflow.contrib.layers.dense import relu as relu
from twinflow.contrib.layers.dense import relu6 as relu6
from twinflow.contrib.layers.dense import elu as elu
from twinflow.contrib.layers import legacy_fully_connected as legacy_fully_connected
from twinflow.contrib.layers.dense import legacy_linear as legacy_linear
from twinflow.contrib.layers.dense import legacy_relu as legacy_relu
from twinflow.contrib.layers import convolution as convolution
from twinflow.contrib.layers import convolution1d as convolution1d
from twinflow.contrib.layers import convolution2d as convolution2d
from twinflow.contrib.layers import convolution3d as convolution3d
from twinflow.contrib.layers import convolution1d as conv1d
from twinflow.contrib.layers import convolution2d as conv2d
from twinflow.contrib.layers import convolution3d as conv3d
from twinflow.contrib.layers import convolution2d_transpose as convolution2d_transpose
from twinflow.contrib.layers import convolution3d_transpose as convolution3d_transpose
from twinflow.contrib.layers import convolution2d_transpose as conv2d_transpose
from twinflow.contrib.layers import convolution3d_transpose as conv3d_transpose
from twinflow.contrib.layers import separable_convolution2d as separable_convolution2d
from twinflow.contrib.layers import convolution2d_in_plane as convolution2d_in_plane
from twinflow.contrib.layers import separable_convolution2d as separable_conv2d
from twinflow.contrib.layers import convolution2d_in_plane as conv2d_in_plane
from twinflow.contrib.layers import avg_pool2d as avg_pool2d
from twinflow.contrib.layers import avg_pool3d as avg_pool3d
from twinflow.contrib.layers import max_pool2d as max_pool2d
from twinflow.contrib.layers import max_pool3d as max_pool3d
from twinflow.contrib.layers import pool as pool
from twinflow.contrib.layers import batch_norm as batch_norm
from twinflow.contrib.layers import group_norm as group_norm
from twinflow.contrib.layers import instance_norm as instance_norm
from twinflow.contrib.layers import layer_norm as layer_norm
from twinflow.contrib.layers.normalization import unit_norm as unit_norm
from twinflow.contrib.layers import bias_add as bias_add
from twinflow.contrib.layers import dropout as dropout
from twinflow.contrib.layers import flatten as flatten
from twinflow.contrib.layers import maxout as maxout
from twinflow.contrib.layers import one_hot_encoding as one_hot_encoding
from twinflow.contrib.layers.simple import repeat as repeat
from twinflow.contrib.layers import softmax as softmax
from twinflow.contrib.layers import spatial_softmax as spatial_softmax
from twinflow.contrib.layers.simple import stack as stack
from twinflow.contrib.layers import dense_to_sparse as dense_to_sparse
from twinflow.contrib.layers import images_to_sequence as images_to_sequence
from twinflow.contrib.layers import sequence_to_images as sequence_to_images
from twinflow.contrib.layers import bow_encoder as bow_encoder
from twinflow.contrib.layers.encoders import embed_sequence as embed_sequence
from twinflow.contrib.layers.regularizers import apply_regularization as apply_regularization
from twinflow.contrib.layers.regularizers import l1_l2_regularizer as l1_l2_regularizer
from twinflow.contrib.layers.regularizers import l1_regularizer as l1_regularizer
from twinflow.contrib.layers.regularizers import l2_regularizer as l2_regularizer
from twinflow.contrib.layers.regularizers import sum_regularizer as sum_regularizer
from twinflow.contrib.layers.initializers import variance_scaling_initializer as variance_scaling_initializer
from twinflow.contrib.layers.initializers import xavier_initializer as xavier_initializer
from twinflow.contrib.layers.initializers import xavier_initializer as xavier_initializer_conv2d
from twinflow.contrib.layers.optimize import optimize_loss as optimize_loss
from twinflow.ops.sparse.cross import SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY as SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY
from twinflow.ops.sparse.cross import sparse_feature_cross as sparse_feature_cross
from twinflow.contrib.layers.bucketization import bucketize as bucketize
from twinflow.feature_column.layers import InputLayer as InputLayer
from twinflow.contrib.layers.divisive import GDN as GDN
from twinflow.contrib.layers import gdn as gdn
from twinflow.contrib.layers.optimize import OPTIMIZER_CLS_NAMES as OPTIMIZER_CLS_NAMES
from twinflow.contrib.layers.optimize import OPTIMIZER_SUMMARIES as OPTIMIZER_SUMMARIES
from twinflow.contrib.layers.clipping import adaptive_clipping_fn as adaptive_clipping_fn
from twinflow.contrib.layers.reversible import RevBlock as RevBlock
from twinflow.contrib.layers.reversible import recompute_grad as recompute_grad
from twinflow.contrib.layers.reversible import rev_block as rev_block
from twinflow.contrib.layers.reversible import scale_gradient as scale_gradient
from twinflow.contrib.layers.column_makers import bucketized_column as bucketized_column
from twinflow.contrib.layers.column_makers import create_feature_spec_for_parsing as create_feature_spec_for_parsing
from twinflow.contrib.layers.column_makers import crossed_column as crossed_column
from twinflow.contrib.layers.column_makers import embedding_column as embedding_column
from twinflow.contrib.layers.column_makers import make_place_holder_tensors_for_base_features as make_place_holder_tensors_for_base_features
from twinflow.contrib.layers.column_makers import one_hot_column as one_hot_column
from twinflow.contrib.layers.column_makers import real_valued_column as real_valued_column
from twinflow.contrib.layers.column_makers import scattered_embedding_column as scattered_embedding_column
from twinflow.contrib.layers.column_makers import shared_embedding_columns as shared_embedding_columns
from twinflow.contrib.layers.column_makers import sparse_column_with_hash_bucket as sparse_column_with_hash_bucket
from twinflow.contrib.layers.column_makers import sparse_column_with_integerized_feature as sparse_column_with_integerized_feature
from twinflow.contrib.layers.column_makers import sparse_column_with_keys as sparse_column_with_keys
from twinflow.contrib.layers.column_makers import sparse_column_with_vocabulary_file as sparse_column_with_vocabulary_file
from twinflow.contrib.layers.column_makers import weighted_sparse_column as weighted_sparse_column
from twinflow.contrib.layers.column_layers import check_feature_columns as check_feature_columns
from twinflow.contrib.layers.column_layers import infer_real_valued_columns as infer_real_valued_columns
from twinflow.contrib.layers.column_layers import input_from_feature_columns as input_from_feature_columns
from twinflow.contrib.layers.column_layers import parse_feature_columns_from_examples as parse_feature_columns_from_examples
from twinflow.contrib.layers.column_layers import parse_feature_columns_from_sequence_examples as parse_feature_columns_from_sequence_examples
from twinflow.contrib.layers.column_layers import sequence_input_from_feature_columns as sequence_input_from_feature_columns
from twinflow.contrib.layers.column_layers import transform_features as transform_features
from twinflow.contrib.layers.embedding_ops import embedding_lookup_sparse_with_distributed_aggregation as embedding_lookup_sparse_with_distributed_aggregation
from twinflow.contrib.layers.embedding_ops import embedding_lookup_unique as embedding_lookup_unique
from twinflow.contrib.layers.embedding_ops import scattered_embedding_lookup as scattered_embedding_lookup
from twinflow.contrib.layers.embedding_ops import scattered_embedding_lookup_sparse as scattered_embedding_lookup_sparse
from twinflow.contrib.layers.column_linear import joint_weighted_sum_from_feature_columns as joint_weighted_sum_from_feature_columns
from twinflow.contrib.layers.column_linear import weighted_sum_from_feature_columns as weighted_sum_from_feature_columns
from twinflow.contrib.layers.target_column import ProblemType as ProblemType
from twinflow.contrib.layers.target_column import binary_svm_target as binary_svm_target
from twinflow.contrib.layers.target_column import get_default_binary_metrics_for_eval as get_default_binary_metrics_for_eval
from twinflow.contrib.layers.target_column import multi_class_target as multi_class_target
from twinflow.contrib.layers.target_column import regression_target as regression_target
from twinflow.ops.nn.embedding_sparse import safe_embedding_lookup_sparse as safe_embedding_lookup_sparse
from twinflow.contrib.layers.summaries import summarize_activation as summarize_activation
from twinflow.contrib.layers.summaries import summarize_activations as summarize_activations
from twinflow.contrib.layers.summaries import summarize_biases as summarize_biases
from twinflow.contrib.layers.summaries import summarize_collection as summarize_collection
from twinflow.contrib.layers.summaries import summarize_tensor as summarize_tensor
from twinflow.contrib.layers.summaries import summarize_tensors as summarize_tensors
from twinflow.contrib.layers.summaries import summarize_variables as summarize_variables
from twinflow.contrib.layers.summaries import summarize_weights as summarize_weights
from twinflow.contrib.framework.placing import VariableDeviceChooser as VariableDeviceChooser
from twinflow.compat.door.deprecation import deprecated as deprecated
from twinflow.compat.door.deprecation import deprecated_arg_values as deprecated_arg_values
from twinflow.contrib.slim import nets as nets
from twinflow.contrib.slim.data import data_decoder as data_decoder
from twinflow.contrib.slim.data import data_provider as data_provider
from twinflow.contrib.slim.data import dataset as dataset
from twinflow.contrib.slim.data import dataset_data_provider as dataset_data_provider
from twinflow.contrib.slim.data import parallel_reader as parallel_reader
from twinflow.contrib.slim.data import prefetch_queue as prefetch_queue
from twinflow.contrib.slim.data import tfexample_decoder as tfexample_decoder
from twinflow.contrib.slim import evaluation as evaluation
from twinflow.contrib.slim import model_analyzer as model_analyzer
from twinflow.contrib.slim import queues as queues
from twinflow.contrib.slim import summaries as summaries

__all__ = [
"add_arg_scope", "arg_scope", "arg_scope_func_key", "arg_scoped_arguments",
"current_arg_scope", "has_arg_scope", "learning", "losses", "metrics", "utils",
"layers", "zero_initializer", "add_model_variable", "assert_or_get_global_step",
"assign_from_values", "assign_from_values_fn", "filter_variables",
"assign_from_checkpoint", "assign_from_checkpoint_fn", "get_local_variables",
"get_model_variables", "get_trainable_variables", "get_unique_variable",
"get_variable_full_name", "get_variables", "get_variables_by_name",
"get_variables_by_suffix", "get_variables_to_restore", "global_variable",
"local_variable", "model_variable", "variable", "assert_global_step",
"create_global_step", "get_global_step", "get_or_create_global_step", "fully_connected",
"linear", "relu", "relu6", "elu", "legacy_fully_connected", "legacy_linear",
"legacy_relu", "convolution", "convolution1d", "convolution2d", "convolution3d",
"conv1d", "conv2d", "conv3d", "convolution2d_transpose", "convolution3d_transpose",
"conv2d_transpose", "conv3d_transpose", "separable_convolution2d",
"convolution2d_in_plane", "separable_conv2d", "conv2d_in_plane", "avg_pool2d",
"avg_pool3d", "max_pool2d", "max_pool3d", "pool", "batch_norm", "group_norm",
"instance_norm", "layer_norm", "unit_norm", "bias_add", "dropout", "flatten", "maxout",
"one_hot_encoding", "repeat", "softmax", "spatial_softmax", "stack", "dense_to_sparse",
"images_to_sequence", "sequence_to_images", "bow_encoder", "embed_sequence",
"apply_regularization", "l1_l2_regularizer", "l1_regularizer", "l2_regularizer",
"sum_regularizer", "variance_scaling_initializer", "xavier_initializer",
"xavier_initializer_conv2d", "optimize_loss", "SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY",
"sparse_feature_cross", "bucketize", "InputLayer", "GDN", "gdn", "OPTIMIZER_CLS_NAMES",
"OPTIMIZER_SUMMARIES", "adaptive_clipping_fn", "RevBlock", "recompute_grad",
"rev_block", "scale_gradient", "bucketized_column", "create_feature_spec_for_parsing",
"crossed_column", "embedding_column", "make_place_holder_tensors_for_base_features",
"one_hot_column", "real_valued_column", "scattered_embedding_column",
"shared_embedding_columns", "sparse_column_with_hash_bucket",
"sparse_column_with_integerized_feature", "sparse_column_with_keys",
"sparse_column_with_vocabulary_file", "weighted_sparse_column", "check_feature_columns",
"infer_real_valued_columns", "input_from_feature_columns",
"parse_feature_columns_from_examples", "parse_feature_columns_from_sequence_examples",
"sequence_input_from_feature_columns", "transform_features",
"embedding_lookup_sparse_with_distributed_aggregation", "embedding_lookup_unique",
"scattered_embedding_lookup", "scattered_embedding_lookup_sparse",
"joint_weighted_sum_from_feature_columns", "weighted_sum_from_feature_columns",
"ProblemType", "binary_svm_target", "get_default_binary_metrics_for_eval",
"multi_class_target", "regression_target", "safe_embedding_lookup_sparse",
"summarize_activation", "summarize_activations", "summarize_biases",
"summarize_collection", "summarize_tensor", "summarize_tensors", "summarize_variables",
"summarize_weights", "VariableDeviceChooser", "deprecated", "deprecated_arg_values",
"nets", "data_decoder", "data_provider", "dataset", "dataset_data_provider",
"parallel_reader", "prefetch_queue", "tfexample_decoder", "evaluation",
"model_analyzer", "queues", "summaries"
]
