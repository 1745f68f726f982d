"""tf.summary.FileWriter: summaries and graphs into event files."""

import os
import threading
import warnings
from collections.abc import Iterator
from typing import Any

from twinflow.base import logging, stores
from twinflow.base.annotations import Path
from twinflow.base.damage import located, reported
from twinflow.base.dispatch import current_mode
from twinflow.base.errors import DataLossError
from twinflow.base.text import as_bytes, as_str_any, path_to_str
from twinflow.formats.events import EventFile
from twinflow.formats.protos import Event, GraphDef, Summary, TaggedRunMetadata
from twinflow.formats.tf_record import tf_record_iterator
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.graph import Graph
from twinflow.graph.graph_def.meta_export import create_meta_graph_def


class FileWriter:
    """Writes summaries to an event file, for TensorBoard.

    Args:
        logdir: the folder. graph: a Graph to write first.
        max_queue: how many events may wait before they are handed to the system.
        flush_secs: for how many seconds. graph_def: the older form of `graph`.
        filename_suffix: the end of the file's name. session: refused, as in 1.12.
    Raises:
        RuntimeError: eager mode.
    Example:
        loss = tf.summary.scalar("loss", 0.5)
        with tf.Session() as sess:
            with tf.summary.FileWriter("./logs", sess.graph) as writer:
                writer.add_summary(sess.run(loss), global_step=1)
    """

    def __init__(
        self, logdir: Path, graph: Any = None, max_queue: int = 10,
        flush_secs: float = 120, graph_def: Any = None, filename_suffix: Any = None,
        session: Any = None,
    ) -> None:  # fmt: skip
        if current_mode().eager:
            raise RuntimeError(
                "tf.summary.FileWriter is not compatible with eager execution. Use "
                "tf.contrib.summary instead."
            )
        if session is not None:
            raise ValueError(
                "FileWriter with `session=` runs its ops in a graph; use "
                "tf.contrib.summary.create_file_writer for that"
            )
        self._logdir = as_str_any(path_to_str(logdir))
        self.event_writer = EventFile(
            self._logdir, filename_suffix or "", flush_secs, max_queue
        )
        self._closed = False
        self._seen: set[Any] = set()  # tags whose metadata is in the file
        self._tags: set[Any] = set()  # of run metadata
        self._add_graph(graph, graph_def)

    def _add_graph(self, graph, graph_def):
        if isinstance(graph, Graph) or isinstance(graph_def, Graph):
            graph = graph if isinstance(graph, Graph) else graph_def
            self.add_graph(graph)
            meta = create_meta_graph_def(graph_def=graph.as_graph_def(add_shapes=True))
            self.add_meta_graph(meta)
        elif graph is not None or graph_def is not None:
            self.add_graph(graph, graph_def=graph_def)

    def __enter__(self) -> "FileWriter":
        return self

    def __exit__(self, *exc):
        self.close()

    def get_logdir(self) -> Any:
        """The folder."""
        return self._logdir

    def add_event(self, event: Any) -> None:
        """Append an Event."""
        self._warn_if_closed()
        if not self._closed:
            self.event_writer.write(event)

    def _add(self, step, **what):
        event = Event(**what)
        if step is not None:
            event.step = int(step)
        self.add_event(event)

    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Append a Summary.

        Args:
            summary: the Summary, or its bytes. global_step: the step it is of.
        """
        if isinstance(summary, bytes):
            summary = Summary.FromString(summary)
        for value in summary.value:  # the first of a tag says how it is shown
            if value.HasField("metadata"):
                if value.tag in self._seen:
                    value.ClearField("metadata")
                else:
                    self._seen.add(value.tag)
        self._add(global_step, summary=summary)

    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Append a SessionLog."""
        self._add(global_step, session_log=session_log)

    def add_graph(
        self, graph: Any, global_step: Any = None, graph_def: Any = None
    ) -> None:
        """Append a graph, for TensorBoard's tab of graphs.

        Args:
            graph: a Graph. graph_def: a GraphDef in its place (older programs).
        Raises:
            ValueError, TypeError: not exactly one is given, or something else.
        """
        if graph is not None and graph_def is not None:
            raise ValueError("Please pass only graph, or graph_def (deprecated), "
                             "but not both.")  # fmt: skip
        if isinstance(graph, Graph) or isinstance(graph_def, Graph):
            if not isinstance(graph, Graph):
                logging.warning("When passing a `Graph` object, please use the `graph` "
                                "named argument instead of `graph_def`.")  # fmt: skip
                graph = graph_def
            graph_def = graph.as_graph_def(add_shapes=True)
            self._write_plugin_assets(graph)
        elif isinstance(graph, GraphDef):
            warnings.warn("pass a tf.Graph, not a GraphDef, as `graph`", stacklevel=2)
            graph_def = graph
        elif not isinstance(graph_def, GraphDef):
            raise TypeError("The passed graph must be an instance of `Graph` or the "
                            "deprecated `GraphDef`")  # fmt: skip
        self._add(global_step, graph_def=graph_def.SerializeToString())

    def _write_plugin_assets(self, graph):
        """What plugins of TensorBoard keep with a graph, each in its own folder."""
        for name in graph.get_collection("__plugin_assets"):
            folder = os.path.join(self._logdir, "plugins", name)
            stores.makedirs(folder)
            for asset in graph.get_collection(f"__plugin_assets_{name}"):
                for path, content in asset.assets().items():
                    with stores.opened(os.path.join(folder, path), "wb") as file:
                        file.write(as_bytes(content))

    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Append a MetaGraphDef."""
        if not hasattr(meta_graph_def, "graph_def"):
            raise TypeError(
                f"meta_graph_def must be type MetaGraphDef, saw type: "
                f"{type(meta_graph_def)}"
            )
        self._add(global_step, meta_graph_def=meta_graph_def.SerializeToString())

    def add_run_metadata(
        self, run_metadata: Any, tag: Any, global_step: Any = None
    ) -> None:
        """Append a RunMetadata under a tag that is used once."""
        if tag in self._tags:
            raise ValueError("The provided tag was already used for this event type")
        self._tags.add(tag)
        tagged = TaggedRunMetadata(
            tag=tag, run_metadata=run_metadata.SerializeToString()
        )
        self._add(global_step, tagged_run_metadata=tagged)

    def flush(self) -> None:
        """Hand what was written to the system."""
        self._warn_if_closed()
        self.event_writer.flush()

    def close(self) -> None:
        """Flush and close."""
        self.event_writer.close()
        self._closed = True

    def reopen(self) -> None:
        """Write on, to a new file, after `close`."""
        self._closed = False

    def _warn_if_closed(self):
        if self._closed:
            warnings.warn("Attempting to use a closed FileWriter. The operation will "
                          "be a noop unless the FileWriter is explicitly reopened.",
                          stacklevel=3)  # fmt: skip


class FileWriterCache:
    """One FileWriter for each folder."""

    _cache: dict[Any, Any] = {}
    _lock = threading.RLock()

    @staticmethod
    def clear() -> None:
        """Close and forget them all."""
        with FileWriterCache._lock:
            writers, FileWriterCache._cache = FileWriterCache._cache, {}
            for writer in writers.values():
                writer.close()

    @staticmethod
    def get(logdir: Path) -> FileWriter:
        """The FileWriter of a folder; a new one begins with the current graph."""
        with FileWriterCache._lock:
            found = FileWriterCache._cache
            if logdir not in found:
                found[logdir] = FileWriter(logdir, graph=get_default_graph())
            return found[logdir]


def summary_iterator(path: str) -> Iterator[Any]:
    """The events of an event file.

    Args:
        path: the file.
    Returns:
        An iterator of Events.
    Raises:
        NotFoundError: there is no such file. DataLossError: it is damaged.
    """
    source = as_str_any(path_to_str(path))
    for i, record in enumerate(tf_record_iterator(source)):
        with reported(source, DataLossError), located(f"record {i}"):
            event = Event.FromString(record)
        yield event
