"""Graphs: names, scopes, collections, static shapes, lookups, printing."""

import copy

import numpy as np
import pytest

import twinflow as tf
from twinflow.graph.format import format_graph, format_program
from twinflow.graph.program import build
from twinflow.graph.static import constant_value, partial_value
from twinflow.graph.well_formed import Invalid, check_graph
from twinflow.passes import optimize


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph
    check_graph(graph)


def one(name=None):
    return tf.constant(1.0, name=name).name


# TensorFlow 1.12 gave these names.
def test_names_are_numbered():
    assert [one(), one(), one("a_1"), one("a"), one("a"), one("a")] == [
        "Const:0", "Const_1:0", "a_1:0", "a:0", "a_2:0", "a_3:0",
    ]  # fmt: skip


def test_names_do_not_differ_by_case_alone():
    assert [one("s"), one("S"), one("s")] == ["s:0", "S_1:0", "s_2:0"]


def test_scopes():
    with tf.name_scope("s") as scope:
        assert scope == "s/" and [one(), one("S")] == ["s/Const:0", "s/S:0"]
    with tf.name_scope("s"):
        assert one() == "s_1/Const:0"
    with tf.name_scope("S"):
        assert one() == "S_2/Const:0"
    with tf.name_scope("s/"):
        assert one() == "s/Const_1:0"
    with tf.name_scope("q/r"):
        assert one() == "q/r/Const:0"


def test_scopes_in_scopes():
    with tf.name_scope("a"):
        with tf.name_scope(""):
            assert one() == "Const:0"
        with tf.name_scope(None):
            assert one() == "Const_1:0"
        with tf.name_scope(None, "d"):
            assert one() == "a/d/Const:0"
        with tf.name_scope("b") as scope:
            assert scope == "a/b/" and one(scope) == "a/b:0"


def test_operators_name_their_inputs():
    x = tf.placeholder(tf.float32, [2], name="x")
    y = x + 1.0
    assert y.name == "add:0" and y.op.inputs[1].name == "add/y:0"
    assert tf.reduce_mean(x).op.inputs[1].name == "Const:0"


def test_products_name_their_inputs():
    x = tf.placeholder(tf.float32, [None, 2])
    v = tf.Variable(tf.ones([2, 2]), use_resource=True)
    w, b = tf.Variable(tf.ones([2, 2]), name="w"), tf.Variable(tf.ones([2]), name="b")
    rank3 = [[[1.0]]]
    made = [
        tf.matmul([[1.0]], [[2.0]], name="m"),
        tf.matmul(rank3, rank3, name="m"),
        tf.matmul([[1.0]], [[2.0]], adjoint_a=True),
        tf.matmul(x, v),
        tf.matmul(x, w),
        tf.matmul(v, v, transpose_b=True, name="vv"),
        tf.nn.bias_add(x, b),
    ]
    assert [[t.op.name, *(i.op.name for i in t.op.inputs)] for t in made] == [
        ["m", "m/a", "m/b"],
        ["m_1", "m_1/a", "m_1/b"],
        ["MatMul", "MatMul/a", "MatMul/b"],
        ["MatMul_1", "Placeholder", "MatMul_1/ReadVariableOp"],
        ["MatMul_2", "Placeholder", "w/read"],
        ["vv", "vv/ReadVariableOp", "vv/ReadVariableOp_1"],
        ["BiasAdd", "Placeholder", "b/read"],
    ]


def test_names_inside_regions():
    x = tf.constant(1.0)
    y = tf.cond(x > 0.0, lambda: tf.exp(x, name="inner"), lambda: x)
    assert y.name.startswith("cond/")
    assert tf.get_default_graph().get_operation_by_name("cond/inner").type == "Exp"


@pytest.mark.parametrize("name", ["_bad", "b ad", "-x", ""])
def test_names_that_are_refused(name):
    if name == "":
        assert one(name) == "Const:0"
        return
    for use in (one, lambda name: tf.name_scope(name).__enter__()):
        with pytest.raises(ValueError, match="is not a valid"):
            use(name)


