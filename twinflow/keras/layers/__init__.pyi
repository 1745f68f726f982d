# Made by `python -m twinflow.testing.stubs` from the table of the index.
from twinflow.keras.base_layer import Layer as Layer
from twinflow.keras.input_spec import InputSpec as InputSpec
from twinflow.keras.core import Activation as Activation
from twinflow.keras.core import Dense as Dense
from twinflow.keras.core import Dropout as Dropout
from twinflow.keras.core import Flatten as Flatten
from twinflow.keras.core import Reshape as Reshape
from twinflow.keras.convolutional import Conv2D as Conv2D
from twinflow.keras.convolutional import Conv2D as Convolution2D
from twinflow.keras.pooling import MaxPooling2D as MaxPooling2D
from twinflow.keras.pooling import MaxPool2D as MaxPool2D
from twinflow.keras.pooling import AveragePooling2D as AveragePooling2D
from twinflow.keras.pooling import AvgPool2D as AvgPool2D
from twinflow.keras.pooling import GlobalAveragePooling2D as GlobalAveragePooling2D
from twinflow.keras.pooling import GlobalAvgPool2D as GlobalAvgPool2D
from twinflow.keras.normalization import BatchNormalization as BatchNormalization
from twinflow.keras.embeddings import Embedding as Embedding
