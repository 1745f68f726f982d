# Made by `make stubs` from the table of the index.
from twinflow.ops.arrays.periodic import periodic_resample as periodic_resample

__all__ = [
"periodic_resample"
]
