"""tf.contrib.summary: summaries written as ops, in eager mode, graphs and functions.

What is recorded goes to the default writer, as long as recording is on; a graph decides
both when its nodes are made, and asks a condition that is a tensor at each run.
"""

import contextlib
import getpass
import itertools
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from twinflow.base import dtypes
from twinflow.base.annotations import Path
from twinflow.base.dispatch import apply, current_mode
from twinflow.base.tensor import Tensor
from twinflow.execute.session import get_default_session
from twinflow.graph.cond import cond as graph_cond
from twinflow.graph.graph import Graph
from twinflow.graph.scopes import add_to_collection, device, name_scope
from twinflow.metrics.objects import noted
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import cast, constant
from twinflow.ops.core.division import floormod
from twinflow.ops.core.no_op import no_op
from twinflow.ops.summaries import writers
from twinflow.ops.variables.collections import get_collection
from twinflow.summary.scopes import summary_scope
from twinflow.train.training_util import get_or_create_global_step

_NAMES = {
    "experiment_name": r"^[^\x00-\x1F<>]{0,256}$",
    "run_name": r"^[^\x00-\x1F<>]{0,512}$",
    "user_name": r"^([a-z]([-a-z0-9]{0,29}[a-z0-9])?)?$",
}
_numbers = itertools.count(1)

SUMMARIES, WRITER_INIT = "_SUMMARY_V2", "_SUMMARY_WRITER_V2"


class _State(threading.local):
    """The default writer and the condition of recording, of this thread."""

    writer = None
    record: object = False  # a bool, a tensor, or (eagerly) a function


_state = _State()


# ---------------------------------------------------------------------- recording
def should_record_summaries() -> bool:
    """Whether summaries are recorded here: a bool, or a bool scalar."""
    record = _state.record
    return record() if callable(record) else record


@contextlib.contextmanager
def _recording(record):
    before, _state.record = _state.record, record
    try:
        yield
    finally:
        _state.record = before


def always_record_summaries() -> AbstractContextManager[Any]:
    """A block in which all summaries are recorded."""
    return _recording(constant(True) if not current_mode().eager else True)


def never_record_summaries() -> Any:
    """A block in which no summary is recorded."""
    return _recording(False)


def record_summaries_every_n_global_steps(n: Any, global_step: Any = None) -> Any:
    """A block in which summaries are recorded when n divides the global step.

    Args:
        n: an int. global_step: the variable; the graph's own by default.
    """
    step = get_or_create_global_step() if global_step is None else global_step

    def record():
        with device("cpu:0"):
            return equal(floormod(step, n), 0)

    return _recording(record if current_mode().eager else record())


# ---------------------------------------------------------------------- writers
class SummaryWriter:
    """Where summaries go.

    Args:
        resource: the handle; None: nowhere. init_op_fn: makes the op that opens it.
    """

    def __init__(self, resource: Any, init_op_fn: Callable[..., Any]) -> None:
        self._resource = resource
        self._init_op = init_op_fn() if init_op_fn and resource is not None else None
        self._init_op_fn = init_op_fn

    def set_as_default(self) -> None:
        """Let summaries of this thread go here from now on."""
        _state.writer = self._resource

    @contextlib.contextmanager
    def as_default(self) -> "Iterator[SummaryWriter]":
        """A block whose summaries go here; it is flushed at the end."""
        if self._resource is None:
            yield self
            return
        before, _state.writer = _state.writer, self._resource
        try:
            yield self
            if current_mode().eager:
                apply(writers.FlushSummaryWriter, (self._resource,))
        finally:
            _state.writer = before

    def init(self) -> Any:
        """The op that opens the file (graph); None where there is nothing to do."""
        return no_op() if self._resource is None else self._init_op

    def flush(self) -> Any:
        """Hand what was written to the system; an op in a graph."""
        return no_op() if self._resource is None else flush(self)

    def close(self) -> list[Any]:
        """Close the file; an op in a graph."""
        if self._resource is None:
            return no_op()
        return apply(writers.CloseSummaryWriter, (self._resource,))


_shared: dict = {}  # cells of eager writers by their names


def create_file_writer(
    logdir: Path | None, max_queue: Any = None, flush_millis: Any = None,
    filename_suffix: Any = None, name: str | None = None,
) -> SummaryWriter:  # fmt: skip
    """A writer to an event file.

    Args:
        logdir: the folder; None: nothing is written.
        max_queue: events that may wait (10). flush_millis: for how long (2 minutes).
        filename_suffix: the end of the file's name (".v2").
        name: writers of one name share a file.
    Returns:
        A SummaryWriter; in a graph its file is opened by `initialize()`.
    Example:
        writer = tf.contrib.summary.create_file_writer("./logs")
        with writer.as_default(), tf.contrib.summary.always_record_summaries():
            tf.contrib.summary.scalar("loss", 0.5, step=1)
    """
    if logdir is None:
        return SummaryWriter(None, None)
    args = (
        logdir, 10 if max_queue is None else max_queue,
        2 * 60 * 1000 if flush_millis is None else flush_millis,
        ".v2" if filename_suffix is None else filename_suffix,
    )  # fmt: skip
    name = f"logdir:{logdir}" if name is None else name
    return _writer(name, writers.CreateSummaryFileWriter, args)


