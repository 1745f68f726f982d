"""Checkpoints of version 1: TensorFlow 1.12's are read and written to the byte."""

import os
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import errors
from twinflow.execute.session import Session
from twinflow.formats import checkpoint_v1
from twinflow.graph.graph import Graph

GOLDEN = str(Path(__file__).parent / "data" / "v1")  # by make_tf112_v1.py
V1 = tf.train.SaverDef.V1
VALUES = {
    "a": np.arange(6, dtype=np.float32).reshape(2, 3),
    "bo": np.array([True, False]),
    "c": np.array([1 + 2j], np.complex64),
    "d": np.arange(3) / 4,
    "e": np.zeros((0, 3), np.float32),
    "h": np.array([1.5, -2], np.float16),
    "i": np.array([-1, 5], np.int32),
    "p": np.arange(10, dtype=np.float32).reshape(5, 2),
    "s": np.array([b"x", b"", b"hello"], object),
    "scope/b": np.array(7, np.int64),
    "u": np.array([1, 255], np.uint8),
}


def test_values_of_tensorflow_are_read():
    reader = tf.train.load_checkpoint(GOLDEN)
    assert sorted(VALUES) == list(reader.get_variable_to_shape_map())
    for name, value in VALUES.items():
        found = np.asarray(reader.get_tensor(name))
        assert (found.dtype, found.shape) == (value.dtype, value.shape), name
        assert found.tolist() == value.tolist()
    shapes = dict(tf.train.list_variables(GOLDEN))
    assert (shapes["p"], shapes["scope/b"]) == ([5, 2], [])
    assert reader.get_variable_to_dtype_map()["h"] is tf.float16
    assert tf.train.checkpoint_exists(GOLDEN)


def test_files_are_those_of_tensorflow(tmp_path):
    path = str(tmp_path / "mine")
    p, (first, second) = VALUES["p"], ([(0, 3), (0, 2)], [(3, 2), (0, 2)])
    parts = [("p", p[:3], ((5, 2), first)), ("p", p[3:], ((5, 2), second))]
    rows = [(n, v, None) for n, v in VALUES.items()]
    rows[7:8] = parts
    checkpoint_v1.write_slices(path, rows)
    assert Path(path).read_bytes() == Path(GOLDEN).read_bytes()
    assert os.listdir(tmp_path) == ["mine"]


def variables():
    tf.get_variable("a", initializer=VALUES["a"])
    tf.get_variable("scope/b", initializer=np.int64(7))
    return tf.global_variables()


@pytest.mark.parametrize("sharded", [False, True])
def test_a_saver_of_version_1(tmp_path, sharded):
    with Graph().as_default() as graph, Session() as session:
        a, b = variables()
        session.run(tf.global_variables_initializer())
        saver = tf.train.Saver(write_version=V1, max_to_keep=2, sharded=sharded)
        prefix = str(tmp_path / "ck")
        paths = [saver.save(session, prefix, global_step=i) for i in range(3)]
        end = "-?????-of-00001" if sharded else ""
        assert paths[-1] == f"{prefix}-2{end}" == tf.train.latest_checkpoint(tmp_path)
        files = sorted(f for f in os.listdir(tmp_path) if f.startswith("ck"))
        end = end.replace("?????", "00000")
        assert files == ["ck-1" + end, "ck-1.meta", "ck-2" + end, "ck-2.meta"]
        for reading in saver, tf.train.Saver():
            session.run([a.assign(a * 0), b.assign(0)])
            reading.restore(session, paths[-1])
            assert session.run(a).tolist() == VALUES["a"].tolist()
            assert session.run(b) == 7
        types = [n.type for n in graph.get_operations() if n.type.startswith("Save")]
        assert types == ["SaveSlices", "SaveV2"]
        assert saver.saver_def.version == V1


def test_the_warning(tmp_path, caplog):
    with Graph().as_default(), Session() as session:
        variables()
        session.run(tf.global_variables_initializer())
        tf.train.Saver(write_version=V1).save(session, str(tmp_path / "ck"))
    assert "V1 checkpoint format has been deprecated" in caplog.text


def restored(shape, name="a"):
    with Graph().as_default(), Session() as session:
        tf.get_variable(name, shape)
        tf.train.Saver().restore(session, GOLDEN)


def test_what_does_not_fit(tmp_path):
    with pytest.raises(
        errors.NotFoundError, match='"zz" not found in checkpoint files'
    ):
        restored([1], "zz")
    with pytest.raises(errors.InvalidArgumentError, match="a mismatch between the cur"):
        restored([2, 2])
    cut = tmp_path / "cut"
    cut.write_bytes(Path(GOLDEN).read_bytes()[:-60])
    with pytest.raises(errors.DataLossError, match="not an sstable"):
        checkpoint_v1.opened(str(cut))
    cut.write_bytes(b"x" + Path(GOLDEN).read_bytes()[1:])
    with pytest.raises(errors.DataLossError, match="block checksum mismatch"):
        checkpoint_v1.opened(str(cut))
    with pytest.raises(errors.NotFoundError, match="Failed to find any matching files"):
        checkpoint_v1.opened(str(tmp_path / "none"))


def test_a_variable_starts_from_it():
    with Graph().as_default(), Session() as session:
        x = tf.get_variable("x", [5, 2])
        tf.train.init_from_checkpoint(GOLDEN, {"p": x})
        session.run(tf.global_variables_initializer())
        assert session.run(x).tolist() == VALUES["p"].tolist()


def test_the_four_ops(tmp_path):
    graph, path = tf.GraphDef(), str(tmp_path / "f")

    def add(name, op, *inputs, **attrs):
        node = graph.node.add(name=name, op=op, input=inputs)
        for key, value in attrs.items():
            node.attr[key].CopyFrom(value)

    kinds = tf.AttrValue(list=tf.AttrValue.ListValue(type=[1]))
    kind = tf.AttrValue(type=1)
    for name in "path", "names", "specs", "name", "spec":
        add(name, "Placeholder", dtype=tf.AttrValue(type=7))
    add("data", "Placeholder", dtype=kind)
    add("save", "Save", "path", "names", "data", T=kinds)
    add("part", "SaveSlices", "path", "names", "specs", "data", T=kinds)
    add("all", "Restore", "path", "name", dt=kind)
    add("some", "RestoreSlice", "path", "name", "spec", dt=kind)
    value = np.arange(6, dtype=np.float32).reshape(3, 2)
    with Graph().as_default(), Session() as session:
        tf.import_graph_def(graph, name="")
        feeds = {"path:0": path, "names:0": ["v"], "data:0": value, "name:0": "v"}
        session.run("save", feeds)
        assert session.run("all:0", feeds).tolist() == value.tolist()
        rows = session.run("some:0", {**feeds, "spec:0": "3 2 1,2:-"})
        assert rows.tolist() == value[1:].tolist()
        part = {**feeds, "data:0": value[1:], "specs:0": ["3 2 1,2:0,2"]}
        session.run("part", part)
        assert tf.train.load_checkpoint(path).get_variable_to_shape_map() == {
            "v": [3, 2]
        }
