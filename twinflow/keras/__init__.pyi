# Made by `python -m twinflow.testing.stubs` from the table of the index.
from twinflow.keras.model import Model as Model
from twinflow.keras.sequential import Sequential as Sequential
from twinflow.keras import layers as layers
from twinflow.keras import activations as activations
from twinflow.keras import backend as backend
from twinflow.keras import initializers as initializers
