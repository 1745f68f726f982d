"""tf.contrib.cudnn_rnn: layers whose weights NVIDIA's library defined.

They run on every device, with ordinary ops.
"""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
