"""RecordInput: records of many files, in a random order, for ever."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.dispatch import apply
from twinflow.base.files import Glob
from twinflow.base.op import define
from twinflow.base.state import Cell
from twinflow.base.tensor import Tensor
from twinflow.formats.tf_record import TFRecordOptions, opened, records_in
from twinflow.ops.core.joining import split
from twinflow.ops.core.shape import reshape


class RecordsCell(Cell):
    """The home of a RecordInput: where it is in the files.

    Args:
        name: the node. settings: the attributes of the op.
    """

    __slots__ = ("node", "records", "settings")

    def __init__(self, name: str, settings: dict) -> None:
        super().__init__(name, dtypes.resource, ())
        self.node, self.settings = name, settings
        self.records: Iterator[Any] | None = None

    def fresh(self) -> "RecordsCell":
        """One that is at the beginning, for a session of its own."""
        return RecordsCell(self.node, self.settings)

    def _all(self) -> Iterator[bytes]:
        """Each record as often as it is there: the buffer is empty between rounds."""
        rng = random.Random(self.settings["file_random_seed"] + 1)
        files = random.Random(self.settings["file_random_seed"])
        while True:
            buffer: list[bytes] = []
            for record in self._once(files):
                buffer.append(record)
                if len(buffer) >= self.settings["file_buffer_size"]:
                    yield _taken(buffer, rng)
            while buffer:
                yield _taken(buffer, rng)

    def _once(self, rng: random.Random) -> Iterator[bytes]:
        """The records of all files, in a random order of the files."""
        s = self.settings
        paths = sorted(Glob(s["file_pattern"]))
        if not paths:
            raise errors.NotFoundError(
                None, None, f"Found no files at {s['file_pattern']}"
            )
        rng.shuffle(paths)
        shift = int(s["file_shuffle_shift_ratio"] * len(paths))
        for path in paths[shift:] + paths[:shift]:
            with opened(path, s["compression_type"]) as file:
                for _, record in records_in(file):
                    yield record

    def batch(self) -> list[bytes]:
        """The next records."""
        if self.records is None:
            self.records = self._all()
        return [next(self.records) for _ in range(self.settings["batch_size"])]


def _taken(buffer: list[bytes], rng: random.Random) -> bytes:
    """A random one, which leaves the buffer."""
    place = rng.randrange(len(buffer))
    buffer[place], buffer[-1] = buffer[-1], buffer[place]
    return buffer.pop()


def _yield(cell, **_):
    found = np.empty([cell.settings["batch_size"]], object)
    found[:] = cell.batch()
    return found


RecordInputOp = define(
    "RecordInput", lambda *_, **__: None, host=_yield,
    attrs={"cell": None}, cell="cell", stateful=True,
)  # fmt: skip


class RecordInput:
    """Records of TFRecord files, in a random order, for ever.

    Args:
        file_pattern: a pattern of the files. batch_size: how many records at once.
        buffer_size: among how many records one is drawn.
        parallelism: accepted. seed: of the order.
        shift_ratio: which part of the files to leave out first in each round.
        name: the name of the op. batches: give as many lists of records in place of one
            tensor. compression_type: a TFRecordCompressionType.
    Example:
        with tf.python_io.TFRecordWriter("records") as writer:
            writer.write(b"a")
        source = tf.contrib.framework.RecordInput("records*", batch_size=2)
        with tf.Session() as sess:
            sess.run(source.get_yield_op())  # [b"a", b"a"]
    """

    def __init__(
        self, file_pattern: str, batch_size: int = 1, buffer_size: int = 1,
        parallelism: int = 1, shift_ratio: float = 0, seed: int = 0,
        name: str | None = None, batches: int | None = None,
        compression_type: Any = None,
    ) -> None:  # fmt: skip
        kind = TFRecordOptions.get_compression_type_string(
            TFRecordOptions(compression_type)
        )
        self._batches, self._name = batches, name
        self._settings = dict(
            file_pattern=file_pattern, file_buffer_size=buffer_size,
            file_parallelism=parallelism, file_shuffle_shift_ratio=float(shift_ratio),
            file_random_seed=seed, compression_type=kind,
            batch_size=batch_size * (batches or 1),
        )  # fmt: skip

    def get_yield_op(self) -> Any:
        """A node that gives the next records.

        Returns:
            string[batch_size], or with `batches` as many lists of scalars.
        """
        cell = RecordsCell(self._name or "RecordInput", self._settings)
        attrs = {**RecordInputOp.sig.attrs, **self._settings, "cell": cell}
        records = apply(RecordInputOp, (), attrs, self._name)
        if self._batches is None:
            return records
        lists: list[list[Tensor]] = [[] for _ in range(self._batches)]
        size = self._settings["batch_size"]
        for i, record in enumerate(split(records, size, 0)):
            lists[i % self._batches].append(reshape(record, []))
        return lists
