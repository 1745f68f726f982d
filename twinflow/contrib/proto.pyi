# Made by `make stubs` from the table of the index.
from twinflow.ops.parsing.messages import decode_proto as decode_proto
from twinflow.ops.parsing.messages import encode_proto as encode_proto

__all__ = [
"decode_proto", "encode_proto"
]
