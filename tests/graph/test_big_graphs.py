"""Big graphs: importing and exporting cost the same for each node, and little.

Counted are the calls of functions, which no load of the machine changes.
"""

import cProfile
import gc

import pytest

import twinflow as tf
from twinflow.graph.graph import Graph

CALLS = 140  # a node; 215 when each was checked and bound by itself


def graph_def_of(count):
    """A chain of plain ops that also all use one constant."""
    found = tf.GraphDef()
    constant = found.node.add(name="c", op="Const")
    constant.attr["dtype"].type = constant.attr["value"].tensor.dtype = 1
    constant.attr["value"].tensor.float_val.append(1.0)
    last = "c"
    for i in range(count):
        node = found.node.add(name=f"layer{i // 50}/op_{i}")
        node.op = ("Add", "Mul", "Relu", "Identity")[i % 4]
        node.attr["T"].type = 1
        node.input.extend([last, "c"] if i % 4 < 2 else [last])
        last = node.name
    return found


def calls_of(work, *args):
    """How many functions are called by `work(*args)`."""
    profile = cProfile.Profile()
    profile.runcall(work, *args)
    return sum(entry.callcount for entry in profile.getstats())


def _import(graph_def):
    with Graph().as_default():
        tf.import_graph_def(graph_def, name="")


def _export(graph):
    graph.as_graph_def()


def _filled(count):
    graph = Graph()
    with graph.as_default():
        tf.import_graph_def(graph_def_of(count), name="")
    return graph


def test_importing():
    _import(graph_def_of(10))  # loads the ops
    calls = [calls_of(_import, graph_def_of(n)) for n in (500, 1000, 2000)]
    assert (calls[2] - calls[1]) / 1000 < CALLS
    assert calls[2] - calls[1] == pytest.approx(2 * (calls[1] - calls[0]), rel=0.05)


def test_exporting():
    calls = [calls_of(_export, _filled(n)) for n in (500, 1000, 2000)]
    assert (calls[2] - calls[1]) / 1000 < CALLS
    assert calls[2] - calls[1] == pytest.approx(2 * (calls[1] - calls[0]), rel=0.05)


def test_a_node_by_its_type_costs_the_same_in_a_big_graph():
    calls = []
    for count in 100, 2000:
        graph = _filled(count)
        with graph.as_default():
            c = graph.get_tensor_by_name("c:0")
            graph.create_op("Relu", [c], ["float32"])
            calls.append(calls_of(graph.create_op, "Relu", [c], ["float32"]))
    assert calls[1] < calls[0] + 20


def test_plain_nodes_are_what_other_nodes_are():
    """Whether an import takes the short way cannot be seen in what it makes."""
    graph_def = graph_def_of(40)
    with Graph().as_default() as short:
        tf.import_graph_def(graph_def, name="")
    with Graph().as_default() as long, long.device("/cpu:0"):
        tf.import_graph_def(graph_def, name="")
    for a, b in zip(short.nodes, long.nodes, strict=True):
        assert (a.name, a.type, a.types, a.counts) == (
            b.name,
            b.type,
            b.types,
            b.counts,
        )
        assert [t.name for t in a.inputs] == [t.name for t in b.inputs]
        assert [t.shape for t in a.outputs] == [t.shape for t in b.outputs]
        assert str(a.attrs) == str(b.attrs)
        assert (a.device, b.device) == ("", "/device:CPU:0")


def test_garbage_is_collected_again_after_an_import():
    assert gc.isenabled()
    _import(graph_def_of(3))
    assert gc.isenabled()
