"""tf.layers: layers with variable scopes, as classes and as functions."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.keras.engine.scoped_layer: Layer
twinflow.keras.engine.input_spec: InputSpec
twinflow.keras.engine.input_layer: Input
twinflow.layers.core: Dense Dropout Flatten dense dropout flatten
twinflow.layers.convolutional: Conv1D Conv2D Conv3D conv1d conv2d conv3d
twinflow.layers.convolutional: Conv2DTranspose Conv3DTranspose
twinflow.layers.convolutional: conv2d_transpose conv3d_transpose
twinflow.layers.convolutional: SeparableConv1D SeparableConv2D
twinflow.layers.convolutional: separable_conv1d separable_conv2d
twinflow.layers.pooling: AveragePooling1D AveragePooling2D AveragePooling3D
twinflow.layers.pooling: MaxPooling1D MaxPooling2D MaxPooling3D
twinflow.layers.pooling: average_pooling1d average_pooling2d average_pooling3d
twinflow.layers.pooling: max_pooling1d max_pooling2d max_pooling3d
twinflow.layers.normalization: BatchNormalization batch_normalization
""",
)
