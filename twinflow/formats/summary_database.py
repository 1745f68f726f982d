"""Summary databases of TensorFlow 1.12: SQLite files with runs, tags and tensors.

A run belongs to an experiment, and that to a user; a tag of a run has a series of
tensors. All of them have a random number as id. What has an empty name is left out: the
tags then belong to no run, or the run to no experiment.

Variant: TensorFlow writes 1,000 empty rows for each new tag, which its tensors take one
by one. Here a row is written when there is a tensor.
"""

import random
import re
import sqlite3
import threading
import time
from typing import Any

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.formats import protos
from twinflow.formats.tensor_proto import from_proto

_TABLES = """
Ids: id INTEGER PRIMARY KEY
Descriptions: id INTEGER PRIMARY KEY, description TEXT
Tensors: rowid INTEGER PRIMARY KEY, series INTEGER, step INTEGER, dtype INTEGER,
  computed_time REAL, shape TEXT, data BLOB
TensorStrings: rowid INTEGER PRIMARY KEY, tensor_rowid INTEGER NOT NULL,
  idx INTEGER NOT NULL, data BLOB
Tags: rowid INTEGER PRIMARY KEY, run_id INTEGER, tag_id INTEGER NOT NULL,
  inserted_time DOUBLE, tag_name TEXT, display_name TEXT, plugin_name TEXT,
  plugin_data BLOB
Runs: rowid INTEGER PRIMARY KEY, experiment_id INTEGER, run_id INTEGER NOT NULL,
  inserted_time REAL, started_time REAL, finished_time REAL, run_name TEXT
Experiments: rowid INTEGER PRIMARY KEY, user_id INTEGER,
  experiment_id INTEGER NOT NULL, inserted_time REAL, started_time REAL,
  is_watching INTEGER, experiment_name TEXT
Users: rowid INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, inserted_time REAL,
  user_name TEXT, email TEXT
Graphs: rowid INTEGER PRIMARY KEY, run_id INTEGER, graph_id INTEGER NOT NULL,
  inserted_time REAL, graph_def BLOB
Nodes: rowid INTEGER PRIMARY KEY, graph_id INTEGER NOT NULL,
  node_id INTEGER NOT NULL, node_name TEXT, op TEXT, device TEXT, node_def BLOB
NodeInputs: rowid INTEGER PRIMARY KEY, graph_id INTEGER NOT NULL,
  node_id INTEGER NOT NULL, idx INTEGER NOT NULL, input_node_id INTEGER NOT NULL,
  input_node_idx INTEGER, is_control INTEGER
"""
_INDEXES = """
TensorSeriesStepIndex Tensors series, step ?
TensorStringIndex TensorStrings tensor_rowid, idx
TagIdIndex Tags tag_id
TagRunNameIndex Tags run_id, tag_name ?
RunIdIndex Runs run_id
RunNameIndex Runs experiment_id, run_name ?run_name
ExperimentIdIndex Experiments experiment_id
ExperimentNameIndex Experiments user_id, experiment_name ?experiment_name
UserIdIndex Users user_id
UserNameIndex Users user_name ?
UserEmailIndex Users email ?
GraphIdIndex Graphs graph_id
GraphRunIndex Graphs run_id ?
NodeIdIndex Nodes graph_id, node_id
NodeNameIndex Nodes graph_id, node_name ?node_name
NodeInputsIndex NodeInputs graph_id, node_id, idx
"""
_MOST_IDS = 1 << 23
_SMALLEST = 2.2250738585072014e-308  # the left end of all histograms


def _schema() -> list[str]:
    """The statements that make the tables and indexes that are missing."""
    found = []
    for name, columns in re.findall(r"(?ms)^(\w+): (.*?)(?=^\w+:|\Z)", _TABLES):
        found.append(f"CREATE TABLE IF NOT EXISTS {name} ({columns.strip()})")
    for line in _INDEXES.strip().splitlines():
        name, table, rest = line.split(" ", 2)
        columns, mark, known = (part.strip() for part in rest.partition("?"))
        named = (known or columns).split(", ") if mark else []
        where = " AND ".join(f"{c} IS NOT NULL" for c in named)
        found.append(
            f"CREATE UNIQUE INDEX IF NOT EXISTS {name} ON {table} ({columns})"
            + (f" WHERE {where}" if where else "")
        )
    return found


