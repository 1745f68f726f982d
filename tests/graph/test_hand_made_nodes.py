"""Nodes that programs make, rewire and look at by hand; texts recorded from 1.12."""

import pytest

import twinflow as tf
from twinflow.base import errors
from twinflow.compat.door.graphs import get_gradient_function
from twinflow.compat.door.op_statistics import _NodeDef
from twinflow.compat.door.operations import Operation
from twinflow.graph.graph_def.function_def import graph_to_function_def
from twinflow.graph.graph_def.surgery import must_run_on_cpu


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as found:
        yield found


def test_a_node_takes_only_inputs_that_it_has():
    x = tf.constant(1)
    total = tf.add(x, x)
    with pytest.raises(errors.OutOfRangeError, match=r"Input index \[2\] is greater"):
        total.op._update_input(2, x)
    with pytest.raises(TypeError, match="op must be an Operation: Tensor"):
        total.op._add_control_input(x)


def test_an_operation_is_made_of_what_it_needs(graph):
    x = tf.constant(1.0)
    with pytest.raises(TypeError, match="g needs to be a Graph: g"):
        Operation(_NodeDef("Identity", "a"), "g")
    with pytest.raises(TypeError, match=r"\[tf.float32\]\) are not compatible"):
        Operation(_NodeDef("Identity", "a"), graph, [x], input_types=[tf.string])
    with pytest.raises(TypeError, match="Control input must be an Operation"):
        Operation(_NodeDef("NoOp", "b"), graph, control_inputs=[3])
    with pytest.raises(ValueError, match="'' is not a valid node name"):
        graph.create_op("NoOp", [], [], name="")


def test_a_label_of_a_kernel_can_be_taken_away(graph):
    with graph._kernel_label_map({"NoOp": "a"}):
        outer = tf.no_op()
        with graph._kernel_label_map({"NoOp": ""}):
            inner = tf.no_op()
    assert outer.get_attr("_kernel") == b"a"
    assert "_kernel" not in inner.node_def.attr


def test_a_registered_gradient_is_found_by_the_name_of_an_override(graph):
    x = tf.placeholder(tf.float32)
    with graph.gradient_override_map({"Identity": "NobodyHasIt"}):
        y = tf.identity(x)
    with pytest.raises(LookupError, match="registry has no entry for: NobodyHasIt"):
        get_gradient_function(y.op)


def test_the_inputs_of_a_function_are_no_nodes_of_it(graph):
    x = tf.placeholder(tf.float32, name="x")
    y = tf.identity(x, name="y")
    found = graph_to_function_def(graph, graph.get_operations(), [x], [y])
    assert [n.name for n in found.node_def] == ["y"]


def test_a_node_without_a_dtype_runs_anywhere():
    assert not must_run_on_cpu(_NodeDef("Const", "a"))
    assert must_run_on_cpu(tf.constant("a").op)
