"""Places of passes as bytes, for checkpoints; see Note [Places].

    "twinflow iterator 1\\n", uint64 length, JSON, the bytes of arrays one after another

In the JSON an object stands for bytes: {"dtype", "shape"} for numbers, {"strings",
"shape"} for an array of strings (their lengths), {"bytes"} (a length); {"rows"} is a
window, with its rows. All little-endian.
"""

import json
import struct

import numpy as np

from twinflow.base import errors
from twinflow.base.dtypes import as_dtype
from twinflow.data.pipeline.positions import elsewhere, place_of, put
from twinflow.data.pipeline.windows import Rows, boxed
from twinflow.data.structure import text_of

_MAGIC = b"twinflow iterator 1\n"
_LENGTH = struct.Struct("<Q")


def saved(run, structure, token=b""):
    """The place of a pass over elements of a Structure, as bytes.

    Args:
        token: bytes by which this process finds the dataset (Note [Revived nodes]).
    Raises:
        UnimplementedError: a pass, or an element that waits in it, cannot be saved.
    """
    blobs: list = []
    form = text_of(structure.output_types, lambda t: t.name)
    text = json.dumps([form, _plain(place_of(run), blobs), token.decode()])
    head = text.encode()
    return b"".join([_MAGIC, _LENGTH.pack(len(head)), head, *blobs])


def resume(run, structure, data):
    """Let a pass that has given nothing go on from the place in `data`.

    Raises:
        InvalidArgumentError: it is one of another pipeline. DataLossError: it is none.
    """
    found, place, _ = _read(data)
    form = text_of(structure.output_types, lambda t: t.name)
    if found != form:
        raise elsewhere(f"there elements of {found}, here of {form}")
    try:
        put(run, place)
    except (TypeError, ValueError, IndexError, KeyError) as error:
        raise elsewhere(str(error)) from error


def token_of(data):
    """The token that `saved` was given; empty if there is none."""
    return _read(data)[2]


def _read(data):
    """What the elements are, the place, and the token."""
    try:
        magic, rest = data[: len(_MAGIC)], memoryview(data)[len(_MAGIC) :]
        if magic != _MAGIC:
            raise ValueError(f"it begins with {magic!r}")
        (size,) = _LENGTH.unpack_from(rest)
        start = _LENGTH.size + size
        form, plain, *token = json.loads(bytes(rest[_LENGTH.size : start]))
        return form, _built(plain, _Blobs(rest[start:])), "".join(token).encode()
    except (TypeError, ValueError, struct.error) as error:
        raise errors.DataLossError(
            None, None, f"This is no saved state of an iterator of twinflow: {error}"
        ) from error


# ---------------------------------------------------------------------- writing
def _plain(value, blobs):
    """`value` as JSON has it; the bytes are added to `blobs`."""
    if isinstance(value, list | tuple):
        return [_plain(v, blobs) for v in value]
    if isinstance(value, bytes):
        blobs.append(value)
        return {"bytes": len(value)}
    if not isinstance(value, np.ndarray | np.generic):
        return value
    array = np.asarray(value)
    return _objects(array, blobs) if array.dtype == object else _numbers(array, blobs)


def _numbers(array, blobs):
    blobs.append(array.tobytes())
    return {"dtype": as_dtype(array.dtype).name, "shape": array.shape}


def _objects(array, blobs):
    items = array.ravel().tolist()
    if all(isinstance(i, bytes) for i in items):
        blobs += items
        return {"strings": [len(i) for i in items], "shape": array.shape}
    if array.ndim == 0 and isinstance(items[0], Rows):
        return {"rows": _plain(items[0].rows, blobs)}
    raise errors.UnimplementedError(
        None, None,
        "An iterator with elements that are neither numbers, strings nor windows "
        f"cannot be saved, got a {type(items[0]).__name__}.",
    )  # fmt: skip


# ---------------------------------------------------------------------- reading
class _Blobs:
    """Bytes, taken from the front."""

    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, count):
        """The next `count` bytes."""
        start, self.place = self.place, self.place + count
        if self.place > len(self.data):
            raise ValueError("it is cut off")
        return bytes(self.data[start : self.place])


def _built(plain, blobs):
    if isinstance(plain, list):
        return [_built(p, blobs) for p in plain]
    if not isinstance(plain, dict):
        return plain
    if "bytes" in plain:
        return blobs.take(plain["bytes"])
    if "rows" in plain:
        return boxed(_built(plain["rows"], blobs))
    shape = tuple(plain["shape"])
    if "strings" in plain:
        out = np.empty(len(plain["strings"]), object)
        out[:] = [blobs.take(n) for n in plain["strings"]]
        return out.reshape(shape)
    kind = np.dtype(as_dtype(plain["dtype"]).np)
    data = blobs.take(int(np.prod(shape, dtype=np.int64)) * kind.itemsize)
    return np.frombuffer(data, kind).reshape(shape).copy()
