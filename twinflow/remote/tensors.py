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
    found = protos.TensorProto()
    write(found, array, dtype, name)
    return found


def write(proto: Any, array: Any, dtype: Any, name: str) -> None:
    """Write an array into an empty TensorProto; see `as_message`."""
    kind = dtype.base_dtype
    if any(kind is d for d in _AT_HOME):
        raise errors.invalid(
            f"The value of {name} is a {kind.name}, which cannot leave the process of "
            "its task: place what uses it on the same device."
        )
    tensor_proto.fill(proto, array, kind)


def array_of(proto: Any, name: str) -> Any:
    """The array of a TensorProto, which may be one that cannot be written to.

    Raises:
        InvalidArgumentError: it is damaged, or of a dtype that no array has.
    """
    try:
        return tensor_proto.from_proto(proto, view=True)
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise errors.invalid(
            f"Could not convert rendezvous tensor {name}: {error}"
        ) from None


def put(field: Any, name: str, array: Any, dtype: Any) -> None:
    """Add an array to the NamedTensorProtos of a message."""
    write(field.add(name=name).tensor, array, dtype, name)


def own(array: Any) -> Any:
    """An array that may be written to: itself, or a copy."""
    written = not isinstance(array, np.ndarray) or array.flags.writeable
    return array if written else array.copy()


def arrays(field: Any) -> dict[str, Any]:
    """{name: array} of NamedTensorProtos."""
    return {n.name: array_of(n.tensor, n.name) for n in field}
