"""tf.keras.layers."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.keras.engine.base_layer: Layer
twinflow.keras.engine.input_spec: InputSpec
twinflow.keras.engine.input_layer: Input InputLayer
twinflow.keras.layers.core: Activation ActivityRegularization Dense Dropout Masking
twinflow.keras.layers.reshaping: Flatten Permute RepeatVector Reshape
twinflow.keras.layers.lambda_layer: Lambda
twinflow.keras.layers.advanced_activations: ELU LeakyReLU PReLU ReLU Softmax
twinflow.keras.layers.advanced_activations: ThresholdedReLU
twinflow.keras.layers.noise: AlphaDropout GaussianDropout GaussianNoise SpatialDropout1D
twinflow.keras.layers.noise: SpatialDropout2D SpatialDropout3D
twinflow.keras.layers.convolutional: Conv1D Conv2D Conv3D Convolution1D=Conv1D
twinflow.keras.layers.convolutional: Convolution2D=Conv2D Convolution3D=Conv3D
twinflow.keras.layers.convolutional_transpose: Conv2DTranspose Conv3DTranspose
twinflow.keras.layers.convolutional_transpose: Convolution2DTranspose=Conv2DTranspose
twinflow.keras.layers.convolutional_transpose: Convolution3DTranspose=Conv3DTranspose
twinflow.keras.layers.convolutional_separable: DepthwiseConv2D SeparableConv1D
twinflow.keras.layers.convolutional_separable: SeparableConv2D
twinflow.keras.layers.convolutional_separable: SeparableConvolution1D=SeparableConv1D
twinflow.keras.layers.convolutional_separable: SeparableConvolution2D=SeparableConv2D
twinflow.keras.layers.resizing: Cropping1D Cropping2D Cropping3D UpSampling1D
twinflow.keras.layers.resizing: UpSampling2D
twinflow.keras.layers.resizing: UpSampling3D ZeroPadding1D ZeroPadding2D ZeroPadding3D
twinflow.keras.layers.pooling: AveragePooling1D AveragePooling2D AveragePooling3D
twinflow.keras.layers.pooling: MaxPooling1D MaxPooling2D MaxPooling3D
twinflow.keras.layers.pooling: AvgPool1D=AveragePooling1D AvgPool2D=AveragePooling2D
twinflow.keras.layers.pooling: AvgPool3D=AveragePooling3D MaxPool1D=MaxPooling1D
twinflow.keras.layers.pooling: MaxPool2D=MaxPooling2D MaxPool3D=MaxPooling3D
twinflow.keras.layers.pooling: GlobalAveragePooling1D GlobalAveragePooling2D
twinflow.keras.layers.pooling: GlobalAveragePooling3D GlobalMaxPooling1D
twinflow.keras.layers.pooling: GlobalMaxPooling2D
twinflow.keras.layers.pooling: GlobalMaxPooling3D GlobalAvgPool1D=GlobalAveragePooling1D
twinflow.keras.layers.pooling: GlobalAvgPool2D=GlobalAveragePooling2D
twinflow.keras.layers.pooling: GlobalAvgPool3D=GlobalAveragePooling3D
twinflow.keras.layers.pooling: GlobalMaxPool1D=GlobalMaxPooling1D
twinflow.keras.layers.pooling: GlobalMaxPool2D=GlobalMaxPooling2D
twinflow.keras.layers.pooling: GlobalMaxPool3D=GlobalMaxPooling3D
twinflow.keras.layers.normalization: BatchNormalization
twinflow.keras.layers.embeddings: Embedding
twinflow.keras.layers.merge: Add Average Concatenate Dot Maximum Minimum Multiply
twinflow.keras.layers.merge: Subtract
twinflow.keras.layers.merge: add average concatenate dot maximum minimum multiply
twinflow.keras.layers.merge: subtract
twinflow.keras.layers.locally_connected: LocallyConnected1D LocallyConnected2D
twinflow.keras.layers.rnn_cells: GRUCell LSTMCell SimpleRNNCell StackedRNNCells
twinflow.keras.layers.rnn_layer: RNN
twinflow.keras.layers.recurrent: GRU LSTM SimpleRNN
twinflow.keras.layers.cudnn: CuDNNGRU CuDNNLSTM
twinflow.keras.layers.conv_lstm: ConvLSTM2D
twinflow.keras.layers.wrapping: Bidirectional TimeDistributed Wrapper
""",
)
