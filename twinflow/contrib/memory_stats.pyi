# Made by `make stubs` from the table of the index.
from twinflow.ops.debugging.memory import BytesInUse as BytesInUse
from twinflow.ops.debugging.memory import BytesLimit as BytesLimit
from twinflow.ops.debugging.memory import MaxBytesInUse as MaxBytesInUse

__all__ = [
"BytesInUse", "BytesLimit", "MaxBytesInUse"
]
