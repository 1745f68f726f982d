# Made by `make stubs` from the table of the index.
from twinflow.keras.engine.base_layer import Layer as Layer
from twinflow.keras.engine.input_spec import InputSpec as InputSpec
from twinflow.keras.engine.input_layer import Input as Input
from twinflow.keras.engine.input_layer import InputLayer as InputLayer
from twinflow.keras.layers.core import Activation as _Activation
class Activation(_Activation):
    def __init__(self, activation, **kwargs) -> None: ...
from twinflow.keras.layers.core import ActivityRegularization as ActivityRegularization
from twinflow.keras.layers.core import Dense as Dense
from twinflow.keras.layers.core import Dropout as _Dropout
class Dropout(_Dropout):
    def __init__(self, rate, noise_shape=..., seed=..., **kwargs) -> None: ...
from twinflow.keras.layers.core import Masking as _Masking
class Masking(_Masking):
    def __init__(self, mask_value=..., **kwargs) -> None: ...
from twinflow.keras.layers.reshaping import Flatten as Flatten
from twinflow.keras.layers.reshaping import Permute as Permute
from twinflow.keras.layers.reshaping import RepeatVector as RepeatVector
from twinflow.keras.layers.reshaping import Reshape as Reshape
from twinflow.keras.layers.lambda_layer import Lambda as Lambda
from twinflow.keras.layers.advanced_activations import ELU as ELU
from twinflow.keras.layers.advanced_activations import LeakyReLU as LeakyReLU
from twinflow.keras.layers.advanced_activations import PReLU as PReLU
from twinflow.keras.layers.advanced_activations import ReLU as ReLU
from twinflow.keras.layers.advanced_activations import Softmax as _Softmax
class Softmax(_Softmax):
    def __init__(self, axis=..., **kwargs) -> None: ...
from twinflow.keras.layers.advanced_activations import ThresholdedReLU as ThresholdedReLU
from twinflow.keras.layers.noise import AlphaDropout as _AlphaDropout
class AlphaDropout(_AlphaDropout):
    def __init__(self, rate, noise_shape=..., seed=..., **kwargs) -> None: ...
from twinflow.keras.layers.noise import GaussianDropout as _GaussianDropout
class GaussianDropout(_GaussianDropout):
    def __init__(self, rate, **kwargs) -> None: ...
from twinflow.keras.layers.noise import GaussianNoise as _GaussianNoise
class GaussianNoise(_GaussianNoise):
    def __init__(self, stddev, **kwargs) -> None: ...
from twinflow.keras.layers.noise import SpatialDropout1D as SpatialDropout1D
from twinflow.keras.layers.noise import SpatialDropout2D as SpatialDropout2D
from twinflow.keras.layers.noise import SpatialDropout3D as SpatialDropout3D
from twinflow.keras.layers.convolutional import Conv1D as _Conv1D
class Conv1D(_Conv1D):
    def __init__(self, filters, kernel_size, strides=..., padding=..., data_format=..., dilation_rate=..., activation=..., use_bias=..., kernel_initializer=..., bias_initializer=..., kernel_regularizer=..., bias_regularizer=..., activity_regularizer=..., kernel_constraint=..., bias_constraint=..., **kwargs) -> None: ...
from twinflow.keras.layers.convolutional import Conv2D as _Conv2D
class Conv2D(_Conv2D):
    def __init__(self, filters, kernel_size, strides=..., padding=..., data_format=..., dilation_rate=..., activation=..., use_bias=..., kernel_initializer=..., bias_initializer=..., kernel_regularizer=..., bias_regularizer=..., activity_regularizer=..., kernel_constraint=..., bias_constraint=..., **kwargs) -> None: ...
from twinflow.keras.layers.convolutional import Conv3D as _Conv3D
class Conv3D(_Conv3D):
    def __init__(self, filters, kernel_size, strides=..., padding=..., data_format=..., dilation_rate=..., activation=..., use_bias=..., kernel_initializer=..., bias_initializer=..., kernel_regularizer=..., bias_regularizer=..., activity_regularizer=..., kernel_constraint=..., bias_constraint=..., **kwargs) -> None: ...
Convolution1D = Conv1D
Convolution2D = Conv2D
Convolution3D = Conv3D
from twinflow.keras.layers.convolutional_transpose import Conv2DTranspose as _Conv2DTranspose
class Conv2DTranspose(_Conv2DTranspose):
    def __init__(self, filters, kernel_size, strides=..., padding=..., data_format=..., activation=..., use_bias=..., kernel_initializer=..., bias_initializer=..., kernel_regularizer=..., bias_regularizer=..., activity_regularizer=..., kernel_constraint=..., bias_constraint=..., **kwargs) -> None: ...
