"""Contract F: variables."""

import gc
import weakref

import numpy as np
import pytest

import twinflow as tf
from tests.contract.programs import process
from tests.modes import both
from tests.ways import WAYS, run
from twinflow.ops.variables.resource import ResourceVariable

tfe = tf.contrib.eager


# ------------------------------------------------------------------ F01-F03
@both
def test_f01_how_they_are_made(run):
    def build():
        return (
            tfe.Variable(5.0),
            tfe.Variable(5.0, name="weight"),
            tfe.Variable(initial_value=1.0, name="vx"),
            tfe.Variable([[1.0]]),
            tfe.Variable(tf.random_normal([1000, 10])),
            tfe.Variable(lambda: tf.zeros([2]), dtype=tf.float32),
        )

    values = run(build)
    assert [v.shape for v in values] == [(), (), (), (1, 1), (1000, 10), (2,)]
    assert float(values[1]) == 5.0 and abs(values[4].mean()) < 0.1


def test_f01_names(eager):
    assert tfe.Variable(5.0, name="weight").name == "weight:0"
    assert tfe.Variable(5.0).name == "Variable:0"


def test_f02_resource_variables_are_tfe_variables():
    assert tfe.Variable is ResourceVariable
    assert isinstance(tfe.Variable(1.0), tf.Variable)


F03 = """
    import twinflow as tf
    tfe = tf.contrib.eager
    print(isinstance(tf.Variable([13.14]), tf.Variable))
    tf.reset_default_graph()
    tf.enable_eager_execution()
    rv = tfe.Variable([5.20])
    print(isinstance(rv, tf.Variable), rv.numpy())
    v = tf.Variable([13.14])
    print(type(v) is tfe.Variable, v.numpy())
"""


def test_f03_variables_in_eager_mode_by_compatibility_level():
    found = process(F03)
    assert found.splitlines() == ["True", "True [5.2]", "True [13.14]"]
    assert process(F03, TWINFLOW_TF_COMPAT="1.9") == (
        "RuntimeError: tf.Variable not supported when eager execution is enabled. "
        "Please use tf.contrib.eager.Variable instead"
    )
    assert process("import twinflow as tf; tf.Variable", TWINFLOW_TF_COMPAT="new") == (
        "ValueError: TWINFLOW_TF_COMPAT is 'new'; expected a version such as '1.9'."
    )


# ------------------------------------------------------------------ F04-F06, F11
def test_f04_both_kinds_in_graphs(graph):
    plain, resource = tf.Variable([13.14]), ResourceVariable([5.2])
    text = "<tf.Variable 'Variable{}:0' shape=(1,) dtype=float32{}>"
    assert repr(plain) == text.format("", "_ref")
    assert repr(resource) == text.format("_1", "")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        found = sess.run([plain, resource])
    assert [v.tolist() for v in found] == [[np.float32(13.14)], [np.float32(5.2)]]


def test_f05_get_variable_shares_by_scopes(graph):
    with tf.variable_scope("s"):
        w = tf.get_variable("w", [2], use_resource=True)
    with tf.variable_scope("s", reuse=True):
        assert tf.get_variable("w", [2]) is w
    text = "Variable s/w already exists, disallowed"
    with tf.variable_scope("s"), pytest.raises(ValueError, match=text):
        tf.get_variable("w", [2])
    with tf.variable_scope("s", reuse=tf.AUTO_REUSE):
        assert tf.get_variable("w", [2]) is w and isinstance(w, ResourceVariable)


def test_f05_eagerly_each_call_makes_a_variable(eager):
    a, b = (tf.get_variable("w", initializer=1.0) for _ in range(2))
    a.assign(2.0)
    assert a is not b and b.numpy() == 1.0


def test_f06_graphs_keep_variables_in_collections(graph):
    for make in (tf.Variable, tfe.Variable):
        make(1.0, name="kept")
    gc.collect()
    found = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)
    assert [v.name for v in found] == ["kept:0", "kept_1:0"]
    assert tf.trainable_variables() == found


def test_f06_eager_variables_join_none(eager):
    v = tfe.Variable(1.0)
    assert tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES) == []
    assert v.numpy() == 1.0


