"""The passes: what each removes, and that results are the same bits without them."""

import numpy as np
import pytest

import twinflow as tf
from twinflow import passes
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import INTERPRET
from twinflow.graph.program import build
from twinflow.graph.well_formed import Invalid, check_program
from twinflow.passes.algebra import simplify
from twinflow.passes.fold import fold
from twinflow.passes.prune import prune
from twinflow.passes.subexpressions import merge_equal


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def left(run, fetches, feeds):
    """The types of the nodes that are left after one pass and pruning."""
    program = build(tf.get_default_graph(), fetches, (), feeds)
    passes._everywhere(run, program)
    prune(program)
    check_program(program, run.__name__)
    return [n.type for n in program.nodes if n.type != "Const"]


KINDS = {
    False: ("VariableV2", "AssignAdd"),
    True: ("VarHandleOp", "AssignAddVariableOp"),
}


@pytest.mark.parametrize("use_resource", KINDS)
def test_prune_keeps_effects_and_what_is_fetched(use_resource):
    v = tf.Variable(1.0, use_resource=use_resource)
    x = tf.placeholder(tf.float32, [])
    tf.exp(x)
    step = v.assign_add(x, read_value=False)
    with tf.control_dependencies([step]):
        y = x * 2.0
    assert left(prune, [y], [x]) == [*KINDS[use_resource], "Mul"]


def test_fold_computes_what_does_not_depend_on_the_run():
    x = tf.placeholder(tf.float32, [3])
    y = x * (tf.exp(tf.constant(1.0)) + 2.0)
    assert left(fold, [y], [x]) == ["Mul"]


def test_fold_leaves_errors_to_the_run():
    x = tf.placeholder(tf.float32, [3])
    y = x * tf.gather([1.0, 2.0], 5)
    assert "GatherV2" in left(fold, [y], [x])


def test_fold_leaves_random_numbers():
    y = tf.random_uniform([3]) + 1.0
    assert "RandomUniform" in left(fold, [y], [])


def test_merge_computes_equal_things_once():
    x = tf.placeholder(tf.float32, [3])
    y = tf.exp(x) + tf.exp(x) * tf.sin(x)
    assert sorted(left(merge_equal, [y], [x])) == ["Add", "Exp", "Mul", "Sin"]


def test_merge_tells_constants_attributes_and_dtypes_apart():
    x = tf.placeholder(tf.float32, [2, 2])
    y = [
        tf.reduce_sum(x, 0), tf.reduce_sum(x, 1), tf.matmul(x, x),
        tf.matmul(x, x, transpose_a=True), x * 0.0, x * -0.0, tf.cast(x, tf.int32),
        tf.cast(x, tf.int64),
    ]  # fmt: skip
    assert len(left(merge_equal, y, [x])) == 8


def test_merge_never_merges_reads_and_draws():
    v, u = tf.Variable(1.0), tf.Variable(1.0, use_resource=True)
    y = tf.random_uniform([3]) + tf.random_uniform([3]) + (u + 1.0) * (u + 1.0)
    types = left(merge_equal, [y, tf.exp(v), tf.exp(v)], [])
    assert types.count("RandomUniform") == 2 and types.count("ReadVariableOp") == 2
    assert types.count("Exp") == 2


@pytest.mark.parametrize(
    "nothing",
    [
        lambda x: x * 1.0, lambda x: 1.0 * x, lambda x: x / 1.0, lambda x: x - 0.0,
        lambda x: tf.negative(-x), tf.identity, tf.stop_gradient,
        lambda x: tf.reshape(x, [2, 3]), lambda x: tf.transpose(tf.transpose(x)),
        lambda x: tf.broadcast_to(x, [2, 3]),
    ],
)  # fmt: skip
def test_algebra_removes(nothing):
    x = tf.placeholder(tf.float32, [2, 3])
    assert left(simplify, [nothing(x) + x], [x]) == ["Add"]


@pytest.mark.parametrize(
    "something",
    [
        lambda x: x + 0.0, lambda x: x * 0.0, lambda x: x - (-0.0), lambda x: 1.0 / x,
        lambda x: tf.transpose(tf.transpose(x, [1, 0, 2]), [0, 2, 1]),
        lambda x: x * [[[1.0]], [[1.0]]],
    ],
)  # fmt: skip
def test_algebra_keeps_what_changes_a_bit(something):
    x = tf.placeholder(tf.float32, [1, 3, 3])
    assert len(left(simplify, [something(x) + 2.0], [x])) > 1


def test_algebra_keeps_a_reshape_whose_shape_only_a_run_knows():
    x = tf.placeholder(tf.float32, [None, None])
    y = tf.reshape(x, tf.reverse(tf.shape(x), [0]))
    n = tf.placeholder(tf.int32, [1])
    z = tf.broadcast_to(tf.reshape(x, [-1]), n)
    a = np.arange(6.0).reshape(2, 3)
    with tf.Session() as session:
        assert session.run(y, {x: a}).shape == (3, 2)
        assert session.run(z, {x: [[1.0]], n: [4]}).shape == (4,)


