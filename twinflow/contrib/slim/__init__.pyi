# Made by `make stubs` from the table of the index.
from typing import Any
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
def model_variable(name: Any, *args: Any, collections: Any = ..., **kwargs: Any) -> Any:
    r"""As `variable`, noted as one of a model.
    """
def variable(name: Any, shape: Any = ..., dtype: Any = ..., initializer: Any = ..., regularizer: Any = ..., trainable: bool = ..., collections: Any = ..., caching_device: Any = ..., device: Any = ..., partitioner: Any = ..., custom_getter: Any = ..., use_resource: Any = ..., synchronization: Any = ..., aggregation: Any = ...) -> Any:
    r"""As tf.get_variable; `device` is accepted.

    Args:
        collections: those of the variable; the global ones if not given.
    """
from twinflow.train.training_util import assert_global_step as assert_global_step
from twinflow.train.training_util import create_global_step as create_global_step
from twinflow.train.training_util import get_global_step as get_global_step
from twinflow.train.training_util import get_or_create_global_step as get_or_create_global_step
def fully_connected(inputs: Any, num_outputs: Any, activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: bool = ..., scope: Any = ...) -> Any:
    r"""activation_fn(inputs @ weights + biases), along the last axis.

    Args:
        inputs: float[..., size]. num_outputs: an int.
        activation_fn: a function of a tensor; None = none.
        normalizer_fn: a function used in place of the biases, with `normalizer_params`.
        weights_*, biases_*: initializer and regularizer; without an initializer there
            are no biases.
        reuse, scope: see tf.variable_scope; the scope is "fully_connected" by default.
        variables_collections: collections for the variables: a list, or a dict of
            lists by their names. outputs_collections: those for the output.
        trainable: whether the variables are trained.
    Raises:
        ValueError: num_outputs is no int, or the size of the last axis is not known.
    Example:
        x = tf.placeholder(tf.float32, [None, 4])
        y = tf.contrib.layers.fully_connected(x, 10, activation_fn=tf.nn.tanh)
        y.shape.as_list()  # [None, 10]
    """
from twinflow.contrib.layers.dense import linear as linear
from twinflow.contrib.layers.dense import relu as relu
from twinflow.contrib.layers.dense import relu6 as relu6
from twinflow.contrib.layers.dense import elu as elu
def legacy_fully_connected(x: Any, num_output_units: Any, activation_fn: Any = ..., weight_init: Any = ..., bias_init: Any = ..., name: str | None = ..., weight_collections: Any = ..., bias_collections: Any = ..., output_collections: Any = ..., trainable: bool = ..., weight_regularizer: Any = ..., bias_regularizer: Any = ...) -> Any:
    r"""activation_fn(x @ weights + bias), with variables of the names of its time.

    Args:
        x: float[..., size]. num_output_units: an int.
        activation_fn: a function of a tensor; None = none.
        weight_init, bias_init: initializers; without the latter there is no bias.
        name: of the variable scope, "fully_connected" by default.
        weight_collections, bias_collections, output_collections: names of collections.
        trainable: whether the variables are trained.
        weight_regularizer, bias_regularizer: functions of a variable, or None.
    Raises:
        ValueError: x has less than two axes, or the size of the last is not known.
    """
from twinflow.contrib.layers.dense import legacy_linear as legacy_linear
from twinflow.contrib.layers.dense import legacy_relu as legacy_relu
def convolution(inputs: Any, num_outputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., data_format: Any = ..., rate: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: bool = ..., scope: Any = ..., conv_dims: Any = ...) -> Any:
    r"""activation_fn(inputs * weights + biases) along 1, 2 or 3 axes.

    Args:
        inputs: float[batch, spatial..., channels] (channels second for "NC...").
        num_outputs: the number of output channels.
        kernel_size, stride, rate: an int, or one an axis; rate = how far apart the
            entries of a filter are.
        padding: "SAME" or "VALID". data_format: "NHWC", "NCHW", and so on.
        conv_dims: the number of axes to convolve along, if it is fixed.
        The rest: see fully_connected; the scope is "Conv" by default.
    Raises:
        ValueError: data_format is unknown, or the rank of the input does not fit.
    Example:
        images = tf.placeholder(tf.float32, [None, 8, 8, 3])
        y = tf.contrib.layers.conv2d(images, 16, [3, 3], stride=2)
        y.shape.as_list()  # [None, 4, 4, 16]
    """
