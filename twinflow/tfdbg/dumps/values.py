"""Values that are no arrays."""

from typing import Any

import numpy as np


class InconvertibleTensorProto:
    """A TensorProto that has no array: of a resource, or of nothing initialized.

    Args:
        tensor_proto: the TensorProto. initialized: whether the tensor had a value.
    """

    def __init__(self, tensor_proto: Any, initialized: bool = True) -> None:
        self._tensor_proto = tensor_proto
        self._initialized = initialized

    def __str__(self) -> str:
        head = "" if self._initialized else "Uninitialized tensor:\n"
        return head + str(self._tensor_proto)

    @property
    def initialized(self) -> bool:
        return self._initialized


def has_inf_or_nan(datum: Any, tensor: Any) -> bool:
    """Whether a tensor has an infinity or a NaN: a filter for dumps.

    Args:
        datum: the DebugTensorDatum; not looked at. tensor: its value.
    Returns:
        False for what has no numbers.
    """
    if not isinstance(tensor, np.ndarray | np.generic):  # None: not initialized
        return False
    numbers = np.issubdtype(tensor.dtype, np.number) or tensor.dtype.name == "bfloat16"
    return bool(numbers and not np.all(np.isfinite(tensor)))
