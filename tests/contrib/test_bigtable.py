"""tf.contrib.bigtable against a server of its protocol."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import errors

pytest.importorskip("google.cloud.bigtable")
from tests.contrib.bigtable_server import Bigtable, serving

pytestmark = pytest.mark.filterwarnings("ignore:Connecting to Bigtable emulator")


@pytest.fixture
def table(monkeypatch):
    made = Bigtable()
    for key in ("a1", "a2", "b1", "z\xff"):
        value = [(1, f"new {key}".encode()), (0, b"old")]
        row = {("cf", b"x"): value, ("cf", b"y"): [(1, key.encode())]}
        made.rows[key.encode()] = row
    with serving(made) as address:
        monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", address)
        yield made


def _opened(name="t"):
    return tf.contrib.bigtable.BigtableClient("project", "instance").table(name)


def _all(dataset):
    """The elements of a dataset, in either mode."""
    if tf.executing_eagerly():
        return [[t.numpy() for t in tf.contrib.framework.nest.flatten(row)]
                for row in dataset]  # fmt: skip
    iterator, found = dataset.make_initializable_iterator(), []
    row = tf.contrib.framework.nest.flatten(iterator.get_next())
    with tf.Session() as session:
        session.run(iterator.initializer)
        with pytest.raises(errors.OutOfRangeError):
            while True:
                found.append(session.run(row))
    return found


def _check_reading():
    t = _opened()
    assert _all(t.keys_by_prefix_dataset("a")) == [[b"a1"], [b"a2"]]
    assert _all(t.keys_by_range_dataset("a2", "b2")) == [[b"a2"], [b"b1"]]
    assert len(_all(t.keys_by_range_dataset("a2", None))) == 3
    assert _all(t.sample_keys()) == [[b"m"], [b""]]
    rows = t.scan_prefix("b", cf=["y", "x"])
    assert _all(rows) == [[b"b1", b"b1", b"new b1"]]
    rows = t.scan_range("a", "b", columns=[("cf", "x")])
    assert _all(rows) == [[b"a1", b"new a1"], [b"a2", b"new a2"]]
    keys = tf.data.Dataset.from_tensor_slices(["b1", "a1"])
    rows = keys.apply(t.lookup_columns(("cf", "x"), cf="y"))
    assert _all(rows) == [[b"b1", b"new b1", b"b1"], [b"a1", b"new a1", b"a1"]]
    rows = _all(t.parallel_scan_range("a", None, cf="y"))
    assert sorted(key for key, _ in rows) == [b"a1", b"a2", b"b1", b"z\xc3\xbf"]
    assert len(_all(t.parallel_scan_prefix("a", 2, cf="y"))) == 2


def test_reading_eagerly(table, eager):
    _check_reading()


def test_reading_in_graphs(table, graph):
    _check_reading()


def _written(table):
    key = b"c1"
    assert table.rows[key][("cf", b"x")][0] == (5_001_000, b"one")
    assert table.rows[b"c2"][("g", b"y")][0][1] == b"20"


def _pairs():
    return tf.data.Dataset.from_tensor_slices(
        (["c1", "c2"], ["one", "two"], ["10", "20"])
    )


def test_writing_eagerly(table, eager):
    _opened().write(_pairs(), ["cf", "g"], ["x", "y"], timestamp=5001)
    _written(table)
    table.refused = (b"c2",)
    with pytest.raises(errors.FailedPreconditionError, match=r"c2.*not this one"):
        _opened().write(_pairs(), ["cf", "g"], ["x", "y"])


def test_graphs_are_written_and_read(table, graph):
    """A graph that copies rows, as it stands and imported."""
    rows = _opened().scan_prefix("a", cf=["x", "y"])
    op = _opened().write(
        rows.map(lambda k, x, y: ("c" + k, x, y)), ["h", "h"], ["x", "y"]
    )
    op = tf.group(op, name="copy")
    graph_def = tf.get_default_graph().as_graph_def()
    kinds = {n.op for n in graph_def.node}
    assert {"BigtableClient", "BigtableTable", "BigtableScanDataset"} <= kinds
    with tf.Session() as session:
        session.run(op)
    assert table.rows[b"ca2"]["h", b"x"][0][1] == b"new a2"
    del table.rows[b"ca2"]
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph_def, name="")
        session.run("copy")
    assert table.rows[b"ca2"]["h", b"y"][0][1] == b"a2"


def test_what_is_refused(table, eager):
    t = _opened()
    for options, text in {
        (): "At least one column",
        (("probability", 2.0), ("cf", "x")): r"probability must be in the range \(0, 1",
    }.items():
        with pytest.raises(ValueError, match=text):
            t.scan_prefix("a", **dict(options))
    with pytest.raises(ValueError, match="must be positive"):
        tf.contrib.bigtable.BigtableClient("p", "i", 0)
    with pytest.raises(ValueError, match="A column name must be specified for every"):
        t.write(_pairs(), ["cf"], ["x"])
    with pytest.raises(ValueError, match=r"len\(column_families\) != len\(columns\)"):
        t.write(_pairs(), ["cf"], ["x", "y"])
    numbers = tf.data.Dataset.from_tensors((np.int32(1), "a"))
    with pytest.raises(ValueError, match="Not all elements of the dataset were"):
        t.write(numbers, ["cf"], ["x"])
    with pytest.raises(
        errors.InvalidArgumentError, match="project_id must be non-empty"
    ):
        tf.contrib.bigtable.BigtableClient("", "i")
    with pytest.raises(errors.DataLossError, match="lacks a column"):
        _all(t.scan_prefix("a", cf="nothing", columns=[("cf", "x")]))
    keys = tf.data.Dataset.from_tensors("nobody")
    with pytest.raises(errors.DataLossError, match="Row key 'nobody' not found"):
        _all(keys.apply(t.lookup_columns(("cf", "x"))))
    with pytest.raises(errors.NotFoundError, match="no such table"):
        _all(_opened("other").keys_by_prefix_dataset("a"))


def test_without_the_package(eager, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "google.cloud.bigtable", None)
    with pytest.raises(errors.UnimplementedError, match=r"twinflow\[cloud\]"):
        tf.contrib.bigtable.BigtableClient("p", "i")
