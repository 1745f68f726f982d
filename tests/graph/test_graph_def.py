"""Graphs as GraphDefs and back: every op, functions, what only twinflow has."""

import numpy as np
import pytest

import twinflow as tf
from tests.support import op_cases  # noqa: F401 - loads the rows
from tests.support.graph_def_checks import check_round_trip, written
from tests.support.op_cases.table import CASES
from twinflow.base.op_defs import find
from twinflow.formats import protos


@pytest.fixture
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def imported(graph_def, names, feeds=None, **options):
    """The values of tensors of a GraphDef in a graph of its own."""
    with tf.Graph().as_default(), tf.Session() as session:
        found = tf.import_graph_def(graph_def, None, names, name="", **options)
        for op in tf.get_default_graph().get_operations():
            if op.type in ("Assign", "AssignVariableOp"):
                session.run(op)
        return session.run(found, feeds)


def _is_removed(row):
    """Whether the row is of an op that GraphDefs of this version may not hold."""
    found = find(row.op) if isinstance(row.op, str) else None
    return found is not None and found.removed and row.op != "MatrixExponential"


def test_every_row_gives_the_same_after_it_was_written_and_read():
    assert len(CASES) > 1500
    for row in CASES:
        takes_reference = isinstance(row.op, str) and "RefIdentity" in row.op
        if not _is_removed(row) and not takes_reference:
            check_round_trip(row, row.dtypes[0])


def test_what_is_written_has_all_attributes_of_the_op():
    for row in CASES[::7]:
        for node in written(row, row.dtypes[0]).graph.as_graph_def().node:
            found = find(node.op)
            if found is not None:
                assert set(node.attr) == set(found.attrs), (row.name, node.op)
                types = (len(found.inputs), sum(t[0] != "^" for t in node.input))
                several = any(a.number_attr or a.list_attr for a in found.inputs)
                assert several or types[0] == types[1], (row.name, node.op)


# ------------------------------------------------------------------------- export
def test_a_variable_is_written_with_its_name_and_shape(graph):
    tf.get_variable("v", [2, 3], use_resource=True)
    (handle,) = [n for n in graph.as_graph_def().node if n.op == "VarHandleOp"]
    assert handle.attr["shared_name"].s == b"v"
    assert [d.size for d in handle.attr["shape"].shape.dim] == [2, 3]


def test_variables_are_shared_by_name_after_reading(graph):
    v = tf.get_variable("v", [2], initializer=tf.ones_initializer(), use_resource=True)
    tf.identity(v.assign_add([1.0, 2.0]), name="more")
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph.as_graph_def(), name="")
        session.run("v/Assign")
        assert session.run("more:0").tolist() == [2.0, 3.0]
        assert session.run("v/Read/ReadVariableOp:0").tolist() == [2.0, 3.0]


def test_functions_are_in_the_library(graph):
    @tf.contrib.eager.defun
    def plus(a):
        return a + 1.0

    @tf.contrib.eager.defun
    def twice(a):
        return plus(plus(a)), tf.cond(a > 0.0, lambda: a, lambda: -a)

    x = tf.placeholder(tf.float32, [], name="x")
    y, z = twice(x)
    tf.identity(y * z, name="y")
    found = graph.as_graph_def()
    assert {n.op for n in found.node if "Call" in n.op} == {"PartitionedCall"}
    names = [f.signature.name for f in found.library.function]
    assert len(names) == 2 and names[0].startswith("__inference_twice_")
    assert graph.as_graph_def().library == found.library
    assert imported(found, ["y:0"], {"x:0": -3.0}) == [-3.0]


def test_a_function_with_effects_has_its_own_kind_of_call(graph):
    v = tf.get_variable("v", [], initializer=tf.ones_initializer(), use_resource=True)

    @tf.contrib.eager.defun
    def count():
        return v.assign_add(1.0)

    tf.identity(count(), name="y")
    found = graph.as_graph_def()
    assert "StatefulPartitionedCall" in {n.op for n in found.node}
    assert imported(found, ["y:0"]) == [2.0]


