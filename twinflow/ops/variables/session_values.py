"""Values that a session keeps between runs, under handles that are strings."""

import itertools

import numpy as np

from twinflow.base import dtypes
from twinflow.base.devices import CPU
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.state import Cell

__all__ = ["DeleteSessionTensor", "GetSessionHandle", "GetSessionTensor"]


class ValuesCell(Cell):
    """What one session keeps.

    Attributes:
        kept: dict from handle (bytes) to array.
    """

    __slots__ = ("_numbers", "kept")

    def __init__(self):
        super().__init__("session values", dtypes.resource, ())
        self.kept: dict = {}
        self._numbers = itertools.count()

    def fresh(self):
        """One for another session."""
        return ValuesCell()

    def keep(self, value, name):
        """Keep an array; returns its handle."""
        handle = KeptHandle(f"{name};{next(self._numbers)};{CPU}".encode())
        handle.cell = self
        self.kept[bytes(handle)] = value
        return handle

    def get(self, handle):
        """The array of a handle.

        Raises:
            InvalidArgumentError: it is not kept, or no longer.
        """
        found = self.kept.get(bytes(handle))
        if found is None:
            text = (
                f"The tensor with handle '{handle.decode()}' is not in the session "
                "store."
            )
            raise invalid(text)
        return found

    def delete(self, handle):
        """Forget the array of a handle; as `get` if there is none."""
        self.get(handle)
        del self.kept[bytes(handle)]


class KeptHandle(bytes):
    """A handle that knows where its value is."""

    cell: ValuesCell


def _delete(handle, cell):
    cell.delete(np.asarray(handle)[()])
    return ()


GetSessionHandle, GetSessionHandleV2 = (
    define(
        kind,
        attrs={"cell": None, "node_name": ""},
        infer=lambda value, **_: (),
        host=lambda value, cell, node_name: np.array(
            cell.keep(value, node_name), object
        ),
        cell="cell",
        stateful=True,
    )
    for kind in ("GetSessionHandle", "GetSessionHandleV2")
)
GetSessionTensor = define(
    "GetSessionTensor",
    attrs={"cell": None},
    infer=lambda handle, **_: None,
    host=lambda handle, cell, dtype: cell.get(np.asarray(handle)[()]),
    cell="cell",
    stateful=True,
)
DeleteSessionTensor = define(
    "DeleteSessionTensor",
    attrs={"cell": None},
    infer=lambda handle, **_: [],
    host=_delete,
    cell="cell",
    stateful=True,
)