class SummaryDatabase:
    """Writes the events of one run.

    Args:
        uri: a path, or a URI of SQLite such as "file:/tmp/a.sqlite".
        experiment, run, user: the names; "" = none.
    Raises:
        InvalidArgumentError: the file is no database, or cannot be made.
    """

    _db: Any = None  # until the file is open

    def __init__(self, uri: str, experiment: str, run: str, user: str) -> None:
        self._names, self._lock = (experiment, run, user), threading.Lock()
        self._tags: dict[str, int] = {}
        self._run: int | None = None
        self._experiment: int | None = None
        self._started = float("inf")
        try:
            is_uri = uri.startswith("file:")
            # A writer belongs to no thread: sessions have several.
            self._db = sqlite3.connect(uri, uri=is_uri, check_same_thread=False)
            for statement in _schema():
                self._db.execute(statement)
        except sqlite3.Error as error:
            raise errors.invalid(f"{uri}: {error}") from None

    def __del__(self) -> None:  # all is written, closed or not
        if self._db is not None:
            self._db.close()

    # ------------------------------------------------------------------ writing
    def write(self, event: Any) -> None:
        """Write what an Event says, if it is a summary or a graph."""
        when, kind = event.wall_time or time.time(), event.WhichOneof("what")
        with self._lock, self._db:
            if kind == "summary":
                for value in event.summary.value:
                    self._put(event.step, when, value, *_tensor_of(value))
            elif kind == "graph_def":
                self._graph(when, event.graph_def)

    def scalar(self, step: int, tag: str, number: Any) -> None:
        """Write a number with its dtype, which a Summary does not keep."""
        with self._lock, self._db:
            value = protos.Summary.Value(tag=tag)
            self._put(step, time.time(), value, np.asarray(number), "scalars")

    def flush(self) -> None:
        """Nothing waits: each event is written at once."""

    def close(self) -> None:
        """Say when the run ended, and close the file."""
        with self._lock:
            with self._db:
                if self._run is not None:
                    self._do("UPDATE Runs SET finished_time = ? WHERE run_id = ?",
                             time.time(), self._run)  # fmt: skip
            self._db.close()

    def _do(self, statement: str, *values: Any) -> Any:
        return self._db.execute(statement, values)

    def _insert(self, table: str, **row: Any) -> int:
        """The number of a new row; of one that takes the place of an equal one."""
        columns, marks = ", ".join(row), ", ".join("?" * len(row))
        statement = f"INSERT OR REPLACE INTO {table} ({columns}) VALUES ({marks})"
        return self._do(statement, *row.values()).lastrowid

    def _id(self) -> int:
        """A random number that is no id yet."""
        while True:
            found = random.randrange(1, _MOST_IDS)
            try:
                self._do("INSERT INTO Ids (id) VALUES (?)", found)
            except sqlite3.IntegrityError:
                continue
            return found

    # ------------------------------------------------------------------ runs
    def _begin(self, when: float) -> None:
        """Note the run, its experiment and its user, as of the earliest event."""
        experiment, run, user = self._names
        if self._run is None and run:
            now = time.time()
            self._experiment = self._known_experiment(experiment, user, now, when)
            self._run = self._id()
            self._insert(
                "Runs", experiment_id=self._experiment, run_id=self._run,
                inserted_time=now, started_time=when, run_name=run,
            )  # fmt: skip
        if when < self._started:
            self._started = when
            for table, key in ("Runs", self._run), ("Experiments", self._experiment):
                self._do(
                    f"UPDATE {table} SET started_time = min(started_time, ?) "
                    f"WHERE {table.lower()[:-1]}_id = ?", when, key,
                )  # fmt: skip

    def _known_experiment(self, name: str, user: str, now: float, when: float) -> Any:
        if not name:
            return None
        owner = self._known_user(user, now)
        row = self._do(
            "SELECT experiment_id FROM Experiments WHERE user_id IS ? AND "
            "experiment_name = ?", owner, name,
        ).fetchone()  # fmt: skip
        if row:
            return row[0]
        found = self._id()
        self._insert(
            "Experiments", user_id=owner, experiment_id=found, inserted_time=now,
            started_time=when, is_watching=0, experiment_name=name,
        )  # fmt: skip
        return found

    def _known_user(self, name: str, now: float) -> Any:
        if not name:
            return None
        row = self._do("SELECT user_id FROM Users WHERE user_name = ?", name).fetchone()
        if row:
            return row[0]
        found = self._id()
        self._insert("Users", user_id=found, inserted_time=now, user_name=name)
        return found

    # ------------------------------------------------------------------ tensors
    def _put(self, step, when, value, array, plugin):
        self._begin(when)
        series = self._tag(value, plugin, when)
        texts = array.dtype == object
        self._do("DELETE FROM Tensors WHERE series = ? AND step = ?", series, int(step))
        row = self._insert(
            "Tensors", series=series, step=int(step),
            dtype=dtypes.from_numpy(array.dtype).as_datatype_enum, computed_time=when,
            shape=",".join(map(str, array.shape)),
            data=None if texts else np.ascontiguousarray(array).tobytes(),
        )  # fmt: skip
        for i, text in enumerate(array.ravel().tolist() if texts else ()):
            self._insert("TensorStrings", tensor_rowid=row, idx=i, data=text)

    def _tag(self, value, plugin, when):
        """The id of the series of a tag, which is made with its first tensor."""
        found = self._tags.get(value.tag)
        if found is None:
            meta = value.metadata
            found = self._tags[value.tag] = self._id()
            self._insert(
                "Tags", run_id=self._run, tag_id=found, inserted_time=when,
                tag_name=value.tag, display_name=meta.display_name,
                plugin_name=meta.plugin_data.plugin_name or plugin,
                plugin_data=meta.plugin_data.content,
            )  # fmt: skip
            self._insert("Descriptions", id=found, description=meta.summary_description)
        return found

    # ------------------------------------------------------------------ graphs
    def _graph(self, when, serialized):
        graph_def = protos.GraphDef.FromString(serialized)
        self._begin(when)
        number, places = self._id(), {n.name: i for i, n in enumerate(graph_def.node)}
        for i, node in enumerate(graph_def.node):
            for place, text in enumerate(node.input):
                name, _, index = text.removeprefix("^").partition(":")
                self._insert(
                    "NodeInputs", graph_id=number, node_id=i, idx=place,
                    input_node_id=places[name], input_node_idx=int(index or 0),
                    is_control=int(text.startswith("^")),
                )  # fmt: skip
            rest = protos.NodeDef(attr=node.attr)
            self._insert(
                "Nodes", graph_id=number, node_id=i, node_name=node.name, op=node.op,
                device=node.device, node_def=rest.SerializeToString(),
            )  # fmt: skip
        del graph_def.node[:]
        self._insert(
            "Graphs", run_id=self._run, graph_id=number, inserted_time=when,
            graph_def=graph_def.SerializeToString(),
        )  # fmt: skip


