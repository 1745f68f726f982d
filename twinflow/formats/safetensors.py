"""Files of safetensors: named arrays behind a header in JSON; nothing in them is code.

    8 bytes    the length of the header, little-endian
    header     {"name": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}, ...,
               "__metadata__": {text: text}}
    the rest   the bytes of the arrays, without gaps, in rows

The format is so small that it needs no package.
"""

import json
import math
from typing import Any

import numpy as np

from twinflow.base import dtypes, progress, stores, unfinished
from twinflow.base.errors import DataLossError
from twinflow.base.files import translated
from twinflow.base.text import as_str_any

ENDING = ".safetensors"
_METADATA = "__metadata__"
_LONGEST = 100_000_000  # bytes of a header, as other readers take them
_KINDS = {
    "BOOL": dtypes.bool, "U8": dtypes.uint8, "I8": dtypes.int8, "I16": dtypes.int16,
    "U16": dtypes.uint16, "I32": dtypes.int32, "U32": dtypes.uint32,
    "I64": dtypes.int64, "U64": dtypes.uint64, "F16": dtypes.float16,
    "BF16": dtypes.bfloat16, "F32": dtypes.float32, "F64": dtypes.float64,
    "C64": dtypes.complex64,
}  # fmt: skip
_NAMES = {dtype: name for name, dtype in _KINDS.items()}


def write(path: str, tensors: dict, metadata: dict | None = None) -> None:
    """Write arrays by name, all or nothing.

    Args:
        path: the file. tensors: {name: array}. metadata: {text: text}, or None.
    Raises:
        ValueError: an array holds strings or another dtype that the format has not.
    """
    header: dict = {_METADATA: dict(metadata)} if metadata else {}
    arrays, place = [], 0
    for name, value in sorted(tensors.items()):
        array = np.asarray(value, order="C")
        kind = None if array.dtype.hasobject else dtypes.as_dtype(array.dtype)
        if kind not in _NAMES:
            raise ValueError(
                f"{name!r} is of {array.dtype}, which safetensors has not: it has "
                f"{', '.join(_NAMES[d] for d in _NAMES)}."
            )
        end = place + array.nbytes
        offsets, shape = [place, end], list(array.shape)
        header[name] = {"dtype": _NAMES[kind], "shape": shape, "data_offsets": offsets}
        arrays.append(array)
        place = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with translated(path), unfinished.beside(path) as part:
        with open(part, "wb") as file:
            file.write(len(text).to_bytes(8, "little") + text)
            for array in progress.over("writing", arrays):
                file.write(array.tobytes())
        stores.replace(part, path)


class SafeTensors:
    """What is in a file; `twinflow.formats.checkpoint_v2.Bundle` for safetensors.

    Args:
        path: the file.
    Attributes:
        entries: {name: (DType, shape, first byte, end)}. metadata: dict of texts.
    Raises:
        DataLossError: it is damaged, or says more than it holds.
    """

    def __init__(self, path: str) -> None:
        self.path = as_str_any(path)
        with translated(self.path), stores.opened(self.path) as file:
            size = file.seek(0, 2)
            file.seek(0)
            length = int.from_bytes(file.read(8), "little")
            if size < 8 or length > min(_LONGEST, size - 8):
                self._refuse(f"its header of {length} bytes does not fit into {size}")
            text = file.read(length)
        try:
            header = json.loads(text)
        except (ValueError, RecursionError) as error:
            self._refuse(f"its header is no JSON: {error}")
        if not isinstance(header, dict):
            self._refuse("its header is no dict")
        self._start, room = 8 + length, size - 8 - length
        self.metadata = header.pop(_METADATA, {})
        self.entries = {n: self._checked(n, e, room) for n, e in header.items()}

    def _refuse(self, why: str) -> Any:
        raise DataLossError(None, None, f"{self.path} is no safetensors file: {why}")

    def _checked(self, name: str, entry: Any, room: int) -> tuple:
        try:
            kind, shape = _KINDS[entry["dtype"]], tuple(entry["shape"])
            first, end = entry["data_offsets"]
            whole = all(type(d) is int and d >= 0 for d in (*shape, first, end))
        except (KeyError, TypeError, ValueError):
            return self._refuse(f"the entry of {name!r} is {str(entry)[:100]}")
        if not whole or end > room or end - first != math.prod(shape) * kind.size:
            self._refuse(
                f"{name!r} of shape {shape} says bytes {first} to {end} of {room}"
            )
        return kind, shape, first, end

    def __contains__(self, name: str) -> bool:
        return name in self.entries

    def shape(self, name: str) -> tuple:
        """The shape of an array."""
        return self.entries[name][1]

    def dtype(self, name: str) -> dtypes.DType:
        """The DType of an array."""
        return self.entries[name][0]

    def read(self, name: str) -> np.ndarray:
        """An array."""
        kind, shape, first, end = self.entries[name]
        with translated(self.path), stores.opened(self.path) as file:
            file.seek(self._start + first)
            data = file.read(end - first)
        if len(data) != end - first:
            self._refuse(f"the bytes of {name!r} end early")
        return np.frombuffer(bytearray(data), kind.np).reshape(shape)