@pytest.mark.parametrize(
    ("shape", "sizes", "given"),
    [
        ([None], lambda n: [n], [4]),
        ([None, 3], lambda n: [n, 3], [4, 3]),
        ([None, 2], lambda n: tf.stack([n, 2]), [4, 2]),
        ([None], lambda n: tf.shape(tf.zeros([n])), [4]),
    ],
)
def test_algebra_keeps_a_reshape_to_another_unknown_size(shape, sizes, given):
    x, n = tf.placeholder(tf.float32, shape), tf.placeholder(tf.int32, [])
    y = tf.reshape(x, sizes(n))
    y.set_shape(shape)
    with tf.Session() as session:
        value = np.ones(given, np.float32)
        assert session.run(y * 2.0, {x: value, n: given[0]}).shape == tuple(given)
        with pytest.raises(tf.errors.InvalidArgumentError, match="requested shape has"):
            session.run(y * 2.0, {x: value, n: 3})


def test_algebra_removes_a_reshape_to_its_own_shape():
    x = tf.placeholder(tf.float32, [None, None])
    assert left(simplify, [tf.reshape(x, tf.shape(x)) + 1.0], [x])[-1:] == ["Add"]
    assert "Reshape" not in left(simplify, [tf.reshape(x, tf.shape(x)) + 1.0], [x])


def test_algebra_removes_a_reshape_with_one_unknown_dimension():
    x = tf.placeholder(tf.float32, [None, 3])
    assert left(simplify, [tf.reshape(x, [-1, 3]) + 1.0], [x]) == ["Add"]


def test_algebra_keeps_a_node_that_waits_for_another():
    v = tf.Variable(0.0)
    x = tf.placeholder(tf.float32, [])
    wrong = tf.check_numerics(x, "bad number")
    with tf.control_dependencies([wrong]):
        y = tf.identity(tf.constant(1.0) * v)
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(y, {x: 1.0}) == 0.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="bad number"):
            session.run(y, {x: np.nan})


def network(x):
    w = tf.constant(np.linspace(-1, 1, 12).reshape(3, 4).astype(np.float32))
    h = tf.tanh(tf.matmul(tf.reshape(x, [-1, 3]) * 1.0, w) - 0.0)
    h = tf.cond(
        tf.reduce_sum(h) > 0.0, lambda: h * tf.exp(h), lambda: tf.negative(-tf.exp(h))
    )
    h = tf.while_loop(
        lambda i, h: i < 3, lambda i, h: (i + 1, h * h + tf.exp(h * 1.0)), [0, h]
    )
    y = tf.reduce_sum(h[1]) + tf.reduce_sum(tf.transpose(tf.transpose(h[1])))
    return [y, *tf.gradients(y, x)]


@pytest.mark.parametrize("without", [None, *passes.PASSES])
def test_results_are_bit_equal_without_a_pass(without):
    x = tf.placeholder(tf.float32, [None, 3])
    fetches = network(x)
    value = np.random.RandomState(0).randn(4, 3).astype(np.float32) / 16

    def result(chosen):
        program = build(tf.get_default_graph(), fetches, (), [x])
        for p in chosen:
            passes._everywhere(p, program)
        check_program(program, "all")
        return Plan(program, lambda cell: cell, INTERPRET).run([value])

    plain = result([])
    found = result([p for p in passes.PASSES if p is not without])
    for a, b in zip(plain, found, strict=True):
        assert np.isfinite(a).all() and a.tobytes() == b.tobytes()


def test_the_verifier_finds_a_value_that_nothing_gives():
    x = tf.placeholder(tf.float32, [])
    y = tf.exp(x) * 2.0
    program = build(tf.get_default_graph(), [y], (), [x])
    program.nodes = [n for n in program.nodes if n.type != "Exp"]
    with pytest.raises(
        Invalid, match=r"(?s)After a test: .*Mul.* needs .*Exp.*nothing computes"
    ):
        check_program(program, "a test")


def test_a_constant_of_a_body_is_known_in_the_regions_inside_it():
    """Its node is gone once it is folded, and nobody outside has to compute it."""
    x = tf.placeholder(tf.float32, [2, 2])

    def body(i, a):
        known = tf.sqrt(tf.ones([2, 2])) + 3.0
        times = lambda: tf.matmul(a, known)
        return i + 1, tf.cond(tf.reduce_any(x > 0), times, lambda: a)

    _, a = tf.while_loop(lambda i, _: i < 2, body, [tf.constant(0), x])
    with tf.Session() as session:
        value = session.run(a, {x: np.eye(2, dtype=np.float32)})
    np.testing.assert_array_equal(value, np.full((2, 2), 32.0))
