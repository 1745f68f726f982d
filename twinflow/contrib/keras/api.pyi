# Made by `make stubs` from the table of the index.
from twinflow import keras as keras

__all__ = [
"keras"
]