from twinflow.keras.layers.convolutional_transpose import Conv3DTranspose as _Conv3DTranspose
class Conv3DTranspose(_Conv3DTranspose):
    def __init__(self, filters, kernel_size, strides=..., padding=..., data_format=..., activation=..., use_bias=..., kernel_initializer=..., bias_initializer=..., kernel_regularizer=..., bias_regularizer=..., activity_regularizer=..., kernel_constraint=..., bias_constraint=..., **kwargs) -> None: ...
Convolution2DTranspose = Conv2DTranspose
Convolution3DTranspose = Conv3DTranspose
from twinflow.keras.layers.convolutional_separable import DepthwiseConv2D as DepthwiseConv2D
from twinflow.keras.layers.convolutional_separable import SeparableConv1D as _SeparableConv1D
class SeparableConv1D(_SeparableConv1D):
    def __init__(self, filters, kernel_size, strides=..., padding=..., data_format=..., dilation_rate=..., depth_multiplier=..., activation=..., use_bias=..., depthwise_initializer=..., pointwise_initializer=..., bias_initializer=..., depthwise_regularizer=..., pointwise_regularizer=..., bias_regularizer=..., activity_regularizer=..., depthwise_constraint=..., pointwise_constraint=..., bias_constraint=..., **kwargs) -> None: ...
from twinflow.keras.layers.convolutional_separable import SeparableConv2D as _SeparableConv2D
class SeparableConv2D(_SeparableConv2D):
    def __init__(self, filters, kernel_size, strides=..., padding=..., data_format=..., dilation_rate=..., depth_multiplier=..., activation=..., use_bias=..., depthwise_initializer=..., pointwise_initializer=..., bias_initializer=..., depthwise_regularizer=..., pointwise_regularizer=..., bias_regularizer=..., activity_regularizer=..., depthwise_constraint=..., pointwise_constraint=..., bias_constraint=..., **kwargs) -> None: ...
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
from twinflow.keras.layers.normalization import BatchNormalization as BatchNormalization
from twinflow.keras.layers.embeddings import Embedding as Embedding
from twinflow.keras.layers.merge import Add as Add
from twinflow.keras.layers.merge import Average as Average
from twinflow.keras.layers.merge import Concatenate as _Concatenate
class Concatenate(_Concatenate):
    def __init__(self, axis=..., **kwargs) -> None: ...
from twinflow.keras.layers.merge import Dot as Dot
from twinflow.keras.layers.merge import Maximum as Maximum
from twinflow.keras.layers.merge import Minimum as Minimum
from twinflow.keras.layers.merge import Multiply as Multiply
from twinflow.keras.layers.merge import Subtract as Subtract
from twinflow.keras.layers.merge import add as add
from twinflow.keras.layers.merge import average as average
from twinflow.keras.layers.merge import concatenate as concatenate
from twinflow.keras.layers.merge import dot as dot
from twinflow.keras.layers.merge import maximum as maximum
from twinflow.keras.layers.merge import minimum as minimum
from twinflow.keras.layers.merge import multiply as multiply
from twinflow.keras.layers.merge import subtract as subtract
from twinflow.keras.layers.locally_connected import LocallyConnected1D as _LocallyConnected1D
class LocallyConnected1D(_LocallyConnected1D):
    def __init__(self, filters, kernel_size, strides=..., padding=..., data_format=..., activation=..., use_bias=..., kernel_initializer=..., bias_initializer=..., kernel_regularizer=..., bias_regularizer=..., activity_regularizer=..., kernel_constraint=..., bias_constraint=..., implementation=..., **kwargs) -> None: ...
from twinflow.keras.layers.locally_connected import LocallyConnected2D as _LocallyConnected2D
class LocallyConnected2D(_LocallyConnected2D):
    def __init__(self, filters, kernel_size, strides=..., padding=..., data_format=..., activation=..., use_bias=..., kernel_initializer=..., bias_initializer=..., kernel_regularizer=..., bias_regularizer=..., activity_regularizer=..., kernel_constraint=..., bias_constraint=..., implementation=..., **kwargs) -> None: ...
from twinflow.keras.layers.rnn_cells import GRUCell as _GRUCell
class GRUCell(_GRUCell):
    def __init__(self, units, activation=..., recurrent_activation=..., use_bias=..., kernel_initializer=..., recurrent_initializer=..., bias_initializer=..., kernel_regularizer=..., recurrent_regularizer=..., bias_regularizer=..., kernel_constraint=..., recurrent_constraint=..., bias_constraint=..., dropout=..., recurrent_dropout=..., implementation=..., reset_after=..., **kwargs) -> None: ...
