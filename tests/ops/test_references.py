"""Reference variables: when they are read, in both engines, and what errors say."""

import contextlib

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, interpreted
from tests.ways import eager as tfe_mode
from twinflow.base.dispatch import apply
from twinflow.base.op import registry
from twinflow.contrib import eager as tfe
from twinflow.execute.session import get_default_session
from twinflow.ops.variables import creators


@pytest.fixture(autouse=True)
def in_a_graph(graph):
    """Everything here is built in a graph of its own."""


@pytest.fixture(params=[interpreted, compiled], ids=lambda f: f.__name__)
def engine(request):
    with request.param():
        yield


@contextlib.contextmanager
def session():
    with tf.Session() as found:
        found.run(tf.global_variables_initializer())
        yield found


def after(op, function):
    with tf.control_dependencies([op]):
        return function()


def floats(values):
    return [np.asarray(v).tolist() for v in values]


# ------------------------------------------------------------------ order
def test_consumers_read_in_order_of_creation(engine):
    v = tf.Variable([1.0, 2.0])
    before = v + 0.0
    change = v.assign_add([10.0, 10.0])
    between = tf.exp(v) - tf.exp(v)  # not merged with what follows either
    again, last = v.assign_sub([1.0, 1.0]), v + 0.0
    for _ in range(3):
        with session() as run:
            found = run.run([before, change, between, again, last, v])
            assert floats(found) == [[1, 2], [10, 11], [0, 0], *[[10, 11]] * 3]


def test_equal_reads_are_not_merged_across_a_change(engine):
    v = tf.Variable(3.0)
    first = tf.square(v)
    second = after(v.assign(5.0).op, lambda: tf.square(v))
    with session() as run:
        assert floats(run.run([first, second])) == [9, 25]


def test_times_one_is_a_value_of_its_own(engine):
    v = tf.Variable(3.0)
    old = v * 1.0
    with tf.control_dependencies([old]):
        change = v.assign(5.0)
    with session() as run:
        assert floats(run.run([old, change])) == [3, 5]


def test_a_name_is_no_snapshot(engine):
    v = tf.Variable(3.0)
    old = tf.identity(v.read_value())
    with tf.control_dependencies([old]):
        change = v.assign_add(1.0)
    with session() as run:
        assert floats(run.run([old, change, change - old])) == [5 - 1, 4, 0]


def test_host_nodes_see_the_value_of_their_turn(engine):
    v, seen = tf.Variable(1.0), []

    def note(x):
        seen.append(float(x))
        return x

    first = tf.py_func(note, [v], tf.float32)
    double = v.assign(v * 2.0)
    second = tf.py_func(note, [double], tf.float32)
    with session() as run:
        run.run([first, second])
        run.run([first, second])
    assert seen == [1, 2, 2, 4]


def test_reading_leaves_a_cluster_whole():
    v = tf.Variable(1.0)
    a = tf.exp(v)
    printed = tf.py_func(lambda x: x, [v], tf.float32)
    b = tf.sin(v) + a
    change = v.assign_add(1.0)
    with interpreted(), session() as run:
        run.run([b, printed, change])
        plan = list(run._plans.values())[-1]
    assert len(plan.clusters) == 2  # v is read, and changed after the host has read it


def test_values_of_assignments(engine):
    v, w = tf.Variable([1.0, 2.0]), tf.Variable([5.0, 5.0])
    swap = tf.assign(v, w)
    added = tf.assign_add(v, v)
    moved = tf.assign(w, tf.assign_sub(w, [1.0, 2.0]) * 2.0)
    with session() as run:
        assert floats([run.run(swap), run.run(added)]) == [[5, 5], [10, 10]]
        assert run.run(moved).tolist() == [8, 6]
        assert run.run(tf.assign(v, [0.0, 1.0]) + 1.0).tolist() == [1, 2]


# ------------------------------------------------------------------ control flow
def test_branches_and_loops_read_at_each_turn(engine):
    v, p = tf.Variable(1.0), tf.placeholder(tf.bool)
    y = tf.cond(
        p,
        lambda: after(v.assign_add(1.0), lambda: v * 10.0),
        lambda: v.assign(7.0),
    )
    loop = tf.while_loop(
        lambda i, _: v < 20.0,
        lambda i, x: (after(tf.assign_add(v, i), lambda: i + 1.0), x + v),
        [1.0, v],
    )
    with session() as run:
        assert floats([run.run(y, {p: True}), run.run(v)]) == [20, 2]
        assert floats([run.run(y, {p: False}), run.run(v)]) == [7, 7]
        run.run(v.initializer)
        assert floats(run.run(loop)) == [7, 1 + 2 + 4 + 7 + 11 + 16 + 22]


