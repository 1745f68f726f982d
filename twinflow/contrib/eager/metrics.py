"""tf.contrib.eager.metrics: metrics that are objects."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.metrics.objects: Metric Mean Accuracy CategoricalAccuracy BinaryAccuracy
twinflow.metrics.objects: SparseAccuracy
""",
)