def convolution1d(inputs: Any, num_outputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., data_format: Any = ..., rate: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: Any = ..., scope: Any = ...) -> Any:
    r"""`convolution` of inputs with 1 spatial axes.
    """
def convolution2d(inputs: Any, num_outputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., data_format: Any = ..., rate: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: Any = ..., scope: Any = ...) -> Any:
    r"""`convolution` of inputs with 2 spatial axes.
    """
def convolution3d(inputs: Any, num_outputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., data_format: Any = ..., rate: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: Any = ..., scope: Any = ...) -> Any:
    r"""`convolution` of inputs with 3 spatial axes.
    """
def conv1d(inputs: Any, num_outputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., data_format: Any = ..., rate: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: Any = ..., scope: Any = ...) -> Any:
    r"""`convolution` of inputs with 1 spatial axes.
    """
def conv2d(inputs: Any, num_outputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., data_format: Any = ..., rate: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: Any = ..., scope: Any = ...) -> Any:
    r"""`convolution` of inputs with 2 spatial axes.
    """
def conv3d(inputs: Any, num_outputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., data_format: Any = ..., rate: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: Any = ..., scope: Any = ...) -> Any:
    r"""`convolution` of inputs with 3 spatial axes.
    """
def convolution2d_transpose(inputs: Any, num_outputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., data_format: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: Any = ..., scope: Any = ...) -> Any:
    r"""The transpose of convolution2d, which enlarges its inputs.

    Args: see convolution and fully_connected; the scope is "Conv2d_transpose" by default.
    """
def convolution3d_transpose(inputs: Any, num_outputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., data_format: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: Any = ..., scope: Any = ...) -> Any:
    r"""The transpose of convolution3d, which enlarges its inputs.

    Args: see convolution and fully_connected; the scope is "Conv3d_transpose" by default.
    """
def conv2d_transpose(inputs: Any, num_outputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., data_format: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: Any = ..., scope: Any = ...) -> Any:
    r"""The transpose of convolution2d, which enlarges its inputs.

    Args: see convolution and fully_connected; the scope is "Conv2d_transpose" by default.
    """
def conv3d_transpose(inputs: Any, num_outputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., data_format: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: Any = ..., scope: Any = ...) -> Any:
    r"""The transpose of convolution3d, which enlarges its inputs.

    Args: see convolution and fully_connected; the scope is "Conv3d_transpose" by default.
    """
def separable_convolution2d(inputs: Any, num_outputs: Any, kernel_size: Any, depth_multiplier: Any = ..., stride: Any = ..., padding: Any = ..., data_format: Any = ..., rate: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., pointwise_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: bool = ..., scope: Any = ...) -> Any:
    r"""A convolution of each channel, and a mixing of channels at each place.

    Args:
        num_outputs: the number of output channels; None = no mixing.
        depth_multiplier: how many filters each channel has.
        pointwise_initializer: that of the mixing; weights_initializer if not given.
        The rest: see convolution; the scope is "SeparableConv2d" by default.
    Raises:
        ValueError: data_format is unknown.
    """
def convolution2d_in_plane(inputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: bool = ..., scope: Any = ...) -> Any:
    r"""One filter for all channels, each of which stays by itself.

    Args: see convolution; the scope is "ConvInPlane" by default.
    """
