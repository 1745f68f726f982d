# Made by `make stubs` from the table of the index.
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.keras.backend.defaults import floatx as floatx
from twinflow.keras.backend.defaults import set_floatx as set_floatx
from twinflow.keras.backend.defaults import epsilon as epsilon
from twinflow.keras.backend.defaults import set_epsilon as set_epsilon
from twinflow.keras.backend.defaults import image_data_format as image_data_format
from twinflow.keras.backend.defaults import set_image_data_format as set_image_data_format
from twinflow.keras.backend.defaults import get_uid as get_uid
from twinflow.keras.backend.defaults import reset_uids as reset_uids
from twinflow.keras.backend.defaults import clear_session as clear_session
from twinflow.keras.backend.defaults import learning_phase as learning_phase
from twinflow.keras.backend.defaults import set_learning_phase as set_learning_phase
from twinflow.keras.backend.defaults import cast_to_floatx as cast_to_floatx
from twinflow.keras.backend.defaults import snake_case as snake_case
from twinflow.keras.backend.defaults import unique_name as unique_name
from twinflow.keras.backend.sessions import get_session as get_session
from twinflow.keras.backend.sessions import set_session as set_session
from twinflow.keras.backend.sessions import get_value as get_value
from twinflow.keras.backend.sessions import set_value as set_value
from twinflow.keras.backend.sessions import eval as eval
from twinflow.keras.backend.sessions import batch_get_value as batch_get_value
from twinflow.keras.backend.sessions import batch_set_value as batch_set_value
from twinflow.keras.backend.sessions import function as function
from twinflow.keras.backend.sessions import manual_variable_initialization as manual_variable_initialization
from twinflow.keras.activations import relu as relu
from twinflow.keras.activations import elu as elu
from twinflow.keras.activations import softplus as softplus
from twinflow.keras.activations import softsign as softsign
from twinflow.keras.activations import sigmoid as sigmoid
from twinflow.keras.activations import hard_sigmoid as hard_sigmoid
from twinflow.keras.activations import tanh as tanh
from twinflow.keras.backend.nn import softmax as softmax
from twinflow.keras.backend.nn import dropout as dropout
from twinflow.keras.backend.nn import l2_normalize as l2_normalize
from twinflow.keras.backend.nn import in_top_k as in_top_k
from twinflow.keras.backend.nn import bias_add as bias_add
from twinflow.keras.backend.nn import batch_normalization as batch_normalization
from twinflow.keras.backend.nn import normalize_batch_in_training as normalize_batch_in_training
from twinflow.keras.backend.nn import moving_average_update as moving_average_update
from twinflow.keras.backend.nn import binary_crossentropy as binary_crossentropy
from twinflow.keras.backend.nn import categorical_crossentropy as categorical_crossentropy
from twinflow.keras.backend.nn import sparse_categorical_crossentropy as sparse_categorical_crossentropy
from twinflow.keras.backend.convolutions import conv1d as conv1d
from twinflow.keras.backend.convolutions import conv2d as conv2d
from twinflow.keras.backend.convolutions import conv3d as conv3d
from twinflow.keras.backend.convolutions import conv2d_transpose as conv2d_transpose
from twinflow.keras.backend.convolutions import separable_conv2d as separable_conv2d
from twinflow.keras.backend.convolutions import pool2d as pool2d
from twinflow.keras.backend.convolutions import pool3d as pool3d
from twinflow.keras.backend.convolutions import spatial_2d_padding as spatial_2d_padding
from twinflow.keras.backend.convolutions import spatial_3d_padding as spatial_3d_padding
from twinflow.keras.backend.convolutions import temporal_padding as temporal_padding
from twinflow.keras.backend.convolutions import resize_images as resize_images
from twinflow.keras.backend.convolutions import resize_volumes as resize_volumes
from twinflow.keras.layers.unrolling import rnn as rnn
from twinflow.keras.backend.batch_products import batch_dot as batch_dot
from twinflow.keras.backend.variables import variable as variable
from twinflow.keras.backend.variables import placeholder as placeholder
from twinflow.keras.backend.variables import constant as constant
from twinflow.keras.backend.variables import zeros as zeros
from twinflow.keras.backend.variables import ones as ones
from twinflow.keras.backend.variables import eye as eye
from twinflow.keras.backend.variables import zeros_like as zeros_like
from twinflow.keras.backend.variables import ones_like as ones_like
from twinflow.keras.backend.variables import is_sparse as is_sparse
from twinflow.keras.backend.variables import to_dense as to_dense
from twinflow.keras.backend.variables import random_uniform_variable as random_uniform_variable
from twinflow.keras.backend.variables import random_normal_variable as random_normal_variable
from twinflow.keras.backend.variables import random_uniform as random_uniform
from twinflow.keras.backend.variables import random_normal as random_normal
from twinflow.keras.backend.variables import truncated_normal as truncated_normal
from twinflow.keras.backend.variables import random_binomial as random_binomial
from twinflow.keras.backend.variables import update as update
from twinflow.keras.backend.variables import update_add as update_add
from twinflow.keras.backend.variables import update_sub as update_sub
from twinflow.keras.backend.variables import count_params as count_params
from twinflow.keras.backend.variables import int_shape as int_shape
from twinflow.keras.backend.variables import ndim as ndim
from twinflow.keras.backend.variables import dtype as dtype
from twinflow.keras.backend.variables import is_keras_tensor as is_keras_tensor
from twinflow.keras.backend.variables import gradients as gradients
from twinflow.keras.backend.variables import stop_gradient as stop_gradient
from twinflow.keras.backend.variables import name_scope as name_scope
from twinflow.keras.backend.variables import backend as backend
from twinflow.keras.backend.arrays import reshape as reshape
from twinflow.keras.backend.arrays import permute_dimensions as permute_dimensions
from twinflow.keras.backend.arrays import transpose as transpose
from twinflow.keras.backend.arrays import expand_dims as expand_dims
from twinflow.keras.backend.arrays import squeeze as squeeze
from twinflow.keras.backend.arrays import flatten as flatten
from twinflow.keras.backend.arrays import batch_flatten as batch_flatten
from twinflow.keras.backend.arrays import concatenate as concatenate
from twinflow.keras.backend.arrays import stack as stack
from twinflow.keras.backend.arrays import repeat as repeat
from twinflow.keras.backend.arrays import repeat_elements as repeat_elements
from twinflow.keras.backend.arrays import reverse as reverse
from twinflow.keras.backend.arrays import gather as gather
from twinflow.keras.backend.arrays import one_hot as one_hot
from twinflow.keras.backend.arrays import cast as cast
from twinflow.keras.backend.arrays import shape as shape
from twinflow.keras.backend.arrays import arange as arange
from twinflow.keras.backend.arrays import tile as tile
def abs(x: TensorValue, name: str | None = None) -> Tensor:
    r"""|x|, float where x is complex, elementwise.

    Args:
        x: numeric tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
from twinflow.keras.backend.math import all as all
from twinflow.keras.backend.math import any as any
from twinflow.keras.backend.math import argmax as argmax
from twinflow.keras.backend.math import argmin as argmin
from twinflow.keras.backend.math import clip as clip
def cos(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The cosine of x radians, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
from twinflow.keras.backend.math import dot as dot
def equal(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x == y, elementwise with broadcasting.

    Args:
        x, y: numeric tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.equal([1, 2], [2, 2])  # [False, True]
    """
