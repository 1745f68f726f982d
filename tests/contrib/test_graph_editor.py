"""tf.contrib.graph_editor; what TensorFlow 1.12 answers for the same graphs."""

import functools

import numpy as np
import pytest

import twinflow as tf
from tests.modes import graph  # noqa: F401 - a fixture
from twinflow.contrib.graph_editor import match

ge = tf.contrib.graph_editor
pytestmark = pytest.mark.usefixtures("graph")


def names(elements):
    return [x.name for x in elements]


def sums():
    """a, foo/b -> foo/c; foo/c, foo/d -> foo/e; both used by foo/bar/f."""
    a = tf.constant([1.0, 1.0], name="a")
    with tf.name_scope("foo"):
        b = tf.constant([2.0, 2.0], name="b")
        c = tf.add(a, b, name="c")
        d = tf.constant([3.0, 3.0], name="d")
        e = tf.add(c, d, name="e")
        with tf.name_scope("bar"), tf.control_dependencies([d.op]):
            f = tf.add(c, e, name="f")
    return a, b, c, d, e, f


def run(fetches, feeds=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches, feeds)


def test_views_have_the_tensors_at_their_boundary():
    _, _, c, _, e, _ = sums()
    view = ge.sgv(c.op, e.op)
    assert names(view.inputs) == ["a:0", "foo/b:0", "foo/d:0"]
    assert names(view.outputs) == ["foo/c:0", "foo/e:0"]
    assert names(view.remap([2, 0], [1, 1]).inputs) == ["foo/d:0", "a:0"]
    assert names(view.consumers()) == ["foo/bar/f"]
    with pytest.raises(ValueError, match="Found repetition in mapping"):
        view.remap_inputs([0, 0])
    bar = ge.make_view_from_scope("foo/bar", tf.get_default_graph())
    assert "** inputs[2]:\n  foo/c:0\n  foo/e:0" in str(bar)


def test_selection_by_expressions_and_walks():
    a, _, c, _, e, f = sums()
    g = tf.get_default_graph()
    assert names(ge.select_ops("^foo/bar/", a, e.op, graph=g)) == ["foo/bar/f", "foo/e"]
    assert names(ge.select_ts("(?#ts)^foo/[de]:", graph=g)) == ["foo/d:0", "foo/e:0"]
    with pytest.raises(ValueError, match="Use the keyword argument 'graph'"):
        ge.select_ops("^a$")
    assert names(ge.get_forward_walk_ops([e])) == ["foo/bar/f"]
    assert names(ge.get_backward_walk_ops(c.op)) == ["foo/c", "a", "foo/b"]
    between = ge.get_walks_intersection_ops([a], [f])
    assert sorted(names(between)) == ["foo/bar/f", "foo/c", "foo/e"]
    control = ge.ControlOutputs(g)
    assert names(ge.get_ops_ios(f.op, control_ios=control)) == [
        "foo/c",
        "foo/e",
        "foo/d",
    ]


def test_patterns_of_operations():
    *_, f = sums()
    pattern = match.OpMatcher("/f$").input_ops("^foo/c$", match.op_type(["Add"]))
    assert pattern.control_input_ops("foo/d")(f.op)
    assert not match.OpMatcher("^foo/e$")(f.op)
    assert match.OpMatcher("^foo/e$").output_ops(["foo/bar/f"])(f.op.inputs[1].op)


def test_rerouting_changes_who_uses_what():
    a, b, c, _, _, f = sums()
    assert ge.swap_ts(a, b, cannot_modify=c.op) == 0
    assert ge.reroute_ts(b, a) == 1
    np.testing.assert_array_equal(run(f), [11, 11])
    with pytest.raises(ValueError, match="are not compatible"):
        ge.reroute_ts(tf.constant(1), a)


