# Made by `make stubs` from the table of the index.
from twinflow.contrib.gan.eval.grids import image_grid as image_grid
from twinflow.contrib.gan.eval.grids import image_reshaper as image_reshaper

__all__ = [
"image_grid", "image_reshaper"
]
