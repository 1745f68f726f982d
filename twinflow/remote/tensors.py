"""Tensors with their names, as messages."""

from typing import Any

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.formats import protos, tensor_proto

_AT_HOME = (dtypes.resource, dtypes.variant, dtypes.flow, dtypes.array_handle)


def as_message(array: Any, dtype: Any, name: str) -> Any:
    """The TensorProto of an array.

    Raises:
        InvalidArgumentError: it is none that can leave its process.
    """
    kind = dtype.base_dtype
    if any(kind is d for d in _AT_HOME):
        raise errors.invalid(
            f"The value of {name} is a {kind.name}, which cannot leave the process of "
            "its task: place what uses it on the same device."
        )
    return tensor_proto.to_proto(np.asarray(array), kind)


def array_of(proto: Any, name: str) -> Any:
    """The array of a TensorProto.

    Raises:
        InvalidArgumentError: it is damaged, or of a dtype that no array has.
    """
    try:
        return tensor_proto.from_proto(proto)
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise errors.invalid(
            f"Could not convert rendezvous tensor {name}: {error}"
        ) from None


def put(field: Any, name: str, array: Any, dtype: Any) -> None:
    """Add an array to the NamedTensorProtos of a message."""
    named = protos.NamedTensorProto(name=name, tensor=as_message(array, dtype, name))
    field.append(named)


def arrays(field: Any) -> dict[str, Any]:
    """{name: array} of NamedTensorProtos."""
    return {n.name: array_of(n.tensor, n.name) for n in field}
