# Made by `make stubs` from the table of the index.
from twinflow.base.records import TFRecordCompressionType as TFRecordCompressionType
from twinflow.base.records import TFRecordOptions as TFRecordOptions
from twinflow.base.records import TFRecordWriter as TFRecordWriter
from twinflow.base.records import tf_record_iterator as tf_record_iterator
