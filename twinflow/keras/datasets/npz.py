"""Arrays in .npz files; those of objects as Note [Plain pickles] says."""

import math
import zipfile

import numpy as np

from twinflow.base.damage import located, reported
from twinflow.keras.datasets import pickled

_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def arrays_of(path: str, *names: str) -> list[np.ndarray]:
    """Arrays of an .npz file, by their names.

    Raises:
        ValueError: the file is damaged, lacks one, or holds more than plain values.
    """
    with reported(path), zipfile.ZipFile(path) as archive:
        return [_array(archive, f"{name}.npy") for name in names]


def _array(archive, name):
    if name not in archive.namelist():
        raise ValueError(f"there is no {name!r} in it, only {archive.namelist()}")
    with located(f"its array {name!r}"), archive.open(name) as file:
        version = np.lib.format.read_magic(file)
        if version not in _HEADERS:
            raise ValueError(f"{name!r} has the unknown version {version}")
        shape, column_first, dtype = _HEADERS[version](file)
        data = file.read()
        if dtype.hasobject:
            return _objects(data, name)
        if len(data) != math.prod(shape) * dtype.itemsize:
            raise ValueError(
                f"{name!r} has {len(data)} bytes for the shape {shape} of {dtype}"
            )
        flat = np.frombuffer(data, dtype).copy()
        return flat.reshape(shape, order="F" if column_first else "C")


def _objects(data, name):
    value = pickled.read(data)
    if not isinstance(value, np.ndarray):
        raise ValueError(f"{name!r} holds no array, but a {type(value).__name__}")
    return value
