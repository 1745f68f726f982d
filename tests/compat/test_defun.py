"""Functions that are op types; the expected texts and names are those of 1.12."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import dispatch
from twinflow.compat.door import defined, function_protos, functional_calls
from twinflow.compat.door.defined import Defun
from twinflow.compat.door.subscribing import _is_subscribed_identity, subscribe
from twinflow.eager.mode import MODE
from twinflow.execute.defined import symbolic_gradient
from twinflow.graph.graph_def.function_def import graph_to_function_def


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as made:
        yield made


@Defun(tf.float32, tf.float32, func_name="APlus2B", noinline=True)
def a_plus_2b(a, b):
    """A sum."""
    return a + b * 2.0


def test_definition(session):
    signature = a_plus_2b.definition.signature
    assert (signature.name, signature.description) == ("APlus2B", "A sum.")
    assert [arg.name for arg in signature.input_arg] == ["a", "b"]
    assert [n.name for n in a_plus_2b.definition.node_def] == ["mul/y", "mul", "add_0"]
    assert a_plus_2b.definition.ret["add"] == "add_0:z:0"
    assert a_plus_2b.definition.attr["_noinline"].b
    call = a_plus_2b(1.0, tf.constant(2.0), name="mine")
    assert (call.op.name, call.op.type, call.shape.ndims) == ("mine", "APlus2B", None)
    assert not call.op.node_def.attr
    assert session.run(call) == 5.0
    (found,) = tf.get_default_graph().as_graph_def().library.function
    assert found == a_plus_2b.definition


def test_captures(session):
    w = tf.constant(2.0, name="w")
    v = tf.get_variable("v", initializer=3.0)

    @Defun(tf.float32)
    def scaled(x):
        made = tf.get_variable("made", initializer=4.0, use_resource=True)
        product = x * w * v * made
        assert [t.dtype for t in defined.get_extra_args()] == [tf.float32] * 3
        return product + tf.random_normal([]) * 0.0

    y = scaled(5.0)
    assert [t.op.name for t in scaled.captured_inputs[:2]] == ["w", "v/read"]
    assert [op for _, op in scaled.stateful_ops] == ["RandomStandardNormal"]
    assert "mul/placeholder" in [n.name for n in scaled.graph().nodes]
    assert [x.op.name for x in tf.global_variables()] == ["v", "made"]
    session.run(tf.global_variables_initializer())
    assert session.run([y, *tf.gradients(y, [w, v])]) == [120.0, 60.0, 40.0]


def test_symbolic_gradient(session):
    x, y = tf.constant(3.0), tf.constant(4.0)

    @Defun(tf.float32, tf.float32)
    def f(a, unused):
        return a * a

    dx, dy = tf.gradients(f(x, y), [x, y])
    assert dx.op.type == "SymbolicGradient" and dx.op is dy.op
    assert dx.op.node_def.attr["f"].func.name == f.name
    assert session.run([dx, dy]) == [6.0, 0.0]
    assert session.run(tf.gradients(f(x, x), x)) == [6.0]
    later = symbolic_gradient([x, y], [tf.float32], "nowhere")
    with pytest.raises(tf.errors.NotFoundError, match="No gradient defined for op: no"):
        session.run(later)


def test_by_value(session):
    c, p = tf.constant(3.0), tf.placeholder(tf.float32, name="p")
    plus = Defun(tf.float32, capture_by_value=True, func_name="plus")(
        lambda x: x + c * 2.0
    )
    assert plus.captured_inputs == [] and session.run(plus(1.0)) == 7.0
    with pytest.raises(ValueError, match=r"capture a placeholder .name:p, type:Plac"):
        Defun(tf.float32, capture_by_value=True)(lambda x: x + p)(1.0)


def test_errors(session):
    with pytest.raises(ValueError, match="can not return None"):
        Defun()(lambda: (None, None))()
    with pytest.raises(ValueError, match="are not supported"):
        Defun()(lambda a=1: a)
    with pytest.raises(ValueError, match="Expected number of arguments: 2, received"):
        a_plus_2b(1.0)
    with pytest.raises(ValueError, match="Input 'a' passed int32 expected float whil"):
        a_plus_2b(1, 2.0)
    a_plus_2b(1.0, 2.0)
    other = Defun(tf.float32, func_name="APlus2B")(lambda x: x)
    with pytest.raises(tf.errors.InvalidArgumentError, match="'APlus2B' because a dif"):
        other(1.0)


def test_eagerly():
    with dispatch.entered(MODE), tf.GradientTape() as tape:
        x = tf.constant(3.0)
        tape.watch(x)
        y = Defun(tf.float32)(lambda a: a * a)(x)
        assert (float(y), float(tape.gradient(y, x))) == (9.0, 6.0)


def test_from_protos(session):
    x = tf.constant([1.0, 2.0])
    a_plus_2b(x, x)

    @Defun(tf.float32)
    def halves(x):
        first, second = tf.split(x, 2)
        return a_plus_2b(first, second), second

    halves.add_to_graph(tf.get_default_graph())
    graph = function_protos.function_def_to_graph(
        halves.definition, [tf.TensorShape([2])]
    )
    assert [t.name for t in graph.outputs] == ["APlus2B:0", "split_0:1"]
    read = defined._from_definition(halves.definition)
    assert np.concatenate(session.run(read(x))).tolist() == [5.0, 2.0]
    square = tf.square(x, name="sq")
    total = square + x
    proto = graph_to_function_def(
        x.graph, [square.op, total.op], [x], [total, square], ["o1", "o2"]
    )
    assert dict(proto.ret) == {"o1": "add:z:0", "o2": "sq:y:0"}


def test_control_flow(session):
    below = Defun(tf.float32, func_name="below")(lambda x: x < 10.0)
    twice = Defun(tf.float32, func_name="twice")(lambda x: x * 2.0)
    thrice = Defun(tf.float32, func_name="thrice")(lambda x: x * 3.0)
    add = Defun(tf.int32, tf.float32, func_name="plus")(
        lambda i, x: x + tf.cast(i, tf.float32)
    )
    x = tf.constant(3.0)
    found = [
        functional_calls.While([x], below, twice),
        functional_calls.If(tf.constant([[]]), [x], twice, thrice),
        functional_calls.For(10, 0, -3, [x], add),
        functional_calls.For(0, 4, 1, [x], add, rewrite_with_while=True),
        functional_calls.partitioned_call([x], twice),
        functional_calls.remote_call("/cpu:0", [x], [tf.float32], thrice),
    ]
    assert session.run(found) == [[12.0], [9.0], [25.0], [9.0], [6.0], [9.0]]
    assert session.run(tf.gradients(found[0], x)) == [4.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="got 2 tensors"):
        functional_calls.While(
            [x], Defun(tf.float32, func_name="both")(lambda x: (x, x)), twice
        )


def test_subscribe(session):
    seen = []
    c = tf.constant(1.0) + 2.0
    n = tf.negative(c)
    with tf.control_dependencies([c]):
        d = tf.constant(4.0)
    found = subscribe(c, lambda t: [tf.py_func(seen.append, [t], [])])
    assert _is_subscribed_identity(found) and n.op.inputs[0] is found
    assert session.run([n, d]) == [-3.0, 4.0] and len(seen) == 1
