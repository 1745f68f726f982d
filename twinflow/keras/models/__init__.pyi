# Made by `make stubs` from the table of the index.
from twinflow.keras.engine.model import Model as Model
from twinflow.keras.engine.sequential import Sequential as Sequential
from twinflow.keras.saving.cloning import clone_model as clone_model
from twinflow.keras.saving.cloning import model_from_config as model_from_config
from twinflow.keras.saving.cloning import model_from_json as model_from_json
from twinflow.keras.saving.whole_models import load_model as load_model
from twinflow.keras.saving.whole_models import save_model as save_model
from twinflow.keras.saving.whole_models import model_from_yaml as model_from_yaml

__all__ = [
"Model", "Sequential", "clone_model", "model_from_config", "model_from_json",
"load_model", "save_model", "model_from_yaml"
]
