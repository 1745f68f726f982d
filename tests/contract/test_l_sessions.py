"""Contract L: graphs and sessions."""

import io
import pdb
import re
import sys
import threading

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, interpreted
from twinflow.compat.door import resolve
from twinflow.graph.program import build
from twinflow.passes import optimize

tfe = tf.contrib.eager


@pytest.fixture
def sess(graph):
    with tf.Session() as session:
        yield session


def failing(kind, sess, *args):
    """What a run that must fail says."""
    with pytest.raises(kind) as raised:
        sess.run(*args)
    return str(raised.value)


# ------------------------------------------------------------------ L01
def test_l01_the_program_of_the_seed(graph):
    x = tf.placeholder(tf.float32, shape=[1, 1])
    m = tf.matmul(x, x)
    assert str(m) == 'Tensor("MatMul:0", shape=(1, 1), dtype=float32)'
    with tf.Session() as sess:
        m_out = sess.run(m, feed_dict={x: [[2.0]]})
    assert str(m_out) == "[[4.]]" and isinstance(m_out, np.ndarray)


def test_l01_fetches_and_feeds(sess):
    x, w = tf.placeholder(tf.float32, []), tf.Variable(1.0)
    y, op = x * 2.0, w.assign_add(x)
    sess.run(tf.global_variables_initializer())
    assert sess.run([y, op.op], {x: 3.0}) == [6.0, None]
    assert sess.run({"a": y, "b": (y, [x])}, {x: 1.0}) == {"a": 2.0, "b": (2.0, [1.0])}
    assert sess.run("mul:0", {"Placeholder:0": 4.0}) == 8.0
    assert sess.run(y + 1.0, {y: 10.0}) == 11.0  # any tensor may be fed
    assert y.eval({x: 5.0}) == 10.0 and sess.run(w) == 4.0


def test_l01_several_threads_share_a_session(sess):
    x, v = tf.placeholder(tf.int32, []), tf.Variable(0)
    add, y = v.assign_add(1).op, x * x
    sess.run(tf.global_variables_initializer())
    found = []

    def work(k):
        for i in range(20):
            sess.run(add)
            found.append(sess.run(y, {x: 20 * k + i}))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sess.run(v) == 80 and sorted(found) == [n * n for n in range(80)]


# ------------------------------------------------------------------ L02, L03
def test_l02_nodes_outlive_their_python_references(graph):
    c = tf.constant([5.20], name="c1")
    c = tf.constant([13.14], name="c2")
    c1 = tf.get_default_graph().get_tensor_by_name("c1:0")
    assert [n.name for n in graph.get_operations()] == ["c1", "c2"]
    with tf.Session() as sess:
        assert sess.run([c1, c]) == [np.float32([5.2]), np.float32([13.14])]


@pytest.mark.filterwarnings("ignore")
def test_l03_indexing_in_a_loop_adds_nodes(sess):
    x = tf.random_uniform([2, 2])
    nodes = tf.get_default_graph().get_operations
    assert len(nodes()) == 7
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            sess.run(x[i, j])
    assert len(nodes()) == 23


# ------------------------------------------------------------------ L04, L05
def test_l04_eager_programs_may_use_the_words_of_graphs(eager):
    with tf.name_scope("a"), tf.variable_scope("b"), tf.control_dependencies([]):
        v = tfe.Variable(2.0)
    assert tf.group(v) is None and (v * v).numpy() == 4.0


def test_l05_state_belongs_to_the_session(graph):
    v = tf.Variable(1.0)
    start, add = tf.global_variables_initializer(), v.assign_add(1.0)
    one, two = tf.Session(), tf.Session()
    for sess in (one, two):
        sess.run(start)
    one.run(add)
    assert (one.run(v), two.run(v)) == (2.0, 1.0)
    assert tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES) == [v]
    one.close()
    with pytest.raises(RuntimeError, match="Attempted to use a closed Session"):
        one.run(v)


# ------------------------------------------------------------------ L06
def test_l06_placeholders_must_be_fed(sess):
    y = tf.placeholder(tf.float32, name="ph") + 1.0
    text = failing(tf.errors.InvalidArgumentError, sess, y)
    words = "You must feed a value for placeholder tensor 'ph' with dtype float"
    assert text.startswith(words)


