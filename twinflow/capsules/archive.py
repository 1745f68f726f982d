"""The file of a capsule: a zip of JSON and .npy members.

capsule.json     the program, the values, the failure; arrays by their numbers
graph.pb         the GraphDef, for TensorBoard and others; no replay reads it
arrays/3.npy     an array; texts are arrays/3.npy and arrays/3.lengths.npy
"""

import io
import json
import math
import os
import zipfile
from typing import Any

import ml_dtypes
import numpy as np

from twinflow.base import unfinished
from twinflow.base.damage import located, reported
from twinflow.capsules.values import Lost, digest

_HEAD = "capsule.json"
_MOST_HEAD = 1 << 30  # bytes of JSON
_MOST = 1 << 36  # bytes of all arrays
_KINDS = "biufcSU"
_AS = {"bfloat16": np.dtype(ml_dtypes.bfloat16)}


# ---------------------------------------------------------------------- writing
def write(path: str, contents: Any, budget: int) -> list[str]:
    """Write a capsule: all of it, or nothing.

    Args:
        budget: bytes of arrays; the largest are left out where there is no room.
    Returns:
        What was left out, a line each.
    Raises:
        OSError: the file cannot be written.
    """
    arrays, names = contents.arrays, contents.names
    left_out = _too_large(arrays, budget)
    entries = [_entry(i, a, i in left_out) for i, a in enumerate(arrays)]
    head = {**contents.head, "arrays": entries}
    with unfinished.beside(path) as part:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z:
            z.writestr(_HEAD, json.dumps(head, allow_nan=False))
            if contents.graph_def:
                z.writestr("graph.pb", contents.graph_def)
            for i, array in enumerate(arrays):
                if i not in left_out:
                    _put(z, entries[i], array)
        os.replace(part, path)
    lines = [
        f"{names[i] or 'an array'}, {a.dtype.name}{list(a.shape)} "
        f"({a.nbytes / 2**20:.1f} MB of {budget / 2**20:.1f})"
        for i, a in enumerate(arrays) if i in left_out
    ]  # fmt: skip
    return lines


def _too_large(arrays: list, budget: int) -> set[int]:
    total, left_out = sum(a.nbytes for a in arrays), set()
    for i in sorted(range(len(arrays)), key=lambda i: -arrays[i].nbytes):
        if total <= budget:
            break
        total -= arrays[i].nbytes
        left_out.add(i)
    return left_out


def _entry(number: int, array: np.ndarray, lost: bool) -> dict:
    entry: dict = {
        "dtype": "text" if array.dtype == object else array.dtype.name,
        "shape": list(array.shape), "sha256": digest(array),
    }  # fmt: skip
    if array.dtype.kind not in _KINDS and array.dtype != object:
        if array.dtype.name not in _AS:
            raise TypeError(f"no file holds {array.dtype.name}")
        entry["as"] = array.dtype.name
    order = [int(i) for i in np.argsort([-s for s in array.strides], kind="stable")]
    if order != sorted(order) and array.transpose(order).flags.c_contiguous:
        entry["order"] = order
    return {**entry, "left_out": True} if lost else {**entry, "number": number}


def _put(z: zipfile.ZipFile, entry: dict, array: np.ndarray) -> None:
    name = f"arrays/{entry['number']}"
    if array.dtype == object:
        items = [_bytes(x) for x in array.reshape(-1).tolist()]
        lengths = np.array([len(x) for x in items], np.int64)
        z.writestr(f"{name}.lengths.npy", _npy(lengths))
        z.writestr(f"{name}.npy", _npy(np.frombuffer(b"".join(items), np.uint8)))
        return
    if "as" in entry:
        array = np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")
    if "order" in entry:
        array = array.transpose(entry["order"])
    z.writestr(f"{name}.npy", _npy(np.ascontiguousarray(array).reshape(array.shape)))


def _bytes(text: Any) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)


def _npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, array, allow_pickle=False)
    return file.getvalue()


# ---------------------------------------------------------------------- reading
def read(path: str) -> tuple[dict, list]:
    """(the plain data, the arrays) of a capsule.

    Raises:
        OSError: there is no such file. ValueError: it is no capsule, or damaged.
    """
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"PK\3\4":
        raise ValueError(
            f"{path} is no capsule: it does not begin as one. Capsules are written by "
            "tf.debugger.capsule and `twinflow run --capsule`."
        )
    with reported(path), zipfile.ZipFile(io.BytesIO(data)) as z:
        head = json.loads(_member(z, _HEAD, _MOST_HEAD), parse_constant=_refuse)
        if not isinstance(head, dict) or head.get("format") != 1:
            found = head.get("format") if isinstance(head, dict) else None
            raise ValueError(
                f"it has the format {found!r}, and this twinflow reads format 1"
            )
        if sum(i.file_size for i in z.infolist()) > _MOST:
            raise ValueError("its arrays are larger than any memory")
        arrays = []
        for i, entry in enumerate(head["arrays"]):
            with located(f"the array {i}"):
                arrays.append(_got(z, entry))
        return head, arrays


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


def _member(z: zipfile.ZipFile, name: str, most: int) -> bytes:
    info = z.getinfo(name)
    if info.file_size > most:
        raise ValueError(f"{name} says that it has {info.file_size} bytes")
    return z.read(info)


def _got(z: zipfile.ZipFile, entry: dict) -> Any:
    shape = entry["shape"]
    if not all(type(d) is int and d >= 0 for d in shape):
        raise ValueError(f"{shape} is no shape")
    if entry.get("left_out"):
        return Lost(entry)
    name = f"arrays/{_number(entry['number'])}"
    array = _array(_member(z, f"{name}.npy", _MOST))
    if entry["dtype"] == "text":
        array = _texts(array, _array(_member(z, f"{name}.lengths.npy", _MOST)))
    if "as" in entry:
        array = array.view(_AS[entry["as"]])
    if "order" in entry:
        order = entry["order"]
        if sorted(order) != list(range(array.ndim)):
            raise ValueError(f"{order} is no order of axes")
        array = array.transpose(np.argsort(order))
    array = array.reshape(shape) if entry["dtype"] == "text" else array
    if list(array.shape) != shape or digest(array) != entry["sha256"]:
        raise ValueError("it is not what was written")
    array.setflags(write=False)
    return array


def _number(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is no number")
    return value


def _array(data: bytes) -> np.ndarray:
    """The array of an .npy file, of which nothing is believed."""
    file = io.BytesIO(data)
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError("it is an .npy file of another version")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
    if dtype.hasobject or dtype.names or dtype.kind not in _KINDS:
        raise ValueError(f"it holds {dtype}")
    rest = len(data) - file.tell()
    if fortran or math.prod(shape) * dtype.itemsize != rest:
        raise ValueError(f"it has {rest} bytes for {dtype}{list(shape)}")
    return np.frombuffer(data, dtype, offset=file.tell()).reshape(shape).copy()


def _texts(data: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    if data.dtype != np.uint8 or lengths.dtype != np.int64 or (lengths < 0).any():
        raise ValueError("its texts have no lengths")
    ends = np.cumsum(lengths).tolist()
    if (ends[-1] if ends else 0) != data.size:
        raise ValueError("its texts have other lengths")
    whole, start = data.tobytes(), 0
    found = np.empty(len(ends), object)
    for i, end in enumerate(ends):
        found[i], start = whole[start:end], end
    return found
