"""tf.io: files, and tensors in strings."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.files.contents: read_file write_file matching_files match_filenames_once
twinflow.ops.strings.bytes: encode_base64 decode_base64 decode_raw decode_compressed
twinflow.ops.strings.csv: decode_csv
twinflow.ops.strings.serialize: parse_tensor
twinflow.ops.sparse.serialize: deserialize_many_sparse serialize_many_sparse
twinflow.ops.sparse.serialize: serialize_sparse
twinflow.ops.parsing.features: FixedLenFeature FixedLenSequenceFeature SparseFeature
twinflow.ops.parsing.features: VarLenFeature
twinflow.ops.parsing.public: decode_json_example parse_example parse_sequence_example
twinflow.ops.parsing.public: parse_single_example parse_single_sequence_example
twinflow.ops.queues.queue: QueueBase
twinflow.ops.queues.kinds: PaddingFIFOQueue PriorityQueue RandomShuffleQueue
twinflow.graph.graph_def.files: write_graph
twinflow.formats.tf_record: TFRecordCompressionType TFRecordOptions TFRecordWriter
twinflow.formats.tf_record: tf_record_iterator
""",
)
