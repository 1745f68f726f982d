"""tf.contrib.summary.create_db_writer: the tables and rows of TensorFlow 1.12."""

import sqlite3

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import errors

S = tf.contrib.summary
TENSORS = """SELECT tag_name, plugin_name, step, dtype, shape, data FROM Tags
  JOIN Tensors ON tag_id = series ORDER BY tag_name, step"""


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "runs.sqlite")


@pytest.fixture
def rows(path):
    """From a query to all rows."""

    def found(query, *values):
        base = sqlite3.connect(path)
        try:
            return base.execute(query, values).fetchall()
        finally:
            base.close()

    return found


def writing(path, **names):
    names = {"experiment_name": "exp", "run_name": "run", "user_name": "user", **names}
    return S.create_db_writer(path, **names)


def test_numbers_keep_their_dtypes(path, rows, eager):
    writer = writing(path)
    with writer.as_default(), S.always_record_summaries():
        S.scalar("loss", 0.5, step=1)
        S.scalar("loss", 0.25, step=2)
        S.scalar("loss", 0.125, step=2)  # once more: the last one counts
        S.scalar("count", np.int64(7), step=3)
    count, eighth = np.int64(7).tobytes(), np.float32(0.125).tobytes()
    assert rows(TENSORS) == [
        ("count", "scalars", 3, 9, "", count),
        ("loss", "scalars", 1, 1, "", np.float32(0.5).tobytes()),
        ("loss", "scalars", 2, 1, "", eighth),
    ]


def test_arrays_images_sounds_and_histograms(path, rows, eager):
    """The numbers of the histogram are TensorFlow 1.12's."""
    with writing(path).as_default(), S.always_record_summaries():
        S.generic("g", tf.constant([[1, 2], [3, 4]]), step=3)
        S.histogram("h", [1.0, 2.0, 3.0], step=1)
        S.image("i", tf.zeros([1, 2, 4, 3]), step=3)
        S.audio("a", tf.zeros([1, 4, 1]), 8000, max_outputs=1, step=3)
    sound, array, histogram, image = rows(TENSORS)
    assert sound[:5] == ("a/audio", "audio", 3, 7, "1,2") and sound[5] is None
    assert array == ("g", "", 3, 3, "2,2", np.arange(1, 5, dtype=np.int32).tobytes())
    assert image[:5] == ("i/image/0", "images", 3, 7, "3")
    assert histogram[:5] == ("h", "histograms", 1, 2, "7,3")
    buckets = np.frombuffer(histogram[5]).reshape(7, 3)
    np.testing.assert_array_equal(buckets[:, 2], [0, 1, 0, 1, 0, 1, 0])
    wanted = [2.2250738585072014e-308, 0.917246389039776, 0]
    np.testing.assert_array_equal(buckets[0], wanted)
    texts = rows("SELECT idx, data FROM TensorStrings ORDER BY tensor_rowid, idx")
    assert texts[:2] == [(0, b"4"), (1, b"2")] and texts[2][1][:4] == b"\x89PNG"
    assert texts[3][1][:4] == b"RIFF" and texts[4] == (1, b"")


def test_users_experiments_and_runs(path, rows, eager):
    for run in ("a", "b", ""):
        writer = writing(path, run_name=run)
        with writer.as_default(), S.always_record_summaries():
            S.scalar("x", 1.0, step=1)
        writer.close()
    assert rows("SELECT user_name, email FROM Users") == [("user", None)]
    found = rows("""SELECT experiment_name, user_name FROM Experiments
      JOIN Users ON Experiments.user_id = Users.user_id""")
    assert found == [("exp", "user")]
    runs = rows("""SELECT run_name, finished_time >= Runs.started_time FROM Runs
      JOIN Experiments ON Runs.experiment_id = Experiments.experiment_id""")
    assert runs == [("a", 1), ("b", 1)]
    assert [t is None for (t,) in rows("SELECT run_id FROM Tags")] == [
        False,
        False,
        True,
    ]
    assert rows("SELECT count(*) FROM Ids") == [(7,)]
    assert rows("SELECT description FROM Descriptions") == [("",)] * 3


def test_the_tables_are_those_of_tensorflow(path, rows, eager):
    writing(path)
    found = {n: s for n, s in rows("SELECT name, sql FROM sqlite_master") if s}
    assert len(found) == 27
    assert found["TagRunNameIndex"] == (
        "CREATE UNIQUE INDEX TagRunNameIndex ON Tags (run_id, tag_name) WHERE run_id "
        "IS NOT NULL AND tag_name IS NOT NULL"
    )
    columns = [r[1:3] for r in rows("PRAGMA table_info(Tags)")]
    assert columns[3:5] == [("inserted_time", "DOUBLE"), ("tag_name", "TEXT")]


def test_a_graph_in_graph_mode(path, rows):
    with tf.Graph().as_default() as graph, tf.Session() as session:
        writer = writing(path)
        with writer.as_default(), S.always_record_summaries():
            a = tf.constant(2.0, name="a")
            S.scalar("double", tf.add(a, a, name="b"), step=4)
            S.initialize(graph, session)
            session.run(S.all_summary_ops())
            session.run(writer.close())
    nodes = rows("SELECT node_name, op FROM Nodes ORDER BY node_id")
    assert ("a", "Const") in nodes and ("b", "Add") in nodes
    inputs = rows("""SELECT n.node_name, m.node_name, i.input_node_idx, i.is_control
      FROM NodeInputs i JOIN Nodes n ON i.node_id = n.node_id
      JOIN Nodes m ON i.input_node_id = m.node_id WHERE n.node_name = 'b'""")
    assert inputs == [("b", "a", 0, 0)] * 2
    ((text,),) = rows("SELECT graph_def FROM Graphs")
    assert tf.GraphDef.FromString(text).versions.producer and len(text) < 20
    assert [r[:5] for r in rows(TENSORS)] == [("double", "scalars", 4, 1, "")]


def test_events_are_imported(path, rows, eager):
    value = tf.Summary.Value(tag="old", simple_value=7.0)
    event = tf.Event(wall_time=5.0, step=9, summary=tf.Summary(value=[value]))
    with writing(path).as_default(), S.always_record_summaries():
        S.scalar("new", 1.0, step=1)
        S.import_event(event.SerializeToString())
        S.import_event(tf.Event(file_version="brain.Event:2").SerializeToString())
    assert [r[:4] for r in rows(TENSORS)][1] == ("old", "scalars", 9, 1)
    assert rows("SELECT started_time FROM Runs") == [(5.0,)]
    assert rows("SELECT started_time FROM Experiments") == [(5.0,)]


def test_names_have_a_form(path, eager):
    for kind, value in [("experiment_name", "a<b"), ("user_name", "No User")]:
        with pytest.raises(ValueError, match=rf"{kind} \({value}\) must match"):
            writing(path, **{kind: value})
    S.create_db_writer(path)  # the date, the time and the user of the system


def test_what_is_no_database(tmp_path, eager):
    (tmp_path / "text").write_text("no database" * 100)
    for name in ("text", "no/folder"):
        with pytest.raises(errors.InvalidArgumentError, match=name):
            writing(str(tmp_path / name))


def test_a_uri(path, rows, eager):
    with writing(f"file:{path}?mode=rwc").as_default(), S.always_record_summaries():
        S.scalar("x", 1.0, step=1)
    assert len(rows(TENSORS)) == 1