def test_slopes_of_branches_and_loops(engine):
    v, n = tf.Variable(3.0), tf.placeholder(tf.int32, [])
    power = tf.while_loop(
        lambda i, x: i < n, lambda i, x: (i + 1, x * v * v.read_value()), [0, 1.0]
    )[1]
    branch = tf.cond(n > 1, lambda: v._ref() * v, lambda: 1.0)
    grads = tf.gradients(power, v) + tf.gradients(branch, [v, v.value()])
    with session() as run:
        assert floats(run.run(grads, {n: 2})) == [108, 6, 3]
        assert floats(run.run(grads, {n: 1})) == [6, 0, 0]


def test_rows_of_a_resource_in_a_branch(engine):
    u = tf.Variable([[1.0], [2.0]], use_resource=True)
    p = tf.placeholder(tf.bool)
    y = tf.cond(p, lambda: tf.gather(u, [1, 1]), lambda: tf.zeros([2, 1]))
    (grad,) = tf.gradients(y, u)
    dense = tf.convert_to_tensor(grad)
    with session() as run:
        assert run.run(dense, {p: True}).tolist() == [[0], [2]]
        assert run.run(dense, {p: False}).tolist() == [[0], [0]]


def test_custom_gradients_see_references():
    v = tf.Variable(3.0)

    @tf.custom_gradient
    def twice(x):
        def grad(dy, variables=None):
            return dy * 2.0, [dy * 5.0]

        return x * v, grad

    with session() as run:
        assert floats(run.run(tf.gradients(twice(tf.constant(2.0)), v))) == [5]


# ------------------------------------------------------------------ feeds and sessions
def test_a_fed_reference_is_an_array(engine):
    v = tf.Variable(1.0)
    y = v * 2.0 + v._ref()
    with session() as run:
        assert run.run(y, {v: 5.0}) == 15 and run.run(y, {v.value(): 5.0}) == 11
        assert run.run(y) == 3
        with pytest.raises(tf.errors.InvalidArgumentError, match="expected float_ref"):
            run.run(v.assign(2.0), {v: 5.0})


def test_each_session_has_its_own_value():
    v = tf.Variable(1.0)
    with session() as one, tf.Session() as two:
        two.run(v.assign(7.0))
        assert (one.run(v), two.run(v + 1.0)) == (1.0, 8.0)


def test_loading_needs_a_session():
    v = tf.Variable(1.0)
    if get_default_session() is None:
        with pytest.raises(ValueError, match="session argument should be provided"):
            v.load(2.0)
    with session():
        v.load(2.0)
        assert v.eval() == 2


def test_what_must_have_run_is_read(engine):
    v = tf.Variable(1.0, name="v")
    done = after(v.value(), lambda: tf.constant(1) + 1)
    with tf.Session() as run:
        for thing in (done, v.value().op):
            with pytest.raises(tf.errors.FailedPreconditionError, match="node v/read"):
                run.run(thing)


# ------------------------------------------------------------------ bare references
def node(kind, *inputs, name=None, **attrs):
    return apply(registry[kind], inputs, attrs, name)


def test_nodes_of_one_shared_name_are_one_variable():
    attrs = {"shape": (2,), "dtype": tf.float32, "shared_name": "w"}
    a, b = node("VariableV2", **attrs), node("Variable", name="b", **attrs)
    c = node("VariableV2", **attrs)
    assert a.dtype.name == "float32_ref" and a.op.type == "VariableV2"
    done = tf.assign(node("RefIdentity", a), [1.0, 2.0])
    with tf.Session() as run:
        run.run(done)
        assert run.run(c).tolist() == [1, 2]
        assert floats(run.run([tf.is_variable_initialized(x) for x in (c, b)])) == [
            True,
            False,
        ]


def test_temporary_variables():
    def made(name):
        t = node("TemporaryVariable", shape=(2,), dtype=tf.float32, var_name="t")
        t = tf.assign_add(tf.assign(t, [1.0, 2.0]), [1.0, 1.0])
        return node("DestroyTemporaryVariable", t, var_name=name)

    good, bad = made("t"), made("other")
    with tf.Session() as run:
        for _ in range(2):
            assert run.run(good).tolist() == [2, 3]
        with pytest.raises(tf.errors.NotFoundError, match="other"):
            run.run(bad)


def test_destroying_a_resource():
    u = tf.Variable(1.0, use_resource=True)
    gone = node("DestroyResourceOp", u.handle, ignore_lookup_error=False)
    with session() as run:
        run.run(gone)
        assert not run.run(tf.is_variable_initialized(u))
        with pytest.raises(tf.errors.NotFoundError, match="does not exist"):
            run.run(gone)


