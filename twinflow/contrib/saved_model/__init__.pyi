# Made by `make stubs` from the table of the index.
from twinflow.contrib.saved_model.keras_saved_model import load_keras_model as load_keras_model
from twinflow.contrib.saved_model.keras_saved_model import save_keras_model as save_keras_model

__all__ = [
"load_keras_model", "save_keras_model"
]
