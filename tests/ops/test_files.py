"""Files read and written by ops."""

import numpy as np
import pytest

import twinflow as tf
from tests import ways
from tests.modes import both
from twinflow.base import errors
from twinflow.formats.attr_values import to_proto


@both
def test_files_written_and_read(run, tmp_path):
    path = str(tmp_path / "new" / "x.txt")

    def build():
        written = tf.write_file(path, tf.constant(b"\xff\0a"))
        after = [] if tf.executing_eagerly() else [written]
        with tf.control_dependencies(after):
            return tf.io.read_file(tf.identity(path)), tf.matching_files(
                tf.identity([str(tmp_path / "new/*.txt"), str(tmp_path / "[n]e?")])
            )

    contents, found = run(build)
    assert contents[()] == b"\xff\0a"
    assert found.tolist() == [str(tmp_path / "new").encode(), path.encode()]


def test_files_that_are_not_there(tmp_path):
    with ways.eager():
        text = "none; No such file or directory \\[Op:ReadFile\\]"
        with pytest.raises(errors.NotFoundError, match=text):
            tf.read_file(str(tmp_path / "none"))
        with pytest.raises(errors.NotFoundError, match="none; No such file"):
            tf.matching_files(str(tmp_path / "none" / "*"))


def test_names_that_are_looked_up_once(tmp_path):
    (tmp_path / "a.txt").write_text("")
    with tf.Graph().as_default(), tf.Session() as session:
        names = tf.io.match_filenames_once(str(tmp_path / "*.txt"))
        session.run(tf.local_variables_initializer())
        (tmp_path / "b.txt").write_text("")
        assert len(session.run(names)) == 1


# ------------------------------------------------------------------------- constants
def test_an_immutable_const_lies_in_a_file(tmp_path):
    """ImmutableConst of an imported graph."""
    path = tmp_path / "numbers"
    np.arange(6, dtype=np.float32).tofile(path)
    attrs = {
        "dtype": to_proto(tf.float32, "type"), "shape": to_proto((2, 3), "shape"),
        "memory_region_name": to_proto(str(path).encode(), "string"),
    }  # fmt: skip
    with tf.Graph().as_default() as graph, tf.Session() as session:
        found = graph.create_op("ImmutableConst", [], None, attrs=attrs).outputs[0]
        assert found.shape.as_list() == [2, 3]
        np.testing.assert_array_equal(session.run(found * 2.0)[1], [6.0, 8.0, 10.0])
        attrs["dtype"] = to_proto(tf.string, "type")
        with pytest.raises(tf.errors.InvalidArgumentError, match="not currently supp"):
            text = graph.create_op("ImmutableConst", [], None, attrs=attrs)
            session.run(text.outputs[0])
