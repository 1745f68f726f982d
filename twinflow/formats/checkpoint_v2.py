"""Bundles: the files of a checkpoint, TensorFlow's format V2.

    PREFIX.index                  a sorted table: "" -> BundleHeaderProto,
                                  name -> BundleEntryProto (dtype, shape, where, crc)
    PREFIX.data-00000-of-00001    the bytes of the tensors, one after the other

Strings are their lengths as varints, a masked checksum of the lengths, and their bytes.
Both files are written under other names and renamed, the index last: before that a new
bundle is not there. Where one is replaced, its data stay beside the new ones under
``.former`` until the index is renamed: what finds a checksum wrong looks there, and the
next writer into the folder settles what one that died has left (Note [Unfinished]).
"""

import contextlib
import glob
import math
import os
import struct
from typing import Any

import numpy as np

from twinflow.base import dtypes, errors, progress, stores, unfinished
from twinflow.base.damage import reported
from twinflow.base.files import translated
from twinflow.formats.crc32c import masked_crc32c
from twinflow.formats.protos import BundleEntryProto, BundleHeaderProto
from twinflow.formats.sorted_table import read_table, read_varint, table, varint

_HEADER = b""
_FORMER = ".former"


def data_path(prefix, shard=0, shards=1):
    """The file of the tensors' bytes."""
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


def index_path(prefix):
    """The file of the table."""
    return f"{prefix}.index"


# ------------------------------------------------------------------ writing
def write_bundle(prefix, tensors):
    """Write tensors as a bundle, all or nothing.

    Args:
        prefix: the path without the ends. tensors: (name, array, slice) triples; the
            slice is None, or (full shape, [(start, length), ...]) of a part.
    Raises:
        OpError: of the file system. InvalidArgumentError: a name stands twice.
    """
    entries: dict = {}
    place = data_path(prefix)
    with translated(prefix):
        _make_folder(prefix)
        with (
            unfinished.beside(place) as data,
            unfinished.beside(index_path(prefix)) as index,
        ):
            with open(data, "wb") as file:
                for name, array, part in progress.over("writing", tensors):
                    _add(entries, file, name, array, part)
                _to_disk(file)
            _write_index(index, _rows(entries))
            _commit(prefix, [(data, place)], index)


def _write_index(path, rows):
    with open(path, "wb") as file:
        file.write(table(rows))
        _to_disk(file)


def _commit(prefix, moves, index):
    """Move new files to their places: data first, then the index.

    Args:
        moves: pairs of (new file of data, its place). index: the new file of the table.
    """
    folder = stores.dirname(prefix)
    with unfinished.alone_in(folder):
        _settle_all(folder)
        _move(prefix, moves, index)


def _move(prefix, moves, index):
    there, kept = stores.exists(index_path(prefix)), []
    try:
        for _, place in moves if there else ():
            if stores.exists(place):
                stores.link(place, place + _FORMER)
                kept.append(place)
        for new, place in moves:
            stores.replace(new, place)
        stores.replace(index, index_path(prefix))
    except BaseException:
        for place in kept:
            _put_back(place)
        raise
    for place in kept:
        stores.remove(place + _FORMER)


def _settle_all(folder):
    """Finish, undo or remove what writers that died have left in a folder."""
    formers = stores.glob(folder, f"*.data-*{_FORMER}")
    for prefix in {path.rpartition(".data-")[0] for path in formers}:
        _settle(prefix, formers)
    for target, _ in unfinished.leftovers(folder):
        prefix = target.removesuffix(".index")
        if prefix != target and not os.path.exists(target):  # its data may be moved
            name = glob.escape(os.path.basename(prefix))
            for path in stores.glob(folder, f"{name}.data-?????-of-?????"):
                stores.remove(path)


def _settle(prefix, formers):
    """Finish or undo the work of a writer that died before it was through."""
    found = [path for path in formers if path.rpartition(".data-")[0] == prefix]
    places = [path.removesuffix(_FORMER) for path in found]
    if not places:
        return
    try:
        opened = Bundle(prefix, former=False)
        for name in opened.entries:
            opened.read(name)
    except errors.OpError:
        for place in places:
            _put_back(place)
    else:
        for place in places:
            stores.remove(place + _FORMER)


def _put_back(data):
    stores.replace(data + _FORMER, data)
    with contextlib.suppress(FileNotFoundError):
        stores.remove(data + _FORMER)  # two names of one file stay two


def _to_disk(file):
    file.flush()
    os.fsync(file.fileno())


def _make_folder(prefix):
    folder = stores.dirname(prefix)
    if unfinished.is_of_shards(folder):
        unfinished.claim(folder)
    elif folder:  # but none above it, as in TensorFlow
        with contextlib.suppress(FileExistsError):  # a file: see what opening says
            stores.mkdir(folder)


