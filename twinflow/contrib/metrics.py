"""tf.contrib.metrics: what TensorFlow 1.12 had beside tf.metrics."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.math.confusion_matrix: confusion_matrix
""",
)
