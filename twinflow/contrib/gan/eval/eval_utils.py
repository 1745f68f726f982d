"""tf.contrib.gan.eval.eval_utils: many images as one."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