def test_only_references_are_assigned_to():
    with pytest.raises(TypeError, match="'ref' be a mutable tensor"):
        node("Assign", tf.constant(1.0), 2.0)
    v = tf.Variable(1.0)
    with pytest.raises(TypeError, match="'ref' be a mutable tensor"):
        tfe.defun(lambda: v.assign_add(1.0))()


def test_functions_take_the_value():
    v = tf.Variable(2.0)
    f = tfe.defun(lambda x: x * v + v._ref())
    y = f(tf.constant(3.0))
    later = after(v.assign(5.0), lambda: f(tf.constant(3.0)))
    with session() as run:
        assert floats(run.run([y, later] + tf.gradients(y, v))) == [8, 20, 4]


def test_what_an_assignment_to_a_resource_gives():
    u = tf.Variable(1.0, use_resource=True)
    done = u.assign_add(1.0)
    f = tfe.defun(lambda: done + 1.0)

    def inside():
        return u.assign(7.0) * 2.0

    with session() as run:
        assert run.run([done, done + 1.0, done.op])[:2] == [2.0, 3.0]
        assert run.run(f()) == 4.0
        assert run.run(tfe.defun(inside)()) == 14.0 and run.run(u) == 7.0


# ------------------------------------------------------------------ training
def test_constraints_are_kept_while_training():
    v = tf.Variable([1.0, -1.0], constraint=tf.nn.relu)
    step = tf.train.GradientDescentOptimizer(1.0).minimize(tf.reduce_sum(v))
    with session() as run:
        run.run(step)
        assert run.run(v).tolist() == [0, 0]


def test_a_step_of_training_compiles(engine):
    x = tf.placeholder(tf.float32, [4, 3])
    w, b = tf.Variable(tf.ones([3, 2])), tf.Variable(tf.zeros([2]))
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b))
    step = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    with session() as run:
        found = [run.run([loss, step], {x: np.ones([4, 3])})[0] for _ in range(4)]
        assert found[0] == 9 and found[3] < found[0]
        assert any(len(p.clusters) == len(p.steps) == 1 for p in run._plans.values())


# ------------------------------------------------------------------ kinds and places
def test_the_variable_of_tensorflow_2_is_a_resource():
    v, w = creators.Variable(1.0), tf.Variable(1.0)
    assert not v.dtype._is_ref_dtype and w.dtype._is_ref_dtype
    assert isinstance(v, tf.Variable) and isinstance(w, creators.Variable)
    with pytest.raises(TypeError, match="collections"):
        creators.Variable(1.0, collections=[])


def test_updates_are_beside_their_variable():
    with tf.device("/job:ps"):
        v = tf.Variable(lambda: tf.constant(0.0), name="v", caching_device="/job:w")
    with tf.device("/job:worker"):
        change = v.assign(1.0)
    assert change.device == "/job:ps" and v.value().device == "/job:w"
    for made in (change.op, v.initializer, v.initial_value.op, v.op):
        assert made.colocation_groups() == [b"loc:@v"]
    u = tf.Variable(1.0, name="u", use_resource=True, caching_device="/job:w")
    assert u.value().device == "/job:w" and u.value().op.type == "Identity"
    for made in (u.op, u.initializer, u.initial_value.op):
        assert made.colocation_groups() == [b"loc:@u"]


def test_containers_are_those_of_the_innermost_block():
    with tf.container("a"):
        v = tf.Variable(1.0)
        with tf.container("b"):
            w = tf.Variable(1.0)
            x = node("VariableV2", shape=(), dtype=tf.float32, container="c")
    found = [t.op.get_attr("container") for t in (v, w, x, tf.Variable(1.0))]
    assert found == [b"a", b"b", b"c", b""]


def test_handles_of_one_shared_name_are_one_variable():
    u = tf.Variable(300.0, name="u", use_resource=True)
    attrs = {"dtype": tf.float32, "shape": ()}
    again = node("VarHandleOp", shared_name="u", **attrs)
    with session() as run:
        assert run.run(node("ReadVariableOp", again, dtype=tf.float32)) == 300
        with tfe_mode():
            one, two = (node("VarHandleOp", shared_name="n", **attrs) for _ in range(2))
            node("AssignVariableOp", one, 5.0)
            assert node("ReadVariableOp", two, dtype=tf.float32).numpy() == 5
    assert u.op.get_attr("shared_name") == b"u"


def test_a_gated_reference_is_still_one(engine):
    v, w = tf.Variable(1.0), tf.Variable(2.0)
    with pytest.raises(ValueError, match="'float64' for variable"):
        tf.convert_to_tensor(v, tf.float64)
    both = tf.tuple([v.assign(5.0), w])
    assert [t.dtype.name for t in both] == ["float32_ref", "float32"]
    more = tf.assign_add(both[0], both[1])
    with session() as run:
        assert floats(run.run([more, v])) == [7, 7]
