# Made by `make stubs` from the table of the index.
from twinflow.formats.tensor_proto import make_tensor_proto as make_tensor_proto
from twinflow.formats.tensor_proto import make_ndarray as make_ndarray
from twinflow.compat.door.shapes import constant_value as constant_value

__all__ = [
"make_tensor_proto", "make_ndarray", "constant_value"
]
