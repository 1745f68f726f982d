"""Readers: records from the files whose names a queue holds."""

import functools
from operator import attrgetter
from typing import Any, NamedTuple

from twinflow.base import dispatch
from twinflow.base.dispatch import apply
from twinflow.base.tensor import Tensor
from twinflow.formats.lmdb_records import check_installed
from twinflow.formats.tf_record import TFRecordOptions
from twinflow.ops.queues import reader_ops as ops
from twinflow.ops.queues.queue import QueueBase
from twinflow.ops.queues.resource_names import node_name


class ReaderRead(NamedTuple):
    """A record: where it is from, and what it says."""

    key: Any
    value: Any


class ReaderReadUpTo(NamedTuple):
    """Several records."""

    keys: Any
    values: Any


class ReaderBase:
    """What reads records from files; each session has its own state.

    Args:
        reader_ref: the handle, a tensor. supports_serialize: whether the state can be
            saved.
    Raises:
        RuntimeError: eager execution is enabled.
    Example:
        with open("a.txt", "w") as f: f.write("one")
        names = tf.train.string_input_producer(["a.txt"])
        key, line = tf.TextLineReader().read(names)
        with tf.train.MonitoredSession() as sess: sess.run(line)  # b"one"
    """

    def __init__(self, reader_ref: Any, supports_serialize: bool = False) -> None:
        _refuse_eagerly()
        self._reader_ref, self._supports_serialize = reader_ref, supports_serialize

    reader_ref = property(attrgetter("_reader_ref"), doc="The handle: a tensor.")
    supports_serialize = property(
        attrgetter("_supports_serialize"), doc="Whether the state can be saved."
    )

    def read(self, queue: Any, name: str | None = None) -> ReaderRead:
        """The next record; goes on to the next file of the queue where one ends.

        Args:
            queue: a queue of strings, or its handle. name: the name of the node.
        Returns:
            (key, value), string scalars.
        Raises (when run):
            OutOfRangeError: there are no more files. NotFoundError, DataLossError.
        """
        inputs = (self._reader_ref, _handle(queue))
        return ReaderRead(*apply(ops.ReaderRead, inputs, None, name))

    def read_up_to(
        self, queue: Any, num_records: Any, name: str | None = None
    ) -> ReaderReadUpTo:
        """The next records, all of one file.

        Args:
            queue: see `read`. num_records: int64[], how many at most.
        Returns:
            (keys, values), string[n], where n is above 0.
        """
        inputs = (self._reader_ref, _handle(queue), num_records)
        return ReaderReadUpTo(*apply(ops.ReaderReadUpTo, inputs, None, name))

    def num_records_produced(self, name: str | None = None) -> Tensor:
        """int64[], how many records it has given."""
        return apply(ops.ReaderNumRecordsProduced, (self._reader_ref,), None, name)

    def num_work_units_completed(self, name: str | None = None) -> Tensor:
        """int64[], how many files it has read to their ends."""
        return apply(ops.ReaderNumWorkUnitsCompleted, (self._reader_ref,), None, name)

    def serialize_state(self, name: str | None = None) -> Tensor:
        """string[], the state; some kinds only. See `supports_serialize`."""
        return apply(ops.ReaderSerializeState, (self._reader_ref,), None, name)

    def restore_state(self, state: Any, name: str | None = None) -> Any:
        """An op that goes back to a saved state, string[]."""
        return apply(ops.ReaderRestoreState, (self._reader_ref, state), None, name)

    def reset(self, name: str | None = None) -> Any:
        """An op that begins anew."""
        return apply(ops.ReaderReset, (self._reader_ref,), None, name)


def _handle(queue):
    return queue.queue_ref if isinstance(queue, QueueBase) else queue


def _refuse_eagerly():
    if dispatch.current_mode().eager:
        raise RuntimeError(
            "Readers are not supported when eager execution is enabled. Instead, "
            "please use tf.data to get data into your model."
        )


def made(op, name, **attrs):
    """The handle of a new reader."""
    _refuse_eagerly()
    kind, name = op.type.removesuffix("V2"), name or op.type
    records = functools.partial(ops.FORMATS[kind], **attrs)
    cell = ops.ReaderCell(node_name(name), kind, records, kind in ops.SAVING)
    return apply(op, (), {**op.sig.attrs, **attrs, "cell": cell}, name)


class WholeFileReader(ReaderBase):
    """Gives whole files: (name, contents).

    Args:
        name: the name of the node.
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(made(ops.WholeFileReader, name), supports_serialize=True)


class IdentityReader(ReaderBase):
    """Gives what the queue holds, as key and value.

    Args:
        name: the name of the node.
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(made(ops.IdentityReader, name), supports_serialize=True)


class TextLineReader(ReaderBase):
    """Gives lines: (`file:number`, the line without its end).

    Args:
        skip_header_lines: how many lines of each file to leave out.
        name: the name of the node.
    """

    def __init__(self, skip_header_lines: Any = None, name: str | None = None) -> None:
        skip = skip_header_lines or 0
        super().__init__(made(ops.TextLineReader, name, skip_header_lines=skip))


class FixedLengthRecordReader(ReaderBase):
    """Gives records of one length: (`file:number`, bytes).

    Args:
        record_bytes: the length. header_bytes, footer_bytes: what to leave out at both
            ends of a file.
        hop_bytes: from the start of a record to the next; its length by default.
        name: the name of the node. encoding: "ZLIB" or "GZIP" for compressed files.
    """

    def __init__(
        self, record_bytes: Any, header_bytes: Any = None, footer_bytes: Any = None,
        hop_bytes: Any = None, name: str | None = None, encoding: str | None = None,
    ) -> None:  # fmt: skip
        ref = made(
            ops.FixedLengthRecordReader, name, record_bytes=record_bytes,
            header_bytes=header_bytes or 0, footer_bytes=footer_bytes or 0,
            hop_bytes=hop_bytes or 0, encoding=encoding or "",
        )  # fmt: skip
        super().__init__(ref)


class TFRecordReader(ReaderBase):
    """Gives the records of TFRecord files: (`file:offset`, bytes).

    Args:
        name: the name of the node. options: TFRecordOptions, for compressed files.
    """

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        kind = TFRecordOptions.get_compression_type_string(options)
        super().__init__(made(ops.TFRecordReader, name, compression_type=kind))


class LMDBReader(ReaderBase):
    """Gives the pairs of LMDB databases: (key, value), in the order of the keys.

    Args:
        name: the name of the node. options: not used.
    Raises:
        UnimplementedError: the package lmdb is not installed.
    """

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        check_installed()
        super().__init__(made(ops.LMDBReader, name))
