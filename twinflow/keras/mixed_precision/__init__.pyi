# Made by `make stubs` from the table of the index.
from twinflow.keras.mixed_precision import experimental as experimental

__all__ = [
"experimental"
]