def separable_conv2d(inputs: Any, num_outputs: Any, kernel_size: Any, depth_multiplier: Any = ..., stride: Any = ..., padding: Any = ..., data_format: Any = ..., rate: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., pointwise_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: bool = ..., scope: Any = ...) -> Any:
    r"""A convolution of each channel, and a mixing of channels at each place.

    Args:
        num_outputs: the number of output channels; None = no mixing.
        depth_multiplier: how many filters each channel has.
        pointwise_initializer: that of the mixing; weights_initializer if not given.
        The rest: see convolution; the scope is "SeparableConv2d" by default.
    Raises:
        ValueError: data_format is unknown.
    """
def conv2d_in_plane(inputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., activation_fn: Any = ..., normalizer_fn: Any = ..., normalizer_params: Any = ..., weights_initializer: Any = ..., weights_regularizer: Any = ..., biases_initializer: Any = ..., biases_regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: bool = ..., scope: Any = ...) -> Any:
    r"""One filter for all channels, each of which stays by itself.

    Args: see convolution; the scope is "ConvInPlane" by default.
    """
def avg_pool2d(inputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., data_format: Any = ..., outputs_collections: Any = ..., scope: Any = ...) -> Any:
    r"""The mean of each window.

    Args:
        inputs: float[batch, spatial..., channels].
        kernel_size, stride: an int, or one an axis.
        padding: "SAME" or "VALID". outputs_collections: see fully_connected.
        scope: a name; "AvgPool2D" by default.
    """
def avg_pool3d(inputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., data_format: Any = ..., outputs_collections: Any = ..., scope: Any = ...) -> Any:
    r"""The mean of each window.

    Args:
        inputs: float[batch, spatial..., channels].
        kernel_size, stride: an int, or one an axis.
        padding: "SAME" or "VALID". outputs_collections: see fully_connected.
        scope: a name; "AvgPool3D" by default.
    """
def max_pool2d(inputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., data_format: Any = ..., outputs_collections: Any = ..., scope: Any = ...) -> Any:
    r"""The largest entry of each window.

    Args:
        inputs: float[batch, spatial..., channels].
        kernel_size, stride: an int, or one an axis.
        padding: "SAME" or "VALID". outputs_collections: see fully_connected.
        scope: a name; "MaxPool2D" by default.
    """
def max_pool3d(inputs: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., data_format: Any = ..., outputs_collections: Any = ..., scope: Any = ...) -> Any:
    r"""The largest entry of each window.

    Args:
        inputs: float[batch, spatial..., channels].
        kernel_size, stride: an int, or one an axis.
        padding: "SAME" or "VALID". outputs_collections: see fully_connected.
        scope: a name; "MaxPool3D" by default.
    """
def pool(inputs: Any, kernel_size: Any, pooling_type: Any, padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., stride: Any = ..., outputs_collections: Any = ..., scope: Any = ...) -> Any:
    r"""tf.nn.pool, with an int or one an axis for sizes.

    Args: see tf.nn.pool.
    Raises:
        ValueError: the rank of the inputs is not known.
    """
def batch_norm(inputs: Any, decay: Any = ..., center: bool = ..., scale: bool = ..., epsilon: Any = ..., activation_fn: Any = ..., param_initializers: Any = ..., param_regularizers: Any = ..., updates_collections: Any = ..., is_training: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: bool = ..., batch_weights: Any = ..., fused: Any = ..., data_format: Any = ..., zero_debias_moving_mean: bool = ..., scope: Any = ..., renorm: bool = ..., renorm_clipping: Any = ..., renorm_decay: Any = ..., adjustment: Any = ...) -> Any:
    r"""gamma * (x - mean) / sqrt(variance + epsilon) + beta, per channel.

    While training, mean and variance are those of the batch, and their moving averages
    follow by `decay`; else the moving averages are used.

    Args:
        inputs: float[batch, ..., channels] (channels second for "NCHW").
        decay: see above. center, scale: whether there are beta and gamma.
        epsilon: a small number. activation_fn: a function of a tensor, or None.
        param_initializers, param_regularizers: dicts by the names "beta", "gamma",
            "moving_mean", "moving_variance".
        updates_collections: collections for the ops that move the averages, to be run
            with the training step; None = they run whenever the output is computed.
        is_training: a bool, or a bool tensor.
        batch_weights: float[batch]: how much each entry counts.
        fused: False = never use the one op, whose variance is that of a sample.
        zero_debias_moving_mean: whether the moving mean makes up for its start at 0.
        renorm, renorm_clipping, renorm_decay, adjustment: see tf.layers.
        The rest: see fully_connected; the scope is "BatchNorm" by default.
    Raises:
        ValueError: data_format is unknown, or the channels have no known size.
    Reference: Ioffe and Szegedy, Batch normalization (ICML 2015).
    """