def _writer(name, op, args):
    """The SummaryWriter of a name, which an op with `args` opens."""
    owner = current_mode().variable_owner()
    cells = _shared if owner.eager else owner.state.setdefault("writers", {})
    cell = cells.setdefault(name, writers.WriterCell(name))
    with device("cpu:0"):
        attrs = {"cell": cell, "shared_name": name}
        resource = apply(writers.SummaryWriter, (), attrs)
        writer = SummaryWriter(resource, lambda: apply(op, (resource, *args)))
    if not owner.eager:
        add_to_collection(WRITER_INIT, writer.init())
    return writer


create_summary_file_writer = create_file_writer


def create_db_writer(
    db_uri: Any, experiment_name: Any = None, run_name: Any = None,
    user_name: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """A writer to an SQLite database, with the tables of TensorFlow 1.12.

    Args:
        db_uri: its path, or a URI such as "file:/tmp/a.sqlite"; it is made if need be.
        experiment_name: of the experiment of the run; the date by default, "" for none.
        run_name: of the run; the time by default, "" for none.
        user_name: of the user of the experiment; the system's by default, "" for none.
        name: writers of one name share a run.
    Raises:
        ValueError: a name has other characters than it may have.
    Example:
        writer = tf.contrib.summary.create_db_writer("a.sqlite", "mnist", "first", "me")
        with writer.as_default(), tf.contrib.summary.always_record_summaries():
            tf.contrib.summary.scalar("loss", 0.5, step=1)
        import sqlite3
        query = "SELECT tag_name, step FROM Tags JOIN Tensors ON tag_id = series"
        sqlite3.connect("a.sqlite").execute(query).fetchall()  # [("loss", 1)]
    """
    now = time.localtime()
    given = {
        "experiment_name": (experiment_name, lambda: time.strftime("%Y-%m-%d", now)),
        "run_name": (run_name, lambda: time.strftime("%H:%M:%S", now)),
        "user_name": (user_name, getpass.getuser),
    }
    names = [
        _checked(kind, default() if value is None else value)
        for kind, (value, default) in given.items()
    ]
    known = f"db {next(_numbers)}" if name is None else name
    return _writer(known, writers.CreateSummaryDbWriter, (db_uri, *names))


def _checked(kind, value):
    """A name; ValueError where it has not the form of its kind."""
    if isinstance(value, str) and not re.search(_NAMES[kind], value):
        raise ValueError(f"{kind} ({value}) must match {_NAMES[kind]}")
    return value


def summary_writer_initializer_op() -> Any:
    """The ops that open the writers of the graph.

    Raises:
        RuntimeError: eager mode.
    """
    if current_mode().eager:
        raise RuntimeError(
            "tf.contrib.summary.summary_writer_initializer_op is only supported in "
            "graph mode."
        )
    return get_collection(WRITER_INIT)


def initialize(graph: Any = None, session: Any = None) -> None:
    """Open the writers of a graph, and write the graph if it is given.

    Args:
        graph: a Graph or GraphDef. session: the default one by default.
    Raises:
        RuntimeError: there is no default writer. ValueError: no session.
    """
    if current_mode().eager:
        return
    if _state.writer is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    session = session or get_default_session()
    if session is None:
        raise ValueError("session must be passed if no default session exists")
    session.run(summary_writer_initializer_op())
    if graph is not None:
        data = placeholder(dtypes.string)
        session.run(_written_graph(data, 0), {data: _bytes_of(graph)})


def all_summary_ops() -> Any:
    """The ops of all summaries of the graph; None in eager mode."""
    return None if current_mode().eager else get_collection(SUMMARIES)


def flush(writer: Any = None, name: str | None = None) -> Any:
    """Hand what was written to the system; an op in a graph.

    Args:
        writer: a SummaryWriter; the default one if None. name: of the node.
    """
    resource = _state.writer if writer is None else writer._resource
    if resource is None:
        return no_op()
    return apply(writers.FlushSummaryWriter, (resource,), None, name)


def eval_dir(model_dir: Any, name: str | None = None) -> Any:
    """The folder for the summaries of an evaluation."""
    return os.path.join(model_dir, "eval" if not name else "eval_" + name)


# ---------------------------------------------------------------------- summaries
def summary_writer_function(
    name: str, tensor: Any, function: Callable[..., Any], family: Any = None
) -> Any:
    """Record a summary, if there is a writer and recording is on.

    Args:
        name: of the summary. tensor: what it is of.
        function: (tag, scope) -> the op that writes. family: begins the tag.
    Returns:
        bool scalar: whether it was recorded; an op that does nothing without a writer.
    """
    if _state.writer is None:
        return no_op()

    outer = current_mode().scope  # ends in a slash, so that it can be entered again

    def record():
        again = name_scope(outer)  # without that of the branch
        with again, summary_scope(name, family, values=[tensor]) as (tag, scope):
            op = function(tag, scope)
            mode = current_mode()
            if mode.eager:
                return constant(True)
            with mode.control_dependencies([op]):
                return constant(True)

    with device("cpu:0"):
        op = _if(should_record_summaries(), record, lambda: constant(False))
    if not current_mode().variable_owner().eager:
        add_to_collection(SUMMARIES, op)
    return op


def _if(pred, true_fn, false_fn):
    if isinstance(pred, Tensor) and not current_mode().eager:
        return graph_cond(pred, true_fn, false_fn)
    return true_fn() if pred else false_fn()


def _step(step):
    step = get_or_create_global_step() if step is None else step
    return cast(step, dtypes.int64) if isinstance(step, Tensor) else step


def _summary(op, name, tensor, family, step, *inputs, **attrs):
    def function(tag, scope):
        args = (_state.writer, _step(step), tag, tensor, *inputs)
        return apply(op, args, attrs or None, scope)

    return summary_writer_function(name, tensor, function, family)


def scalar(name: str, tensor: Any, family: Any = None, step: Any = None) -> Any:
    """Record a number.

    Args:
        name: its tag, below the name scopes. tensor: a real scalar.
        family: begins the tag. step: int64 scalar; the global step by default.
    """
    return _summary(writers.WriteScalarSummary, name, tensor, family, step)


noted.append(scalar)  # the results of metrics


def histogram(
    name: str | None, tensor: Any, family: Any = None, step: Any = None
) -> Any:
    """Record how the numbers of a tensor are spread; arguments as of `scalar`."""
    return _summary(writers.WriteHistogramSummary, name, tensor, family, step)


def image(
    name: str | None, tensor: Any, bad_color: Any = None, max_images: Any = 3,
    family: Any = None, step: Any = None,
) -> Any:  # fmt: skip
    """Record the first images of a batch.

    Args:
        tensor: uint8 or float[batch, height, width, 1, 3 or 4].
        bad_color: uint8[4], of pixels that are not finite. max_images: how many.
        name, family, step: see `scalar`.
    """
    color = constant([255, 0, 0, 255], dtypes.uint8) if bad_color is None else bad_color
    return _summary(
        writers.WriteImageSummary, name, tensor, family, step, color,
        max_images=max_images,
    )  # fmt: skip


def audio(
    name: str | None, tensor: Any, sample_rate: Any, max_outputs: Any,
    family: Any = None, step: Any = None,
) -> Any:  # fmt: skip
    """Record the first clips of a batch.

    Args:
        tensor: float32[batch, frames(, channels)] in [-1, 1].
        sample_rate: in Hz. max_outputs: how many. name, family, step: see `scalar`.
    """
    return _summary(
        writers.WriteAudioSummary, name, tensor, family, step, sample_rate,
        max_outputs=max_outputs,
    )  # fmt: skip


def generic(
    name: str | None, tensor: Any, metadata: Any = None, family: Any = None,
    step: Any = None,
) -> Any:  # fmt: skip
    """Record any tensor.

    Args:
        metadata: a SummaryMetadata, or its bytes. name, family, step: see `scalar`.
    """
    data = b"" if metadata is None else metadata
    data = data.SerializeToString() if hasattr(data, "SerializeToString") else data

    def function(tag, scope):
        inputs = (_state.writer, _step(step), tensor, tag, data)
        return apply(writers.WriteSummary, inputs, None, scope)

    return summary_writer_function(name, tensor, function, family)


def graph(param: Any, step: Any = None, name: str | None = None) -> Any:
    """Record a graph.

    Args:
        param: a Graph or GraphDef (eagerly), or a string scalar of a serialised one.
        step: int64 scalar; the global step by default. name: of the node.
    Raises:
        TypeError: something else.
    """
    if not current_mode().eager and not isinstance(param, Tensor):
        raise TypeError(
            "graph() needs a tf.Tensor (e.g. tf.placeholder) in graph mode, but was: "
            f"{type(param)}"
        )
    if _state.writer is None:
        return no_op()
    data = param if isinstance(param, Tensor) else _bytes_of(param)
    return _written_graph(data, step, name)


def _written_graph(data, step, name=None):
    inputs = (_state.writer, _step(step), data)
    return apply(writers.WriteGraphSummary, inputs, None, name)


def _bytes_of(graph):
    if isinstance(graph, Graph):
        graph = graph.as_graph_def(add_shapes=True)
    if not hasattr(graph, "SerializeToString"):
        raise TypeError(
            "Argument 'param' to tf.contrib.summary.graph must be a tf.Graph, a "
            f"GraphDef or a string tensor, but was: {type(graph)}"
        )
    return graph.SerializeToString()


def import_event(tensor: Any, name: str | None = None) -> Any:
    """Write an Event that is there as bytes to the default writer.

    Args:
        tensor: string scalar. name: of the node.
    """
    return apply(writers.ImportEvent, (_state.writer, tensor), None, name)
