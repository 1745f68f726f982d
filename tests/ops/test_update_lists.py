"""Several variables are updated in one call as they would be one by one."""

import os

import numpy as np
import pytest

import twinflow as tf
from tests.support.special_values import flushed
from twinflow.base import dispatch
from twinflow.base.state import Cell
from twinflow.eager.mode import MODE
from twinflow.ops.variables import training, training_lists
from twinflow.ops.variables.training_lists import ADAPT, DESCEND, LOOK_AHEAD, ROLL

CASES = int(os.environ.get("TWINFLOW_CASES", "60"))
needs_module = pytest.mark.skipif(training_lists._fast is None, reason="no C module")


@pytest.fixture
def eagerly():
    with dispatch.entered(MODE):
        yield


SLOTS = {DESCEND: 0, ROLL: 1, LOOK_AHEAD: 1, ADAPT: 2}
ODD = [np.nan, np.inf, -np.inf, -0.0, 1e-42]


def numbers_of(rule, dtype):
    if rule == ADAPT:
        given = [dtype.type(n) for n in (0.7, 0.9, 0.01, 0.9, 0.99, 1e-8)]
        return given, training.adam_rates(given, dtype)
    given = [dtype.type(0.1), dtype.type(0.9)]
    return given, training_lists.floats(*given)


def wanted(rule, given, states, grad):
    """What the NumPy rules make of one variable, denormals being zeros."""
    with flushed():
        return _wanted(rule, given, states, grad)


def _wanted(rule, given, states, grad):
    if rule == DESCEND:
        return training._descend_now(*states, given[0], grad)
    if rule == ADAPT:
        return training._adapt_now(*states, *given, grad)
    ahead = rule == LOOK_AHEAD
    return training._roll_now(*states, given[0], grad, given[1], ahead)


def drawn(random, shape, dtype, positive=False):
    x = np.array(random.normal(size=shape) * 10 ** random.uniform(-3, 3), dtype)
    if x.size and not positive and random.random() < 0.3:
        x.flat[random.integers(x.size)] = random.choice(ODD)
    return np.asarray(abs(x), dtype) if positive else x


def shapes_of(random, case):
    if case % 20 == 0:  # parts on several threads
        return [(300, 301), (7,), (), (0, 3), (70001,)]
    count = random.integers(1, 6)
    return [tuple(random.integers(0, 30, random.integers(0, 3))) for _ in range(count)]


@needs_module
@pytest.mark.parametrize("rule", [DESCEND, ROLL, LOOK_AHEAD, ADAPT])
@pytest.mark.parametrize("kind", ["f", "d"])
@np.errstate(all="ignore")
def test_same_bits(rule, kind):
    random, dtype = np.random.default_rng(rule), np.dtype(kind)
    given, numbers = numbers_of(rule, dtype)
    for case in range(CASES):
        shapes = shapes_of(random, case)
        grads = [drawn(random, s, dtype) for s in shapes]
        states = [
            [drawn(random, s, dtype, k == 2) for k in range(1 + SLOTS[rule])]
            for s in shapes
        ]
        old = [[a.copy() for a in row] for row in states]
        own = [Cell("x", None, a.shape, a.copy()) for row in states for a in row]
        held = [Cell("x", None, a.shape, a) for row in states for a in row]
        for cells in (own, held):
            assert all(training_lists.renew(rule, numbers, cells, grads))
            found = iter(cells)
            for row, grad in zip(old, grads, strict=True):
                for a in wanted(rule, given, row, grad):
                    value = next(found).read()
                    np.testing.assert_array_equal(value, a)
                    np.testing.assert_array_equal(value == 0, np.asarray(a) == 0)
                    assert value.dtype == dtype and value.shape == np.shape(a)
        for row, before in zip(states, old, strict=True):
            np.testing.assert_equal(row, before)


@needs_module
@pytest.mark.parametrize("rule", [ROLL, ADAPT])
def test_slots_without_gradients_do_not_become_denormals(rule):
    dtype, shape = np.dtype("f"), (4, 5)
    _, numbers = numbers_of(rule, dtype)
    cells = [Cell("x", None, shape, np.ones(shape, "f"))]
    for _ in range(SLOTS[rule]):
        cells.append(Cell("s", None, shape, np.full(shape, 1e-36, "f")))
    for _ in range(60):
        training_lists.renew(rule, numbers, cells, [np.zeros(shape, "f")])
    least = cells[1].read().min()
    assert not 0 < least < np.finfo("f").tiny


