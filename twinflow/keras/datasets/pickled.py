"""Pickles of NumPy arrays and plain values, read without running what they name.

Note [Plain pickles]: a pickle names functions and calls them. Arrays need a few names:
of what makes an empty array, the array, its dtype, and bytes from a text. Here
stand-ins answer to these names, which only keep what they were given; any other name is
an error. The arrays are made afterwards, from a dtype that is a plain number or object.
"""

import io
import pickle

import numpy as np

_HOMES = {
    "numpy", *(
        f"numpy.{core}.{module}"
        for core in ("core", "_core")
        for module in ("multiarray", "numeric")
    ),
}  # fmt: skip


class _DType:
    """A dtype: its name, and the order of its bytes."""

    def __init__(self, name, *_):
        self.name, self.order = _text(name), "|"

    def __setstate__(self, state):
        self.order = _text(state[1])

    def numpy(self):
        """The dtype.

        Raises:
            ValueError: it is not that of plain numbers, texts or objects.
        """
        kind = np.dtype(self.name)
        if kind.kind not in "biufcSUO" or kind.fields or kind.subdtype:
            raise ValueError(f"the dtype {self.name!r} is not plain")
        return kind.newbyteorder(self.order) if self.order in "<>" else kind


class _Array:
    """An array: its shape, dtype and values."""

    state: tuple = ()

    def __init__(self, *_):
        pass

    def __setstate__(self, state):
        self.state = state

    def numpy(self):
        """The array.

        Raises:
            ValueError: the values do not fill the shape.
        """
        _, shape, dtype, column_first, values = self.state
        kind = dtype.numpy()
        if kind.kind == "O":
            flat = np.empty(len(values), object)
            for i, value in enumerate(values):
                flat[i] = built(value)
        else:
            flat = np.frombuffer(_bytes(values), kind).copy()
        return flat.reshape(shape, order="F" if column_first else "C")


def _from_buffer(buffer, dtype, shape, order):
    """How protocol 5 writes an array."""
    made = _Array()
    made.state = (1, shape, dtype, order == "F", buffer)
    return made


def _scalar(dtype, value):
    return np.frombuffer(_bytes(value), dtype.numpy())[0]


def _encoded(text, encoding):
    """Bytes that an old protocol writes as text."""
    if encoding not in ("latin1", "latin-1"):
        raise pickle.UnpicklingError(f"bytes in the encoding {encoding!r}")
    return text.encode("latin1")


def _no_bytes():
    """How an old protocol writes b""; bytes(n) could fill the memory."""
    return b""


def _text(value):
    return value.decode("latin1") if isinstance(value, bytes) else value


def _bytes(value):
    return value.encode("latin1") if isinstance(value, str) else value


_STAND_INS = {
    "_reconstruct": _Array, "ndarray": _Array, "dtype": _DType,
    "_frombuffer": _from_buffer, "scalar": _scalar,
}  # fmt: skip


class _Unpickler(pickle.Unpickler):
    """Knows the names of Note [Plain pickles], and no others."""

    def find_class(self, module, name):
        if (module, name) == ("_codecs", "encode"):
            return _encoded
        if (module, name) == ("__builtin__", "bytes"):
            return _no_bytes
        if module in _HOMES and name in _STAND_INS:
            return _STAND_INS[name]
        raise pickle.UnpicklingError(
            f"it asks for {module}.{name}, which arrays do not need: refused, for "
            "loading it could run code that somebody else wrote"
        )


def read(data: bytes, encoding: str = "ASCII"):
    """The arrays and plain values of a pickle.

    Raises:
        pickle.UnpicklingError, ValueError and others: it is damaged, or holds more.
    """
    return built(_Unpickler(io.BytesIO(data), encoding=encoding).load())


def built(value):
    """A value with arrays in the place of their stand-ins."""
    if isinstance(value, _Array):
        return value.numpy()
    if isinstance(value, list | tuple):
        return type(value)(map(built, value))
    if isinstance(value, dict):
        return {k: built(v) for k, v in value.items()}
    return value
