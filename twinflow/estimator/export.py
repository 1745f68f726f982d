"""tf.estimator.export: what a served model takes and gives."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
