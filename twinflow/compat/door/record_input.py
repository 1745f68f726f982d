"""tensorflow.python.ops.data_flow_ops.RecordInput: batches of records of files."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.errors import NotFoundError
from twinflow.base.files import Glob
from twinflow.execute.py_func import py_func
from twinflow.formats.tf_record import TFRecordOptions, tf_record_iterator
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.joining import split
from twinflow.ops.core.shape import reshape


class RecordInput:
    """Batches of the records of TFRecord files; each record once an epoch.

    Args:
        file_pattern: a path with wildcards. batch_size: how many records at a time.
        buffer_size: how many records are read before they are shuffled.
        parallelism, shift_ratio: accepted. seed: of the shuffling.
        name: of the node. batches: how many batches to give at once, as lists.
        compression_type: a TFRecordCompressionType.
    """

    def __init__(
        self, file_pattern: str, batch_size: int = 1, buffer_size: int = 1,
        parallelism: int = 1, shift_ratio: float = 0, seed: int = 0,
        name: str | None = None, batches: int | None = None,
        compression_type: Any = None,
    ) -> None:  # fmt: skip
        self._pattern, self._batch_size = file_pattern, batch_size
        self._buffer_size, self._batches = buffer_size, batches
        self._random = np.random.RandomState(seed)
        self._name = "RecordInput" if name is None else name
        kinds = TFRecordOptions.compression_type_map
        kind = kinds.get(compression_type, compression_type) or ""
        self._options = TFRecordOptions(kind)

    def get_yield_op(self) -> Any:
        """The next records: string[batch], or a list of scalars for each batch."""
        count = self._batch_size * (self._batches or 1)
        stream = self._records()

        def following() -> np.ndarray:
            return np.array([next(stream) for _ in range(count)], object)

        with name_scope(self._name):
            found = py_func(following, [], dtypes.string)
            found.set_shape([count])
            if self._batches is None:
                return found
            parts = [reshape(part, []) for part in split(found, count)]
            return [parts[i :: self._batches] for i in range(self._batches)]

    def _records(self) -> Iterator[bytes]:
        """The records, epoch after epoch."""
        files = sorted(Glob(self._pattern))
        if not files:
            raise NotFoundError(None, None, f"Found no files at {self._pattern}")
        while True:
            buffer: list = []
            for i in self._random.permutation(len(files)):
                for record in tf_record_iterator(files[i], self._options):
                    buffer.append(record)
                    if len(buffer) >= max(self._buffer_size, 1):
                        yield buffer.pop(self._random.randint(len(buffer)))
            self._random.shuffle(buffer)
            yield from buffer
