# Made by `make stubs` from the table of the index.
from twinflow.keras.preprocessing import image as image
from twinflow.keras.preprocessing import sequence as sequence
from twinflow.keras.preprocessing import text as text

__all__ = [
"image", "sequence", "text"
]
