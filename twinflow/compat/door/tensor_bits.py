"""tensorflow.python.framework.tensor_util: numbers put into TensorProtos by hand."""

import ml_dtypes
import numpy as np

from twinflow.base import dtypes
from twinflow.formats.tensor_proto import make_tensor_proto


def ExtractBitsFromFloat16(x):
    """The 16 bits of a half float, as an int."""
    return int(np.asarray(x, np.float16).view(np.uint16))


def ExtractBitsFromBFloat16(x):
    """The 16 bits of a bfloat16, as an int."""
    return int(np.asarray(x, ml_dtypes.bfloat16).view(np.uint16))


def _append_bits(kind):
    def append(tensor_proto, proto_values):
        """Add numbers to the `half_val` of a TensorProto, as their bits."""
        bits = np.ravel(proto_values).astype(kind).view(np.uint16)
        tensor_proto.half_val.extend(bits.tolist())

    return append


SlowAppendFloat16ArrayToTensorProto = _append_bits(np.float16)
SlowAppendBFloat16ArrayToTensorProto = _append_bits(ml_dtypes.bfloat16)
FastAppendBFloat16ArrayToTensorProto = SlowAppendBFloat16ArrayToTensorProto


def GetFromNumpyDTypeDict(dtype_dict, dtype):
    """The value whose key equals a NumPy dtype; None without one."""
    return next((value for key, value in dtype_dict.items() if key == dtype), None)


def GetNumpyAppendFn(dtype):
    """A function (TensorProto, values) that adds numbers of a type; None of others."""
    try:
        kind = dtypes.as_dtype(np.dtype(dtype))
    except TypeError:
        return None

    def append(tensor_proto, proto_values):
        values = np.ravel(np.asarray(proto_values))
        made = make_tensor_proto(values, kind, values.shape)
        for field, numbers in made.ListFields():
            if field.name.endswith("_val"):
                getattr(tensor_proto, field.name).extend(numbers)
        if made.tensor_content:
            field = _FIELDS.get(kind.name, "int_val")
            getattr(tensor_proto, field).extend(values.tolist())

    return append


_FIELDS = {
    "float32": "float_val", "float64": "double_val", "int64": "int64_val",
    "bool": "bool_val", "uint32": "uint32_val", "uint64": "uint64_val",
}  # fmt: skip
