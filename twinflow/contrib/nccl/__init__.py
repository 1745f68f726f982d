"""tf.contrib.nccl: sums and copies across the devices of a process."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