def test_l06_feeds_must_fit(sess):
    a = tf.placeholder(tf.float32, [None, 3], name="a")
    assert failing(ValueError, sess, a, {a: np.zeros((2, 5))}) == (
        "Cannot feed value of shape (2, 5) for Tensor 'a:0', which has shape '(?, 3)'"
    )


@pytest.mark.parametrize("make", [tf.Variable, tfe.Variable])
def test_l06_variables_must_be_initialized(sess, make):
    v = make(1.0, name="vv")
    text = failing(tf.errors.FailedPreconditionError, sess, v + 1.0)
    words = (
        "Attempting to use uninitialized value vv"
        if make is tf.Variable
        else "Error while reading resource variable vv from Container: localhost"
    )
    assert text.startswith(words)


def test_l06_fetches_must_be_of_the_graph(sess):
    tf.constant(1.0)
    text = failing(TypeError, sess, 3.0)
    assert text.startswith("Fetch argument 3.0 has invalid type <class 'float'>, must ")


@pytest.mark.parametrize("engine", [lambda _: interpreted(), compiled])
def test_l06_errors_name_the_node_and_the_line(sess, engine):
    x = tf.placeholder(tf.float32, [None, None])
    y = tf.matmul(x, x, name="mymatmul")
    with engine(" "):
        text = failing(tf.errors.InvalidArgumentError, sess, y, {x: np.ones((2, 3))})
    assert text.startswith("Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]")
    where = r"\[\[node mymatmul \(defined at .*test_l_sessions\.py:\d+\)"
    assert re.search(where, text)


# ------------------------------------------------------------------ L07-L09
def test_l07_graphs_are_folded_and_merged(graph):
    x = tf.placeholder(tf.float32, [])
    y = tf.exp(x) * (tf.constant(2.0) + 3.0) + tf.exp(x)
    program = optimize(build(graph, [y]))
    assert sorted(n.type for n in program.nodes) == ["Add", "Exp", "Mul", "Placeholder"]


def test_l08_graphs_are_compiled(sess):
    x = tf.placeholder(tf.float32, [3])
    y = tf.reduce_sum(tf.tanh(x) * 2.0)
    with compiled() as entries:
        found = sess.run(y, {x: [0.1, 0.2, 0.3]})
    assert entries and all(e.error is None for e in entries)
    np.testing.assert_allclose(found, 2 * np.tanh([0.1, 0.2, 0.3]).sum(), rtol=1e-6)


def test_l09_updates_come_before_the_train_op(sess):
    layer = tf.keras.layers.BatchNormalization(momentum=0.5)
    x = tf.constant([[0.0], [2.0]])
    y = layer(x, training=True)
    with tf.control_dependencies(layer.get_updates_for(x)):
        train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y * y))
    sess.run(tf.global_variables_initializer())
    sess.run(train)
    assert sess.run(layer.moving_mean).tolist() == [0.5]
    assert len(layer.get_updates_for(x)) == 2


def stops(layer, run):
    """What a debugger says that stops in `layer` while `run(layer)` computes."""
    said = io.StringIO()
    debugger = pdb.Pdb(stdin=io.StringIO("p x * 10\ncontinue\n"), stdout=said)
    debugger.use_rawinput = False
    before = sys.gettrace()
    try:
        assert run(lambda x: layer(x, debugger.set_trace)).tolist() == [2, 3]
    finally:
        sys.settrace(before)
    return said.getvalue()


def shifted(x, stop):
    stop()
    return x + np.float32(1)


def test_l10_pythons_debugger_in_eager_mode(eager):
    x = tf.constant([1.0, 2.0])
    assert "[10., 20.]" in stops(shifted, lambda layer: layer(x).numpy())


def test_l10_pythons_debugger_in_a_graph(sess):
    x = tf.constant([1.0, 2.0])
    said = stops(shifted, lambda layer: sess.run(tf.py_func(layer, [x], tf.float32)))
    assert "10., 20." in said


def test_l10_tfdbg():
    assert resolve.attribute("python.debug", "DumpingDebugHook")
    assert resolve.attribute("python.debug", "TensorBoardDebugHook")
