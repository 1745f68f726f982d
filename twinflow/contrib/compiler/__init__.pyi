# Made by `make stubs` from the table of the index.
from twinflow.contrib.compiler import jit as jit
from twinflow.contrib.compiler import xla as xla

__all__ = [
"jit", "xla"
]
