"""tf.python_io: TFRecord files outside of graphs."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.base.records: TFRecordCompressionType TFRecordOptions TFRecordWriter
twinflow.base.records: tf_record_iterator
""",
)