def test_looking_up():
    g = tf.get_default_graph()
    c1 = tf.constant(4.0, name="c1")
    held, c1 = c1, None
    assert g.get_tensor_by_name("c1:0") is held
    assert g.get_operation_by_name("c1") is held.op
    for name, error, words in [
        ("c2:0", KeyError, "does not exist in the graph"),
        ("c1:1", KeyError, "only has 1 outputs"),
        ("c1", ValueError, "refers to an Operation, not a Tensor"),
        ("c2", ValueError, "looks like an .invalid. Operation name, not a Tensor"),
        ("c1:one", ValueError, "is not a valid one"),
        (held, TypeError, "Tensor names are strings"),
    ]:
        with pytest.raises(error, match=words):
            g.get_tensor_by_name(name)
    for name, error, words in [
        ("nothing", KeyError, "refers to an Operation not in the graph"),
        ("c1:0", ValueError, "appears to refer to a Tensor"),
        (held.op, TypeError, "Operation names are strings"),
    ]:
        with pytest.raises(error, match=words):
            g.get_operation_by_name(name)
    assert g.as_graph_element("c1") is held.op
    assert g.as_graph_element("c1:0") is held
    v = tf.Variable(1.0, name="v")
    u = tf.Variable(1.0, name="u", use_resource=True)
    assert g.as_graph_element(v).name == "v:0"
    assert g.as_graph_element(u).name == "u/Read/ReadVariableOp:0"


def test_ops_join_the_graph_of_their_inputs():
    with tf.Graph().as_default() as g:
        c, v = tf.constant(1.0, name="c"), tf.Variable(2.0)
    outside = tf.constant(1.0)
    made = [c + 1.0, 2.0 * v, tf.stack([c, 3.0]), v.assign(4.0)]
    assert all(t.graph is g for t in made)
    with tf.name_scope("s", values=[3, c]) as scope:
        assert tf.get_default_graph() is g and scope == "s/"
        assert g.get_name_scope() == "s"
    assert tf.get_default_graph() is outside.graph is not g
    with pytest.raises(ValueError, match="must be from the same graph"):
        c + outside
    with (
        pytest.raises(ValueError, match="At least one of name"),
        tf.name_scope(None, values=[c]),
    ):
        pass


def test_collections_of_a_graph():
    g = tf.Graph()
    g.add_to_collections(["a", "b", "a"], 1)
    g.add_to_collections("ab", 2)
    g.add_to_collection(("no", "text"), 3)
    assert g.get_collection("a") == [1] and g.get_collection("ab") == [2]
    assert sorted(g.get_all_collection_keys()) == ["a", "ab", "b"]
    g.clear_collection("a")
    g.clear_collection("nothing")
    assert g.get_collection("a") == []


def test_tensors_carry_marks_of_the_program():
    x = tf.placeholder(tf.float32, [2])
    x.alias = "input"
    assert x.alias == "input" and not hasattr(x + 1.0, "alias")


def test_defaults_of_placeholders_fit_their_shape():
    assert tf.placeholder_with_default([1.0, 2.0], [None]).shape.as_list() == [None]
    with pytest.raises(ValueError, match="Dimension 0 in both shapes must be equal"):
        tf.placeholder_with_default([1.0, 2.0], [3])
    with pytest.raises(ValueError, match="Shapes must be equal rank, but are 1 and 2"):
        tf.placeholder_with_default([1.0, 2.0], [2, 1])


def test_what_is_known_of_a_concatenation():
    rows = tf.concat([[[1, 1]], tf.constant([[0, 2]])], 0)
    assert tf.pad(tf.ones([2, 2]), rows).shape.as_list() == [4, 4]
    halves = tf.concat([[0.5], tf.placeholder(tf.float32, [1])], 0)
    assert constant_value(halves) is None and constant_value(halves[:1]) is None


def test_a_variable_in_a_loop_starts_from_a_function():
    def body(i, x):
        return i + 1, tf.Variable(tf.zeros([]), name="v").read_value()

    with pytest.raises(ValueError, match=r"v/ is from inside a control-flow construct"):
        tf.while_loop(lambda i, x: i < 3, body, [0, 0.0])


def test_tensors_print_as_in_tensorflow():
    y = tf.matmul([[2.0]], [[2.0]])
    assert str(y) == 'Tensor("MatMul:0", shape=(1, 1), dtype=float32)'
    assert repr(y) == "<tf.Tensor 'MatMul:0' shape=(1, 1) dtype=float32>"
    x = tf.placeholder(tf.int32, [None, 3])
    assert str(x) == 'Tensor("Placeholder:0", shape=(?, 3), dtype=int32)'
    z = tf.placeholder(tf.float32)
    assert str(z) == 'Tensor("Placeholder_1:0", dtype=float32)'
    assert repr(z) == "<tf.Tensor 'Placeholder_1:0' shape=<unknown> dtype=float32>"


