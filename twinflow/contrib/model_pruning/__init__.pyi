# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.contrib.model_pruning.layers import MaskedBasicLSTMCell as MaskedBasicLSTMCell
from twinflow.contrib.model_pruning.layers import MaskedLSTMCell as MaskedLSTMCell
def masked_conv2d(inputs: Any, num_outputs: Any, kernel_size: Any, stride: Any = ..., padding: str = ..., data_format: Any = ..., rate: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: bool = ..., scope: Any = ...) -> Any:
    r"""tf.contrib.layers.conv2d, whose weights have a mask.

    Args:
        all: see tf.contrib.layers.convolution.
    Raises:
        ValueError: the input is no batch of images, or data_format is unknown.
    Example:
        y = tf.contrib.model_pruning.masked_conv2d(tf.ones([1, 8, 8, 3]), 4, [3, 3])
        y  # float32[1, 8, 8, 4]
    """
def masked_convolution(inputs: Any, num_outputs: Any, kernel_size: Any, stride: Any = ..., padding: str = ..., data_format: Any = ..., rate: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: bool = ..., scope: Any = ...) -> Any:
    r"""tf.contrib.layers.conv2d, whose weights have a mask.

    Args:
        all: see tf.contrib.layers.convolution.
    Raises:
        ValueError: the input is no batch of images, or data_format is unknown.
    Example:
        y = tf.contrib.model_pruning.masked_conv2d(tf.ones([1, 8, 8, 3]), 4, [3, 3])
        y  # float32[1, 8, 8, 4]
    """
def masked_fully_connected(inputs: Any, num_outputs: int, activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: bool = ..., scope: Any = ...) -> Any:
    r"""tf.contrib.layers.fully_connected, whose weights have a mask.

    Args:
        all: see tf.contrib.layers.fully_connected.
    Raises:
        ValueError: num_outputs is no int.
    """
from twinflow.contrib.model_pruning.learning import train as train
from twinflow.contrib.model_pruning.masks import apply_mask as apply_mask
from twinflow.contrib.model_pruning.masks import get_masked_weights as get_masked_weights
from twinflow.contrib.model_pruning.masks import get_masks as get_masks
from twinflow.contrib.model_pruning.masks import get_thresholds as get_thresholds
from twinflow.contrib.model_pruning.masks import get_weight_sparsity as get_weight_sparsity
from twinflow.contrib.model_pruning.masks import get_weights as get_weights
from twinflow.contrib.model_pruning.pruning import Pruning as Pruning
from twinflow.contrib.model_pruning.pruning import get_pruning_hparams as get_pruning_hparams
from twinflow.contrib.model_pruning.stripping import graph_def_from_checkpoint as graph_def_from_checkpoint
from twinflow.contrib.model_pruning.stripping import strip_pruning_vars_fn as strip_pruning_vars_fn

__all__ = [
"MaskedBasicLSTMCell", "MaskedLSTMCell", "masked_conv2d", "masked_convolution",
"masked_fully_connected", "train", "apply_mask", "get_masked_weights", "get_masks",
"get_thresholds", "get_weight_sparsity", "get_weights", "Pruning",
"get_pruning_hparams", "graph_def_from_checkpoint", "strip_pruning_vars_fn"
]
