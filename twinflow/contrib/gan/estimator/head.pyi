# Made by `make stubs` from the table of the index.
from twinflow.contrib.gan.estimator.heads import GANHead as GANHead
from twinflow.contrib.gan.estimator.heads import gan_head as gan_head

__all__ = [
"GANHead", "gan_head"
]
