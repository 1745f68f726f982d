"""Calls and gradients of functions in a GraphDef; the numbers are those of 1.12."""

import subprocess

import numpy as np
import pytest

import twinflow as tf
from tests import ways
from twinflow.compat.door.defined import Defun
from twinflow.execute.defined import symbolic_gradient
from twinflow.formats.protos import NameAttrList

X = np.float32([1.0, 2.0])


@Defun(tf.float32, tf.float32, func_name="pair")
def pair(x, y):
    return tf.sin(x) * y, x + y


@Defun(tf.float32, tf.float32, func_name="own_slope")
def own_slope(x, dy):
    return dy * 100.0 * x


@Defun(tf.float32, func_name="squared", grad_func=own_slope)
def squared(x):
    return x * x


@Defun(tf.float32, func_name="outer")
def outer(x):
    return squared(x) * 3.0 + squared(squared(x))


@Defun(tf.float32, func_name="bent")
def bent(x):
    return tf.tanh(x) * x


@Defun(tf.float32, tf.float32, func_name="slope_of_bent")
def slope_of_bent(x, dy):
    return symbolic_gradient([x, dy], [tf.float32], bent)[0]


def _slope(x):
    return slope_of_bent(x, tf.ones_like(x))


PROGRAMS = {
    "plain": (lambda x: tf.gradients(pair(x, x * 2.0), x)[0], [5.7635465, 3.1540074]),
    "registered": (lambda x: tf.gradients(outer(x), x)[0], [10300.0, 80600.0]),
    "inside": (_slope, [1.1815685, 1.1053293]),
}


def _written(program):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [2], name="x")
        tf.identity(program(x), name="y")
    return graph.as_graph_def()


def _imported(graph_def, x):
    (y,) = tf.import_graph_def(graph_def, {"x": x}, ["y:0"], name="")
    return y


@pytest.mark.parametrize("name", PROGRAMS)
def test_sessions(name):
    program, wanted = PROGRAMS[name]
    graph_def = _written(program)
    for _ in range(2):  # as it was written, and as the import writes it
        with tf.Graph().as_default() as graph, tf.Session() as session:
            y = _imported(graph_def, tf.placeholder(tf.float32, [2], name="x"))
            np.testing.assert_allclose(session.run(y, {"x:0": X}), wanted, 1e-6)
        graph_def = graph.as_graph_def()


@pytest.mark.parametrize("way", [w for w in ways.WAYS if w != "eager"])
def test_ways(way):
    graph_defs = [_written(program) for program, _ in PROGRAMS.values()]
    found = ways.run(way, lambda: lambda x: [_imported(g, x) for g in graph_defs], X)
    wanted = [numbers for _, numbers in PROGRAMS.values()]
    np.testing.assert_allclose(found, wanted, 1e-6)


def test_a_gradient_that_the_library_names():
    graph_def = _written(lambda x: squared(x) + outer(x))
    assert len(graph_def.library.gradient) == 1
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [2])
        y = _imported(graph_def, x)
        slope = tf.gradients(y, x)
        np.testing.assert_allclose(session.run(slope, {x: X})[0], [10400.0, 80800.0])
        assert graph.as_graph_def().library.gradient == graph_def.library.gradient


def test_remote_calls():
    """They go to a device of this process, with the gradient of the library."""
    graph_def = _written(squared)
    (call,) = [n for n in graph_def.node if n.op == "squared"]
    target = graph_def.node.add(name="target", op="Const")
    target.attr["dtype"].type = tf.string.as_datatype_enum
    target.attr["value"].tensor.CopyFrom(tf.make_tensor_proto("/cpu:0"))
    call.op, call.input[:] = "RemoteCall", ["target", "x"]
    call.attr["f"].func.name = "squared"
    for key in ("Tin", "Tout"):
        call.attr[key].list.type.append(tf.float32.as_datatype_enum)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(X)
        y = _imported(graph_def, x)
        found = session.run([y, *tf.gradients(y, x)])
        np.testing.assert_allclose(found, [[1.0, 4.0], [100.0, 200.0]])


