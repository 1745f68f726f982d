"""The ops of readers: records from the files whose names a queue holds.

TensorFlow has each twice: with a reference as the handle, and (V2) with a resource,
which is what both have here.
"""

import threading

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.state import Cell
from twinflow.formats.protos import ReaderBaseState
from twinflow.ops.core.infer import scalar
from twinflow.ops.core.versions import both, nothing
from twinflow.ops.queues import bigquery
from twinflow.ops.queues import reader_formats as formats
from twinflow.ops.strings.arrays import filled, one


class ReaderCell(Cell):
    """A reader: what it works on, and how far it is.

    Args:
        name: for errors. kind: the OpDef without its version.
        records: ``name of a file -> generator of records`` (see reader_formats).
        saves: whether its state can be saved.
    """

    __slots__ = (
        "failed", "finished", "kind", "lock", "open", "produced", "records", "saves",
        "started", "work",
    )  # fmt: skip

    def __init__(self, name, kind, records, saves=False):
        super().__init__(name, dtypes.resource, ())
        self.kind, self.records, self.saves = kind, records, saves
        self.lock, self.open = threading.RLock(), None
        self._forget()

    def fresh(self):
        """A reader of the same kind at its start."""
        return ReaderCell(self.name, self.kind, self.records, self.saves)

    def _forget(self):
        if self.open is not None:
            self.open.close()
        self.open = self.failed = None
        self.work, self.started, self.finished, self.produced = b"", 0, 0, 0

    def __deepcopy__(self, memo):
        return self.fresh()

    def __reduce__(self):
        raise TypeError("A reader cannot be pickled.")

    # ------------------------------------------------------------------ reading
    def read(self, queue, count):
        """Up to `count` records of one file, at least one; none if `count` is 0.

        Args:
            queue: the QueueCell with the names of the files.
        """
        found: list = []
        with self.lock:
            while not found and count > 0:
                self._start(queue)
                self._take(found, count)
        return found

    def _start(self, queue):
        """Open the next file, unless one is open."""
        if self.open is not None:
            return
        _check_queue(queue)
        (work,) = queue.dequeue()
        if np.ndim(work):
            raise invalid(
                f"Expected the name of a file to be a scalar, got shape {work.shape}."
            )
        self.work, self.started = one(work), self.started + 1
        opening = self.records(self.work)
        next(opening)
        self.open = opening

    def _take(self, found, count):
        """Move records to `found`; a file that failed once fails again."""
        if self.failed is not None:
            raise self.failed
        try:
            while len(found) < count:
                found.append(next(self.open))
                self.produced += 1
                if self.saves:  # there is one record
                    raise StopIteration
        except StopIteration:
            self.open, self.finished = None, self.finished + 1
        except errors.OpError as error:
            self.failed = error
            if not found:
                raise

    # ------------------------------------------------------------------ state
    def reset(self):
        """Begin anew."""
        with self.lock:
            self._forget()

    def saved(self):
        """The state as bytes."""
        if not self.saves:
            raise errors.UnimplementedError(None, None, "Reader SerializeState")
        with self.lock:
            return ReaderBaseState(
                work_started=self.started, work_finished=self.finished,
                num_records_produced=self.produced, current_work=self.work,
            ).SerializeToString()  # fmt: skip

    def restore(self, data):
        """Go back to a saved state."""
        if not self.saves:
            raise errors.UnimplementedError(None, None, "Reader RestoreState")
        state = _parsed(data, f"{self.kind} '{self.name}'")
        with self.lock:
            self._forget()
            self.started, self.finished = state.work_started, state.work_finished
            self.produced, self.work = state.num_records_produced, state.current_work


def _parsed(data, where):
    """The state in bytes; InvalidArgumentError if there is none."""
    try:
        state = ReaderBaseState.FromString(data)
    except Exception:  # DecodeError: of google.protobuf's own kind
        text = data.decode("utf-8", "backslashreplace")
        raise invalid(f"Could not parse state for {where}: {text}") from None
    if min(state.work_started, state.work_finished, state.num_records_produced) < 0:
        raise invalid(f"Unexpected negative value when restoring in {where}")
    if state.work_started > state.work_finished:
        raise invalid(f"Inconsistent work started vs. finished when restoring {where}")
    return state


def _check_queue(queue):
    if queue.spec.types != (dtypes.string,):
        names = ", ".join(t.name for t in queue.spec.types)
        raise invalid(
            f"A reader takes the names of files from a queue with one component of "
            f"dtype string, but {queue.name!r} has components of dtypes ({names})."
        )


# ---------------------------------------------------------------------- handles
FORMATS: dict = {
    "WholeFileReader": formats.whole_file,
    "IdentityReader": formats.identity,
    "TextLineReader": formats.text_lines,
    "FixedLengthRecordReader": formats.fixed_length,
    "TFRecordReader": formats.tf_records,
    "LMDBReader": formats.lmdb,
    "BigQueryReader": bigquery.records,
}
SAVING = ("WholeFileReader", "IdentityReader")


def _handle(kind):
    """Define the op that makes a reader, in both its forms."""

    def kernel(cell, container, shared_name, **attrs):
        if kind == "FixedLengthRecordReader":
            formats.check_lengths(**attrs)
        return cell

    return both(kind, scalar, kernel, {"cell": None}, cell="cell")


_WholeFile, WholeFileReader = _handle("WholeFileReader")
_Identity, IdentityReader = _handle("IdentityReader")
_TextLine, TextLineReader = _handle("TextLineReader")
_FixedLength, FixedLengthRecordReader = _handle("FixedLengthRecordReader")
_TFRecord, TFRecordReader = _handle("TFRecordReader")
LMDBReader, BigQueryReader = (
    define(
        kind,
        attrs={"cell": None},
        infer=scalar,
        host=lambda cell, **_: cell,
        cell="cell",
        stateful=True,
    )
    for kind in ("LMDBReader", "BigQueryReader")
)
GenerateBigQueryReaderPartitions = define(
    "GenerateBigQueryReaderPartitions",
    infer=lambda **attrs: (None,),
    host=bigquery.partitions,
    stateful=True,
)


# ---------------------------------------------------------------------- reading
def _read_up_to(reader, queue, num_records):
    found = reader.read(queue, int(num_records))
    shape = (len(found),)
    return [filled((pair[i] for pair in found), shape) for i in range(2)]


def _none(function):
    def kernel(*args):
        function(*args)
        return ()

    return kernel


_Read, ReaderRead = both(
    "ReaderRead", lambda *_: [(), ()], lambda reader, queue: reader.read(queue, 1)[0]
)
_ReadUpTo, ReaderReadUpTo = both(
    "ReaderReadUpTo", lambda *_: [(None,), (None,)], _read_up_to
)

# ---------------------------------------------------------------------- looking
_Produced, ReaderNumRecordsProduced = both(
    "ReaderNumRecordsProduced", scalar, lambda reader: np.int64(reader.produced)
)
_Completed, ReaderNumWorkUnitsCompleted = both(
    "ReaderNumWorkUnitsCompleted", scalar, lambda reader: np.int64(reader.finished)
)
_Serialize, ReaderSerializeState = both(
    "ReaderSerializeState", scalar, lambda reader: reader.saved()
)
_Restore, ReaderRestoreState = both(
    "ReaderRestoreState",
    nothing,
    _none(lambda reader, state: reader.restore(one(state))),
)
_Reset, ReaderReset = both("ReaderReset", nothing, _none(lambda reader: reader.reset()))
