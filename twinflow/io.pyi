# Made by `make stubs` from the table of the index.
from twinflow.ops.files.contents import read_file as read_file
from twinflow.ops.files.contents import write_file as write_file
from twinflow.ops.files.contents import matching_files as matching_files
from twinflow.ops.files.contents import match_filenames_once as match_filenames_once
from twinflow.ops.strings.bytes import encode_base64 as encode_base64
from twinflow.ops.strings.bytes import decode_base64 as decode_base64
from twinflow.ops.strings.bytes import decode_raw as decode_raw
from twinflow.ops.strings.bytes import decode_compressed as decode_compressed
from twinflow.ops.strings.csv import decode_csv as decode_csv
from twinflow.ops.strings.serialize import parse_tensor as parse_tensor
from twinflow.ops.sparse.serialize import deserialize_many_sparse as deserialize_many_sparse
from twinflow.ops.sparse.serialize import serialize_many_sparse as serialize_many_sparse
from twinflow.ops.sparse.serialize import serialize_sparse as serialize_sparse
from twinflow.ops.parsing.features import FixedLenFeature as FixedLenFeature
from twinflow.ops.parsing.features import FixedLenSequenceFeature as FixedLenSequenceFeature
from twinflow.ops.parsing.features import SparseFeature as SparseFeature
from twinflow.ops.parsing.features import VarLenFeature as VarLenFeature
from twinflow.ops.parsing.public import decode_json_example as decode_json_example
from twinflow.ops.parsing.public import parse_example as parse_example
from twinflow.ops.parsing.public import parse_sequence_example as parse_sequence_example
from twinflow.ops.parsing.public import parse_single_example as parse_single_example
from twinflow.ops.parsing.public import parse_single_sequence_example as parse_single_sequence_example
from twinflow.ops.queues.queue import QueueBase as QueueBase
from twinflow.ops.queues.kinds import PaddingFIFOQueue as PaddingFIFOQueue
from twinflow.ops.queues.kinds import PriorityQueue as PriorityQueue
from twinflow.ops.queues.kinds import RandomShuffleQueue as RandomShuffleQueue
from twinflow.graph.graph_def.files import write_graph as write_graph
from twinflow.formats.tf_record import TFRecordCompressionType as TFRecordCompressionType
from twinflow.formats.tf_record import TFRecordOptions as TFRecordOptions
from twinflow.formats.tf_record import TFRecordWriter as TFRecordWriter
from twinflow.formats.tf_record import tf_record_iterator as tf_record_iterator

__all__ = [
"read_file", "write_file", "matching_files", "match_filenames_once", "encode_base64",
"decode_base64", "decode_raw", "decode_compressed", "decode_csv", "parse_tensor",
"deserialize_many_sparse", "serialize_many_sparse", "serialize_sparse",
"FixedLenFeature", "FixedLenSequenceFeature", "SparseFeature", "VarLenFeature",
"decode_json_example", "parse_example", "parse_sequence_example",
"parse_single_example", "parse_single_sequence_example", "QueueBase",
"PaddingFIFOQueue", "PriorityQueue", "RandomShuffleQueue", "write_graph",
"TFRecordCompressionType", "TFRecordOptions", "TFRecordWriter", "tf_record_iterator"
]
