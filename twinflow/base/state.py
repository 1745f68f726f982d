"""Cells: the homes of values that change, variables and random streams alike.

Note [Cells]: a stateful op on cells is written as a step, from their states and the
other inputs to (result, new states). Eagerly and in the interpreter the step runs on
the cells; in a compiled cluster the states are inputs and outputs, and are put back
only if every guard held.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import errors
from twinflow.base.annotations import Array

if TYPE_CHECKING:
    from twinflow.base.dtypes import DType


class Uninitialized(errors.FailedPreconditionError):
    """A cell was read that has no value yet."""

    def __init__(self, cell: "Cell") -> None:
        text = f"Attempting to use uninitialized value {cell.name}"
        super().__init__(None, None, text)
        self.cell = cell


class Cell:
    """The one home of a value.

    Args:
        name: for errors. dtype: the DType. shape: the static shape, a tuple or None.

    ``value`` is an array that is replaced, never written to; None = not initialised.
    ``device_value`` is the same as a device buffer where a compiled cluster left it.
    ``place`` is the number of the accelerator where the value lives; None = the CPU.
    """

    __slots__ = (
        "name", "dtype", "shape", "_array", "device_value", "place", "__weakref__",
    )  # fmt: skip

    def __init__(
        self, name: str, dtype: "DType", shape: tuple[int, ...],
        value: Array | None = None,
    ) -> None:  # fmt: skip
        self.name, self.dtype, self.shape = name, dtype, shape
        self._array, self.device_value, self.place = value, None, None

    @property
    def initialized(self) -> bool:
        """Whether a value has been put in."""
        return self._array is not None or self.device_value is not None

    def read(self) -> Array:
        """The value as an array nobody may write to.

        Raises:
            FailedPreconditionError: there is none yet.
        """
        if self._array is None:
            if self.device_value is None:
                raise Uninitialized(self)
            self._array = np.asarray(self.device_value)
        return self._array

    def write(self, array: Array) -> None:
        """Replace the value."""
        self._array, self.device_value = array, None

    def write_device(self, buffer: Any) -> None:
        """Replace the value by a device buffer; NumPy views are made when asked for."""
        self._array, self.device_value = None, buffer

    def clear(self) -> None:
        """Forget the value."""
        self._array = self.device_value = None

    def __deepcopy__(self, memo: Any) -> Any:
        value = self.read().copy() if self.initialized else None
        return type(self)(self.name, self.dtype, self.shape, value)

    def __reduce__(self) -> tuple:
        value = self.read() if self.initialized else None
        return type(self), (self.name, self.dtype, self.shape, value)