def _rows(entries, shards=1):
    header = BundleHeaderProto(num_shards=shards)
    header.version.producer = 1
    rows = {_HEADER: header, **entries}
    return [(key, rows[key].SerializeToString()) for key in sorted(rows)]


def _add(entries, file, name, array, part):
    dtype = dtypes.from_numpy(array.dtype)
    entry = BundleEntryProto(dtype=dtype.as_datatype_enum, offset=file.tell())
    for n in array.shape:
        entry.shape.dim.add(size=n)
    entry.shape.SetInParent()
    key = name.encode()
    if part is not None:
        key = _part(entries, key, entry, *part)
    if key in entries:
        raise errors.invalid(f"Adding duplicate key: {name}")
    data, checked = _encoded(array)
    entry.size, entry.crc32c = len(data), masked_crc32c(checked)
    file.write(data)
    entries[key] = entry


def _encoded(array):
    """The bytes of a tensor in the file, and the bytes that the checksum is of."""
    if array.dtype.kind != "O":
        data = np.ascontiguousarray(array).tobytes()
        return data, data
    words = [w if isinstance(w, bytes) else str(w).encode() for w in array.ravel()]
    lengths = b"".join(struct.pack("<I", len(w)) for w in words)
    crc = struct.pack("<I", masked_crc32c(lengths))
    data = b"".join(words)
    return b"".join(varint(len(w)) for w in words) + crc + data, lengths + crc + data


def _part(entries, key, entry, shape, extents):
    """Note a part of a tensor at the entry of the whole; the key of the part."""
    whole = entries.get(key)
    if whole is None:
        whole = entries[key] = BundleEntryProto(dtype=entry.dtype)
        for n in shape:
            whole.shape.dim.add(size=n)
    part = whole.slices.add()
    for start, length in extents:
        part.extent.add(start=start, length=length)
    return part_key(key, part)


def part_key(name, part):
    """The key of a part: 0, the name, the number of axes, then start and length."""
    out = b"\0" + name + b"\0\1" + _ordered(len(part.extent))
    for e in part.extent:
        start, length = (e.start, e.length) if e.HasField("length") else (0, -1)
        out += _ordered_signed(start) + _ordered_signed(length)
    return out


def _ordered(n):
    """A number whose bytes compare as it does: how many bytes, then those."""
    size = (n.bit_length() + 7) // 8
    return bytes([size]) + n.to_bytes(size, "big")


def _ordered_signed(n):
    """As `_ordered`, with negative numbers below: leading ones tell the length."""
    magnitude = ~n if n < 0 else n
    size = 1
    while magnitude.bit_length() > 7 * size - 1:
        size += 1
    bits = 8 * size
    mark = ((1 << size) - 1) << (bits - size)  # `size` ones
    return (n & (1 << bits) - 1 ^ mark).to_bytes(size, "big")


# ------------------------------------------------------------------ reading
class Entries:
    """The names of a checkpoint, and the shapes of its tensors."""

    entries: dict[str, Any]

    def _entry(self, name: str) -> Any:
        return self.entries[name]

    def __contains__(self, name):
        return name in self.entries

    def shape(self, name):
        """The shape of a tensor, a tuple of ints."""
        return tuple(d.size for d in self._entry(name).shape.dim)


class Bundle(Entries):
    """An open bundle.

    Args:
        prefix: the path without the ends.
        former: whether to look at what a writer that died was about to replace.
    Attributes:
        entries: dict from name to BundleEntryProto, in ascending order.
    Raises:
        NotFoundError: there is none. DataLossError: it is damaged.
    """

    def __init__(self, prefix, former=True):
        self.prefix, path, self._former = prefix, index_path(prefix), former
        try:
            with translated(path), stores.opened(path) as file:
                rows = read_table(file.read(), path)
        except errors.NotFoundError:
            raise errors.NotFoundError(
                None, None,
                "Unsuccessful TensorSliceReader constructor: Failed to find any "
                f"matching files for {prefix}",
            ) from None  # fmt: skip
        with reported(path, errors.DataLossError):
            self.header = BundleHeaderProto.FromString(rows.pop(_HEADER, b""))
            self._rows = rows
            self.entries = {
                key.decode(): _checked(BundleEntryProto.FromString(value), key)
                for key, value in rows.items()
                if not key.startswith(b"\0")
            }

    def dtype(self, name):
        """The DType of a tensor."""
        return dtypes.as_dtype(self._entry(name).dtype)

    def read(self, name):
        """A tensor as an ndarray.

        Raises:
            NotFoundError: there is none. DataLossError: its bytes are not those that
                were written.
        """
        entry = self._entry(name)
        with reported(index_path(self.prefix), errors.DataLossError):
            if not entry.slices:
                return self._array(entry, name)
            parts = [(part, self._part(name, part)) for part in entry.slices]
            return joined(parts, self.shape(name), self.dtype(name), name)

    def _part(self, name, part):
        key = part_key(name.encode(), part)
        if key not in self._rows:
            raise ValueError(f"a part of {name!r} is missing")
        entry = _checked(BundleEntryProto.FromString(self._rows[key]), key)
        return self._array(entry, name)

    def _entry(self, name):
        if name not in self.entries:
            error = errors.NotFoundError(
                None, None, f"Key {name} not found in checkpoint"
            )
            error.add_note(f"The checkpoint is {index_path(self.prefix)}.")
            raise error
        return self.entries[name]

    def _array(self, entry, name):
        path = data_path(self.prefix, entry.shard_id, self.header.num_shards)
        try:
            return _read(entry, path, name)
        except errors.DataLossError:
            if not (self._former and stores.exists(path + _FORMER)):
                raise
            return _read(entry, path + _FORMER, name)


