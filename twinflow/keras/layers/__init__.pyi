# Made by `make stubs` from the table of the index.
from twinflow.keras.engine.base_layer import Layer as Layer
from twinflow.keras.engine.input_spec import InputSpec as InputSpec
from twinflow.keras.engine.input_layer import Input as Input
from twinflow.keras.engine.input_layer import InputLayer as InputLayer
from twinflow.keras.layers.core import Activation as Activation
from twinflow.keras.layers.core import ActivityRegularization as ActivityRegularization
from twinflow.keras.layers.core import Dense as Dense
from twinflow.keras.layers.core import Dropout as Dropout
from twinflow.keras.layers.core import Masking as Masking
from twinflow.keras.layers.reshaping import Flatten as Flatten
from twinflow.keras.layers.reshaping import Permute as Permute
from twinflow.keras.layers.reshaping import RepeatVector as RepeatVector
from twinflow.keras.layers.reshaping import Reshape as Reshape
from twinflow.keras.layers.lambda_layer import Lambda as Lambda
from twinflow.keras.layers.advanced_activations import ELU as ELU
from twinflow.keras.layers.advanced_activations import LeakyReLU as LeakyReLU
from twinflow.keras.layers.advanced_activations import PReLU as PReLU
from twinflow.keras.layers.advanced_activations import ReLU as ReLU
from twinflow.keras.layers.advanced_activations import Softmax as Softmax
from twinflow.keras.layers.advanced_activations import ThresholdedReLU as ThresholdedReLU
from twinflow.keras.layers.noise import AlphaDropout as AlphaDropout
from twinflow.keras.layers.noise import GaussianDropout as GaussianDropout
from twinflow.keras.layers.noise import GaussianNoise as GaussianNoise
from twinflow.keras.layers.noise import SpatialDropout1D as SpatialDropout1D
from twinflow.keras.layers.noise import SpatialDropout2D as SpatialDropout2D
from twinflow.keras.layers.noise import SpatialDropout3D as SpatialDropout3D
from twinflow.keras.layers.convolutional import Conv1D as Conv1D
from twinflow.keras.layers.convolutional import Conv2D as Conv2D
from twinflow.keras.layers.convolutional import Conv3D as Conv3D
from twinflow.keras.layers.convolutional import Conv1D as Convolution1D
from twinflow.keras.layers.convolutional import Conv2D as Convolution2D
from twinflow.keras.layers.convolutional import Conv3D as Convolution3D
from twinflow.keras.layers.convolutional_transpose import Conv2DTranspose as Conv2DTranspose
from twinflow.keras.layers.convolutional_transpose import Conv3DTranspose as Conv3DTranspose
from twinflow.keras.layers.convolutional_transpose import Conv2DTranspose as Convolution2DTranspose
from twinflow.keras.layers.convolutional_transpose import Conv3DTranspose as Convolution3DTranspose
from twinflow.keras.layers.convolutional_separable import DepthwiseConv2D as DepthwiseConv2D
from twinflow.keras.layers.convolutional_separable import SeparableConv1D as SeparableConv1D
from twinflow.keras.layers.convolutional_separable import SeparableConv2D as SeparableConv2D
from twinflow.keras.layers.convolutional_separable import SeparableConv1D as SeparableConvolution1D
from twinflow.keras.layers.convolutional_separable import SeparableConv2D as SeparableConvolution2D
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
from twinflow.keras.layers.merge import Concatenate as Concatenate
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
from twinflow.keras.layers.locally_connected import LocallyConnected1D as LocallyConnected1D
from twinflow.keras.layers.locally_connected import LocallyConnected2D as LocallyConnected2D
from twinflow.keras.layers.rnn_cells import GRUCell as GRUCell
from twinflow.keras.layers.rnn_cells import LSTMCell as LSTMCell
from twinflow.keras.layers.rnn_cells import SimpleRNNCell as SimpleRNNCell
from twinflow.keras.layers.rnn_cells import StackedRNNCells as StackedRNNCells
from twinflow.keras.layers.rnn_layer import RNN as RNN
from twinflow.keras.layers.recurrent import GRU as GRU
from twinflow.keras.layers.recurrent import LSTM as LSTM
from twinflow.keras.layers.recurrent import SimpleRNN as SimpleRNN
from twinflow.keras.layers.cudnn import CuDNNGRU as CuDNNGRU
from twinflow.keras.layers.cudnn import CuDNNLSTM as CuDNNLSTM
from twinflow.keras.layers.conv_lstm import ConvLSTM2D as ConvLSTM2D
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
