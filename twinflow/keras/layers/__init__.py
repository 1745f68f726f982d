"""tf.keras.layers."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.keras.base_layer: Layer
twinflow.keras.input_spec: InputSpec
twinflow.keras.input_layer: Input InputLayer
twinflow.keras.core: Activation ActivityRegularization Dense Dropout Masking
twinflow.keras.reshaping: Flatten Permute RepeatVector Reshape
twinflow.keras.lambda_layer: Lambda
twinflow.keras.activation_layers: ELU LeakyReLU PReLU ReLU Softmax ThresholdedReLU
twinflow.keras.noise: AlphaDropout GaussianDropout GaussianNoise SpatialDropout1D
twinflow.keras.noise: SpatialDropout2D SpatialDropout3D
twinflow.keras.convolutional: Conv1D Conv2D Conv3D Convolution1D=Conv1D
twinflow.keras.convolutional: Convolution2D=Conv2D Convolution3D=Conv3D
twinflow.keras.convolutional_transpose: Conv2DTranspose Conv3DTranspose
twinflow.keras.convolutional_transpose: Convolution2DTranspose=Conv2DTranspose
twinflow.keras.convolutional_transpose: Convolution3DTranspose=Conv3DTranspose
twinflow.keras.convolutional_separable: DepthwiseConv2D SeparableConv1D SeparableConv2D
twinflow.keras.convolutional_separable: SeparableConvolution1D=SeparableConv1D
twinflow.keras.convolutional_separable: SeparableConvolution2D=SeparableConv2D
twinflow.keras.resizing: Cropping1D Cropping2D Cropping3D UpSampling1D UpSampling2D
twinflow.keras.resizing: UpSampling3D ZeroPadding1D ZeroPadding2D ZeroPadding3D
twinflow.keras.pooling: AveragePooling1D AveragePooling2D AveragePooling3D
twinflow.keras.pooling: MaxPooling1D MaxPooling2D MaxPooling3D
twinflow.keras.pooling: AvgPool1D=AveragePooling1D AvgPool2D=AveragePooling2D
twinflow.keras.pooling: AvgPool3D=AveragePooling3D MaxPool1D=MaxPooling1D
twinflow.keras.pooling: MaxPool2D=MaxPooling2D MaxPool3D=MaxPooling3D
twinflow.keras.pooling: GlobalAveragePooling1D GlobalAveragePooling2D
twinflow.keras.pooling: GlobalAveragePooling3D GlobalMaxPooling1D GlobalMaxPooling2D
twinflow.keras.pooling: GlobalMaxPooling3D GlobalAvgPool1D=GlobalAveragePooling1D
twinflow.keras.pooling: GlobalAvgPool2D=GlobalAveragePooling2D
twinflow.keras.pooling: GlobalAvgPool3D=GlobalAveragePooling3D
twinflow.keras.pooling: GlobalMaxPool1D=GlobalMaxPooling1D
twinflow.keras.pooling: GlobalMaxPool2D=GlobalMaxPooling2D
twinflow.keras.pooling: GlobalMaxPool3D=GlobalMaxPooling3D
twinflow.keras.normalization: BatchNormalization
twinflow.keras.embeddings: Embedding
twinflow.keras.merge: Add Average Concatenate Dot Maximum Minimum Multiply Subtract
twinflow.keras.merge: add average concatenate dot maximum minimum multiply subtract
twinflow.keras.locally_connected: LocallyConnected1D LocallyConnected2D
twinflow.keras.rnn_cells: GRUCell LSTMCell SimpleRNNCell StackedRNNCells
twinflow.keras.rnn_layer: RNN
twinflow.keras.recurrent: GRU LSTM SimpleRNN
twinflow.keras.cudnn: CuDNNGRU CuDNNLSTM
twinflow.keras.conv_lstm: ConvLSTM2D
twinflow.keras.wrapping: Bidirectional TimeDistributed Wrapper
""",
)