def test_what_symbolic_tensors_refuse():
    x = tf.constant([1.0, 2.0])
    with pytest.raises(
        TypeError, match="only iterable when eager execution is enabled"
    ):
        iter(x)
    with pytest.raises(TypeError, match="Python `bool` is not allowed"):
        bool(x)
    with pytest.raises(TypeError, match="has no len"):
        len(x)
    for name in ("numpy", "gpu", "cpu"):
        assert not hasattr(x, name)
    with pytest.raises(TypeError, match="belongs to its graph"):
        copy.deepcopy(x)
    assert x in {x} and (x == x) is True and (x == tf.constant([1.0, 2.0])) is False


def test_range_of_an_unknown_dimension():
    x = tf.placeholder(tf.float32, shape=[2, None, 4])
    words = "'NoneType' object cannot be interpreted as an integer"
    with pytest.raises(TypeError, match=words):
        range(x.shape[1])


def test_tensors_of_another_graph_are_refused():
    x = tf.constant(1.0)
    with (
        tf.Graph().as_default(),
        pytest.raises(ValueError, match="must be from the same graph"),
    ):
        x + tf.constant(1.0)


def test_collections():
    v = tf.Variable(1.0, name="v")
    w = tf.Variable(1.0, name="w", trainable=False)
    assert tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES) == [v, w]
    assert tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES) == [v]
    assert tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="w") == [w]
    tf.add_to_collection("mine", 3)
    tf.get_collection("mine").append(4)
    assert tf.get_collection("mine") == [3]
    tf.get_collection_ref("mine").append(4)
    assert tf.get_collection("mine") == [3, 4]
    assert tf.get_collection("nothing") == []


def test_static_values_of_shape_arithmetic():
    x = tf.placeholder(tf.float32, [None, 3, 4])
    shape = tf.shape(x)
    assert partial_value(shape) == (None, 3, 4)
    assert constant_value(shape) is None
    assert constant_value(shape[1]) == 3
    assert tuple(partial_value(tf.stack([shape[0], shape[1] * shape[2]]))) == (None, 12)
    assert tf.reshape(x, [-1, shape[1] * shape[2]]).shape.as_list() == [None, 12]
    assert tf.reshape(x, tf.concat([[2], shape[1:]], 0)).shape.as_list() == [2, 3, 4]
    assert tf.zeros(shape).shape.as_list() == [None, 3, 4]


def test_set_shape():
    x = tf.placeholder(tf.float32)
    x.set_shape([None, 3])
    x.set_shape([2, None])
    assert x.shape.as_list() == [2, 3]
    with pytest.raises(ValueError, match="Dimension 0 in both shapes must be equal"):
        x.set_shape([4, 3])


def test_finalized_graphs_refuse_nodes():
    g = tf.get_default_graph()
    g.finalize()
    with pytest.raises(RuntimeError, match="Graph is finalized and cannot be modified"):
        tf.constant(1.0)
    g.finalized = False


def test_lazy_loading_adds_nodes():
    x = tf.placeholder(tf.float32, [3, 2])
    g = tf.get_default_graph()
    before = g.version
    for i in range(x.shape[0]):
        x[i]
    assert g.version - before == 3 * 4


def test_dependencies_nest_and_clear():
    a, b = tf.no_op(name="a"), tf.no_op(name="b")
    with tf.control_dependencies([a]), tf.control_dependencies([b]):
        both = tf.no_op()
        with tf.control_dependencies(None):
            none = tf.no_op()
    assert list(both.control_inputs) == [a, b] and not none.control_inputs


def test_shape_nodes_do_not_wait_for_anything():
    """A gradient's shape node is shared, so it must not run what it was made beside."""
    v = tf.Variable(0.0)
    x = tf.placeholder(tf.float32, [None, 3])
    with tf.control_dependencies([v.assign_add(1.0)]):
        tf.gradients(tf.reduce_mean(x), [x])
    later = tf.gradients(tf.reduce_mean(x), [x])
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(later, {x: np.ones((2, 3))})
        assert session.run(v) == 0.0


