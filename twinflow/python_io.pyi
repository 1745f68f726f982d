# Made by `make stubs` from the table of the index.
from twinflow.formats.tf_record import TFRecordCompressionType as TFRecordCompressionType
from twinflow.formats.tf_record import TFRecordOptions as TFRecordOptions
from twinflow.formats.tf_record import TFRecordWriter as TFRecordWriter
from twinflow.formats.tf_record import tf_record_iterator as tf_record_iterator

__all__ = [
"TFRecordCompressionType", "TFRecordOptions", "TFRecordWriter", "tf_record_iterator"
]