def test_parts_are_detached_bypassed_and_connected():
    _, _, c, _, e, f = sums()
    _, before, behind = ge.detach(ge.sgv(e.op))
    assert names(before) == ["foo/geph__c_0:0", "foo/geph__d_0:0"]
    assert names(behind) == ["foo/geph__e_0:0"]
    ge.connect(ge.sgv(c.op), ge.sgv(e.op).remap_inputs([0]))
    found = run([e, f], {before[1]: [1, 1], behind[0]: [5, 5]})
    np.testing.assert_array_equal(found, [[4, 4], [8, 8]])
    g = tf.square(e)
    view, (new,) = ge.bypass(ge.sgv(e.op).remap_inputs([1]))
    assert list(view.inputs) == [new] and g.op.inputs[0].name == "foo/geph__d_0:0"


def test_a_copy_with_other_inputs_and_handlers():
    a, _, _, _, e, f = sums()
    tf.add_to_collection("mine", f)
    _, info = ge.copy_with_input_replacements(
        ge.sgv("^foo/", graph=tf.get_default_graph()), {a: tf.constant([9.0, 9.0])},
        dst_scope="new",
    )  # fmt: skip
    assert info.transformed([e, "foo/bar/f"])[1].name == "new/foo/bar/f"
    assert info.original(info.transformed(e)) is e
    assert names(tf.get_collection("new/mine")) == ["new/foo/bar/f:0"]
    np.testing.assert_array_equal(run(info.transformed(f)), [25, 25])

    def marked(node_def):
        node_def.attr["_mark"].s = node_def.name.encode()
        return node_def

    copier, other = ge.Transformer(), tf.Graph()
    copier.transform_op_handler = functools.partial(
        ge.copy_op_handler, nodedef_fn=marked
    )
    _, info = copier(ge.sgv(e.op), other, "there")
    assert info.transformed(e.op).get_attr("_mark") == b"there/foo/e"
    inputs = [p for p in other.get_operations() if p.type == "Placeholder"]
    assert names(inputs) == ["there/geph__c_0", "there/geph__d_0"]


def test_loops_branches_and_slopes_are_copied_whole():
    n, x = tf.placeholder(tf.int32, ()), tf.placeholder(tf.float32, ())
    power = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * x), (0, 1.0))[1]
    out = tf.cond(x > 0, lambda: power * 2, lambda: power)
    slope = tf.gradients(out, x)[0]
    new = ge.graph_replace([out, slope], {x: tf.constant(3.0)}, dst_scope="new")
    assert run(new, {n: 3}) == [54, 54]
    assert run([out, slope], {n: 2, x: -2.0}) == [4, -4]
    other = tf.Graph()
    _, info = ge.copy(tf.get_default_graph(), other)
    with tf.Session(graph=other) as session:
        feeds = {info.transformed(n): 2, info.transformed(x): 5.0}
        assert session.run(info.transformed([out, slope]), feeds) == [50, 20]
    with pytest.raises(ValueError, match="take all of it"):
        inner = next(op for op in out.op.graph.get_operations() if op.region)
        ge.copy(inner, tf.Graph())


def test_a_copied_variable_has_a_value_of_its_own():
    v = tf.get_variable("v", initializer=1.0)
    w = tf.get_variable("w", initializer=3.0, use_resource=True)
    both = v + w
    other = tf.Graph()
    _, info = ge.copy(tf.get_default_graph(), other, "c")
    with tf.Session(graph=other) as session:
        session.run(info.transformed([v.initializer, w.initializer]))
        assert session.run(info.transformed(both)) == 4
    with pytest.raises(tf.errors.FailedPreconditionError), tf.Session() as session:
        session.run(both)


def test_a_slope_in_the_place_of_its_variable():
    w = tf.Variable(0.5, name="w")
    y = tf.multiply(tf.multiply(w, w, name="mul1"), w)
    slope = tf.gradients(y, w, name="grad")[0]
    again = ge.graph_replace(slope, {w.value(): slope}, dst_scope="res")
    assert run([slope, again]) == [0.75, 1.6875]
    copied = tf.get_default_graph().get_operation_by_name("res/grad/mul1_grad/Mul_1")
    assert copied._original_op.name == "res/mul1"
