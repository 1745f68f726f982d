# Made by `make stubs` from the table of the index.
from twinflow.keras.model import Model as Model
from twinflow.keras.sequential import Sequential as Sequential
from twinflow.keras.cloning import clone_model as clone_model
from twinflow.keras.cloning import model_from_config as model_from_config
from twinflow.keras.cloning import model_from_json as model_from_json
from twinflow.keras.loading import load_model as load_model
from twinflow.keras.loading import save_model as save_model
from twinflow.keras.loading import model_from_yaml as model_from_yaml
