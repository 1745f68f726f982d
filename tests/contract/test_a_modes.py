"""Contract A: modes, imports and enabling."""

import importlib
import types

import pytest

import twinflow as tf
import twinflow.contrib.eager as tfe
from tests.contract.programs import process
from tests.modes import both

STARTUP = "ValueError: tf.enable_eager_execution must be called at program startup."


# ------------------------------------------------------------------ A01, A03, A04
SCRIPT = """
from __future__ import absolute_import, division, print_function

import tensorflow as tf
import tensorflow.contrib.eager as tfe
from tensorflow.python.ops.resource_variable_ops import ResourceVariable

tf.enable_eager_execution()
print(tf.__name__, ResourceVariable is tfe.Variable, tfe is tf.contrib.eager)
print(tf.matmul([[2.]], [[2.]]), 3 / 2)
"""


def test_a01_a03_a04_scripts_import_tensorflow(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    found = process(
        f"""
        import sys
        from twinflow.cli.main import main
        sys.exit(main(["run", {str(path)!r}]))
        """
    ).splitlines()
    assert found[0].endswith("True True")
    assert found[1] == "tf.Tensor([[4.]], shape=(1, 1), dtype=float32) 1.5"


# ------------------------------------------------------------------ A02
def test_a02_the_eager_module_by_import_and_by_attribute():
    assert tf.contrib.eager is tfe
    assert importlib.import_module("twinflow.contrib.eager") is tfe
    assert isinstance(tfe, types.ModuleType)


# ------------------------------------------------------------------ A05-A07
GUIDE = """
    from __future__ import absolute_import, division, print_function
    import twinflow as tf
    import twinflow.contrib.eager as tfe
    print(tf.executing_eagerly())
    {enabler}.enable_eager_execution()
    print(tf.executing_eagerly())
    x = [[2.]]
    m = tf.matmul(x, x)
    print("hello, {{}}".format(m))
    tf.enable_eager_execution()
    tfe.enable_eager_execution()
    with tf.Graph().as_default():
        print(tf.executing_eagerly(), tf.constant(1.))
    print(tf.executing_eagerly(), tf.constant(1.))
    tf.keras.backend.clear_session()
    print(tf.executing_eagerly())
"""


@pytest.mark.parametrize("enabler", ["tf", "tfe"])
def test_a05_a07_enabling_lasts_and_a_second_call_does_nothing(enabler):
    found = process(GUIDE.format(enabler=enabler))
    assert found.splitlines() == [
        "False",
        "True",
        "hello, [[4.]]",
        'False Tensor("Const:0", shape=(), dtype=float32)',
        "True tf.Tensor(1.0, shape=(), dtype=float32)",
        "True",
    ]


def test_a06_enabling_late_is_refused():
    late = """
        import twinflow as tf
        tf.constant(1.)
        {enabler}.enable_eager_execution()
    """
    assert process(late.format(enabler="tf")) == STARTUP


def test_a06_the_text_in_this_process(graph):
    for module in (tf, tfe):
        with pytest.raises(ValueError) as raised:
            module.enable_eager_execution()
        assert f"ValueError: {raised.value}" == STARTUP


# ------------------------------------------------------------------ A08-A10
def test_a08_executing_eagerly_tells_the_mode(eager):
    assert tf.executing_eagerly() is True and tfe.executing_eagerly() is True
    with tf.Graph().as_default():
        assert tf.executing_eagerly() is False and tfe.executing_eagerly() is False
    assert tf.executing_eagerly() is True


def test_a09_executing_eagerly_does_not_enable():
    with tf.Graph().as_default():
        assert tf.executing_eagerly() is False
        assert tf.executing_eagerly() is False
        assert isinstance(tf.constant(1.0), tf.Tensor)
        assert not hasattr(tf.constant(1.0), "numpy")


def test_a10_graphs_are_the_default():
    x = tf.placeholder(tf.float32, shape=[1, 1])
    m = tf.matmul(x, x)
    assert not tf.executing_eagerly() and m.graph is tf.get_default_graph()
    with tf.Session() as sess:
        assert sess.run(m, feed_dict={x: [[2.0]]}).tolist() == [[4.0]]
    tf.reset_default_graph()


@both
def test_a10_the_same_code_in_both_modes(run):
    def build():
        x = tf.constant([[1.0, 2.0]])
        w = tfe.Variable([[3.0], [4.0]])
        return tf.matmul(x, w) + 1.0

    assert run(build).tolist() == [[12.0]]


# ------------------------------------------------------------------ A11, A13
REFUSED = [
    (
        lambda: tf.placeholder(tf.float32),
        "tf.placeholder() is not compatible with eager execution.",
    ),
    (
        lambda: tf.gradients(tf.constant(1.0), tf.constant(1.0)),
        "tf.gradients is not supported when eager execution is enabled. "
        "Use tf.GradientTape instead.",
    ),
    (
        lambda: tf.FIFOQueue(3, tf.float32),
        "Queues are not compatible with eager execution.",
    ),
    (
        lambda: tf.data.Dataset.range(2).make_initializable_iterator(),
        "dataset.make_initializable_iterator is not supported when eager execution is "
        "enabled.",
    ),
    (
        lambda: tf.Session(graph=tf.Graph()).run(tf.constant(1.0)),
        "The Session graph is empty.  Add operations to the graph before calling "
        "run().",
    ),
    (
        lambda: tf.train.GradientDescentOptimizer(0.1).minimize(tf.constant(1.0)),
        "`loss` passed to Optimizer.compute_gradients should be a function when eager "
        "execution is enabled.",
    ),
]


@pytest.mark.parametrize(("call", "text"), REFUSED)
def test_a11_a13_what_eager_execution_refuses_it_says_clearly(eager, call, text):
    with pytest.raises(RuntimeError) as raised:
        call()
    assert str(raised.value) == text


# ------------------------------------------------------------------ A12
def _use_of_tfe():
    v = tfe.Variable(3.0)
    f = tfe.defun(lambda x: x * v)
    with tfe.GradientTape() as tape:
        y = f(2.0)
    slopes = tfe.gradients_function(lambda x: x * x)(3.0)
    (pair,) = tfe.implicit_gradients(lambda: v * v)()
    container = tfe.EagerVariableStore()
    with container.as_default():
        w = tf.get_variable("w", initializer=5.0)
    twice = tfe.make_template("twice", lambda x: 2.0 * x)
    outside = tfe.py_func(lambda x: x + 1.0, [y], tf.float32)
    doubled = twice(tf.constant(4.0))
    return y, tape.gradient(y, v), slopes[0], pair[0], w, doubled, outside


@both
def test_a12_the_symbols_of_tfe_work_in_both_modes(run):
    found = [float(x) for x in run(_use_of_tfe)]
    assert found == [6.0, 2.0, 6.0, 6.0, 5.0, 8.0, 7.0]
    assert tfe.num_gpus() >= 0 and tfe.list_devices()


# ------------------------------------------------------------------ A14
def test_a14_initializers_and_collections_are_empty_in_eager_mode(eager):
    tfe.Variable(1.0)
    assert tf.global_variables_initializer() is None
    assert tf.local_variables_initializer() is None
    assert tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES) == []
    assert tf.global_variables() == [] and tf.trainable_variables() == []


# ------------------------------------------------------------------ A15
def test_a15_graphs_inside_an_eager_program(eager):
    with tf.Graph().as_default() as graph:
        assert not tf.executing_eagerly() and tf.get_default_graph() is graph
        x = tf.placeholder(tf.float32, [])
        v = tf.get_variable("v", initializer=3.0)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            assert sess.run(x * v, {x: 2.0}) == 6.0
    assert tf.executing_eagerly()
    assert tf.constant(2.0).numpy() == 2.0
