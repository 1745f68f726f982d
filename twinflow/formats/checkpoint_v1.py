"""Checkpoints of version 1: one file, a table of tensors and parts of them.

    ""                           SavedTensorSlices with `meta`: names, shapes, parts
    bundle.part_key(name, part)  SavedTensorSlices with `data`: the values of the part

A checkpoint may be several such files; a pattern names them.
"""

from twinflow.base import dtypes, errors, stores, unfinished
from twinflow.base.damage import reported
from twinflow.base.files import Exists, Glob, translated
from twinflow.formats import checkpoint_v2, safetensors
from twinflow.formats.protos import SavedTensorSlices, TensorSliceProto
from twinflow.formats.sorted_table import read_table, table
from twinflow.formats.tensor_proto import from_proto, to_proto


def opened(prefix):
    """A Bundle or, where there is none of this prefix, a Slices or SafeTensors.

    Raises:
        NotFoundError: there is neither.
    """
    if Exists(checkpoint_v2.index_path(prefix)):
        return checkpoint_v2.Bundle(prefix)
    if prefix.endswith(safetensors.ENDING) and Exists(prefix):
        return safetensors.SafeTensors(prefix)
    found = Glob(prefix)
    return Slices(prefix, found) if found else checkpoint_v2.Bundle(prefix)


class Slices(checkpoint_v2.Entries):
    """An open checkpoint of version 1, with the members of a Bundle.

    Args:
        prefix: the pattern. paths: the files.
    Attributes:
        entries: dict from name to SavedSliceMeta, in ascending order.
    Raises:
        DataLossError: one is damaged.
    """

    def __init__(self, prefix, paths):
        self.prefix, self._rows = prefix, {}
        found: dict = {}
        for path in paths:
            with translated(path), stores.opened(path) as file:
                rows = read_table(file.read(), path)
            with reported(path, errors.DataLossError):
                meta = SavedTensorSlices.FromString(rows.pop(b"", b"")).meta
                for entry in meta.tensor:
                    known = found.setdefault(entry.name, _checked(entry))
                    if known is not entry:
                        known.slice.extend(entry.slice)
            self._rows.update(rows)
        self.entries = dict(sorted(found.items()))

    def dtype(self, name):
        """The DType of a tensor."""
        return dtypes.as_dtype(self._entry(name).type)

    def read(self, name):
        """A tensor as an ndarray.

        Raises:
            NotFoundError: there is none. DataLossError: a part of it is missing.
        """
        entry, shape = self._entry(name), self.shape(name)
        with reported(self.prefix, errors.DataLossError):
            parts = [(p, self._part(entry, p, _size(p, shape))) for p in entry.slice]
            return checkpoint_v2.joined(parts, shape, self.dtype(name), name)

    def _part(self, entry, part, shape):
        row = self._rows.get(checkpoint_v2.part_key(entry.name.encode(), part))
        if row is None:
            raise errors.DataLossError(
                None, None, f"A part of {entry.name} is missing in {self.prefix}"
            )
        data = SavedTensorSlices.FromString(row).data.data
        data.dtype = entry.type
        del data.tensor_shape.dim[:]
        for n in shape:
            data.tensor_shape.dim.add(size=n)
        return from_proto(data, whole=True)

    def _entry(self, name):
        if name not in self.entries:
            raise errors.NotFoundError(
                None, None,
                f'Tensor name "{name}" not found in checkpoint files {self.prefix}',
            )  # fmt: skip
        return self.entries[name]


def _checked(entry):
    """An entry of the table whose numbers can be meant.

    Raises:
        TypeError: there is no such dtype. ValueError: a number is negative.
    """
    dtypes.as_dtype(entry.type)
    if any(d.size < 0 for d in entry.shape.dim):
        raise ValueError(f"{entry.name!r} has a negative size")
    return entry


def _size(part, shape):
    """The shape of a part of a tensor of `shape`."""
    pairs = zip(checkpoint_v2.extent(part, shape), shape)
    return tuple(len(range(*s.indices(n))) for s, n in pairs)


def write_slices(path, tensors):
    """Write a checkpoint of version 1; the file is there when it is whole.

    Args:
        path: the file. tensors: (name, array, None or (shape of the whole, [(start,
            length) of each axis])).
    """
    head, rows, known = SavedTensorSlices(), {}, {}
    head.meta.versions.producer = 1
    for name, array, part in tensors:
        dtype = dtypes.from_numpy(array.dtype)
        shape, extents = part or (array.shape, [(0, None)] * array.ndim)
        if name not in known:
            entry = known[name] = head.meta.tensor.add(name=name)
            entry.type = dtype.as_datatype_enum
            entry.shape.SetInParent()
            for n in shape:
                entry.shape.dim.add(size=n)
        where = _slice(extents)
        known[name].slice.append(where)
        row = SavedTensorSlices()
        row.data.name = name
        row.data.slice.CopyFrom(where)
        row.data.data.CopyFrom(to_proto(array, dtype, by_content=False))
        row.data.data.ClearField("tensor_shape")
        row.data.data.ClearField("dtype")
        rows[checkpoint_v2.part_key(name.encode(), where)] = row.SerializeToString()
    rows[b""] = head.SerializeToString()
    with translated(path), unfinished.beside(path) as temporary:
        with open(temporary, "wb") as file:
            file.write(table(sorted(rows.items())))
        with unfinished.alone_in(stores.dirname(path)):
            unfinished.sweep(stores.dirname(path))
            stores.replace(temporary, path)


def _slice(extents):
    """The TensorSliceProto of a part; a whole axis has no length."""
    found = TensorSliceProto()
    for start, length in extents:
        extent = found.extent.add()
        if length is not None:
            extent.start, extent.length = start, length
    return found
