"""The ops on summary writers; all run on the host.

A writer is a cell, in a session as in eager mode; what is written to it before it has a
file is an error, what is written after it was closed opens a new one.
"""

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.state import Cell
from twinflow.formats.events import EventFile
from twinflow.formats.protos import Event
from twinflow.formats.summary_database import SummaryDatabase
from twinflow.ops.core.versions import nothing
from twinflow.ops.strings.arrays import one
from twinflow.ops.summaries import protos
from twinflow.ops.summaries.ops import tag_of


class WriterCell(Cell):
    """The home of a summary writer.

    Attributes:
        file: its EventFile or SummaryDatabase, or None.
    """

    __slots__ = ("file",)

    def __init__(self, name):
        super().__init__(name, dtypes.resource, ())
        self.file = None

    def fresh(self):
        """A writer of the same name without a file."""
        return WriterCell(self.name)

    @property
    def initialized(self):
        """Whether there is a file."""
        return self.file is not None

    def add(self, step, **what):
        """Append an Event."""
        if self.file is None:
            raise errors.NotFoundError(
                None, None,
                f"The summary writer {self.name} has no file: run its `init()` or "
                "tf.contrib.summary.initialize() first",
            )  # fmt: skip
        self.file.write(Event(step=int(step), **what))


def _op(kind, kernel):
    return define(kind, infer=nothing, host=kernel, stateful=True)


SummaryWriter = define(
    "SummaryWriter",
    attrs={"cell": None},
    infer=lambda **_: (),
    host=lambda cell, **_: cell,
    cell="cell",
    stateful=True,
)


def _create(writer, logdir, max_queue, flush_millis, filename_suffix):
    if writer.file is None:
        writer.file = EventFile(
            tag_of(logdir), tag_of(filename_suffix), int(flush_millis) / 1000,
            int(max_queue),
        )  # fmt: skip
    return ()


def _create_database(writer, db_uri, experiment_name, run_name, user_name):
    if writer.file is None:
        names = map(tag_of, (experiment_name, run_name, user_name))
        writer.file = SummaryDatabase(tag_of(db_uri), *names)
    return ()


def _flush(writer):
    if writer.file is not None:
        writer.file.flush()
    return ()


def _close(writer):
    if writer.file is not None:
        writer.file.close()
        writer.file = None
    return ()


CreateSummaryFileWriter = _op(
    "CreateSummaryFileWriter",
    _create,
)
CreateSummaryDbWriter = _op("CreateSummaryDbWriter", _create_database)
FlushSummaryWriter = _op("FlushSummaryWriter", _flush)
CloseSummaryWriter = _op("CloseSummaryWriter", _close)


# ---------------------------------------------------------------------- writing
def _writes(kind, function):
    """Define an op that appends the Summary that `function` gives."""

    def kernel(writer, step, *args, **attrs):
        writer.add(step, summary=function(*args, **attrs))
        return ()

    return _op(kind, kernel)


def _scalar(writer, step, tag, value):
    tag, number = tag_of(tag), _single(value)
    if isinstance(writer.file, SummaryDatabase):
        writer.file.scalar(step, tag, number)
    else:
        writer.add(step, summary=protos.scalars([tag], number))
    return ()


WriteScalarSummary = _op("WriteScalarSummary", _scalar)
WriteHistogramSummary = _writes(
    "WriteHistogramSummary",
    lambda tag, values: protos.histogram(tag_of(tag), values),
)
WriteImageSummary = _writes(
    "WriteImageSummary",
    lambda tag, tensor, bad_color, max_images: protos.images(
        tag_of(tag), tensor, max_images, bad_color
    ),
)
WriteAudioSummary = _writes(
    "WriteAudioSummary",
    lambda tag, tensor, sample_rate, max_outputs: protos.audio(
        tag_of(tag), tensor, float(sample_rate), max_outputs
    ),
)
WriteSummary = _writes(
    "WriteSummary",
    lambda tensor, tag, summary_metadata: protos.tensor(
        tag_of(tag), np.asarray(tensor), one(summary_metadata)
    ),
)


def _single(value):
    if np.size(value) != 1:
        raise invalid(f"a scalar summary needs one number, got {np.shape(value)}")
    return value


def _graph(writer, step, tensor):
    writer.add(step, graph_def=one(tensor))
    return ()


def _event(writer, event):
    found = Event.FromString(one(event))
    if writer.file is not None:
        writer.file.write(found)
    return ()


WriteGraphSummary = _op("WriteGraphSummary", _graph)
ImportEvent = _op("ImportEvent", _event)
