"""Copies of graphs, clusters, specs and lists: small parts of tf.contrib."""

from unittest import mock

import numpy as np
import pytest

import twinflow as tf
from tests.modes import graph  # noqa: F401 - a fixture
from twinflow.contrib.cluster_resolver import google
from twinflow.contrib.specs import composing, params, summaries

resolvers = tf.contrib.cluster_resolver


def test_variables_and_ops_are_copied_with_what_they_need():
    here, there = tf.Graph(), tf.Graph()
    with here.as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        v = tf.Variable(3.0, name="v")
        y = tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, s * v), [0, x])[1]
    copied = tf.contrib.copy_graph.copy_variable_to_graph(v, there, "c")
    assert copied.name == "c/v:0" and copied.graph is there
    z = tf.contrib.copy_graph.copy_op_to_graph(y, there, [copied], "c")
    again = tf.contrib.copy_graph.copy_op_to_graph(y, there, [copied], "c")
    assert again is z
    with tf.Session(graph=there) as session:
        session.run(copied.initializer)
        found = tf.contrib.copy_graph.get_copied_op(x, there, "c")
        assert session.run(z, {found: 2.0}) == 18
    with pytest.raises(TypeError, match="Could not copy instance"):
        tf.contrib.copy_graph.copy_op_to_graph("y", there, [])


def test_unions_of_clusters():
    def union(*jobs):
        simple = [
            resolvers.SimpleClusterResolver(tf.train.ClusterSpec(j), f"m{i}")
            for i, j in enumerate(jobs)
        ]
        return resolvers.UnionClusterResolver(*simple)

    assert union({"a": ["1"]}, {"a": ["2"], "b": ["3"]}).cluster_spec().as_dict() == {
        "a": ["1", "2"], "b": ["3"],
    }  # fmt: skip
    assert union({"a": {1: "x"}}, {"a": {2: "y"}}).master() == "m0"
    with pytest.raises(KeyError, match="Duplicate keys detected"):
        union({"a": {1: "x"}}, {"a": {1: "y"}}).cluster_spec()
    with pytest.raises(NotImplementedError):
        resolvers.ClusterResolver().master()


def test_clusters_that_are_asked_for(monkeypatch):
    service = mock.MagicMock()
    groups = service.instanceGroups.return_value
    items = [{"instance": f"https://where/{n}"} for n in ("two", "one")]
    groups.listInstances.return_value.execute.return_value = {"items": items}
    groups.listInstances_next.return_value = None
    network = {"networkInterfaces": [{"networkIP": "10.0.0.1"}]}
    service.instances.return_value.get.return_value.execute.return_value = network
    gce = resolvers.GceClusterResolver(
        "p", "z", "g", 80, credentials=None, service=service
    )
    assert gce.cluster_spec().as_dict() == {"worker": ["10.0.0.1:80"] * 2}
    nodes = service.projects().locations().nodes()
    nodes.get.return_value.execute.return_value = {
        "ipAddress": "10.1.2.3", "port": "8470", "state": "READY", "health": "HEALTHY",
    }  # fmt: skip
    tpu = resolvers.TPUClusterResolver("t", "z", "p", credentials=None, service=service)
    assert tpu.master() == "grpc://10.1.2.3:8470"
    nodes.get.assert_called_with(name="projects/p/locations/z/nodes/t")
    nodes.get.return_value.execute.return_value = {"state": "CREATING"}
    with pytest.raises(RuntimeError, match='not yet ready; state: "CREATING"'):
        tpu.cluster_spec()
    monkeypatch.delenv("TPU_NAME", raising=False)
    with pytest.raises(ValueError, match="Please provide a TPU Name"):
        resolvers.TPUClusterResolver()
    monkeypatch.setattr(google, "discovery", None)
    with pytest.raises(ImportError, match="googleapiclient must be installed"):
        resolvers.GceClusterResolver("p", "z", "g", 80)


@pytest.mark.usefixtures("graph")
def test_specs_become_networks(capsys):
    x = tf.placeholder(tf.float32, [2, 8, 8, 1])
    spec = "net = Cr(4, 5) | Mp(2) | Conc(3, Cs(2, 1), Id) | Flat | (Fs(n)**2) | Fm(3)"
    net = tf.contrib.specs.create_net(spec, x, {"n": 7})
    assert net.shape == (2, 3)
    assert summaries.tf_spec_structure("net = Cr(4, 5)", x) == (
        "_ variablev2 conv variablev2 biasadd relu"
    )
    with tf.variable_scope("twice"):
        both = tf.contrib.specs.create_net(
            "a = Shared(Fl(6)); net = a | a", tf.ones([2, 6])
        )
    assert summaries.tf_num_params(both) == 42
    assert len(tf.trainable_variables("twice")) == 2
    summaries.tf_parameter_summary(tf.layers.dense(tf.ones([1, 2]), 3, name="d"))
    assert capsys.readouterr().out.splitlines()[-1].split()[:2] == ["9", "d"]
    with pytest.raises(ValueError, match="keyword 'import' found in spec"):
        tf.contrib.specs.eval_spec("import os; net = Id")
    with pytest.raises(ValueError, match="spec failed to create 'net'"):
        tf.contrib.specs.eval_spec("n = 3")


def test_composables_and_parameters():
    add = composing.Function(lambda x, y=10: x + y)
    assert (add(1) | add(2) | abs).funcall(-5) == 2
    assert (add(2) ** 3).funcall(0) == 6 and (add**0).funcall(4) == 4
    found = tf.contrib.specs.eval_params("a = Ui(3, 3); b = Uf(1, 2); c = Li(5, 6)")
    assert found["a"] == 3 and 1 <= found["b"] <= 2 and found["c"] == 5
    assert params.Nt(1.0, 0.0) == 1


@pytest.mark.usefixtures("graph")
def test_elements_of_a_list_in_turn():
    from_list = tf.contrib.input_pipeline.seek_next(["a", "b"], num_epochs=2)
    shuffled = tf.contrib.input_pipeline.seek_next(list("abc"), shuffle=True, seed=1)
    counter = tf.Variable(np.int64(-1))
    plain = tf.contrib.input_pipeline.obtain_next(tf.constant(["x", "y"]), counter)
    with tf.Session() as session:
        session.run(
            [tf.global_variables_initializer(), tf.local_variables_initializer()]
        )
        assert [session.run(from_list) for _ in range(4)] == [b"a", b"b"] * 2
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(from_list)
        assert {session.run(shuffled) for _ in range(3)} == {b"a", b"b", b"c"}
        assert [session.run(plain) for _ in range(3)] == [b"x", b"y", b"x"]


def test_the_profiler_hook_has_its_older_name():
    assert tf.contrib.hooks.ProfilerHook is tf.train.ProfilerHook
