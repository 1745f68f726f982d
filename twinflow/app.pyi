# Made by `make stubs` from the table of the index.
from twinflow.compat.app import run as run
from twinflow.compat import flags as flags

__all__ = [
"run", "flags"
]
