# Made by `python -m twinflow.testing.stubs` from the table of the index.
from twinflow.keras.model import Model as Model
from twinflow.keras.sequential import Sequential as Sequential
from twinflow.keras.input_layer import Input as Input
from twinflow.keras import layers as layers
from twinflow.keras import models as models
from twinflow.keras import activations as activations
from twinflow.keras import backend as backend
from twinflow.keras import constraints as constraints
from twinflow.keras import initializers as initializers
from twinflow.keras import regularizers as regularizers
from twinflow.keras import utils as utils
