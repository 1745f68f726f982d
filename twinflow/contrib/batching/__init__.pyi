# Made by `make stubs` from the table of the index.
from twinflow.contrib.batching.functions import batch_function as batch_function

__all__ = [
"batch_function"
]