def test_a_custom_gradient_is_written_as_its_results(graph):
    @tf.custom_gradient
    def triple(x):
        return x * 3.0, lambda dy: dy * 100.0

    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.identity(triple(x), name="y")
    tf.identity(tf.gradients(y, x)[0], name="slope")
    found = graph.as_graph_def()
    assert [n for n in found.node if n.op == "IdentityN"]
    assert imported(found, ["y:0", "slope:0"], {"x:0": 2.0}) == [6.0, 100.0]


def test_dilated_depthwise_convolutions_go_by_batches(graph):
    x = tf.placeholder(tf.float32, [1, None, None, 2], name="x")
    k = np.random.RandomState(0).rand(3, 2, 2, 1).astype(np.float32)
    for padding in ("SAME", "VALID"):
        y = tf.nn.depthwise_conv2d(x, k, [1, 1, 1, 1], padding, rate=[2, 3])
        tf.identity(y, name=padding)
    found = graph.as_graph_def()
    assert {"SpaceToBatchND", "BatchToSpaceND"} <= {n.op for n in found.node}
    feeds = {"x:0": np.random.RandomState(1).rand(1, 8, 7, 2)}
    with tf.Session() as session:
        wanted = session.run(["SAME:0", "VALID:0"], feeds)
    for a, b in zip(imported(found, ["SAME:0", "VALID:0"], feeds), wanted, strict=True):
        np.testing.assert_allclose(a, b, 1e-5)


def test_gradients_are_written_as_far_as_tensorflow_has_the_ops(graph):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    tf.identity(tf.gradients(tf.reduce_mean(x * x, [0, 1]), x)[0], name="slope")
    found = graph.as_graph_def()
    assert all(find(n.op) for n in found.node)
    assert np.allclose(
        imported(found, ["slope:0"], {"x:0": [[1, 2, 3]]}), 2 / 3 * np.r_[1:4]
    )


# ------------------------------------------------------------------------- import
def test_a_failed_import_leaves_nothing(graph):
    tf.constant(1.0, name="a")
    found = graph.as_graph_def()
    found.node.add(name="b", op="NoSuchOp")
    with tf.Graph().as_default() as other:
        with pytest.raises(tf.errors.NotFoundError, match="not registered 'NoSuchOp'"):
            tf.import_graph_def(found)
        assert not other.get_operations()
        assert tf.constant(1.0, name="import/a").name == "import/a:0"


def test_devices_of_the_block_and_of_the_node(graph):
    with tf.device("/job:ps/task:1"):
        tf.constant(1.0, name="a")
    tf.constant(1.0, name="b")
    with tf.Graph().as_default(), tf.device("/cpu:0"):
        a, b = tf.import_graph_def(graph.as_graph_def(), return_elements=["a", "b"])
    assert a.device == "/job:ps/task:1/device:CPU:0" and b.device == "/device:CPU:0"


def test_defaults_of_a_newer_version_are_dropped(graph):
    tf.constant(1.0, name="a")
    found = graph.as_graph_def()
    found.node[0].attr["new"].i = 3
    with pytest.raises(ValueError, match="mentions attr 'new' not in Op<name=Const"):
        imported(found, ["a:0"])
    ops = protos.OpList()
    ops.op.add(name="Const").attr.add(name="new", type="int").default_value.i = 3
    assert imported(found, ["a:0"], producer_op_list=ops) == [1.0]


def test_shapes_of_the_graph_def_refine(graph):
    x = tf.placeholder(tf.float32, name="x")
    tf.negative(x, name="y")
    found = graph.as_graph_def(add_shapes=True)
    shape = found.node[1].attr["_output_shapes"].list.shape[0]
    shape.unknown_rank = False
    shape.dim.add(size=3)
    with tf.Graph().as_default():
        (y,) = tf.import_graph_def(found, return_elements=["y:0"])
    assert y.shape.as_list() == [3]


def test_random_numbers_follow_the_seeds(graph):
    tf.random_uniform([4], seed=5, name="u")
    found = graph.as_graph_def()
    with tf.Session(graph=graph) as session:
        wanted = session.run("u:0")
    assert np.array_equal(imported(found, ["u:0"])[0], wanted)


