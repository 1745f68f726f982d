# Made by `make stubs` from the table of the index.
from twinflow.keras.engine.model import Model as Model
from twinflow.keras.engine.sequential import Sequential as Sequential
from twinflow.keras.engine.input_layer import Input as Input
from twinflow.keras import layers as layers
from twinflow.keras import models as models
from twinflow.keras import activations as activations
from twinflow.keras import applications as applications
from twinflow.keras import backend as backend
from twinflow.keras import callbacks as callbacks
from twinflow.keras import constraints as constraints
from twinflow.keras import initializers as initializers
from twinflow.keras import losses as losses
from twinflow.keras import metrics as metrics
from twinflow.keras import mixed_precision as mixed_precision
from twinflow.keras import optimizers as optimizers
from twinflow.keras import datasets as datasets
from twinflow.keras import estimator as estimator
from twinflow.keras import preprocessing as preprocessing
from twinflow.keras import regularizers as regularizers
from twinflow.keras import utils as utils
from twinflow.keras import wrappers as wrappers

__all__ = [
"Model", "Sequential", "Input", "layers", "models", "activations", "applications",
"backend", "callbacks", "constraints", "initializers", "losses", "metrics",
"mixed_precision", "optimizers", "datasets", "estimator", "preprocessing",
"regularizers", "utils", "wrappers"
]
