# Made by `make stubs` from the table of the index.
from twinflow.keras.wrappers import scikit_learn as scikit_learn

__all__ = [
"scikit_learn"
]