def test_queues_and_tables_are_made_anew(graph):
    queue = tf.FIFOQueue(3, [tf.int32], shapes=[()])
    table = tf.contrib.lookup.HashTable(
        tf.contrib.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1
    )
    tf.group(queue.enqueue_many([[5, 6]]), name="put")
    tf.identity(queue.dequeue(), name="get")
    tf.group(tf.tables_initializer(), name="fill")
    tf.identity(table.lookup(tf.constant(["b", "c"])), name="found")
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph.as_graph_def(), name="")
        session.run(["put", "fill"])
        assert session.run("get:0") == 5
        assert session.run("found:0").tolist() == [2, -1]


def test_ops_of_earlier_versions():
    found = protos.GraphDef()
    for name in ("t", "m", "v", "b", "g"):
        found.node.add(name=name, op="Placeholder").attr["dtype"].type = 1
    old = found.node.add(name="y", op="BatchNormWithGlobalNormalization")
    old.input.extend("tmvbg")
    old.attr["T"].type, old.attr["variance_epsilon"].f = 1, 0.5
    old.attr["scale_after_normalization"].b = True
    found.versions.producer = 8
    feeds = {"t:0": [[[[3.0]]]], "m:0": [1.0], "v:0": [3.5], "b:0": [7.0], "g:0": [4.0]}
    assert imported(found, ["y:0"], feeds)[0].item() == 2.0 / 2.0 * 4.0 + 7.0
    found.versions.producer = 9
    with pytest.raises(tf.errors.UnimplementedError, match="removed in version 9"):
        imported(found, ["y:0"])


def test_iterators_are_written_without_datasets_of_this_process(graph):
    for make in ("make_one_shot_iterator", "make_initializable_iterator"):
        dataset = tf.data.Dataset.from_generator(lambda: iter(range(4)), tf.int64)
        dataset = dataset.batch(2)
        tf.identity(getattr(dataset, make)().get_next() + 1, name=make)
    found = graph.as_graph_def()
    kinds = [n.op for n in found.node]
    assert kinds.count("IteratorV2") == 2 and not {"OneShotIterator"} & set(kinds)
    names = ["make_one_shot_iterator:0"]
    assert imported(found, names, {"IteratorGetNext:0": [5]})[0].tolist() == [6]
    assert imported(found, names)[0].tolist() == [1, 2]  # Note [Revived nodes]
    for node in found.node:  # as in another process
        node.attr.pop("_twin_object", None)
        node.attr.pop("_twin_op", None)
    with pytest.raises(tf.errors.FailedPreconditionError, match="not been initialized"):
        imported(found, names)


def test_functions_of_this_process_run_after_reading(graph):
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.py_func(lambda a: a + np.float32(1), [x], tf.float32)
    with tf.control_dependencies([tf.Assert(y > 0, [y])]):
        tf.identity(y, name="y")
    found = graph.as_graph_def()
    assert imported(found, ["y:0"], {"x:0": 2.0}) == [3.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="assertion failed"):
        imported(found, ["y:0"], {"x:0": -2.0})


# ------------------------------------------------------------------------- files
def test_graphs_as_files(graph, tmp_path):
    tf.constant(1.0, name="a")
    folder = str(tmp_path / "new" / "folder")
    path = tf.train.write_graph(graph, folder, "a.pb", as_text=False)
    found = protos.GraphDef.FromString((tmp_path / "new/folder/a.pb").read_bytes())
    assert found == graph.as_graph_def() and path == f"{folder}/a.pb"
    tf.io.write_graph(found, folder, "a.pbtxt")
    assert 'name: "a"' in (tmp_path / "new/folder/a.pbtxt").read_text()


def test_embeddings_of_resources_are_frozen(graph):
    table = tf.get_variable("t", [3, 2], use_resource=True)
    ids = tf.placeholder(tf.int32, [None], name="ids")
    tf.identity(tf.nn.embedding_lookup(table, ids), name="y")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        frozen = tf.graph_util.convert_variables_to_constants(
            session, graph.as_graph_def(), ["y"]
        )
        wanted = session.run("y:0", {"ids:0": [2, 0]})
    assert "VarHandleOp" not in {n.op for n in frozen.node}
    assert np.array_equal(imported(frozen, ["y:0"], {"ids:0": [2, 0]})[0], wanted)