def group_norm(inputs: Any, groups: Any = ..., channels_axis: Any = ..., reduction_axes: Any = ..., center: bool = ..., scale: bool = ..., epsilon: Any = ..., activation_fn: Any = ..., param_initializers: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: bool = ..., scope: Any = ..., mean_close_to_zero: bool = ...) -> Any:
    r"""gamma * (x - mean) / sqrt(variance + epsilon) + beta, per example and group.

    Args:
        inputs: a float tensor. groups: into how many groups channels are put.
        channels_axis, reduction_axes: the axis of the channels, and those to take the
            mean over too.
        mean_close_to_zero: accepted: how the variance is computed.
        The rest: see batch_norm; the scope is "GroupNorm" by default.
    Raises:
        ValueError: the channels cannot be put into so many groups.
    Reference: Wu and He, Group normalization (ECCV 2018).
    """
def instance_norm(inputs: Any, center: bool = ..., scale: bool = ..., epsilon: Any = ..., activation_fn: Any = ..., param_initializers: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: bool = ..., data_format: Any = ..., scope: Any = ...) -> Any:
    r"""gamma * (x - mean) / sqrt(variance + epsilon) + beta, per example and channel.

    Args:
        inputs: float[batch, ..., channels] (channels second for "NCHW").
        The rest: see layer_norm and batch_norm; the scope is "InstanceNorm" by default.
    Raises:
        ValueError: data_format is unknown, or the channels have no known size.
    Reference: Ulyanov et al., Instance normalization (2016).
    """
def layer_norm(inputs: Any, center: bool = ..., scale: bool = ..., activation_fn: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: bool = ..., begin_norm_axis: Any = ..., begin_params_axis: Any = ..., scope: Any = ...) -> Any:
    r"""gamma * (x - mean) / sqrt(variance) + beta, for each example by itself.

    Args:
        inputs: a float tensor. center, scale: whether there are beta and gamma.
        begin_norm_axis: mean and variance are over the axes from here on.
        begin_params_axis: beta and gamma have the sizes of the axes from here on.
        The rest: see fully_connected; the scope is "LayerNorm" by default.
    Raises:
        ValueError: an axis is out of range, or has no known size.
    Reference: Ba, Kiros and Hinton, Layer normalization (2016).
    """
from twinflow.contrib.layers.normalization import unit_norm as unit_norm
def bias_add(inputs: Any, activation_fn: Any = ..., initializer: Any = ..., regularizer: Any = ..., reuse: Any = ..., variables_collections: Any = ..., outputs_collections: Any = ..., trainable: bool = ..., data_format: Any = ..., scope: Any = ...) -> Any:
    r"""activation_fn(inputs + biases), a number a channel.

    Args:
        initializer, regularizer: those of the biases.
        The rest: see fully_connected; the scope is "BiasAdd" by default.
    Raises:
        ValueError: data_format is unknown, or the channels have no known size.
    """
def dropout(inputs: Any, keep_prob: Any = ..., noise_shape: Any = ..., is_training: Any = ..., outputs_collections: Any = ..., scope: Any = ..., seed: Any = ...) -> Any:
    r"""While training, entries are kept with probability `keep_prob`, and scaled.

    Args:
        inputs: a float tensor. keep_prob: a number in (0, 1].
        noise_shape, seed: see tf.nn.dropout. is_training: a bool, or a bool tensor.
        outputs_collections, scope: see fully_connected; "Dropout" by default.
    """
