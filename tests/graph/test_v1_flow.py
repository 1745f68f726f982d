"""Control flow of TensorFlow 1 in GraphDefs: read, written, and read again."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.graph import v1_cases
from twinflow.formats import protos

_HERE = Path(__file__).parent
_FOLDER = _HERE / "v1_golden"
GOLDEN = sorted(p for p in _FOLDER.glob("*.npz") if p.stem != "training")
_PLAIN = [c for c in v1_cases.CASES if c not in ("switch_and_merge", "three_ways")]


def loaded(path):
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def graph_of(found):
    return protos.GraphDef.FromString(found["graph"].tobytes())


def freeze(session, definition, names):
    return tf.graph_util.convert_variables_to_constants(session, definition, names)


def own(name):
    return v1_cases.built(tf, v1_cases.CASES[name], freeze)


# ------------------------------------------------------------------------- reading
@pytest.mark.parametrize("path", GOLDEN, ids=lambda p: p.stem)
def test_a_graph_of_tensorflow_gives_what_it_gave_there(path):
    v1_cases.check(tf, loaded(path), times=2)


def test_a_training_graph_of_tensorflow_goes_on_training():
    """With its gradients, which use stacks and arrays by effect, and its variables."""
    found = loaded(_FOLDER / "training.npz")
    definitions = [graph_of(found)]
    for _ in range(2):
        with tf.Graph().as_default() as graph, tf.Session() as session:
            tf.import_graph_def(definitions[-1], name="")
            v1_cases.trained(session, found)
            definitions.append(graph.as_graph_def())


def test_a_training_graph_of_ours_goes_on_training():
    found = v1_cases.built_training(tf)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph_of(found), name="")
        v1_cases.trained(session, found)


def test_training_gives_what_it_gave_in_tensorflow():
    ours, theirs = v1_cases.built_training(tf), loaded(_FOLDER / "training.npz")
    for name in (n for n in theirs if n != "graph"):
        np.testing.assert_allclose(ours[name], theirs[name], 1e-5, 1e-6)


def test_loops_and_branches_are_nodes_with_regions():
    with tf.Graph().as_default() as graph:
        found = loaded(_HERE / "v1_golden" / "everything_nested.npz")
        tf.import_graph_def(graph_of(found), name="")
    kinds = [n.type for n in graph.get_operations()]
    assert kinds.count("While") == 2 and kinds.count("If") == 4
    assert not {"Switch", "Merge", "Enter", "Exit", "NextIteration"}.intersection(kinds)


def test_names_from_outside_stay_and_may_have_a_prefix():
    found = loaded(_HERE / "v1_golden" / "loops.npz")
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([0.5, -1.0])
        (end,) = tf.import_graph_def(
            graph_of(found), {"x:0": x}, ["while/Exit_1:0"], name="twice"
        )
        tf.import_graph_def(graph_of(found), {"x:0": x}, name="again")
        assert end.name == "twice/while/Exit_1:0"
        feeds = {"twice/n:0": 6, "again/n:0": 6}
        a, b = session.run([end, "again/while/Exit_1:0"], feeds)
    np.testing.assert_allclose(a, found["value2_1"], 1e-6)
    np.testing.assert_array_equal(a, b)


def test_a_value_inside_a_loop_cannot_be_fetched():
    found = loaded(_HERE / "v1_golden" / "loops.npz")
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph_of(found), name="")
        with pytest.raises(ValueError, match="not fetchable"):
            session.run("while/Tanh:0", {"n:0": 1, "x:0": [1.0, 1.0]})


_SLOPES = ("branches_in_branches", "loops", "loops_in_loops", "everything_nested",
           "recurrent", "folds")  # fmt: skip


@pytest.mark.parametrize("name", _SLOPES)
def test_gradients_pass_through_what_was_read(name):
    """Two ways of one program: as it is written here, and as TensorFlow wrote it."""
    found = own(name)
    slopes = []
    for definition in (None, graph_of(found)):
        with tf.Graph().as_default() as graph, tf.Session() as session:
            if definition is None:
                tf.set_random_seed(1)
                outputs, _ = v1_cases.CASES[name](tf)
                _start_as(session, found)
            else:
                tf.import_graph_def(definition, name="")
                count = len([n for n in found if n.startswith("value0_")])
                outputs = [graph.get_tensor_by_name(f"out{i}:0") for i in range(count)]
            outputs = [t for t in outputs if t.dtype.is_floating]
            x = graph.get_tensor_by_name("x:0")
            (dx,) = tf.gradients(outputs, x)
            feeds = {n[6:] + ":0": v for n, v in found.items() if n[:6] == "feed2_"}
            feeds = feeds or {
                n[6:] + ":0": v for n, v in found.items() if n[:6] == "feed0_"
            }
            slopes.append(session.run(dx, feeds))
    np.testing.assert_allclose(*slopes, 1e-5, 1e-6)


def _start_as(session, found):
    """Give the variables the values that a file has for them."""
    values = {n.name: n for n in graph_of(found).node if n.op == "Const"}
    for v in tf.global_variables():
        v.load(tf.make_ndarray(values[v.op.name].attr["value"].tensor), session)


def test_a_branch_may_wait_for_effects_outside():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        v = tf.Variable(1.0, use_resource=True)
        p = tf.placeholder(tf.bool, [], name="p")
        with tf.control_dependencies([v.assign_add(1.0)]):
            tf.cond(p, lambda: tf.constant(1.0), v.read_value, name="cond")
        definition = graph.as_graph_def()
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(definition, name="")
        session.run(tf.group(*_initializers(graph)))
        assert session.run("cond/Merge:0", {"p:0": False}) == 2.0
        assert session.run("cond/Merge:0", {"p:0": True}) == 1.0
        assert session.run("cond/Merge:0", {"p:0": False}) == 4.0


def _initializers(graph):
    return [n for n in graph.get_operations() if n.name.endswith("/Assign")]


# ------------------------------------------------------------------------- writing
def test_names_are_those_of_tensorflow():
    for name in ("branch", "loops_in_loops", "recurrent"):
        theirs = graph_of(loaded(_HERE / "v1_golden" / f"{name}.npz"))
        ours = {(n.name, n.op) for n in graph_of(own(name)).node}
        flow = {"Switch", "Merge", "Enter", "Exit", "NextIteration", "LoopCond"}
        wanted = {(n.name, n.op) for n in theirs.node if n.op in flow}
        assert wanted <= ours


@pytest.mark.parametrize("name", v1_cases.CASES)
def test_a_graph_of_twinflow_is_read_again(name):
    v1_cases.check(tf, own(name))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda p: p.stem)
def test_what_was_read_is_written_again(path):
    found = loaded(path)
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_of(found), name="")
        found["graph"] = np.frombuffer(graph.as_graph_def().SerializeToString(), "u1")
    assert not {"If", "While", "TwinParam"} & {n.op for n in graph_of(found).node}
    v1_cases.check(tf, found)


def test_slopes_of_arrays_are_read_again():
    """Only here: TensorFlow has no ops for gradients of tensor arrays by value."""
    for function in (v1_cases.ONLY_TENSORFLOW["slope_of_maps"], _slope_of_recurrence):
        v1_cases.check(tf, v1_cases.built(tf, function, freeze))


def _slope_of_recurrence(tf):
    outputs, feeds = v1_cases.CASES["recurrent"](tf)
    graph = tf.get_default_graph()
    sources = [graph.get_tensor_by_name("x:0"), *tf.trainable_variables()]
    return [*outputs, *tf.gradients(outputs, sources)], feeds


def _second_slope(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y) * x), [0, x])
    (dx,) = tf.gradients(y[1], x)
    return [dx, *tf.gradients(dx, x)], [{"x": [0.5, -1.0]}]


def _slope_of_inner_scalars(tf):
    x = tf.placeholder(tf.float32, [2], name="x")

    def body(i, y):
        inner = lambda j, z: (j + 1, z * x[j % 2])
        return i + 1, tf.while_loop(lambda j, z: j < i, inner, [0, y])[1]

    y = tf.while_loop(lambda i, y: i < 4, body, [0, x])[1]
    return tf.gradients(y, x), [{"x": [0.5, -1.0]}]


@pytest.mark.parametrize("program", [_second_slope, _slope_of_inner_scalars])
def test_deep_slopes_are_read_again(program):
    v1_cases.check(tf, v1_cases.built(tf, program, freeze))


def _run_elsewhere(python, tmp_path):
    """Graphs of ours, and TensorFlow's after they went through here, in TensorFlow."""
    paths = []
    for name in v1_cases.CASES:
        paths.append(tmp_path / f"own_{name}.npz")
        paths[-1].write_bytes(v1_cases.saved(own(name)))
    for path in GOLDEN:
        found = loaded(path)
        with tf.Graph().as_default() as graph:
            tf.import_graph_def(graph_of(found), name="")
        text = graph.as_graph_def().SerializeToString()
        found["graph"] = np.frombuffer(text, np.uint8)
        paths.append(tmp_path / path.name)
        paths[-1].write_bytes(v1_cases.saved(found))
    command = [python, str(_HERE / "v1_cases.py"), "run", *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.interop
def test_tensorflow_1_12_runs_our_graphs(tf112_python, tmp_path):
    _run_elsewhere(tf112_python, tmp_path)


@pytest.mark.interop
def test_tensorflow_2_21_runs_our_graphs(tf221_python, tmp_path):
    _run_elsewhere(tf221_python, tmp_path)