from twinflow.keras.layers.rnn_cells import LSTMCell as _LSTMCell
class LSTMCell(_LSTMCell):
    def __init__(self, units, activation=..., recurrent_activation=..., use_bias=..., kernel_initializer=..., recurrent_initializer=..., bias_initializer=..., unit_forget_bias=..., kernel_regularizer=..., recurrent_regularizer=..., bias_regularizer=..., kernel_constraint=..., recurrent_constraint=..., bias_constraint=..., dropout=..., recurrent_dropout=..., implementation=..., **kwargs) -> None: ...
from twinflow.keras.layers.rnn_cells import SimpleRNNCell as _SimpleRNNCell
class SimpleRNNCell(_SimpleRNNCell):
    def __init__(self, units, activation=..., use_bias=..., kernel_initializer=..., recurrent_initializer=..., bias_initializer=..., kernel_regularizer=..., recurrent_regularizer=..., bias_regularizer=..., kernel_constraint=..., recurrent_constraint=..., bias_constraint=..., dropout=..., recurrent_dropout=..., **kwargs) -> None: ...
from twinflow.keras.layers.rnn_cells import StackedRNNCells as StackedRNNCells
from twinflow.keras.layers.rnn_layer import RNN as RNN
from twinflow.keras.layers.recurrent import GRU as _GRU
class GRU(_GRU):
    def __init__(self, units, activation=..., recurrent_activation=..., use_bias=..., kernel_initializer=..., recurrent_initializer=..., bias_initializer=..., kernel_regularizer=..., recurrent_regularizer=..., bias_regularizer=..., activity_regularizer=..., kernel_constraint=..., recurrent_constraint=..., bias_constraint=..., dropout=..., recurrent_dropout=..., implementation=..., return_sequences=..., return_state=..., go_backwards=..., stateful=..., unroll=..., reset_after=..., **kwargs) -> None: ...
from twinflow.keras.layers.recurrent import LSTM as _LSTM
class LSTM(_LSTM):
    def __init__(self, units, activation=..., recurrent_activation=..., use_bias=..., kernel_initializer=..., recurrent_initializer=..., bias_initializer=..., unit_forget_bias=..., kernel_regularizer=..., recurrent_regularizer=..., bias_regularizer=..., activity_regularizer=..., kernel_constraint=..., recurrent_constraint=..., bias_constraint=..., dropout=..., recurrent_dropout=..., implementation=..., return_sequences=..., return_state=..., go_backwards=..., stateful=..., unroll=..., **kwargs) -> None: ...
from twinflow.keras.layers.recurrent import SimpleRNN as _SimpleRNN
class SimpleRNN(_SimpleRNN):
    def __init__(self, units, activation=..., use_bias=..., kernel_initializer=..., recurrent_initializer=..., bias_initializer=..., kernel_regularizer=..., recurrent_regularizer=..., bias_regularizer=..., activity_regularizer=..., kernel_constraint=..., recurrent_constraint=..., bias_constraint=..., dropout=..., recurrent_dropout=..., return_sequences=..., return_state=..., go_backwards=..., stateful=..., unroll=..., **kwargs) -> None: ...
from twinflow.keras.layers.cudnn import CuDNNGRU as _CuDNNGRU
class CuDNNGRU(_CuDNNGRU):
    def __init__(self, units, kernel_initializer=..., recurrent_initializer=..., bias_initializer=..., kernel_regularizer=..., recurrent_regularizer=..., bias_regularizer=..., activity_regularizer=..., kernel_constraint=..., recurrent_constraint=..., bias_constraint=..., return_sequences=..., return_state=..., go_backwards=..., stateful=..., **kwargs) -> None: ...
from twinflow.keras.layers.cudnn import CuDNNLSTM as _CuDNNLSTM
class CuDNNLSTM(_CuDNNLSTM):
    def __init__(self, units, kernel_initializer=..., recurrent_initializer=..., bias_initializer=..., unit_forget_bias=..., kernel_regularizer=..., recurrent_regularizer=..., bias_regularizer=..., activity_regularizer=..., kernel_constraint=..., recurrent_constraint=..., bias_constraint=..., return_sequences=..., return_state=..., go_backwards=..., stateful=..., **kwargs) -> None: ...
from twinflow.keras.layers.conv_lstm import ConvLSTM2D as _ConvLSTM2D
class ConvLSTM2D(_ConvLSTM2D):
    def __init__(self, filters, kernel_size, strides=..., padding=..., data_format=..., dilation_rate=..., activation=..., recurrent_activation=..., use_bias=..., kernel_initializer=..., recurrent_initializer=..., bias_initializer=..., unit_forget_bias=..., kernel_regularizer=..., recurrent_regularizer=..., bias_regularizer=..., activity_regularizer=..., kernel_constraint=..., recurrent_constraint=..., bias_constraint=..., return_sequences=..., go_backwards=..., stateful=..., dropout=..., recurrent_dropout=..., **kwargs) -> None: ...
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