def exp(x: TensorValue, name: str | None = None) -> Tensor:
    r"""e to the power x, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def greater(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x > y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.greater([1, 2], [2, 2])  # [False, False]
    """
def greater_equal(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x >= y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.greater_equal([1, 2], [2, 2])  # [False, True]
    """
def less(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x < y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.less([1, 2], [2, 2])  # [True, False]
    """
def less_equal(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x <= y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.less_equal([1, 2], [2, 2])  # [True, True]
    """
def log(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The natural logarithm of x, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
from twinflow.keras.backend.math import logsumexp as logsumexp
from twinflow.keras.backend.math import max as max
def maximum(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""The larger of x and y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
from twinflow.keras.backend.math import mean as mean
from twinflow.keras.backend.math import min as min
def minimum(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""The smaller of x and y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def not_equal(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x != y, elementwise with broadcasting.

    Args:
        x, y: numeric tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.not_equal([1, 2], [2, 2])  # [True, False]
    """
from twinflow.keras.backend.math import pow as pow
from twinflow.keras.backend.math import prod as prod
from twinflow.keras.backend.math import round as round
def sign(x: TensorValue, name: str | None = None) -> Tensor:
    r"""-1, 0 or 1: the sign of x; x / |x| if complex, elementwise.

    Args:
        x: numeric tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def sin(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The sine of x radians, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
from twinflow.keras.backend.math import sqrt as sqrt
def square(x: TensorValue, name: str | None = None) -> Tensor:
    r"""x * x, elementwise.

    Args:
        x: numeric tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
from twinflow.keras.backend.math import std as std
from twinflow.keras.backend.math import sum as sum
from twinflow.keras.backend.math import var as var
from twinflow.keras.backend.math import cumsum as cumsum
from twinflow.keras.backend.math import cumprod as cumprod
from twinflow.keras.backend.control_flow import switch as switch
from twinflow.keras.backend.control_flow import in_train_phase as in_train_phase
from twinflow.keras.backend.control_flow import in_test_phase as in_test_phase
from twinflow.keras.backend.control_flow import map_fn as map_fn
from twinflow.keras.backend.control_flow import foldl as foldl
from twinflow.keras.backend.control_flow import foldr as foldr
from twinflow.keras.backend.control_flow import print_tensor as print_tensor
from twinflow.keras.backend.control_flow import ctc_decode as ctc_decode
from twinflow.keras.backend.control_flow import ctc_batch_cost as ctc_batch_cost
from twinflow.keras.backend.control_flow import ctc_label_dense_to_sparse as ctc_label_dense_to_sparse

__all__ = [
"floatx", "set_floatx", "epsilon", "set_epsilon", "image_data_format",
"set_image_data_format", "get_uid", "reset_uids", "clear_session", "learning_phase",
"set_learning_phase", "cast_to_floatx", "snake_case", "unique_name", "get_session",
"set_session", "get_value", "set_value", "eval", "batch_get_value", "batch_set_value",
"function", "manual_variable_initialization", "relu", "elu", "softplus", "softsign",
"sigmoid", "hard_sigmoid", "tanh", "softmax", "dropout", "l2_normalize", "in_top_k",
"bias_add", "batch_normalization", "normalize_batch_in_training",
"moving_average_update", "binary_crossentropy", "categorical_crossentropy",
"sparse_categorical_crossentropy", "conv1d", "conv2d", "conv3d", "conv2d_transpose",
"separable_conv2d", "pool2d", "pool3d", "spatial_2d_padding", "spatial_3d_padding",
"temporal_padding", "resize_images", "resize_volumes", "rnn", "batch_dot", "variable",
"placeholder", "constant", "zeros", "ones", "eye", "zeros_like", "ones_like",
"is_sparse", "to_dense", "random_uniform_variable", "random_normal_variable",
"random_uniform", "random_normal", "truncated_normal", "random_binomial", "update",
"update_add", "update_sub", "count_params", "int_shape", "ndim", "dtype",
"is_keras_tensor", "gradients", "stop_gradient", "name_scope", "backend", "reshape",
"permute_dimensions", "transpose", "expand_dims", "squeeze", "flatten", "batch_flatten",
"concatenate", "stack", "repeat", "repeat_elements", "reverse", "gather", "one_hot",
"cast", "shape", "arange", "tile", "abs", "all", "any", "argmax", "argmin", "clip",
"cos", "dot", "equal", "exp", "greater", "greater_equal", "less", "less_equal", "log",
"logsumexp", "max", "maximum", "mean", "min", "minimum", "not_equal", "pow", "prod",
"round", "sign", "sin", "sqrt", "square", "std", "sum", "var", "cumsum", "cumprod",
"switch", "in_train_phase", "in_test_phase", "map_fn", "foldl", "foldr", "print_tensor",
"ctc_decode", "ctc_batch_cost", "ctc_label_dense_to_sparse"
]