@needs_module
def test_only_an_array_of_the_cell_alone_is_written_to():
    alone, held = np.ones(4, "f"), np.ones(4, "f")
    cells = [Cell("a", None, (4,), alone.copy()), Cell("b", None, (4,), held)]
    cells.append(Cell("c", None, (4,), np.ones(8, "f")[::2][:4].copy()[:]))
    where = id(cells[0].read())
    numbers = training_lists.floats(np.float32(1))
    grads = [np.ones(4, "f")] * 3
    assert training_lists.renew(DESCEND, numbers, cells, grads) == [True] * 3
    assert id(cells[0].read()) == where
    assert held.tolist() == [1] * 4 and cells[1].read().tolist() == [0] * 4
    wrong = [np.ones(5, "f"), np.ones(4, "d"), np.ones(8, "f")[::2]]
    done = training_lists.renew(DESCEND, numbers, cells, wrong)
    assert done == [False] * 3


def run(optimizer, shapes, together, monkeypatch):
    """The variables after three steps."""
    if not together:
        monkeypatch.setattr(training_lists, "_fast", None)
    random = np.random.default_rng(0)
    variables = [tf.contrib.eager.Variable(random.normal(size=s)) for s in shapes]
    opt = optimizer()
    for _ in range(3):
        grads = [tf.constant(random.normal(size=s)) for s in shapes]
        opt.apply_gradients(zip(grads, variables, strict=True))
    return [v.numpy() for v in variables + opt.variables()]


@pytest.mark.parametrize(
    "optimizer",
    [
        lambda: tf.train.GradientDescentOptimizer(0.1),
        lambda: tf.train.MomentumOptimizer(0.1, 0.9),
        lambda: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
        lambda: tf.train.AdamOptimizer(0.01),
    ],
)
@pytest.mark.usefixtures("eagerly")
def test_as_one_by_one(optimizer, monkeypatch):
    shapes = [(3, 4), (), (5,), (200, 500), (2, 1)]
    found = run(optimizer, shapes, True, monkeypatch)
    for a, b in zip(found, run(optimizer, shapes, False, monkeypatch), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.usefixtures("eagerly")
def test_what_is_left_to_be_done_one_by_one():
    class Own(tf.train.GradientDescentOptimizer):
        def _resource_apply_dense(self, grad, handle):
            return handle.assign_add(grad)

    class Beside:
        def _resource_apply_dense(self, grad, handle):
            return super()._resource_apply_dense(-grad, handle)

    class Mixed(Beside, tf.train.GradientDescentOptimizer):
        pass

    v, w = tf.contrib.eager.Variable([1.0]), tf.contrib.eager.Variable([[1.0], [2.0]])
    one = tf.constant([1.0])
    Own(0.5).apply_gradients([(one, v)])
    assert v.numpy() == 2
    Mixed(0.5).apply_gradients([(one, v)])
    assert v.numpy() == 2.5
    rows = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([1]), tf.constant([2, 1]))
    opt = tf.train.GradientDescentOptimizer(0.5)
    opt.apply_gradients([(one, v), (rows, w), (one, v)])  # one of them twice
    assert v.numpy() == 1.5 and w.numpy().tolist() == [[1.0], [1.5]]


@pytest.mark.usefixtures("eagerly")
@pytest.mark.parametrize("place", ["optimizer", "class", "base"])
def test_methods_that_are_put_in_later_count(place, monkeypatch):
    opt = tf.train.GradientDescentOptimizer(0.5)
    kind = {"optimizer": opt, "class": type(opt), "base": tf.train.Optimizer}[place]
    name = "_apply" if place == "base" else "_resource_apply_dense"
    seen = []
    monkeypatch.setattr(kind, name, lambda *args: seen.append(args[-1]))
    v = tf.contrib.eager.Variable([1.0])
    opt.apply_gradients([(tf.constant([1.0]), v)])
    assert len(seen) == 1 and v.numpy() == 1


def test_graphs_name_the_node_without_a_value():
    with tf.Graph().as_default(), tf.Session() as sess:
        pair = [tf.get_variable(n, [2], use_resource=True) for n in "ab"]
        opt = tf.train.GradientDescentOptimizer(0.5)
        grads = [tf.ones([2]), tf.ones([2])]
        train = opt.apply_gradients(zip(grads, pair, strict=True))
        sess.run(pair[0].initializer)
        before = sess.run(pair[0])
        with pytest.raises(tf.errors.OpError, match="b") as found:
            sess.run(train)
        assert found.value.op.name.startswith("GradientDescent/update_b")
        np.testing.assert_array_equal(sess.run(pair[0]), before)
        sess.run(pair[1].initializer)
        sess.run(train)
        np.testing.assert_array_equal(sess.run(pair[0]), before - np.float32(0.5))
