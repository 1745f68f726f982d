# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.keras.engine.base_layer import Layer as Layer
from twinflow.keras.engine.input_spec import InputSpec as InputSpec
from twinflow.keras.engine.input_layer import Input as Input
from twinflow.keras.engine.input_layer import InputLayer as InputLayer
from twinflow.keras.layers.core import Activation as _Activation
class Activation(_Activation):
    activation: Any
    def __init__(self, activation: Any, **kwargs: Any) -> None: ...
from twinflow.keras.layers.core import ActivityRegularization as ActivityRegularization
from twinflow.keras.layers.core import Dense as _Dense
class Dense(_Dense):
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
    rate: Any
    noise_shape: Any
    seed: Any
    def __init__(self, rate: Any, noise_shape: Any = ..., seed: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.core import Masking as _Masking
class Masking(_Masking):
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
    alpha_initializer: Any
    alpha_regularizer: Any
    alpha_constraint: Any
    alpha: Any
from twinflow.keras.layers.advanced_activations import ReLU as ReLU
from twinflow.keras.layers.advanced_activations import Softmax as _Softmax
class Softmax(_Softmax):
    axis: Any
    def __init__(self, axis: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.advanced_activations import ThresholdedReLU as ThresholdedReLU
from twinflow.keras.layers.noise import AlphaDropout as _AlphaDropout
class AlphaDropout(_AlphaDropout):
    rate: Any
    noise_shape: Any
    seed: Any
    def __init__(self, rate: Any, noise_shape: Any = ..., seed: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.noise import GaussianDropout as _GaussianDropout
class GaussianDropout(_GaussianDropout):
    rate: Any
    def __init__(self, rate: Any, **kwargs: Any) -> None: ...
from twinflow.keras.layers.noise import GaussianNoise as _GaussianNoise
class GaussianNoise(_GaussianNoise):
    stddev: Any
    def __init__(self, stddev: Any, **kwargs: Any) -> None: ...
from twinflow.keras.layers.noise import SpatialDropout1D as _SpatialDropout1D
class SpatialDropout1D(_SpatialDropout1D):
    rate: Any
from twinflow.keras.layers.noise import SpatialDropout2D as _SpatialDropout2D
class SpatialDropout2D(_SpatialDropout2D):
    rate: Any
from twinflow.keras.layers.noise import SpatialDropout3D as _SpatialDropout3D
class SpatialDropout3D(_SpatialDropout3D):
    rate: Any
from twinflow.keras.layers.convolutional import Conv1D as _Conv1D
class Conv1D(_Conv1D):
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
    embeddings_initializer: Any
    embeddings_regularizer: Any
    embeddings_constraint: Any
    embeddings: Any
from twinflow.keras.layers.merge import Add as Add
from twinflow.keras.layers.merge import Average as Average
from twinflow.keras.layers.merge import Concatenate as _Concatenate
class Concatenate(_Concatenate):
    axis: Any
    def __init__(self, axis: Any = ..., **kwargs: Any) -> None: ...
from twinflow.keras.layers.merge import Dot as Dot
from twinflow.keras.layers.merge import Maximum as Maximum
from twinflow.keras.layers.merge import Minimum as Minimum
from twinflow.keras.layers.merge import Multiply as Multiply
from twinflow.keras.layers.merge import Subtract as Subtract
def add(inputs: Any, **kwargs: Any) -> Any: ...
def average(inputs: Any, **kwargs: Any) -> Any: ...
from twinflow.keras.layers.merge import concatenate as concatenate
from twinflow.keras.layers.merge import dot as dot
def maximum(inputs: Any, **kwargs: Any) -> Any: ...
def minimum(inputs: Any, **kwargs: Any) -> Any: ...
def multiply(inputs: Any, **kwargs: Any) -> Any: ...
def subtract(inputs: Any, **kwargs: Any) -> Any: ...
from twinflow.keras.layers.locally_connected import LocallyConnected1D as _LocallyConnected1D
class LocallyConnected1D(_LocallyConnected1D):
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
