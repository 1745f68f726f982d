# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.keras.engine.base_layer import Layer as Layer
from twinflow.keras.engine.input_spec import InputSpec as InputSpec
from twinflow.keras.engine.input_layer import Input as Input
from twinflow.keras.engine.input_layer import InputLayer as InputLayer
from twinflow.keras.layers.core import Activation as _Activation
class Activation(_Activation):
    r"""activation(x).

    Args:
        activation: a name or function. kwargs: `name`, `dtype` ...
    Raises:
        ValueError: there is no activation of this name.
    Example:
        tf.keras.layers.Activation("relu")(tf.constant([-1., 1.]))  # [0., 1.]
    """
    activation: Any
    def __init__(self, activation: Any, **kwargs: Any) -> None: ...
from twinflow.keras.layers.core import ActivityRegularization as ActivityRegularization
from twinflow.keras.layers.core import Dense as _Dense
class Dense(_Dense):
    r"""activation(x @ kernel + bias).

    Args:
        units: the size of the output.
        activation: a name or function; none by default.
        use_bias: whether to add a bias.
        kernel_initializer, bias_initializer: names or functions.
        kernel_regularizer, bias_regularizer: functions from a variable to a loss.
        activity_regularizer: a function from the output to a loss (graph mode).
        kernel_constraint, bias_constraint: functions from the updated value to the one
            to keep.
        kwargs: `name`, `dtype`, `trainable`, `input_shape`.
    Raises:
        ValueError: the last axis of the input has no known size.
    Example:
        tf.keras.layers.Dense(10, activation="relu")(tf.ones([2, 3]))  # float32[2, 10]
    """
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    kernel: Any
from twinflow.keras.layers.core import Dropout as _Dropout
class Dropout(_Dropout):
    r"""While training: x / (1 - rate) with probability 1 - rate, else 0, for each entry.

    Args:
        rate: the share of entries to drop, in [0, 1).
        noise_shape: int32[rank of x], 1 along axes whose entries are dropped together.
        seed: an int; see tf.set_random_seed. kwargs: `name`, `dtype` ...
    Example:
        tf.keras.layers.Dropout(0.5)(tf.ones([2, 3]), training=True)  # zeros and twos
    Reference: Srivastava et al., Dropout: a simple way to prevent neural networks from
    overfitting (JMLR 2014).
    """
    rate: Any
    noise_shape: Any
    seed: Any
    def __init__(self, rate: Any, noise_shape: Any = ..., seed: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.core import Masking as _Masking
class Masking(_Masking):
    r"""Marks the steps of sequences all of whose entries are `mask_value` as absent.

    Their entries become 0, and layers that know masks pass over them.

    Args:
        mask_value: a number. kwargs: `name`, `dtype` ...
    Example:
        tf.keras.layers.Masking(0.)(tf.ones([2, 3, 4]))
    """
    mask_value: Any
    def __init__(self, mask_value: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.reshaping import Flatten as Flatten
from twinflow.keras.layers.reshaping import Permute as Permute
from twinflow.keras.layers.reshaping import RepeatVector as RepeatVector
from twinflow.keras.layers.reshaping import Reshape as Reshape
from twinflow.keras.layers.lambda_layer import Lambda as Lambda
from twinflow.keras.layers.advanced_activations import ELU as ELU
from twinflow.keras.layers.advanced_activations import LeakyReLU as LeakyReLU
from twinflow.keras.layers.advanced_activations import PReLU as _PReLU
class PReLU(_PReLU):
    r"""x where x > 0, else alpha * x, alpha being trained.

    Args:
        alpha_initializer: a name or function. alpha_regularizer: a function from alpha
            to a loss. alpha_constraint: a function from the updated alpha to the kept.
        shared_axes: an int or ints: axes along which alpha is the same.
    Reference: He et al., Delving deep into rectifiers (ICCV 2015).
    """
    alpha_initializer: Any
    alpha_regularizer: Any
    alpha_constraint: Any
    alpha: Any
from twinflow.keras.layers.advanced_activations import ReLU as ReLU
from twinflow.keras.layers.advanced_activations import Softmax as _Softmax
class Softmax(_Softmax):
    r"""exp(x) / sum(exp(x)) along `axis`.
    """
    axis: Any
    def __init__(self, axis: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.advanced_activations import ThresholdedReLU as ThresholdedReLU
from twinflow.keras.layers.noise import AlphaDropout as _AlphaDropout
class AlphaDropout(_AlphaDropout):
    r"""Dropout that keeps mean and variance of what `selu` gives.

    Args:
        rate: the share of entries to drop. noise_shape, seed: see Dropout.
    Reference: Klambauer et al., Self-normalizing neural networks (NIPS 2017).
    """
    rate: Any
    noise_shape: Any
    seed: Any
    def __init__(self, rate: Any, noise_shape: Any = ..., seed: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.noise import GaussianDropout as _GaussianDropout
class GaussianDropout(_GaussianDropout):
    r"""While training: x * noise, normal with mean 1 and variance rate / (1 - rate).

    Args:
        rate: as in Dropout. kwargs: `name`, `dtype` ...
    """
    rate: Any
    def __init__(self, rate: Any, **kwargs: Any) -> None: ...
from twinflow.keras.layers.noise import GaussianNoise as _GaussianNoise
class GaussianNoise(_GaussianNoise):
    r"""While training: x + noise, normal with mean 0 and deviation `stddev`.
    """
    stddev: Any
    def __init__(self, stddev: Any, **kwargs: Any) -> None: ...
from twinflow.keras.layers.noise import SpatialDropout1D as _SpatialDropout1D
class SpatialDropout1D(_SpatialDropout1D):
    r"""While training: whole channels of sequences are dropped; see Dropout.
    """
    rate: Any
from twinflow.keras.layers.noise import SpatialDropout2D as _SpatialDropout2D
class SpatialDropout2D(_SpatialDropout2D):
    r"""While training: whole channels of images are dropped; see Dropout.
    """
    rate: Any
from twinflow.keras.layers.noise import SpatialDropout3D as _SpatialDropout3D
class SpatialDropout3D(_SpatialDropout3D):
    r"""While training: whole channels of volumes are dropped; see Dropout.
    """
    rate: Any
from twinflow.keras.layers.convolutional import Conv1D as _Conv1D
class Conv1D(_Conv1D):
    r"""activation(x * kernel + bias), * being the correlation over one axis (time).

    Args: see Conv2D; sizes are ints.
        padding: "causal" too: the output at t does not depend on what is after t.
    Example:
        y = tf.keras.layers.Conv1D(8, 3, padding="causal")(tf.ones([1, 5, 2]))
        y.shape.as_list()  # [1, 5, 8]
    """
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.convolutional import Conv2D as _Conv2D
class Conv2D(_Conv2D):
    r"""activation(x * kernel + bias), * being the correlation over height and width.

    Args:
        filters: the number of output channels.
        kernel_size, strides, dilation_rate: an int or two, for height and width.
        padding: "valid" or "same", in any case.
        data_format: "channels_last" or "channels_first".
        activation: a name or function; none by default.
        use_bias: whether to add a bias.
        kernel_initializer, bias_initializer: names or functions.
        kernel_regularizer, bias_regularizer: functions from a variable to a loss.
        activity_regularizer: a function from the output to a loss (graph mode).
        kernel_constraint, bias_constraint: functions from the updated value to the one
            to keep.
        kwargs: `name`, `dtype`, `trainable`, `input_shape`.
    Raises:
        ValueError: an argument is out of range, or the channels of the input have no
            known size.
    Example:
        tf.keras.layers.Conv2D(8, 3, padding="same")(tf.ones([1, 5, 5, 3]))
    """
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.convolutional import Conv3D as _Conv3D
class Conv3D(_Conv3D):
    r"""activation(x * kernel + bias), * being the correlation over three axes.

    Args: see Conv2D; sizes are ints or three of them, for depth, height and width.
    Example:
        y = tf.keras.layers.Conv3D(8, 3)(tf.ones([1, 5, 5, 5, 2]))
        y.shape.as_list()  # [1, 3, 3, 3, 8]
    """
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., **kwargs: Any) -> None: ...
Convolution1D = Conv1D
Convolution2D = Conv2D
Convolution3D = Conv3D
from twinflow.keras.layers.convolutional_transpose import Conv2DTranspose as _Conv2DTranspose
class Conv2DTranspose(_Conv2DTranspose):
    r"""activation(y + bias), y being what Conv2D's gradient makes of x.

    Args: see Conv2D.
    Example:
        tf.keras.layers.Conv2DTranspose(8, 3, 2)(tf.ones([1, 5, 5, 2]))
    """
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.convolutional_transpose import Conv3DTranspose as _Conv3DTranspose
class Conv3DTranspose(_Conv3DTranspose):
    r"""activation(y + bias), y being what Conv3D's gradient makes of x.

    Args: see Conv3D.
    Example:
        tf.keras.layers.Conv3DTranspose(8, 2, 2)(tf.ones([1, 3, 3, 3, 2]))
    """
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., **kwargs: Any) -> None: ...
Convolution2DTranspose = Conv2DTranspose
Convolution3DTranspose = Conv3DTranspose
from twinflow.keras.layers.convolutional_separable import DepthwiseConv2D as _DepthwiseConv2D
class DepthwiseConv2D(_DepthwiseConv2D):
    r"""activation(y + bias), y being each channel convolved by filters of its own.

    Args: see SeparableConv2D, without `filters`.
    Example:
        y = tf.keras.layers.DepthwiseConv2D(3)(tf.ones([1, 5, 5, 2]))
        y.shape.as_list()  # [1, 3, 3, 2]
    """
    activation: Any
    depthwise_initializer: Any
    bias_initializer: Any
    depthwise_regularizer: Any
    bias_regularizer: Any
    depthwise_constraint: Any
    bias_constraint: Any
    depthwise_kernel: Any
    kernel: Any
from twinflow.keras.layers.convolutional_separable import SeparableConv1D as _SeparableConv1D
class SeparableConv1D(_SeparableConv1D):
    r"""A convolution of each channel along time, then a mixing of the channels.

    Args: see SeparableConv2D; sizes are ints.
    Example:
        y = tf.keras.layers.SeparableConv1D(8, 3)(tf.ones([1, 5, 2]))
        y.shape.as_list()  # [1, 3, 8]
    """
    activation: Any
    depthwise_initializer: Any
    pointwise_initializer: Any
    bias_initializer: Any
    depthwise_regularizer: Any
    pointwise_regularizer: Any
    bias_regularizer: Any
    depthwise_constraint: Any
    pointwise_constraint: Any
    bias_constraint: Any
    depthwise_kernel: Any
    pointwise_kernel: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., depth_multiplier: Any = ..., activation: Any = ..., use_bias: Any = ..., depthwise_initializer: Any = ..., pointwise_initializer: Any = ..., bias_initializer: Any = ..., depthwise_regularizer: Any = ..., pointwise_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., depthwise_constraint: Any = ..., pointwise_constraint: Any = ..., bias_constraint: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.convolutional_separable import SeparableConv2D as _SeparableConv2D
class SeparableConv2D(_SeparableConv2D):
    r"""A convolution of each channel, then a mixing of the channels at each place.

    Args:
        filters: the number of output channels.
        kernel_size, strides, dilation_rate: an int or two, for height and width.
        padding, data_format, activation, use_bias: see Conv2D.
        depth_multiplier: how many filters each channel has.
        depthwise_*, pointwise_*, bias_*: see Conv2D's kernel_* and bias_*.
    Example:
        y = tf.keras.layers.SeparableConv2D(8, 3)(tf.ones([1, 5, 5, 2]))
        y.shape.as_list()  # [1, 3, 3, 8]
    Reference: Chollet, Xception (CVPR 2017).
    """
    activation: Any
    depthwise_initializer: Any
    pointwise_initializer: Any
    bias_initializer: Any
    depthwise_regularizer: Any
    pointwise_regularizer: Any
    bias_regularizer: Any
    depthwise_constraint: Any
    pointwise_constraint: Any
    bias_constraint: Any
    depthwise_kernel: Any
    pointwise_kernel: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., depth_multiplier: Any = ..., activation: Any = ..., use_bias: Any = ..., depthwise_initializer: Any = ..., pointwise_initializer: Any = ..., bias_initializer: Any = ..., depthwise_regularizer: Any = ..., pointwise_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., depthwise_constraint: Any = ..., pointwise_constraint: Any = ..., bias_constraint: Any = ..., **kwargs: Any) -> None: ...
SeparableConvolution1D = SeparableConv1D
SeparableConvolution2D = SeparableConv2D
from twinflow.keras.layers.resizing import Cropping1D as Cropping1D
from twinflow.keras.layers.resizing import Cropping2D as Cropping2D
from twinflow.keras.layers.resizing import Cropping3D as Cropping3D
from twinflow.keras.layers.resizing import UpSampling1D as UpSampling1D
from twinflow.keras.layers.resizing import UpSampling2D as UpSampling2D
from twinflow.keras.layers.resizing import UpSampling3D as UpSampling3D
from twinflow.keras.layers.resizing import ZeroPadding1D as ZeroPadding1D
from twinflow.keras.layers.resizing import ZeroPadding2D as ZeroPadding2D
from twinflow.keras.layers.resizing import ZeroPadding3D as ZeroPadding3D
from twinflow.keras.layers.pooling import AveragePooling1D as AveragePooling1D
from twinflow.keras.layers.pooling import AveragePooling2D as AveragePooling2D
from twinflow.keras.layers.pooling import AveragePooling3D as AveragePooling3D
from twinflow.keras.layers.pooling import MaxPooling1D as MaxPooling1D
from twinflow.keras.layers.pooling import MaxPooling2D as MaxPooling2D
from twinflow.keras.layers.pooling import MaxPooling3D as MaxPooling3D
from twinflow.keras.layers.pooling import AveragePooling1D as AvgPool1D
from twinflow.keras.layers.pooling import AveragePooling2D as AvgPool2D
from twinflow.keras.layers.pooling import AveragePooling3D as AvgPool3D
from twinflow.keras.layers.pooling import MaxPooling1D as MaxPool1D
from twinflow.keras.layers.pooling import MaxPooling2D as MaxPool2D
from twinflow.keras.layers.pooling import MaxPooling3D as MaxPool3D
from twinflow.keras.layers.pooling import GlobalAveragePooling1D as GlobalAveragePooling1D
from twinflow.keras.layers.pooling import GlobalAveragePooling2D as GlobalAveragePooling2D
from twinflow.keras.layers.pooling import GlobalAveragePooling3D as GlobalAveragePooling3D
from twinflow.keras.layers.pooling import GlobalMaxPooling1D as GlobalMaxPooling1D
from twinflow.keras.layers.pooling import GlobalMaxPooling2D as GlobalMaxPooling2D
from twinflow.keras.layers.pooling import GlobalMaxPooling3D as GlobalMaxPooling3D
from twinflow.keras.layers.pooling import GlobalAveragePooling1D as GlobalAvgPool1D
from twinflow.keras.layers.pooling import GlobalAveragePooling2D as GlobalAvgPool2D
from twinflow.keras.layers.pooling import GlobalAveragePooling3D as GlobalAvgPool3D
from twinflow.keras.layers.pooling import GlobalMaxPooling1D as GlobalMaxPool1D
from twinflow.keras.layers.pooling import GlobalMaxPooling2D as GlobalMaxPool2D
from twinflow.keras.layers.pooling import GlobalMaxPooling3D as GlobalMaxPool3D
from twinflow.keras.layers.normalization import BatchNormalization as _BatchNormalization
class BatchNormalization(_BatchNormalization):
    r"""y = gamma * (x - mean) / sqrt(variance + epsilon) + beta, per channel.

    While training, mean and variance are those of the batch, and the moving averages
    move: m <- momentum * m + (1 - momentum) * batch. Else the moving averages are used.
    Eagerly and in functions they move at once; in a graph the ops that move them are
    returned by `get_updates_for(inputs)`, to be run with the training step.

    Args:
        axis: the axis of the channels, or a list of axes.
        momentum: see above. epsilon: a small number.
        center, scale: whether there are beta and gamma.
        beta_initializer, gamma_initializer, moving_mean_initializer,
            moving_variance_initializer: names or functions.
        beta_regularizer, gamma_regularizer: functions from a variable to a loss.
        beta_constraint, gamma_constraint: functions from the updated value to the one
            to keep.
        fused: False = never take the one op for images (4 axes, channels 1 or 3), whose
            moving variance is that of a sample, with n - 1.
        trainable: whether beta and gamma are trained.
        renorm, renorm_clipping, renorm_momentum: batch renormalization, and limits for
            it: a dict with "rmin", "rmax", "dmax".
        virtual_batch_size: the size of parts of the batch to be normalized by
            themselves.
        adjustment: a function of the shape of the input to (scale, offset), which are
            used while training.
        name: its name. kwargs: `dtype`, `input_shape`.
    Raises:
        ValueError: an axis is out of range, or has no known size.
    Example:
        tf.keras.layers.BatchNormalization()(tf.ones([2, 3]), training=True)  # zeros
    Reference: Ioffe and Szegedy, Batch normalization (ICML 2015), algorithms 1 and 2.
    """
    beta_initializer: Any
    gamma_initializer: Any
    moving_mean_initializer: Any
    moving_variance_initializer: Any
    beta_regularizer: Any
    gamma_regularizer: Any
    beta_constraint: Any
    gamma_constraint: Any
from twinflow.keras.layers.embeddings import Embedding as _Embedding
class Embedding(_Embedding):
    r"""A vector for each integer.

    Args:
        input_dim: how many integers there are: inputs are in [0, input_dim).
        output_dim: the size of a vector.
        embeddings_initializer: a name or function.
        embeddings_regularizer: a function from the variable to a loss.
        activity_regularizer: a function from the output to a loss (graph mode).
        embeddings_constraint: a function from the updated value to the one to keep.
        mask_zero: whether zeros stand for padding, which later layers pass over.
        input_length: the length of the sequences, where it is constant.
        kwargs: `name`, `dtype` ...
    Raises:
        tf.errors.InvalidArgumentError: an input is out of range.
    Example:
        tf.keras.layers.Embedding(100, 8)(tf.constant([[1, 2]]))  # float32[1, 2, 8]
    """
    embeddings_initializer: Any
    embeddings_regularizer: Any
    embeddings_constraint: Any
    embeddings: Any
from twinflow.keras.layers.merge import Add as Add
from twinflow.keras.layers.merge import Average as Average
from twinflow.keras.layers.merge import Concatenate as _Concatenate
class Concatenate(_Concatenate):
    r"""A list of inputs behind each other along `axis`.

    Args:
        axis: an int. kwargs: `name`, `dtype` ...
    Example:
        a = tf.ones([2, 3])
        tf.keras.layers.Concatenate()([a, a])  # float32[2, 6]
    """
    axis: Any
    def __init__(self, axis: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.merge import Dot as Dot
from twinflow.keras.layers.merge import Maximum as Maximum
from twinflow.keras.layers.merge import Minimum as Minimum
from twinflow.keras.layers.merge import Multiply as Multiply
from twinflow.keras.layers.merge import Subtract as Subtract
def add(inputs: Any, **kwargs: Any) -> Any:
    r"""The sum of a list of inputs; see tf.keras.layers.Add.
    """
def average(inputs: Any, **kwargs: Any) -> Any:
    r"""The mean of a list of inputs; see tf.keras.layers.Average.
    """
from twinflow.keras.layers.merge import concatenate as concatenate
from twinflow.keras.layers.merge import dot as dot
def maximum(inputs: Any, **kwargs: Any) -> Any:
    r"""The largest of a list of inputs; see tf.keras.layers.Maximum.
    """
def minimum(inputs: Any, **kwargs: Any) -> Any:
    r"""The smallest of a list of inputs; see tf.keras.layers.Minimum.
    """
def multiply(inputs: Any, **kwargs: Any) -> Any:
    r"""The product of a list of inputs; see tf.keras.layers.Multiply.
    """
def subtract(inputs: Any, **kwargs: Any) -> Any:
    r"""The first of two inputs without the second; see tf.keras.layers.Subtract.
    """
from twinflow.keras.layers.locally_connected import LocallyConnected1D as _LocallyConnected1D
class LocallyConnected1D(_LocallyConnected1D):
    r"""Conv1D whose filters differ from step to step.

    Args: see Conv1D.
        implementation: 1 = a kernel of one matrix for each place, 2 = one of a number
            for each pair of an input and an output.
    Example:
        y = tf.keras.layers.LocallyConnected1D(8, 3)(tf.ones([1, 5, 2]))
        y.shape.as_list()  # [1, 3, 8]
    """
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., implementation: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.locally_connected import LocallyConnected2D as _LocallyConnected2D
class LocallyConnected2D(_LocallyConnected2D):
    r"""Conv2D whose filters differ from place to place.

    Args: see Conv2D.
        implementation: see LocallyConnected1D.
    Example:
        y = tf.keras.layers.LocallyConnected2D(8, 3)(tf.ones([1, 5, 5, 2]))
        y.shape.as_list()  # [1, 3, 3, 8]
    """
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., implementation: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.rnn_cells import GRUCell as _GRUCell
class GRUCell(_GRUCell):
    r"""A gated recurrent unit.

    z, r = recurrent_activation(x @ W + h @ U + b), c = activation(x @ W + (r * h) @ U +
    b), h' = z * h + (1 - z) * c. With `reset_after`, c takes r * (h @ U + b') instead.

    Args: see GRU.
    Reference: Cho et al., Learning phrase representations (EMNLP 2014).
    """
    units: Any
    activation: Any
    recurrent_activation: Any
    use_bias: Any
    kernel_initializer: Any
    recurrent_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    recurrent_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    recurrent_constraint: Any
    bias_constraint: Any
    implementation: Any
    reset_after: Any
    kernel: Any
    recurrent_kernel: Any
    def __init__(self, units: Any, activation: Any = ..., recurrent_activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., recurrent_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., recurrent_regularizer: Any = ..., bias_regularizer: Any = ..., kernel_constraint: Any = ..., recurrent_constraint: Any = ..., bias_constraint: Any = ..., dropout: Any = ..., recurrent_dropout: Any = ..., implementation: Any = ..., reset_after: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.rnn_cells import LSTMCell as _LSTMCell
class LSTMCell(_LSTMCell):
    r"""Long short-term memory.

    i, f, o = recurrent_activation(x @ W + h @ U + b), c' = f * c + i * activation(...),
    h' = o * activation(c').

    Args: see LSTM.
    Reference: Hochreiter and Schmidhuber, Long short-term memory (1997); Gers et al.,
    Learning to forget (2000).
    """
    units: Any
    activation: Any
    recurrent_activation: Any
    use_bias: Any
    kernel_initializer: Any
    recurrent_initializer: Any
    bias_initializer: Any
    unit_forget_bias: Any
    kernel_regularizer: Any
    recurrent_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    recurrent_constraint: Any
    bias_constraint: Any
    implementation: Any
    kernel: Any
    recurrent_kernel: Any
    def __init__(self, units: Any, activation: Any = ..., recurrent_activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., recurrent_initializer: Any = ..., bias_initializer: Any = ..., unit_forget_bias: Any = ..., kernel_regularizer: Any = ..., recurrent_regularizer: Any = ..., bias_regularizer: Any = ..., kernel_constraint: Any = ..., recurrent_constraint: Any = ..., bias_constraint: Any = ..., dropout: Any = ..., recurrent_dropout: Any = ..., implementation: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.rnn_cells import SimpleRNNCell as _SimpleRNNCell
class SimpleRNNCell(_SimpleRNNCell):
    r"""h' = activation(x @ kernel + h @ recurrent_kernel + bias).

    Args: see SimpleRNN.
    """
    units: Any
    activation: Any
    use_bias: Any
    kernel_initializer: Any
    recurrent_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    recurrent_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    recurrent_constraint: Any
    bias_constraint: Any
    kernel: Any
    recurrent_kernel: Any
    def __init__(self, units: Any, activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., recurrent_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., recurrent_regularizer: Any = ..., bias_regularizer: Any = ..., kernel_constraint: Any = ..., recurrent_constraint: Any = ..., bias_constraint: Any = ..., dropout: Any = ..., recurrent_dropout: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.rnn_cells import StackedRNNCells as StackedRNNCells
from twinflow.keras.layers.rnn_layer import RNN as RNN
from twinflow.keras.layers.recurrent import GRU as _GRU
class GRU(_GRU):
    r"""A gated recurrent unit along time; see GRUCell for its equations.

    Args: see SimpleRNN.
        recurrent_activation: that of the gates.
        implementation: 1 = a mask of dropout for each gate, 2 = one for all.
        reset_after: whether the reset gate comes after the product.
    Example:
        tf.keras.layers.GRU(4)(tf.ones([2, 5, 3]))  # float32[2, 4]
    """
    units: Any
    activation: Any
    recurrent_activation: Any
    use_bias: Any
    kernel_initializer: Any
    recurrent_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    recurrent_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    recurrent_constraint: Any
    bias_constraint: Any
    dropout: Any
    recurrent_dropout: Any
    implementation: Any
    reset_after: Any
    def __init__(self, units: Any, activation: Any = ..., recurrent_activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., recurrent_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., recurrent_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., recurrent_constraint: Any = ..., bias_constraint: Any = ..., dropout: Any = ..., recurrent_dropout: Any = ..., implementation: Any = ..., return_sequences: Any = ..., return_state: Any = ..., go_backwards: Any = ..., stateful: Any = ..., unroll: Any = ..., reset_after: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.recurrent import LSTM as _LSTM
class LSTM(_LSTM):
    r"""Long short-term memory along time; see LSTMCell for its equations.

    Args: see SimpleRNN.
        recurrent_activation: that of the gates.
        unit_forget_bias: whether the bias of the forget gate begins with ones.
        implementation: 1 = a mask of dropout for each gate, 2 = one for all.
    Example:
        tf.keras.layers.LSTM(4)(tf.ones([2, 5, 3]))  # float32[2, 4]
    """
    units: Any
    activation: Any
    recurrent_activation: Any
    use_bias: Any
    kernel_initializer: Any
    recurrent_initializer: Any
    bias_initializer: Any
    unit_forget_bias: Any
    kernel_regularizer: Any
    recurrent_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    recurrent_constraint: Any
    bias_constraint: Any
    dropout: Any
    recurrent_dropout: Any
    implementation: Any
    def __init__(self, units: Any, activation: Any = ..., recurrent_activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., recurrent_initializer: Any = ..., bias_initializer: Any = ..., unit_forget_bias: Any = ..., kernel_regularizer: Any = ..., recurrent_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., recurrent_constraint: Any = ..., bias_constraint: Any = ..., dropout: Any = ..., recurrent_dropout: Any = ..., implementation: Any = ..., return_sequences: Any = ..., return_state: Any = ..., go_backwards: Any = ..., stateful: Any = ..., unroll: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.recurrent import SimpleRNN as _SimpleRNN
class SimpleRNN(_SimpleRNN):
    r"""h' = activation(x @ kernel + h @ recurrent_kernel + bias) along time.

    Args:
        units: the size of the state and the output.
        activation: a name or function. use_bias: whether to add a bias.
        kernel_*, recurrent_*, bias_*: initializer (a name or function), regularizer (a
            function from the variable to a loss), constraint (from the updated value to
            the one to keep), for the weights of inputs and states, and the bias.
        activity_regularizer: a function from the output to a loss (graph mode).
        dropout, recurrent_dropout: shares of the inputs and states to drop.
        return_sequences, return_state, go_backwards, stateful, unroll: see RNN.
        kwargs: `name`, `dtype`, `input_shape` ...
    Example:
        tf.keras.layers.SimpleRNN(4)(tf.ones([2, 5, 3]))  # float32[2, 4]
    """
    units: Any
    activation: Any
    use_bias: Any
    kernel_initializer: Any
    recurrent_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    recurrent_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    recurrent_constraint: Any
    bias_constraint: Any
    dropout: Any
    recurrent_dropout: Any
    def __init__(self, units: Any, activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., recurrent_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., recurrent_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., recurrent_constraint: Any = ..., bias_constraint: Any = ..., dropout: Any = ..., recurrent_dropout: Any = ..., return_sequences: Any = ..., return_state: Any = ..., go_backwards: Any = ..., stateful: Any = ..., unroll: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.cudnn import CuDNNGRU as _CuDNNGRU
class CuDNNGRU(_CuDNNGRU):
    r"""A gated recurrent unit with sigmoid gates, two biases, and the late reset gate.

    Args: see GRU.
    Example:
        tf.keras.layers.CuDNNGRU(4)(tf.ones([2, 5, 3]))  # float32[2, 4]
    """
    units: Any
    kernel_initializer: Any
    recurrent_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    recurrent_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    recurrent_constraint: Any
    bias_constraint: Any
    def __init__(self, units: Any, kernel_initializer: Any = ..., recurrent_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., recurrent_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., recurrent_constraint: Any = ..., bias_constraint: Any = ..., return_sequences: Any = ..., return_state: Any = ..., go_backwards: Any = ..., stateful: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.cudnn import CuDNNLSTM as _CuDNNLSTM
class CuDNNLSTM(_CuDNNLSTM):
    r"""Long short-term memory with sigmoid gates and two biases.

    Args: see LSTM.
    Example:
        tf.keras.layers.CuDNNLSTM(4)(tf.ones([2, 5, 3]))  # float32[2, 4]
    """
    units: Any
    kernel_initializer: Any
    recurrent_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    recurrent_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    recurrent_constraint: Any
    bias_constraint: Any
    def __init__(self, units: Any, kernel_initializer: Any = ..., recurrent_initializer: Any = ..., bias_initializer: Any = ..., unit_forget_bias: Any = ..., kernel_regularizer: Any = ..., recurrent_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., recurrent_constraint: Any = ..., bias_constraint: Any = ..., return_sequences: Any = ..., return_state: Any = ..., go_backwards: Any = ..., stateful: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.conv_lstm import ConvLSTM2D as _ConvLSTM2D
class ConvLSTM2D(_ConvLSTM2D):
    r"""An LSTM of images along time: inputs and states are convolved.

    Args:
        filters: the channels of the state and the output.
        kernel_size, strides, padding, data_format, dilation_rate: those of the
            convolution of the inputs; see Conv2D.
        The rest: see LSTM.
    Example:
        x = tf.ones([1, 3, 5, 5, 2])
        tf.keras.layers.ConvLSTM2D(4, 3)(x)  # float32[1, 3, 3, 4]
    Reference: Shi et al., Convolutional LSTM network (NIPS 2015).
    """
    filters: Any
    kernel_size: Any
    strides: Any
    padding: Any
    data_format: Any
    dilation_rate: Any
    activation: Any
    recurrent_activation: Any
    use_bias: Any
    kernel_initializer: Any
    recurrent_initializer: Any
    bias_initializer: Any
    unit_forget_bias: Any
    kernel_regularizer: Any
    recurrent_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    recurrent_constraint: Any
    bias_constraint: Any
    dropout: Any
    recurrent_dropout: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., activation: Any = ..., recurrent_activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., recurrent_initializer: Any = ..., bias_initializer: Any = ..., unit_forget_bias: Any = ..., kernel_regularizer: Any = ..., recurrent_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., recurrent_constraint: Any = ..., bias_constraint: Any = ..., return_sequences: Any = ..., go_backwards: Any = ..., stateful: Any = ..., dropout: Any = ..., recurrent_dropout: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.wrapping import Bidirectional as Bidirectional
from twinflow.keras.layers.wrapping import TimeDistributed as TimeDistributed
from twinflow.keras.layers.wrapping import Wrapper as Wrapper

__all__ = [
"Layer", "InputSpec", "Input", "InputLayer", "Activation", "ActivityRegularization",
"Dense", "Dropout", "Masking", "Flatten", "Permute", "RepeatVector", "Reshape",
"Lambda", "ELU", "LeakyReLU", "PReLU", "ReLU", "Softmax", "ThresholdedReLU",
"AlphaDropout", "GaussianDropout", "GaussianNoise", "SpatialDropout1D",
"SpatialDropout2D", "SpatialDropout3D", "Conv1D", "Conv2D", "Conv3D", "Convolution1D",
"Convolution2D", "Convolution3D", "Conv2DTranspose", "Conv3DTranspose",
"Convolution2DTranspose", "Convolution3DTranspose", "DepthwiseConv2D",
"SeparableConv1D", "SeparableConv2D", "SeparableConvolution1D",
"SeparableConvolution2D", "Cropping1D", "Cropping2D", "Cropping3D", "UpSampling1D",
"UpSampling2D", "UpSampling3D", "ZeroPadding1D", "ZeroPadding2D", "ZeroPadding3D",
"AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "MaxPooling1D",
"MaxPooling2D", "MaxPooling3D", "AvgPool1D", "AvgPool2D", "AvgPool3D", "MaxPool1D",
"MaxPool2D", "MaxPool3D", "GlobalAveragePooling1D", "GlobalAveragePooling2D",
"GlobalAveragePooling3D", "GlobalMaxPooling1D", "GlobalMaxPooling2D",
"GlobalMaxPooling3D", "GlobalAvgPool1D", "GlobalAvgPool2D", "GlobalAvgPool3D",
"GlobalMaxPool1D", "GlobalMaxPool2D", "GlobalMaxPool3D", "BatchNormalization",
"Embedding", "Add", "Average", "Concatenate", "Dot", "Maximum", "Minimum", "Multiply",
"Subtract", "add", "average", "concatenate", "dot", "maximum", "minimum", "multiply",
"subtract", "LocallyConnected1D", "LocallyConnected2D", "GRUCell", "LSTMCell",
"SimpleRNNCell", "StackedRNNCells", "RNN", "GRU", "LSTM", "SimpleRNN", "CuDNNGRU",
"CuDNNLSTM", "ConvLSTM2D", "Bidirectional", "TimeDistributed", "Wrapper"
]
