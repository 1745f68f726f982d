# Made by `make stubs` from the table of the index.
from twinflow.estimator.keras_model import model_to_estimator as model_to_estimator

__all__ = [
"model_to_estimator"
]
