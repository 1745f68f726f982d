"""Cells: the homes of values that change, variables and random streams alike.

Note [Cells]: a stateful op on cells is written as a step, from their states and the
other inputs to (result, new states). Eagerly and in the interpreter the step runs on
the cells; in a compiled cluster the states are inputs and outputs, and are put back
only if every guard held.
"""

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import errors
from twinflow.base.annotations import Array

if TYPE_CHECKING:
    from twinflow.base.dtypes import DType


# Note [Taken]: a compiled program takes the memory of the variables that it writes, and
# other threads may read them meanwhile. A program that runs on an accelerator puts its
# cells here before it looks whether somebody else holds a buffer (which it then copies)
# and takes them out when they have their new values. A reader first gets the buffer,
# then looks here: what is not here yet was held in time, if it still is the cell's, and
# no program came and went meanwhile. Where it comes too late, it waits for the new one.
#
# Note [Looks and stores]: what was made of a cell's value takes its time, and another
# thread may have written meanwhile. Whether it did is looked at right before the store:
# Python changes threads at calls and backward jumps, and there is none between.
taken: set = set()
_PATIENCE = 100_000  # pauses of 0.1 ms: 10 s and more


def wait_for_other(cell: "Cell", buffer: Any) -> bool:
    """Wait until a cell has another buffer, or is given back; False = neither came."""
    for _ in range(_PATIENCE):
        if cell.device_value is not buffer:
            return True
        if cell not in taken and not _is_deleted(buffer):
            return True
        time.sleep(1e-4)
    return False


def _is_deleted(buffer: Any) -> bool:
    return buffer is not None and buffer.is_deleted()


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
            return self._read_device()
        return self._array

    def _read_device(self) -> Array:
        """The buffer as an array, beside other threads (Note [Taken])."""
        while True:
            buffer, array = self.device_value, self._array
            if buffer is None:
                if array is None:
                    raise Uninitialized(self)
                return array
            try:
                array = np.asarray(buffer)
            except RuntimeError:  # it was deleted: its successor comes
                if not wait_for_other(self, buffer):
                    raise
                continue
            if self.device_value is buffer:  # Note [Looks and stores]
                self._array = array
                return array

    def state(self, held: bool = False) -> Any:
        """The device buffer where there is one, else the array.

        Args:
            held: as `held`, not for the program itself that takes the buffer.
        """
        buffer = self.held() if held else self.device_value
        return self.read() if buffer is None else buffer

    def leave(self, buffer: Any, seen: Any) -> None:
        """Let the cell have the device buffer that was made of its state, unless it
        has another state by now.

        Args:
            buffer: the same value. seen: what `state` gave.
        """
        held = self.device_value
        if (self._array if held is None else held) is seen:  # Note [Looks and stores]
            self.device_value = buffer

    def held(self) -> Any:
        """The device buffer, or None; while it is held, no program takes its memory."""
        while True:
            buffer = self.device_value
            if self not in taken:
                if self.device_value is buffer:
                    return buffer
                continue  # a program came and went: it may have taken the other
            if not wait_for_other(self, buffer):
                raise RuntimeError(f"{self.name} was lost in a step that failed.")

    def write(self, array: Array) -> None:
        """Replace the value."""
        self._array, self.device_value = array, None

    def write_device(self, buffer: Any) -> None:
        """Replace the value by a device buffer; NumPy views are made when asked for."""
        self.device_value = buffer
        self._array = None  # last: Note [Taken]

    def clear(self) -> None:
        """Forget the value."""
        self._array = self.device_value = None

    def __deepcopy__(self, memo: Any) -> Any:
        value = self.read().copy() if self.initialized else None
        return type(self)(self.name, self.dtype, self.shape, value)

    def __reduce__(self) -> tuple:
        value = self.read() if self.initialized else None
        return type(self), (self.name, self.dtype, self.shape, value)
