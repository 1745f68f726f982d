"""Switch, Merge, Enter and the others, used by hand: dead tensors, and frames."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.base.dispatch import apply
from twinflow.base.op import registry
from twinflow.compat.door import control_flow as flow
from twinflow.graph.graph_def import import_def  # noqa: F401 - loads every op


def call(kind, *inputs, **attrs):
    return apply(registry[kind], inputs, attrs or None)


def enter(x, frame, constant=False):
    return flow._Enter(x, frame, constant)


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


def counted(start, name="loop"):
    """10, by counting up from `start` in a frame."""
    first, one = enter(start, name), enter(tf.constant(1), name, True)
    limit = enter(tf.constant(10), name, True)
    i = flow.merge([first, first]).output
    end, going = flow.switch(i, call("LoopCond", i < limit))
    i.op._update_input(1, flow._NextIteration(going + one))
    return flow.exit(end)


# ------------------------------------------------------------------------- branches
def test_only_one_side_of_a_switch_is_there(session):
    x, p = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.bool, [])
    f, t = flow.switch(x, p)
    both = flow.merge([f * 2.0, tf.exp(t)])
    for _ in range(3):
        found = session.run([f, both], {x: [1.0, 2.0], p: False})
        np.testing.assert_array_equal(found[1].output, [2.0, 4.0])
        assert found[1].value_index == 0
        assert session.run(both.value_index, {x: [0.0, 0.0], p: True}) == 1
        with pytest.raises(tf.errors.InvalidArgumentError, match="does not have value"):
            session.run(f, {x: [1.0, 2.0], p: True})


def test_names_are_those_of_tensorflow(session):
    f, t = flow.switch(tf.constant(1), tf.constant(True))
    m = flow.merge([f, t])
    assert (f.name, t.name) == ("Switch:0", "Switch:1")
    assert (m.output.name, m.value_index.name) == ("Merge:0", "Merge:1")


def test_what_depends_on_the_other_side_does_not_run(session):
    v, p = tf.Variable(0, use_resource=True), tf.placeholder(tf.bool, [])
    f, t = flow.switch(tf.constant(1), p)
    with tf.control_dependencies([tf.identity(t)]):
        add = v.assign_add(10)
    with tf.control_dependencies([tf.identity(f)]):
        late = tf.group(v.assign_add(1))
    with tf.control_dependencies([late]):
        three = tf.identity(3)
    session.run(v.initializer)
    session.run([add.op], {p: True})
    session.run([add.op, three], {p: False})
    assert session.run(v) == 11
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not have value"):
        session.run(three, {p: True})
    assert session.run(v) == 11


def test_loops_and_branches_after_a_switch_are_dead_with_it(session):
    x, p = tf.placeholder(tf.float32, []), tf.placeholder(tf.bool, [])
    f, t = flow.switch(x, p)
    loop = tf.while_loop(lambda y: y < 9.0, lambda y: y * 2.0 + t, [t])
    branch = tf.cond(f > 0.0, lambda: f + 1.0, lambda: -f)
    y = flow.merge([loop, branch]).output
    assert session.run(y, {x: 2.0, p: True}) == 14.0
    assert session.run(y, {x: 2.0, p: False}) == 3.0
    assert session.run(y, {x: -2.0, p: False}) == 2.0


def test_a_trigger_runs_whatever_is_dead(session):
    f, _ = flow.switch(tf.constant(1), tf.constant(True))
    with tf.control_dependencies([f + 1]):
        trigger = call("ControlTrigger")
    with tf.control_dependencies([trigger]):
        assert session.run(tf.identity(5)) == 5


def test_gradients_go_the_way_of_the_values(session):
    x, p = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.bool, [])
    f, t = flow.switch(x, p)
    (dx,) = tf.gradients(flow.merge([f * f, t * 5.0]).output, x)
    np.testing.assert_array_equal(session.run(dx, {x: [1.0, 3.0], p: False}), [2, 6])
    np.testing.assert_array_equal(session.run(dx, {x: [1.0, 3.0], p: True}), [5, 5])


def test_sparse_forms_are_switched_part_by_part(session):
    p = tf.placeholder(tf.bool, [])
    s = tf.SparseTensor([[0], [2]], [1.0, 2.0], [3])
    sides = flow.switch(s, p)
    (g,) = tf.gradients(tf.gather(v := tf.constant([1.0, 2.0]), [1]), v)
    slices = flow.switch(g, p)
    whole = tf.sparse_tensor_to_dense(flow.merge(sides).output)
    np.testing.assert_array_equal(session.run(whole, {p: True}), [1.0, 0.0, 2.0])
    back = tf.convert_to_tensor(flow.merge(slices).output)
    np.testing.assert_array_equal(session.run(back, {p: False}), [0.0, 1.0])


def test_nothing_cannot_be_merged(session):
    with pytest.raises(ValueError, match="At least one of the merge inputs is None"):
        flow.merge([tf.constant(1), None])


# ------------------------------------------------------------------------- frames
def test_values_go_through_a_frame(session):
    data, five = tf.constant([1, 2]), tf.constant(5)
    product = flow.exit(enter(data, "a") * enter(five, "a"))
    later = flow.exit(flow._NextIteration(enter(five, "b")))
    either = flow.exit(flow.merge([enter(five, "c"), enter(five, "c")]).output)
    found = session.run([product, later, either])
    assert [np.array(x).tolist() for x in found] == [[5, 10], 5, 5]


def test_a_loop_in_parts(session):
    n = tf.placeholder(tf.int32, [])
    end = counted(n)
    assert session.run([end, end * 2], {n: 3}) == [10, 20]
    assert session.run(end, {n: 12}) == 12


def test_a_loop_that_is_dead_never_starts(session):
    p = tf.placeholder(tf.bool, [])
    f, t = flow.switch(tf.constant(4), p)
    both = flow.merge([counted(t), -f])
    assert session.run(both.output, {p: True}) == 10
    assert session.run(both.output, {p: False}) == -4


def test_inputs_from_different_frames_are_refused(session):
    total = enter(tf.constant(1), "a") + enter(tf.constant(2), "b")
    with pytest.raises(tf.errors.InvalidArgumentError, match="from different frames"):
        session.run(total)


def test_what_is_no_loop_of_while_loop_is_read_as_it_is(session):
    end = counted(tf.placeholder(tf.int32, [], name="n"), "loop")
    flow.exit(flow._NextIteration(enter(tf.constant(5), "other")))
    definition = session.graph.as_graph_def()
    with tf.Graph().as_default() as graph, tf.Session() as other:
        name = end.op.name + ":0"
        (end,) = tf.import_graph_def(definition, return_elements=[name], name="")
        assert {"Enter", "NextIteration"} <= {n.type for n in graph.get_operations()}
        assert other.run(end, {"n:0": 2}) == 10


def test_a_loop_in_parts_is_read_as_a_loop(session):
    end = counted(tf.placeholder(tf.int32, [], name="n"))
    definition = session.graph.as_graph_def()
    with tf.Graph().as_default() as graph, tf.Session() as other:
        tf.import_graph_def(definition, name="")
        assert "While" in {n.type for n in graph.get_operations()}
        assert other.run(end.op.name + ":0", {"n:0": 2}) == 10


def test_references_pass_a_frame(session):
    v = tf.Variable(7, use_resource=False)
    inner = enter(v, "a", True)
    with tf.control_dependencies([tf.assign(inner, enter(tf.constant(9), "a"))]):
        out = flow.exit(tf.identity(inner))
    session.run(v.initializer)
    assert session.run(out) == 9


def test_a_reference_may_be_switched(session):
    v, p = tf.Variable(1, use_resource=False), tf.placeholder(tf.bool, [])
    f, t = flow.ref_switch(v, p)
    assert f.dtype._is_ref_dtype and (f.name, t.name) == ("RefSwitch:0", "RefSwitch:1")
    add = tf.assign_add(t, 10)
    with tf.control_dependencies([call("RefIdentity", f)]):
        less = tf.assign_sub(v, 1)
    session.run(v.initializer)
    session.run([add.op, less.op], {p: True})
    assert session.run(v) == 11
    session.run([add.op, less.op], {p: False})
    assert session.run(v) == 10


def test_a_variable_is_made_where_there_is_none(session):
    v = tf.Variable([1.0], use_resource=False)
    f, t = flow.ref_switch(v, tf.is_variable_initialized(v))
    with tf.control_dependencies([call("RefIdentity", f)]):
        made = tf.assign(v, [2.0])
    with tf.control_dependencies([call("RefIdentity", t)]):
        kept = tf.identity(v)
    both = flow.merge([made, kept]).output
    assert session.run(both) == 2.0
    session.run(v.initializer)
    assert session.run(both) == 1.0
