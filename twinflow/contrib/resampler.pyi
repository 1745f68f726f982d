# Made by `make stubs` from the table of the index.
from twinflow.ops.image.resampling import resampler as resampler

__all__ = [
"resampler"
]
