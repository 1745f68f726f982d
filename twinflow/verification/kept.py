"""Values as they were: dtype, shape, digest, and the array within a budget."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from twinflow.base import nest
from twinflow.base.state import Cell
from twinflow.base.tensor import Tensor, TensorLike


class Budget:
    """How many bytes of arrays a trace may still keep.

    Attributes:
        left: bytes. dropped: how many arrays did not fit.
    """

    def __init__(self, megabytes: float = 256.0) -> None:
        self.left, self.dropped = int(megabytes * 1e6), 0

    def takes(self, size: int) -> bool:
        """Whether `size` bytes more may be kept; they are counted."""
        if size > self.left:
            self.dropped += 1
            return False
        self.left -= size
        return True


class Kept:
    """One value of a trace.

    Attributes:
        dtype: its name, or that of a Python class. shape: a tuple.
        digest: equal for equal values. array: the array, None where it was not kept.
    """

    __slots__ = ("array", "digest", "dtype", "shape")

    def __init__(self, dtype: str, shape: tuple, digest: bytes, array: Any) -> None:
        self.dtype, self.shape, self.digest, self.array = dtype, shape, digest, array

    def __repr__(self) -> str:
        if self.dtype == "nothing":
            return "not run"
        if self.array is None:
            return f"{self.dtype}{list(self.shape)}, not kept"
        text = np.array2string(
            self.array, threshold=8, edgeitems=3, separator=", ", max_line_width=10_000
        )
        return f"{self.dtype}{list(self.shape)} {' '.join(text.split())}"

    def __reduce__(self) -> tuple:
        return Kept, (self.dtype, self.shape, self.digest, self.array)


def kept(value: Any, budget: Budget) -> Kept:
    """A value as it is now; what is no array is kept as its class."""
    if isinstance(value, Cell):
        return Kept("cell", (), value.name.encode(), None)
    if isinstance(value, TensorLike):
        value = value._as_tensor()
    if isinstance(value, Tensor):
        value = getattr(value, "_a", value)
    plain = isinstance(value, bool | int | float | complex | str | bytes)
    if not plain and not isinstance(value, np.ndarray | np.generic):
        return Kept(type(value).__name__, (), b"", None)
    array = np.asarray(value, _NUMBERS.get(type(value)))
    if array.dtype.kind in "OUS":
        texts = np.array([_text(v) for v in array.ravel()], object)
        digest = hashlib.blake2b(b"\0".join(texts), digest_size=16).digest()
        copy = (
            texts.reshape(array.shape) if budget.takes(len(b"".join(texts))) else None
        )
        return Kept("string", array.shape, digest, copy)
    data = np.ascontiguousarray(array)
    digest = hashlib.blake2b(data.tobytes(), digest_size=16).digest()
    copy = np.array(array) if budget.takes(array.nbytes) else None
    return Kept(array.dtype.name, array.shape, digest, copy)


# What tensors Python numbers become.
_NUMBERS = {float: np.float32, int: np.int32, complex: np.complex128}


def each_kept(structure: Any, budget: Budget) -> list[Kept]:
    """The values of a structure, flat; None is left out."""
    return [kept(v, budget) for v in _leaves(structure) if v is not None]


def _leaves(structure: Any) -> Iterator[Any]:
    """Its parts in order; keys of dicts, such as the hooks of a run, may have none."""
    if isinstance(structure, Mapping):
        structure = [v for _, v in sorted(structure.items(), key=_name_of_key)]
    if not nest.is_sequence(structure):
        yield structure
        return
    for part in structure if isinstance(structure, list | tuple) else [structure]:
        yield from _leaves(part) if part is not structure else nest.flatten(part)


def _name_of_key(item: tuple) -> str:
    return str(item[0])


def _text(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
