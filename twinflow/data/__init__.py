"""tf.data: datasets, and the iterators that take elements from them."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.data.dataset: Dataset
twinflow.data.experimental: experimental=*
twinflow.data.iterators.handles: Iterator
twinflow.data.options: Options
twinflow.data.readers: FixedLengthRecordDataset TextLineDataset TFRecordDataset
""",
)
