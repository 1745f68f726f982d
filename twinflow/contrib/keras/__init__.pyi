# Made by `make stubs` from the table of the index.
from twinflow.contrib.keras import api as api
from twinflow.keras import activations as activations
from twinflow.keras import applications as applications
from twinflow.keras import backend as backend
from twinflow.keras import callbacks as callbacks
from twinflow.keras import constraints as constraints
from twinflow.keras import datasets as datasets
from twinflow.keras import initializers as initializers
from twinflow.keras import layers as layers
from twinflow.keras import losses as losses
from twinflow.keras import metrics as metrics
from twinflow.keras import models as models
from twinflow.keras import optimizers as optimizers
from twinflow.keras import preprocessing as preprocessing
from twinflow.keras import regularizers as regularizers
from twinflow.keras import utils as utils
from twinflow.keras import wrappers as wrappers

__all__ = [
"api", "activations", "applications", "backend", "callbacks", "constraints", "datasets",
"initializers", "layers", "losses", "metrics", "models", "optimizers", "preprocessing",
"regularizers", "utils", "wrappers"
]
