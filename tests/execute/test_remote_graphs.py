"""Graphs that an attribute holds: they run here, on the interpreter."""

import numpy as np
import pytest

import twinflow as tf
from tests import ways
from twinflow.formats.protos import RemoteFusedGraphExecuteInfo

run = tf.contrib.remote_fused_graph.remote_fused_graph_execute


def _graph_def():
    with tf.Graph().as_default() as graph:
        a = tf.placeholder(tf.float32, name="a")
        b = tf.placeholder(tf.float32, name="b")
        tf.identity(a @ b, name="product")
        tf.reduce_sum(a, name="sum")
    return graph.as_graph_def()


def _call(a, b):
    shapes = [(tf.float32, [2, 2])] * 2
    return run(
        [a, b], [tf.float32] * 2, _graph_def(), ["a", "b"], ["product", "sum:0"],
        "some_executor", b"parameters", shapes, shapes,
    )  # fmt: skip


@pytest.mark.parametrize("way", ways.WAYS)
def test_ways(way):
    x = np.float32([[1, 2], [3, 4]])
    product, total = ways.run(way, lambda: _call, x, x.T)
    np.testing.assert_array_equal(product, x @ x.T)
    assert total == 10.0


def test_nodes_are_those_of_tensorflow():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.ones([2, 2])
        found = _call(x, x)
        assert [t.shape.ndims for t in found] == [None, None]
        node = found[0].op
        info = RemoteFusedGraphExecuteInfo.FromString(
            node.get_attr("serialized_remote_fused_graph_execute_info")
        )
        assert (info.executor_name, info.graph_input_node_name[1]) == (
            "some_executor", "b",
        )  # fmt: skip
        assert info.default_graph_input_tensor_shape[0].dtype == 1
        tf.import_graph_def(graph.as_graph_def(), name="again")
        assert session.run("again/RemoteFusedGraphExecute:1") == 4.0
        assert tf.gradients(found[0], x) == [None]


def test_inputs_that_do_not_fit():
    with tf.Graph().as_default(), tf.Session() as session:
        (y,) = run([1.0], [tf.float32], _graph_def(), ["a", "b"], ["sum"], "", b"")
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="takes 2 inputs, got 1"
        ):
            session.run(y)