# ---------------------------------------------------------------------- values
def _tensor_of(value: Any) -> tuple:
    """(array, plugin) of a Summary.Value of any kind."""
    kind = value.WhichOneof("value") or "simple_value"
    return _KINDS[kind](getattr(value, kind))


def _texts(*texts: bytes) -> Any:
    found = np.empty(len(texts), object)
    found[:] = texts
    return found


def _buckets(histogram: Any) -> Any:
    """float64[buckets, 3]: left end, right end and count of each."""
    right = np.asarray(histogram.bucket_limit, np.float64)
    left = np.append(_SMALLEST, right)[: len(right)]
    return np.stack([left, right, histogram.bucket], axis=1)


def _pixels(image: Any) -> Any:
    sizes = (str(n).encode() for n in (image.width, image.height))
    return _texts(*sizes, image.encoded_image_string)


def _clip(sound: Any) -> Any:
    return _texts(sound.encoded_audio_string, b"").reshape(1, 2)


_KINDS = {
    "simple_value": lambda v: (np.float32(v), "scalars"),
    "histo": lambda v: (_buckets(v), "histograms"),
    "image": lambda v: (_pixels(v), "images"),
    "audio": lambda v: (_clip(v), "audio"),
    "tensor": lambda v: (from_proto(v), ""),
}
