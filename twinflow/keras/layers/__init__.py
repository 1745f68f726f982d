"""tf.keras.layers."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.keras.base_layer: Layer
twinflow.keras.input_spec: InputSpec
twinflow.keras.core: Activation Dense Dropout Flatten Reshape
twinflow.keras.convolutional: Conv2D Convolution2D=Conv2D
twinflow.keras.pooling: MaxPooling2D MaxPool2D AveragePooling2D AvgPool2D
twinflow.keras.pooling: GlobalAveragePooling2D GlobalAvgPool2D
twinflow.keras.normalization: BatchNormalization
twinflow.keras.embeddings: Embedding
""",
)