def flatten(inputs: Any, outputs_collections: Any = ..., scope: Any = ...) -> Any:
    r"""All axes but the first as one.

    Args:
        inputs: a tensor. outputs_collections, scope: see fully_connected.
    """
def maxout(inputs: Any, num_units: Any, axis: Any = ..., scope: Any = ...) -> Any:
    r"""The largest of groups of entries along an axis.

    Args:
        inputs: a float tensor. num_units: the size of the axis of the output.
        axis: the axis. scope: a name.
    Raises:
        ValueError: the size of the axis is not a multiple of num_units.
    """
def one_hot_encoding(labels: Any, num_classes: Any, on_value: Any = ..., off_value: Any = ..., outputs_collections: Any = ..., scope: Any = ...) -> Any:
    r"""A vector for each label: `on_value` at its place, `off_value` elsewhere.

    Args: see tf.one_hot.
    """
from twinflow.contrib.layers.simple import repeat as repeat
def softmax(logits: Any, scope: Any = ...) -> Any:
    r"""exp(x) / sum(exp(x)) along the last axis, for any number of axes.

    Args:
        logits: a float tensor. scope: a name; "softmax" by default.
    Raises:
        ValueError: there are less than two axes, or the last one has no known size.
    """
def spatial_softmax(features: Any, temperature: Any = ..., name: str | None = ..., variables_collections: Any = ..., trainable: bool = ..., data_format: Any = ...) -> Any:
    r"""Where the features are: the mean place, weighted by a softmax over places.

    Args:
        features: float[batch, height, width, channels].
        temperature: a tensor, or the first value of a variable; 1 if not given.
        name: a name. variables_collections, trainable: see fully_connected.
        data_format: "NHWC" or "NCHW".
    Returns:
        float[batch, 2 * channels]: for each channel its row and column in [-1, 1]
    """
from twinflow.contrib.layers.simple import stack as stack
def dense_to_sparse(tensor: Any, eos_token: Any = ..., outputs_collections: Any = ..., scope: Any = ...) -> Any:
    r"""The entries that are not `eos_token`, as a SparseTensor.
    """
def images_to_sequence(inputs: Any, data_format: Any = ..., outputs_collections: Any = ..., scope: Any = ...) -> Any:
    r"""Images as sequences along their width: float[width, batch * height, channels].

    Raises:
        ValueError: data_format is unknown.
    """
def sequence_to_images(inputs: Any, height: Any, output_data_format: Any = ..., outputs_collections: Any = ..., scope: Any = ...) -> Any:
    r"""Sequences along the width as images; the opposite of images_to_sequence.
    """
def bow_encoder(ids: Any, vocab_size: Any, embed_dim: Any, sparse_lookup: bool = ..., initializer: Any = ..., regularizer: Any = ..., trainable: bool = ..., scope: Any = ..., reuse: Any = ...) -> Any:
    r"""The mean of the vectors of the ids of each row.

    Args:
        ids: int[batch, length], or a SparseTensor of this shape.
        sparse_lookup: whether the id 0 is left out, as padding; a row of nothing else
            has the vector of the id 0.
        The rest: see embed_sequence; the scope is "bow_encoder" by default.
    Raises:
        TypeError: ids are sparse, but are not to be looked up so.
    """
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
def gdn(inputs: Any, inverse: Any = ..., beta_min: Any = ..., gamma_init: Any = ..., reparam_offset: Any = ..., data_format: Any = ..., activity_regularizer: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Any:
    r"""The output of a new tf.contrib.layers.GDN.

    Args:
        inputs: a tensor of at least three axes.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
        The rest: see tf.contrib.layers.GDN.
    """
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