def test_slopes_of_an_op():
    square = NameAttrList(name="Mul")
    square.attr["T"].type = tf.float32.as_datatype_enum

    def program(x):
        a, b = symbolic_gradient([x, x + 1.0, x], [tf.float32] * 2, "Mul")
        return a + b * 10.0

    graph_def = _written(program)
    for node in graph_def.node:
        if node.op == "SymbolicGradient":
            node.attr["f"].func.CopyFrom(square)
    with tf.Graph().as_default(), tf.Session() as session:
        y = _imported(graph_def, tf.constant(X))
        np.testing.assert_allclose(session.run(y), [12.0, 46.0])


def test_what_has_no_gradient():
    nowhere = _written(lambda x: symbolic_gradient([x, x], [tf.float32], "Nope")[0])
    second = _written(lambda x: tf.gradients(_slope(x), x)[0])
    cases = [
        (nowhere, tf.errors.NotFoundError, "No gradient defined for op: Nope"),
        (second, tf.errors.InvalidArgumentError, "t take gradient of SymbolicGradi"),
    ]
    for graph_def, kind, text in cases:
        with tf.Graph().as_default(), tf.Session() as session:
            y = _imported(graph_def, tf.constant(X))
            with pytest.raises(kind, match=text):
                session.run(y)


def test_a_function_that_calls_itself():
    graph_def = _written(squared)
    (body,) = [f for f in graph_def.library.function if f.signature.name == "squared"]
    body.node_def[0].op = "squared"
    del body.node_def[0].input[1:], body.node_def[0].attr["T"]
    body.ret["mul"] = body.node_def[0].name + ":mul"
    with tf.Graph().as_default(), pytest.raises(ValueError, match="calls itself"):
        _imported(graph_def, tf.constant(X))


@pytest.mark.interop
def test_graphs_of_tensorflow(tf112_python, tmp_path):
    """1.12 writes the same programs, and reads what is written here of them."""
    subprocess.run([tf112_python, "-c", _THERE, tmp_path], check=True, timeout=120)
    for name, (_, wanted) in PROGRAMS.items():
        graph_def = tf.GraphDef.FromString((tmp_path / name).read_bytes())
        with tf.Graph().as_default() as graph, tf.Session() as session:
            y = _imported(graph_def, tf.placeholder(tf.float32, [2], name="x"))
            np.testing.assert_allclose(session.run(y, {"x:0": X}), wanted, 1e-6)
            again = graph.as_graph_def().SerializeToString()
        (tmp_path / name).write_bytes(again)
    found = subprocess.check_output(
        [tf112_python, "-c", _BACK, tmp_path, *PROGRAMS], timeout=120, text=True
    )
    wanted = [list(np.float32(w)) for _, w in PROGRAMS.values()]
    got = [[float(x) for x in line.split()] for line in found.splitlines()]
    np.testing.assert_allclose(got, wanted, 1e-6)


_THERE = """
import sys
import tensorflow as tf
from tensorflow.python.framework.function import Defun
from tensorflow.python.ops.functional_ops import symbolic_gradient

f32 = tf.float32
pair = Defun(f32, f32, func_name="pair")(
    lambda x, y: (tf.sin(x) * y, x + y)
)
own_slope = Defun(f32, f32, func_name="own_slope")(
    lambda x, dy: dy * 100.0 * x
)
squared = Defun(f32, grad_func=own_slope, func_name="squared")(
    lambda x: x * x
)
outer = Defun(f32, func_name="outer")(
    lambda x: squared(x) * 3.0 + squared(squared(x))
)
bent = Defun(f32, func_name="bent")(
    lambda x: tf.tanh(x) * x
)
slope = Defun(f32, f32, func_name="slope")(
    lambda x, dy: symbolic_gradient([x, dy], [f32], bent)[0]
)
programs = {
    "plain": lambda x: tf.gradients(pair(x, x * 2.0), x)[0],
    "registered": lambda x: tf.gradients(outer(x), x)[0],
    "inside": lambda x: slope(x, tf.ones_like(x)),
}
for name, program in programs.items():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(f32, [2], name="x")
        tf.identity(program(x), name="y")
    with open(sys.argv[1] + "/" + name, "wb") as file:
        file.write(graph.as_graph_def().SerializeToString())
"""

_BACK = """
import sys
import tensorflow as tf

for name in sys.argv[2:]:
    with open(sys.argv[1] + "/" + name, "rb") as file:
        graph_def = tf.GraphDef.FromString(file.read())
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph_def, name="")
        print(*session.run("y:0", {"x:0": [1.0, 2.0]}))
"""
