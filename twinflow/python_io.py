"""tf.python_io: TFRecord files outside of graphs."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.formats.tf_record: TFRecordCompressionType TFRecordOptions TFRecordWriter
twinflow.formats.tf_record: tf_record_iterator
""",
)