def _checked(entry, key):
    """An entry of the table whose numbers can be meant.

    Raises:
        TypeError: there is no such dtype. ValueError: a number is negative.
    """
    dtypes.as_dtype(entry.dtype)
    sizes = [d.size for d in entry.shape.dim]
    if min([entry.offset, entry.size, entry.shard_id, *sizes]) < 0:
        raise ValueError(f"{key!r} has a negative size or place")
    return entry


def joined(parts, shape, dtype, name):
    """A tensor from its parts.

    Args:
        parts: pairs of (TensorSliceProto, array).
    Raises:
        ValueError: they do not fill it.
    """
    held = sum(array.size for _, array in parts)
    if held != math.prod(shape):
        raise ValueError(
            f"the parts of {name!r} have {held} elements, its shape {shape} has "
            f"{math.prod(shape)}"
        )
    out = np.empty(shape, dtype.as_numpy_dtype)
    for part, array in parts:
        out[extent(part, shape)] = array
    return out


def _read(entry, path, name):
    """The array of an entry from the file of its data."""
    with translated(path):
        data = stores.part(path, entry.offset, entry.size)
    if data is None:
        raise errors.DataLossError(
            None, None,
            f"{path} is cut off: {name} ends at byte {entry.offset + entry.size}",
        )  # fmt: skip
    shape = tuple(d.size for d in entry.shape.dim)
    dtype = dtypes.as_dtype(entry.dtype)
    try:
        found, checked = (
            _strings(data, shape) if dtype == dtypes.string
            else (np.frombuffer(data, dtype.as_numpy_dtype).reshape(shape), data)
        )  # fmt: skip
    except (IndexError, ValueError, struct.error):
        found, checked = None, b""
    if found is None or masked_crc32c(checked) != entry.crc32c:
        raise errors.DataLossError(
            None, None,
            f"Checksum does not match: the bytes of {name} in {path} (from byte "
            f"{entry.offset}) are not those that were written",
        )  # fmt: skip
    return found.copy()


def _strings(data, shape):
    """The strings, and the bytes that their checksum is of."""
    lengths, place = [], 0
    for _ in range(math.prod(shape)):
        n, place = read_varint(data, place)
        lengths.append(n)
    plain = b"".join(struct.pack("<I", n) for n in lengths)
    checked = plain + data[place:]
    place += 4  # the checksum of the lengths
    out = np.empty(len(lengths), object)
    for i, n in enumerate(lengths):
        out[i], place = data[place : place + n], place + n
    if place != len(data):
        raise ValueError("the strings do not fill their bytes")
    return out.reshape(shape), checked


def extent(part, shape):
    """The slices of a TensorSliceProto in a tensor of `shape`."""
    return tuple(
        slice(e.start, e.start + e.length) if e.HasField("length") else slice(0, n)
        for e, n in zip(part.extent, shape, strict=True)
    )


# ------------------------------------------------------------------ merging
def merge_bundles(prefixes, prefix, delete=True):
    """Join the bundles of several writers into one; their data files stay separate."""
    bundles = [Bundle(p) for p in prefixes]
    entries: dict = {}
    paths = []
    for shard, bundle in enumerate(bundles):
        for key, value in bundle._rows.items():
            entry = BundleEntryProto.FromString(value)
            old = entries.get(key)
            if old is not None and entry.slices:
                old.slices.extend(entry.slices)
                continue
            entry.shard_id = shard
            entries[key] = entry
        old_path = data_path(bundle.prefix)
        paths.append((old_path, data_path(prefix, shard, len(bundles))))
    with translated(prefix):
        _make_folder(prefix)
        with unfinished.beside(index_path(prefix)) as index:
            _write_index(index, _rows(entries, len(bundles)))
            _commit(prefix, paths, index)
    if delete:
        for p in prefixes:
            with contextlib.suppress(FileNotFoundError):
                stores.remove(index_path(p))
