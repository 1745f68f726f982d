"""tf.contrib.tpu: the estimator of TPUs, with its shards simulated."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
