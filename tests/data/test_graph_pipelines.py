"""Input pipelines in GraphDefs: those of TensorFlow 1.12 here, and ours there.

`TF112_PYTHON tests/data/graph_pipelines.py make tests/data/graph_pipelines` makes the
golden ones.
"""

import json
import subprocess
from pathlib import Path

import pytest
from google.protobuf import text_format

import twinflow as tf
from tests.data import graph_pipelines
from twinflow.base import errors
from twinflow.ops.random.setting import setting

_HERE = Path(__file__).parent
_FOLDER = _HERE / "graph_pipelines"
GOLDEN = json.loads((_FOLDER / "elements.json").read_text())


@pytest.fixture
def original(monkeypatch):
    """Random numbers of TensorFlow 1.12."""
    monkeypatch.setattr(setting, "original", True)


def definition(name):
    text = (_FOLDER / f"{name}.pbtxt").read_text()
    return text_format.Parse(text, tf.GraphDef())


def exported(name):
    return graph_pipelines.graph_def(tf, graph_pipelines.CASES[name])


def elements(graph_def):
    return json.loads(json.dumps(graph_pipelines.elements(tf, graph_def)))


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_a_pipeline_of_tensorflow_gives_what_it_gave_there(name, original):
    assert elements(definition(name)) == GOLDEN[name]


@pytest.mark.parametrize("name", ["flat_maps", "grouped", "windows", "one_shot"])
def test_an_imported_pipeline_is_written_again(name, original):
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition(name), name="")
        again = graph.as_graph_def()
    assert elements(again) == GOLDEN[name]
    wanted = {n.op for n in definition(name).node}
    assert wanted <= {n.op for n in again.node}


@pytest.mark.parametrize("name", graph_pipelines.CASES)
def test_a_pipeline_of_ours_is_written_as_nodes(name, original):
    """And gives, imported, what it gives here."""
    found = exported(name)
    assert not any(n.op == "NoOp" for n in found.node)
    with tf.Graph().as_default():
        tf.set_random_seed(7)
        x = graph_pipelines.CASES[name](tf)
        first = [n for n in x.graph.get_operations() if n.type == "MakeIterator"][:1]
        with tf.Session() as session:
            session.run(first)
            value = session.run(x)
    assert elements(found)[0] == json.loads(json.dumps(graph_pipelines.plain(value)))


def test_two_imports_have_iterators_of_their_own(original):
    found = definition("captured")
    with tf.Graph().as_default() as graph, tf.Session() as session:
        for scope in "ab":
            tf.import_graph_def(found, name=scope)
        for scope in "ab":
            session.run(graph.get_operation_by_name(f"{scope}/MakeIterator"))
        assert session.run(["a/x:0", "b/x:0"]) == [6, 6]
        assert session.run("a/x:0") == 7
        assert session.run("b/x:0") == 7


def test_a_captured_value_may_be_mapped():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        found = definition("captured")
        name = next(n.name for n in found.node if n.op == "Const" and "Const" in n.name)
        tf.import_graph_def(found, {f"{name}:0": tf.constant(10, tf.int64)}, name="")
        session.run(graph.get_operation_by_name("MakeIterator"))
        assert session.run("x:0") == 10


def test_an_error_of_a_node_names_it():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        bad = tf.placeholder(tf.int64, [], name="size")
        tf.data.Dataset.range(3).batch(bad).make_initializable_iterator()
        found = graph.as_graph_def()
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(found, name="")
        with pytest.raises(errors.InvalidArgumentError, match="Batch size must be"):
            session.run(graph.get_operation_by_name("MakeIterator"), {"size:0": 0})


def test_a_function_that_the_library_lacks_is_named():
    found = definition("captured")
    del found.library.function[:]
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(found, name="")
        maker = graph.get_operation_by_name("MakeIterator")
        with pytest.raises(errors.InvalidArgumentError, match="is not in the library"):
            session.run(maker)


def test_a_dataset_of_python_stays_in_this_process():
    with tf.Graph().as_default() as graph:
        rows = tf.data.Dataset.from_generator(lambda: iter([1, 2]), tf.int32)
        tf.identity(rows.make_one_shot_iterator().get_next(), name="x")
        found = graph.as_graph_def()
    assert {n.op for n in found.node}.isdisjoint({"OneShotIterator", "TensorDataset"})
    assert elements(found) == [1, 2]


def run_in(python, command, folder):
    program = str(_HERE / "graph_pipelines.py")
    done = subprocess.run(
        [python, program, command, str(folder)],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.mark.interop
def test_tensorflow_1_12_reads_our_pipelines(tf112_python, tmp_path, original):
    graph_pipelines.write(tf, str(tmp_path), graph_pipelines.CASES)
    own = graph_pipelines.read(tf, str(tmp_path), text_format.Parse)
    assert run_in(tf112_python, "run", tmp_path) == json.loads(json.dumps(own))


@pytest.mark.interop
def test_pipelines_of_tensorflow_1_12_run_here(tf112_python, tmp_path, original):
    wanted = run_in(tf112_python, "write", tmp_path)
    own = graph_pipelines.read(tf, str(tmp_path), text_format.Parse)
    assert json.loads(json.dumps(own)) == wanted
