"""Values as plain data, with the arrays apart: {"d": "float32"}, {"a": 3} ...

d  a DType        s  a TensorShape     f  a float     b  bytes in base 64
l  a list         t  a tuple           m  a dict      n  a NumPy dtype
a  an array, by its number; g the same as a NumPy scalar
c  a cell, by its number               e  the elements of a tensor array
h  the handle of a tensor array        z  what a dead side of a Switch gives
x  what stays in its process: the name of its class
"""

import base64
import hashlib
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.dtypes import DType
from twinflow.base.shapes import TensorShape
from twinflow.base.state import Cell
from twinflow.execute.cell_states import is_plain
from twinflow.ops.arrays.switch import DEAD
from twinflow.ops.core.flow import Elements
from twinflow.ops.random.streams import OriginalStream, Stream
from twinflow.ops.tensor_array.elements import ArrayHandle

_HANDLE = ("size", "dynamic", "clear", "identical", "shape", "adds", "name")
_OWN_DTYPES = {"flow": dtypes.flow, "array": dtypes.array_handle}
_PLAIN_KINDS = "biufcSU"


class Absent:
    """In place of an object that stayed in the process that wrote the capsule."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __repr__(self) -> str:
        return f"<{self.kind} of the process that failed>"


class AbsentCell(Cell):
    """In place of a queue, an iterator or another cell that is no value."""

    __slots__ = ()


class Lost:
    """In place of an array that did not fit into the budget."""

    def __init__(self, entry: dict) -> None:
        self.entry = entry

    def __repr__(self) -> str:
        dims = ",".join(map(str, self.entry["shape"]))
        return f"{self.entry['dtype']}[{dims}] (left out)"


def digest(value: Any) -> str:
    """A text that two arrays share if they are equal bit for bit."""
    array = np.asarray(value)
    head = f"{array.dtype.name} {array.shape}".encode()
    if array.dtype == object:
        items = [_bytes(x) for x in array.reshape(-1).tolist()]
        body = b"".join(len(x).to_bytes(8, "little") + x for x in items)
    else:
        body = np.ascontiguousarray(array).tobytes()
    return hashlib.sha256(head + b"\0" + body).hexdigest()


def _bytes(text: Any) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)


def is_text(array: np.ndarray) -> bool:
    """Whether an array of objects holds texts alone."""
    return all(isinstance(x, bytes | str) for x in array.reshape(-1).tolist())


class Packer:
    """Takes values apart.

    Args:
        first: {id of a cell: (the cell, its state when the step began)}.
        own: from a cell of a graph to the one that the step worked on.
    Attributes:
        arrays, cells, handles: what the numbers stand for.
    """

    def __init__(self, first: dict, own: Any) -> None:
        self.first, self.own = first, own
        self.arrays: list[np.ndarray] = []
        self.cells: list[dict] = []
        self.handles: list[dict] = []
        self._numbers: dict = {}
        self._kept: list = []  # so that no id is used twice

    def value(self, value: Any) -> Any:
        """`value` as JSON has it."""
        if value is None or isinstance(value, bool | str) or type(value) is int:
            return value
        pack = _PACKERS.get(type(value))
        if pack is not None:
            return pack(self, value)
        if isinstance(value, np.ndarray):
            return self.array(value)
        if isinstance(value, np.generic):
            return {"g": self.array(np.asarray(value))["a"]}
        if isinstance(value, np.dtype):
            return {"n": value.name}
        if isinstance(value, Cell):
            return self.cell(value)
        return {"z": 1} if value is DEAD else {"x": type(value).__name__}

    def array(self, array: np.ndarray) -> dict:
        """The number of an array; one of objects that are no texts is absent."""
        if array.dtype == object and not is_text(array):
            return {"x": "array of objects"}
        return {"a": self._number("array", array, self.arrays, array)}

    def cell(self, cell: Cell, of_graph: bool = False) -> dict:
        """The number of a cell, or of the one that the step had for it."""
        if of_graph and is_plain(cell):
            cell = self.own(cell)
        number = self._numbers.get(("cell", id(cell)))
        if number is None:
            number = self._number("cell", cell, self.cells, {})
            self.cells[number] = self._told(cell)
        return {"c": number}

    def _told(self, cell: Cell) -> dict:
        if not is_plain(cell):
            return {"kind": "absent", "name": str(getattr(cell, "name", ""))}
        told = {
            "kind": "cell", "name": cell.name, "dtype": self.value(cell.dtype),
            "shape": self.value(cell.shape),
        }  # fmt: skip
        if isinstance(cell, Stream):
            kind = "original" if isinstance(cell, OriginalStream) else "stream"
            told.update(kind=kind, seeds=list(cell.seeds), seeded=cell.seeded)
        state, buffer = self.first.get(id(cell), (cell, (None, None)))[1]
        if id(cell) not in self.first:
            state = cell.read() if cell.initialized else None
        elif state is None and buffer is not None:
            state = np.asarray(buffer)
        told["value"] = None if state is None else self.value(np.asarray(state))
        return told

    def handle(self, handle: ArrayHandle) -> dict:
        """The number of the handle of a tensor array."""
        told = {name: self.value(getattr(handle, name)) for name in _HANDLE}
        told["dtype"] = self.value(handle.dtype)
        told["shapes"] = self.value(dict(handle.shapes))
        told["read"] = sorted(handle.read)
        return {"h": self._number("handle", handle, self.handles, told)}

    def _number(self, kind: str, thing: Any, table: list, entry: Any) -> int:
        key = kind, id(thing)
        if key not in self._numbers:
            self._kept.append(thing)
            self._numbers[key] = len(table)
            table.append(entry)
        return self._numbers[key]


def _pack_dict(packer: Packer, value: dict) -> dict:
    return {"m": [[packer.value(k), packer.value(v)] for k, v in value.items()]}


def _pack_dtype(packer: Packer, value: DType) -> dict:
    own = next((k for k, v in _OWN_DTYPES.items() if v is value), None)
    return {"d": own or value.name}


def _pack_shape(packer: Packer, value: TensorShape) -> dict:
    dims = value.tuple
    return {"s": None if dims is None else list(dims)}


_PACKERS: dict = {
    float: lambda packer, v: {"f": v.hex()},
    bytes: lambda packer, v: {"b": base64.b64encode(v).decode()},
    list: lambda packer, v: {"l": [packer.value(x) for x in v]},
    tuple: lambda packer, v: {"t": [packer.value(x) for x in v]},
    dict: _pack_dict,
    DType: _pack_dtype,
    TensorShape: _pack_shape,
    Elements: lambda packer, v: {
        "e": [[int(i), packer.value(x)] for i, x in v.items.items()],
        "size": None if v.size is None else int(v.size),
    },
    ArrayHandle: lambda packer, v: packer.handle(v),
}


class Unpacker:
    """Puts values together.

    Args:
        arrays: arrays by their numbers; a Lost for one that was left out.
        cells, handles: what a Packer told of them.
    """

    def __init__(self, arrays: list, cells: list, handles: list) -> None:
        self.arrays = arrays
        self._cells, self._handles = cells, handles
        self._made: dict = {}

    def value(self, told: Any) -> Any:
        """What JSON has told of a value.

        Raises:
            ValueError: that is nothing that a Packer writes.
        """
        if told is None or isinstance(told, bool | str | int):
            return told
        kinds = [k for k in told if k in _UNPACKERS] if isinstance(told, dict) else ()
        if len(kinds) != 1:
            raise ValueError(f"{str(told)[:60]} is no value")
        return _UNPACKERS[kinds[0]](self, told)

    def array(self, number: Any) -> Any:
        """An array by its number."""
        return _entry(self.arrays, number, "array")

    def cell(self, number: Any) -> Cell:
        """A cell by its number, in the state that it had."""
        told = _entry(self._cells, number, "cell")
        if ("cell", number) not in self._made:
            self._made["cell", number] = self._cell(told)
        return self._made["cell", number]

    def _cell(self, told: dict) -> Cell:
        kind = told["kind"]
        if kind == "absent":
            return AbsentCell(str(told["name"]), dtypes.resource, ())
        value = self.value(told["value"])
        if value is not None and not isinstance(value, Lost):
            value = np.asarray(value)
        if kind == "cell":
            dtype = _checked(self.value(told["dtype"]), DType)
            shape = self.value(told["shape"])
            return Cell(_checked(told["name"], str), dtype, shape, value)
        seeds = tuple(_checked(s, int) for s in told["seeds"])
        made = (OriginalStream if kind == "original" else Stream)(seeds, True)
        made.seeded = bool(told["seeded"])
        state: Any = value
        if not isinstance(value, Lost) and (
            value is None or value.shape != (2,) or value.dtype != np.uint64
        ):
            raise ValueError("the state of a random stream is no uint64[2]")
        made.write(state)
        return made

    def handle(self, number: Any) -> ArrayHandle:
        """The handle of a tensor array by its number."""
        told = _entry(self._handles, number, "tensor array")
        found = self._made.get(("handle", number))
        if found is None:
            size, dynamic, clear, identical, shape, adds, name = (
                self.value(told[key]) for key in _HANDLE
            )
            dtype = _checked(self.value(told["dtype"]), DType)
            found = ArrayHandle(dtype, size, dynamic, clear, identical, shape, "")
            found.adds, found.name = adds, name
            found.shapes = _checked(self.value(told["shapes"]), dict)
            found.read = set(told["read"])
            self._made["handle", number] = found
        return found


def _entry(table: list, number: Any, what: str) -> Any:
    if type(number) is not int or not 0 <= number < len(table):
        raise ValueError(f"there is no {what} {number!r}")
    return table[number]


def _checked(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise ValueError(f"{str(value)[:60]!r} where a {kind.__name__} is wanted")
    return value


def _dtype(unpacker: Unpacker, told: dict) -> DType:
    name = _checked(told["d"], str)
    own = _OWN_DTYPES.get(name)
    return dtypes.as_dtype(name) if own is None else own


def _scalar(unpacker: Unpacker, told: dict) -> Any:
    found = unpacker.array(told["g"])
    return found if isinstance(found, Lost) else found[()]


def _elements(unpacker: Unpacker, told: dict) -> Elements:
    items = {_checked(i, int): unpacker.value(v) for i, v in told["e"]}
    return Elements(items, told["size"])


_UNPACKERS: dict = {
    "d": _dtype,
    "n": lambda unpacker, told: np.dtype(_checked(told["n"], str)),
    "s": lambda unpacker, told: TensorShape(told["s"]),
    "f": lambda unpacker, told: float.fromhex(told["f"]),
    "b": lambda unpacker, told: base64.b64decode(told["b"], validate=True),
    "l": lambda unpacker, told: [unpacker.value(v) for v in told["l"]],
    "t": lambda unpacker, told: tuple([unpacker.value(v) for v in told["t"]]),
    "m": lambda unpacker, told: {
        unpacker.value(k): unpacker.value(v) for k, v in told["m"]
    },
    "a": lambda unpacker, told: unpacker.array(told["a"]),
    "g": _scalar,
    "c": lambda unpacker, told: unpacker.cell(told["c"]),
    "e": _elements,
    "h": lambda unpacker, told: unpacker.handle(told["h"]),
    "z": lambda unpacker, told: DEAD,
    "x": lambda unpacker, told: Absent(_checked(told["x"], str)),
}
