"""The ops of tensor_forest against the trees that TensorFlow 1.12 grows of the same."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from google.protobuf import text_format

import twinflow as tf
from tests.ops import forest_growth
from twinflow.base import dispatch, errors
from twinflow.base.dispatch import apply
from twinflow.contrib.tensor_forest import tensor_forest
from twinflow.eager.mode import MODE
from twinflow.formats.decision_protos import forest, generic
from twinflow.ops.trees.forest import model_ops, stats_ops
from twinflow.ops.trees.forest.slots import hashed_order

GOLDEN = json.loads(Path(__file__).with_name("forest_growth.json").read_text())
SPEC = "dense_features_size: 1 dense: [{name: a original_type: 0 size: 1}] sparse: []"
NONE = [np.zeros((0, 2), np.int64), np.zeros(0, np.float32), np.zeros(0, np.int64)]
X, Y = np.float32([[2], [3], [0], [5], [1], [4]]), np.float32([0, 1, 0, 1, 0, 1])


@pytest.mark.parametrize("name", forest_growth.CASES)
def test_trees_and_predictions_are_those_of_1_12(name):
    case = forest_growth.CASES[name]
    tree, found = forest_growth.grown(tf, tensor_forest, text_format.Merge, case)
    model = generic.Model.FromString(tree)
    wanted, shares = GOLDEN[name]
    assert forest_growth.outline(model.decision_tree) == wanted
    np.testing.assert_allclose(found, shares, rtol=1e-5, atol=2e-6)


def _params(**given):
    found = forest.TensorForestParams(
        **{"max_nodes": 20, "num_outputs": 2, "num_features": 1, **given}
    )
    found.split_after_samples.constant_value = 4
    found.num_splits_to_consider.constant_value = 2
    return {"params": found.SerializeToString()}


class Tree:
    """A tree and its statistics, by ops that run now."""

    def __init__(self, tree=b"", stats=b"", params=None, **given):
        self.attrs = _params(**given)
        if params is not None:
            self.attrs = {"params": params.SerializeToString()}
        self.data = {"input_spec": SPEC, **self.attrs}
        names = "DecisionTreeResourceHandleOp", "FertileStatsResourceHandleOp"
        self.tree = apply(getattr(model_ops, names[0]), ())
        self.stats = apply(getattr(stats_ops, names[1]), ())
        apply(model_ops.CreateTreeVariable, (self.tree, tree), self.attrs)
        apply(stats_ops.CreateFertileStatsVariable, (self.stats, stats), self.attrs)

    def step(self, x=X, y=Y):
        weights = np.zeros(0, np.float32)
        at = apply(model_ops.TraverseTreeV4, (self.tree, x, *NONE), self.data)
        apply(model_ops.UpdateModelV4, (self.tree, at, y, weights), self.attrs)
        finished = apply(
            stats_ops.ProcessInputV4,
            (self.tree, self.stats, x, *NONE, y, weights, at),
            {"random_seed": 3, **self.data},
        )
        apply(stats_ops.GrowTreeV4, (self.tree, self.stats, finished), self.attrs)

    def predict(self, x=X):
        return apply(model_ops.TreePredictionsV4, (self.tree, x, *NONE), self.data)

    def bytes(self):
        stats = apply(stats_ops.FertileStatsSerialize, (self.stats,), self.attrs)
        tree = apply(model_ops.TreeSerialize, (self.tree,))
        return tree.numpy(), stats.numpy()


@pytest.fixture
def now():
    with dispatch.entered(MODE):
        yield


@pytest.mark.parametrize("kinds", [{}, {"leaf_type": 1, "stats_type": 1}])
def test_a_tree_goes_on_where_its_bytes_were(now, kinds):
    tree = Tree(checkpoint_stats=True, **kinds)
    tree.step()
    again = Tree(*tree.bytes(), checkpoint_stats=True, **kinds)
    for _ in range(3):
        tree.step()
        again.step()
    assert generic.Model.FromString(tree.bytes()[0]) == generic.Model.FromString(
        again.bytes()[0]
    )
    size = apply(model_ops.TreeSize, (again.tree,)).numpy()
    counts = apply(model_ops.FeatureUsageCounts, (again.tree,), again.attrs).numpy()
    assert size == 3
    assert counts.tolist() == [1]
    assert apply(model_ops.TreeIsInitializedOp, (tree.tree,)).numpy()
    assert apply(stats_ops.FertileStatsIsInitializedOp, (tree.stats,)).numpy()


def test_paths_lead_from_the_root_to_leaves(now):
    tree = Tree(inference_tree_paths=True)
    for _ in range(3):
        tree.step()
    _, paths = tree.predict()
    for path in paths.numpy():
        nodes = forest.TreePath.FromString(path).nodes_visited
        assert [n.WhichOneof("node_type") for n in nodes] == [
            *["binary_node"] * (len(nodes) - 1), "leaf"
        ]  # fmt: skip
    assert Tree().predict()[1].shape == (0,)


def test_bytes_are_put_back_in_place(now):
    tree, other = Tree(checkpoint_stats=True), Tree(checkpoint_stats=True)
    for _ in range(3):
        tree.step()
    model, stats = tree.bytes()
    apply(model_ops.TreeDeserialize, (other.tree, model), other.attrs)
    apply(stats_ops.FertileStatsDeserialize, (other.stats, stats), other.attrs)
    np.testing.assert_array_equal(tree.predict()[0], other.predict()[0])


def test_a_leaf_may_survive_early_by_bootstrap(now):
    found = forest.TensorForestParams.FromString(_params(max_nodes=3)["params"])
    found.finish_type.type = 3
    found.finish_type.check_every_steps.constant_value = 2
    found.min_split_samples.constant_value = 2
    found.dominate_fraction.constant_value = 0.6
    found.split_after_samples.constant_value = 5000
    split = np.float32([[0], [9], [0], [9], [0], [9], [0]])
    sizes = []
    for _ in range(100):
        tree = Tree(params=found)
        tree.step(split, np.float32(split[:, 0] > 1))
        sizes.append(int(apply(model_ops.TreeSize, (tree.tree,)).numpy()))
    assert set(sizes) == {1, 3}


def test_mistakes_are_named(now):
    tree = Tree()
    with pytest.raises(
        errors.InvalidArgumentError, match=r"label 2 is not in \[0, 2\)"
    ):
        tree.step(X[:1], np.float32([2]))
    with pytest.raises(errors.InvalidArgumentError, match="Unable to parse"):
        Tree(tree=b"\xff\xff")
    with pytest.raises(errors.InvalidArgumentError, match="SPARSE_THEN_DENSE"):
        Tree(stats_type=3)
    with pytest.raises(errors.InvalidArgumentError, match="GRAPH_RUNNER"):
        Tree(collection_type=1)
    for _ in range(3):
        tree.step()
    with pytest.raises(errors.InvalidArgumentError, match="no statistics"):
        other = Tree(tree=tree.bytes()[0])
        other.step()
    handle = apply(model_ops.DecisionTreeResourceHandleOp, ())
    with pytest.raises(errors.NotFoundError, match="does not exist"):
        apply(model_ops.TreeSize, (handle,))
    with pytest.raises(errors.UnimplementedError, match="FinalizeTreeOp is disabled"):
        apply(stats_ops.FinalizeTree, (tree.tree, tree.stats), tree.attrs)


def test_the_order_of_hashed_sets_is_that_of_1_12():
    assert hashed_order([1, 2]) == [2, 1]
    assert hashed_order([1, 12, 3]) == [3, 12, 1]
    assert hashed_order(range(12)) == [11, *range(11)]


def test_graphs_are_imported(tmp_path):
    with tf.Graph().as_default() as graph:
        params = tensor_forest.ForestHParams(
            num_classes=2, num_features=1, num_trees=1, split_after_samples=3,
            num_splits_to_consider=2, base_random_seed=5,
        ).fill()  # fmt: skip
        x, y = tf.placeholder(tf.float32, [None, 1], "x"), tf.constant(Y)
        graphs = tensor_forest.RandomForestGraphs(params)
        tf.group(graphs.training_graph(x, y), name="train")
        tf.identity(graphs.inference_graph(x)[0], "found")
        tf.group(*[r.create for r in tf.get_collection("resources")], name="create")
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.import_graph_def(graph.as_graph_def(), name="")
        sess.run("create")
        for _ in range(6):
            sess.run("train", {"x:0": X})
        found = sess.run("found:0", {"x:0": X})
    np.testing.assert_array_equal(found.argmax(1), Y)


PROGRAM = """
import sys, numpy as np, {module} as tf
from tensorflow.contrib.tensor_forest.python import tensor_forest as forest
what, path = sys.argv[1:]
params = forest.ForestHParams(num_classes=2, num_features=1, num_trees=2,
    split_after_samples=3, num_splits_to_consider=2, base_random_seed=5,
    checkpoint_stats=True).fill()
