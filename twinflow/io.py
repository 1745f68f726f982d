"""tf.io: files, and tensors in strings."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.files: read_file write_file matching_files match_filenames_once
twinflow.ops.strings.bytes: encode_base64 decode_base64 decode_raw decode_compressed
twinflow.ops.strings.csv: decode_csv
twinflow.ops.strings.serialize: parse_tensor
twinflow.ops.sparse.serialize: deserialize_many_sparse serialize_many_sparse
twinflow.ops.sparse.serialize: serialize_sparse
twinflow.ops.queues.queue: QueueBase
twinflow.ops.queues.kinds: PaddingFIFOQueue PriorityQueue RandomShuffleQueue
twinflow.base.records: TFRecordCompressionType TFRecordOptions TFRecordWriter
twinflow.base.records: tf_record_iterator
""",
)