def test_printing_is_stable():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.cond(tf.reduce_sum(x) > 0.0, lambda: x * 2.0, lambda: tf.exp(x))
    z = tf.identity(y, name="z")
    assert format_graph(tf.get_default_graph()) == GRAPH
    program = optimize(build(tf.get_default_graph(), [z], (), [x]))
    assert format_program(program) == PROGRAM


GRAPH = """\
x:0: float32[?, 2] = Placeholder(dtype=float32, shape=(None, 2))
Const:0: int32[2] = Const(dtype=int32, value=[0, 1])
Sum:0: float32[] = Sum(x:0, [0, 1], keep_dims=False)
Greater/y:0: float32[] = Const(dtype=float32, value=0.0)
Greater:0: bool[] = Greater(Sum:0, 0.0)
  cond/mul/y:0: float32[] = Const(dtype=float32, value=2.0)
  cond/mul:0: float32[?, 2] = Mul(x:0, 2.0)
  cond/Exp:0: float32[?, 2] = Exp(x:0)
cond/cond:0: float32[?, 2] = If(Greater:0)
cond/Merge:0: float32[?, 2] = Identity(cond/cond:0)
z:0: float32[?, 2] = Identity(cond/Merge:0)"""
PROGRAM = """\
Sum:0: float32[] = Sum(x:0, [0, 1], keep_dims=False)
Greater:0: bool[] = Greater(Sum:0, 0.0)
cond/cond:0: float32[?, 2] = If(Greater:0)
  then():
    cond/mul:0: float32[?, 2] = Mul(x:0, 2.0)
    return cond/mul:0
  else():
    cond/Exp:0: float32[?, 2] = Exp(x:0)
    return cond/Exp:0
return cond/cond:0"""


def test_the_verifier_finds_what_is_wrong():
    with tf.Graph().as_default() as broken:
        x = tf.placeholder(tf.float32, [])
        y = tf.exp(x) * 2.0
    y.op.inputs = (y, *y.op.inputs[1:])
    with pytest.raises(Invalid, match="which is made later"):
        check_graph(broken)
    y.op.inputs = (tf.constant(1.0), *y.op.inputs[1:])
    with pytest.raises(Invalid, match="of another graph"):
        check_graph(broken)


def test_reset_default_graph_is_refused_inside_a_block():
    with pytest.raises(AssertionError, match="nested graphs"):
        tf.reset_default_graph()


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3])),
         "Dimensions must be equal, but are 3 and 2 for 'MatMul' .op: 'MatMul'. with "
         r"input shapes: \[2,3\], \[2,3\]"),
        (lambda: tf.zeros([2]) + tf.zeros([3]),
         "Dimensions must be equal, but are 2 and 3 for 'add' .op: 'Add'. with input "
         r"shapes: \[2\], \[3\]"),
    ],
)  # fmt: skip
def test_shapes_that_do_not_fit(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_dtypes_that_do_not_fit():
    words = "'y' of 'Add' Op has type float32 that does not match type int32"
    with pytest.raises(TypeError, match=words):
        tf.add(tf.constant(1), tf.constant(1.0))


def test_what_can_be_waited_for():
    with tf.Graph().as_default():
        a, b, v = tf.constant(1, name="a"), tf.constant(2.0), tf.Variable(1.0)
        rows = tf.IndexedSlices(b, tf.constant(0))
        done = tf.group([a, {"b": (b.op,)}], rows, v)
        assert {n.name for n in done.control_inputs} == {"a", "Const", "Variable"}
        with tf.control_dependencies(["a:0"]):
            assert tf.no_op().control_inputs == [a.op]
        for wrong in (1, None, [1.0]):
            with pytest.raises(TypeError, match=r"Expected tf.group\(\) expected"):
                tf.group(wrong)


def test_sparse_forms_in_a_tuple():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(1.0)
        rows = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]))
        found, none = tf.tuple([rows, None], control_inputs=[v.initializer])
        assert none is None and session.run(found).values.tolist() == [[1.0]]
        assert session.run(v) == 1.0


def test_what_may_not_be_fed_or_fetched():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.constant(1.0, name="x")
        y = x + 1.0
        assert graph.is_feedable(x) and graph.is_fetchable(y)
        graph.prevent_feeding(x)
        graph.prevent_fetching(y.op)
        with pytest.raises(ValueError, match=r"x:0.* may not be fed"):
            session.run(x, {x: 2.0})
        with pytest.raises(ValueError, match="marked as not fetchable"):
            session.run(y)
