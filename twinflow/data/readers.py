"""Datasets of what files hold."""

from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.base.operators import TensorValue
from twinflow.data.dataset import FILE, Dataset
from twinflow.data.pipeline import file_sources, interleaving, stages
from twinflow.data.transforms import require, scalar
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.shape import reshape
from twinflow.ops.strings.arrays import as_text, one


class FileDataset(Dataset):
    """Elements that are read from files.

    Args:
        kind: its name. filenames: a string tensor of any shape, or a dataset of them.
        read: (env, array of paths) -> source. inputs: further tensors it reads.
        turns: how many files of a dataset take turns.
    """

    def __init__(
        self, kind: str, filenames: Any, read: Callable[..., Any], inputs: Any = (),
        turns: int = 1,
    ) -> None:  # fmt: skip
        self._made_by = (kind, read, inputs, turns)
        self._names = filenames
        if isinstance(filenames, Dataset):
            if filenames.output_types != dtypes.string:
                raise TypeError("`filenames` must be a `tf.data.Dataset` of strings.")

            def start(env):
                paths = filenames.start(env)
                each = lambda element: read(env, element[0])()
                return interleaving.interleaved(paths, each, env.int(turns), 1)

            super().__init__(kind, FILE, start, [*filenames.inputs, *inputs])
            return
        paths = reshape(
            convert_to_tensor(filenames, dtypes.string, name="filenames"), [-1]
        )
        super().__init__(
            kind, FILE, lambda env: read(env, env.value(paths)), [paths, *inputs]
        )
        self._names = paths

    def of_files(self, count: int, index: int) -> "FileDataset | None":
        """The same of every `count`-th file from number `index` on.

        None where there are known to be fewer files than `count`.
        """
        kind, read, inputs, turns = self._made_by
        names = self._names
        if isinstance(names, Dataset):
            return FileDataset(kind, names.shard(count, index), read, inputs, turns)
        shape = names._shape
        if shape and shape[0] is not None and shape[0] < count:
            return None
        return FileDataset(kind, names[index::count], read, inputs, turns)


def _text(value, name):
    return convert_to_tensor("" if value is None else value, dtypes.string, name=name)


class TextLineDataset(FileDataset):
    """The lines of text files, without their ends, as string scalars.

    Args:
        filenames: a string tensor, or a dataset of strings.
        compression_type: "", "ZLIB" or "GZIP". buffer_size: accepted.
    Example:
        tf.data.TextLineDataset(["a.txt", "b.txt"]).skip(1)
    """

    def __init__(
        self, filenames: Any, compression_type: TensorValue | None = None,
        buffer_size: Any = None,
    ) -> None:  # fmt: skip
        kind = _text(compression_type, "compression_type")

        def read(env, paths):
            return file_sources.lines(paths, as_text(one(env.value(kind))))

        super().__init__("TextLineDataset", filenames, read, [kind])


class TFRecordDataset(FileDataset):
    """The records of TFRecord files, as string scalars.

    Args:
        filenames: a string tensor, or a dataset of strings.
        compression_type: "", "ZLIB" or "GZIP". buffer_size: accepted.
        num_parallel_reads: how many files take turns; one after another if not given.
    Raises:
        DataLossError (at run time): a record is damaged; what is before it is given.
    Example:
        with tf.python_io.TFRecordWriter("train.tfrecord") as writer:
            writer.write(b"one")
        [r.numpy() for r in tf.data.TFRecordDataset("train.tfrecord")]  # [b"one"]
    """

    _own_ops = 2  # the names and, for each of them, the records

    def __init__(
        self, filenames: Any, compression_type: TensorValue | None = None,
        buffer_size: Any = None, num_parallel_reads: Any = None,
    ) -> None:  # fmt: skip
        kind = _text(compression_type, "compression_type")
        turns = None if num_parallel_reads is None else scalar(num_parallel_reads)

        def read(env, paths):
            compression = as_text(one(env.value(kind)))
            if turns is None or paths.ndim == 0:
                return file_sources.records(paths, compression)
            each = lambda element: file_sources.records(element[0], compression)()
            source = stages.slices([paths])
            return interleaving.interleaved(source, each, env.int(turns), 1)

        several = 1 if turns is None else turns
        current_mode().leave_ids(0 if turns is None else 5)
        super().__init__("TFRecordDataset", filenames, read, [kind, turns], several)


class FixedLengthRecordDataset(FileDataset):
    """The pieces of one length of binary files, as string scalars.

    Args:
        filenames: a string tensor, or a dataset of strings.
        record_bytes: of a piece. header_bytes, footer_bytes: left out of each file.
        buffer_size: accepted.
    Example:
        tf.data.FixedLengthRecordDataset("images", 28 * 28, header_bytes=16)
    """

    def __init__(
        self, filenames: Any, record_bytes: Any, header_bytes: Any = None,
        footer_bytes: Any = None, buffer_size: Any = None,
    ) -> None:  # fmt: skip
        sizes = [scalar(n or 0) for n in (record_bytes, header_bytes, footer_bytes)]

        def read(env, paths):
            size, header, footer = map(env.int, sizes)
            require(size > 0, f"`record_bytes` must be > 0, got {size}")
            return file_sources.pieces(paths, size, header, footer)

        super().__init__("FixedLengthRecordDataset", filenames, read, sizes)