def test_f11_names_are_unique_in_a_graph_only(graph):
    assert [tfe.Variable(1.0).name for _ in range(2)] == ["Variable:0", "Variable_1:0"]


def test_f11_eager_names_repeat(eager):
    assert [tfe.Variable(1.0).name for _ in range(2)] == ["Variable:0", "Variable:0"]


# ------------------------------------------------------------------ F07
@pytest.mark.parametrize("way", WAYS)
def test_f07_assigning(way):
    def build():
        v = tfe.Variable([1.0, 2.0])

        def f(x):
            with tf.control_dependencies([v.assign_sub(x * 0.5)]):
                added = v.assign_add(x)
            with tf.control_dependencies([added]):
                return v.read_value(), v.value() * 2.0, 1.0 - v, v[0], v / x

        return f

    found = run(way, build, np.float32([2.0, 4.0]), calls=2)
    assert [x.tolist() for x in found] == [
        [3.0, 6.0], [6.0, 12.0], [-2.0, -5.0], 3.0, [1.5, 1.5],
    ]  # fmt: skip


def test_f07_assigning_eagerly(eager):
    v = tfe.Variable(5.0)
    dW, learning_rate = tf.constant(10.0), 0.1
    v.assign_sub(dW * learning_rate)
    assert v.numpy() == 4.0 and type(v.numpy()) is np.float32
    assert v.assign_add(1).numpy() == 5.0 and v.assign(2.0).numpy() == 2.0
    assert tf.assign(v, 3.0).numpy() == 3.0 and v.read_value().numpy() == 3.0
    read = v.value()
    v.assign(7.0)
    assert read.numpy() == 3.0 and v.value().numpy() == 7.0


def test_f07_facts(eager):
    v, w = tfe.Variable([[1.0, 2.0]], name="v"), tfe.Variable([[1.0, 2.0]])
    assert (v.name, v.shape.as_list(), v.dtype) == ("v:0", [1, 2], tf.float32)
    assert v.get_shape() == v.shape and v.trainable
    assert len({v, w, v}) == 2 and {v: 1}[v] == 1 and v != w
    assert (v + w).numpy().tolist() == [[2.0, 4.0]]
    assert tf.matmul(v, [[1.0], [1.0]]).numpy() == [[3.0]]
    assert (v > 1.5).numpy().tolist() == [[False, True]] and v[0, 1].numpy() == 2.0
    with pytest.raises(ValueError, match=r"Shapes .*are"):
        v.assign([1.0, 2.0, 3.0])


# ------------------------------------------------------------------ F08, F09
def test_f08_print_after_a_change(eager):
    x = tfe.Variable(10.0)
    x.assign(2.0)
    text = "<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=2.0>"
    assert str(x) == repr(x) == text
    table = tfe.Variable([[1, 2], [3, 4]], name="t")
    assert repr(table) == (
        "<tf.Variable 't:0' shape=(2, 2) dtype=int32, numpy=\narray([[1, 2],\n"
        "       [3, 4]], dtype=int32)>"
    )


def test_f08_in_graphs_there_is_no_value_to_print(graph):
    v = tfe.Variable([13.14])
    assert repr(v) == "<tf.Variable 'Variable:0' shape=(1,) dtype=float32>"


def test_f09_format_of_values(eager):
    W, B = tfe.Variable(5.0), tfe.Variable(10.0)
    assert "W = {}, B = {}".format(W.numpy(), B.numpy()) == "W = 5.0, B = 10.0"
    assert "W, B = %s, %s" % (W.numpy(), B.numpy()) == "W, B = 5.0, 10.0"


# ------------------------------------------------------------------ F10
def test_f10_the_last_reference_frees_the_value(eager):
    with tf.device("/cpu:0"):
        v = tfe.Variable(tf.random_normal([100, 100]))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(v * v)
    v.assign_sub(tape.gradient(y, v))
    refs = [weakref.ref(v), weakref.ref(v._cell)]
    v = tape = None  # v no longer takes up memory
    gc.collect()
    assert [r() for r in refs] == [None, None]