x, y = np.arange(12, dtype=np.float32)[:, None], np.arange(12) // 5 % 2
graphs = forest.RandomForestGraphs(params)
train = graphs.training_graph(tf.constant(x), tf.constant(y))
found, saver = graphs.inference_graph(tf.constant(x))[0], tf.train.Saver()
size = graphs.average_size()
with tf.train.SingularMonitoredSession() as sess:
    session = sess.raw_session()
    if what == "load":
        saver.restore(session, path)
    for _ in range(4):
        session.run(train)
    if what == "save":
        saver.save(session, path)
        for _ in range(4):
            session.run(train)
    print(np.round(session.run(found), 4).tolist(), float(session.run(size)))
"""


@pytest.mark.interop
@pytest.mark.parametrize("first", ["twinflow", "tensorflow"])
def test_checkpoints_are_exchanged(tmp_path, first, tf112_python):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(module="tensorflow"))
    ours = [sys.executable, "-m", "twinflow", "run", str(program)]
    theirs = [tf112_python, str(program)]
    shown = []
    for what, command in zip(
        ("save", "load"), (ours, theirs) if first == "twinflow" else (theirs, ours)
    ):
        path = str(tmp_path / "model")
        done = subprocess.run(
            [*command, what, path], capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr[-2000:]
        shown.append(done.stdout)
    assert shown[0] == shown[1]
