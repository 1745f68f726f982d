"""Databases of LMDB, as datasets and by readers; also without the package."""

import numpy as np
import pytest

import twinflow as tf
from tests.data.programs import drained
from tests.data.test_kernels import pipeline
from twinflow.base import errors
from twinflow.formats import lmdb_records

lmdb = pytest.importorskip("lmdb")


@pytest.fixture
def path(tmp_path):
    found = str(tmp_path / "pairs.mdb")
    with lmdb.open(found, subdir=False) as base, base.begin(write=True) as change:
        for i in (2, 0, 1):
            change.put(b"%d" % i, b"value %d" % i)
    return found


PAIRS = [(b"%d" % i, b"value %d" % i) for i in range(3)]


def pairs(dataset):
    return [(k.numpy(), v.numpy()) for k, v in dataset]


def test_pairs_come_in_the_order_of_keys(path, eager):
    dataset = tf.contrib.data.LMDBDataset([path, path])
    assert dataset.output_types == (tf.string, tf.string)
    assert pairs(dataset) == PAIRS * 2
    assert pairs(tf.contrib.data.LMDBDataset(path).skip(2)) == PAIRS[2:]


def test_several_passes_go_over_one_file_at_once(path, eager):
    dataset = tf.contrib.data.LMDBDataset(path)
    both = tf.data.Dataset.zip((dataset, dataset.repeat()))
    found = [(a[0].numpy(), b[0].numpy()) for a, b in both]
    assert found == [(k, k) for k, _ in PAIRS]
    assert not lmdb_records._open


def test_a_graph_and_a_node_of_tensorflow(path):
    with tf.Graph().as_default(), tf.Session() as session:
        dataset = tf.contrib.data.LMDBDataset(tf.placeholder(tf.string, [], "path"))
        iterator = dataset.make_initializable_iterator()
        session.run(iterator.initializer, {"path:0": path})
        assert drained(session, iterator.get_next()) == PAIRS
    kind, names = "ExperimentalLMDBDataset", np.array([path.encode()], object)
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(pipeline(kind, [names], (tf.string, tf.string)), name="")
        session.run(graph.get_operation_by_name("start"))
        assert session.run(["next:0", "next:1"]) == list(PAIRS[0])


def test_a_folder(tmp_path, eager):
    with lmdb.open(str(tmp_path / "a")) as base, base.begin(write=True) as change:
        change.put(b"k", b"v")
    found = tf.contrib.data.LMDBDataset(str(tmp_path / "a"))
    assert pairs(found) == [(b"k", b"v")]


def test_a_reader(path):
    with tf.Graph().as_default(), tf.Session() as session:
        names = tf.FIFOQueue(2, tf.string, [()])
        fill = [names.enqueue(path), names.close()]
        reader = tf.LMDBReader()
        key, value = reader.read(names)
        several = reader.read_up_to(names, 5)
        session.run(fill[0])
        session.run(fill[1])
        assert session.run((key, value)) == PAIRS[0]
        assert session.run(several)[0].tolist() == [b"1", b"2"]
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(key)


def test_what_is_no_database(tmp_path, eager):
    (tmp_path / "text").write_text("no database" * 1000)
    with pytest.raises(errors.InvalidArgumentError, match="text"):
        list(tf.contrib.data.LMDBDataset(str(tmp_path / "text")))
    with pytest.raises(errors.NotFoundError, match="nothing"):
        list(tf.contrib.data.LMDBDataset(str(tmp_path / "nothing")))


def test_without_the_package(monkeypatch):
    monkeypatch.setattr(lmdb_records, "lmdb", None)
    for make in (tf.LMDBReader, lambda: tf.contrib.data.LMDBDataset("a")):
        missing = pytest.raises(errors.UnimplementedError, match=r"twinflow\[lmdb\]")
        with tf.Graph().as_default(), missing:
            make()
