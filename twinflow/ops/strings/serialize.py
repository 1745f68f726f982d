"""Tensors as strings: serialised TensorProtos."""

from typing import Any

import numpy as np
from google.protobuf.message import DecodeError

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.formats.protos import TensorProto
from twinflow.formats.tensor_proto import from_proto, to_proto
from twinflow.ops.core.infer import scalar, text
from twinflow.ops.strings.arrays import one


def _serialize_kernel(tensor):
    dtype = dtypes.from_numpy(np.asarray(tensor).dtype)
    text = to_proto(tensor, dtype, by_content=True).SerializeToString()
    return np.array(text, object)


SerializeTensor = define("SerializeTensor", infer=scalar, host=_serialize_kernel)


def serialize_tensor(tensor: TensorValue, name: str | None = None) -> Tensor:
    """A tensor as a string, which tf.parse_tensor reads.

    Args:
        tensor: a tensor of any dtype. name: the name of the node in a graph.
    Returns:
        string scalar, a serialised TensorProto.
    Example:
        tf.parse_tensor(tf.serialize_tensor([1, 2]), tf.int32)  # [1, 2]
    """
    return apply(SerializeTensor, (tensor,), None, name)


def _parse_kernel(serialized, out_type):
    if np.ndim(serialized):
        raise invalid(
            "Expected `serialized` to be a scalar, got shape: "
            f"{text(np.shape(serialized))}"
        )
    proto = TensorProto()
    try:
        proto.ParseFromString(one(serialized))
        array = from_proto(proto)
    except (DecodeError, TypeError, ValueError):
        shown = one(serialized).decode("utf-8", "backslashreplace")
        raise invalid(
            f"Could not parse `serialized` as TensorProto: '{shown}'"
        ) from None
    found = dtypes.as_dtype(proto.dtype)
    kept = out_type is dtypes.variant and found is dtypes.string  # bytes of an object
    if found is not out_type and not kept:
        names = [dtypes.cpp_name(d) for d in (found, out_type)]
        raise invalid(
            f"Type mismatch between parsed tensor ({names[0]}) and dtype ({names[1]})"
        )
    return array


ParseTensor = define(
    "ParseTensor", infer=lambda serialized, out_type: None, host=_parse_kernel
)


def parse_tensor(
    serialized: Any, out_type: DTypeValue, name: str | None = None
) -> Tensor:
    """The tensor that a serialised TensorProto holds.

    Args:
        serialized: string scalar. out_type: the DType of the tensor in it.
        name: the name of the node in a graph.
    Returns:
        A tensor of `out_type`.
    Raises:
        InvalidArgumentError: there is no tensor of this dtype in the string.
    """
    attrs = {"out_type": dtypes.as_dtype(out_type).base_dtype}
    return apply(ParseTensor, (serialized,), attrs, name)
