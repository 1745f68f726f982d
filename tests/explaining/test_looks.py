"""tf.explain of tensors, functions and graphs, and checks of every number."""

import linecache

import numpy as np
import pytest

import twinflow as tf

tfe = tf.contrib.eager
SEEN = []


def test_where_a_tensor_of_a_graph_comes_from(graph):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.nn.relu(x * 2.0, name="y")
    text = str(tf.explain(y))
    first, second, third = text.splitlines()
    assert "y = Relu: float32[?, 3]" in first
    assert "tf.nn.relu(x * 2.0" in first
    assert second.startswith("  mul = Mul")
    assert third.startswith("    x = Placeholder")


def test_where_an_eager_tensor_comes_from(eager):
    x = tf.constant(4.0)
    assert "lines=True" in str(tf.explain(x))
    with tf.GradientTape(lines=True):
        text = str(tf.explain(tf.sqrt(x) * 2.0))
    assert text.index("Mul") < text.index("  Sqrt")


def traced(x, k):
    SEEN.append(k)
    print("traced")
    noise = np.random.rand()
    own = []
    own.append(noise)
    return tf.as_string(x * k * own[0])


def test_what_is_known_of_a_function(eager, capsys):
    weight, constant = tfe.Variable([1.0, 2.0]), tf.constant([3.0, 4.0])
    function = tf.function(lambda x, k: traced(x * weight + constant, k))
    function.python_function = traced
    function(tf.ones([2]), 1)
    function(tf.ones([2]), 2)
    report = function.explain(tf.ones([2]), 2)
    assert [why for _, why in report.traces] == ["the first call", "k: 1 became 2"]
    lines = [linecache.getline(p.rpartition(":")[0], int(p.rpartition(":")[2]))
             for p, _ in report.once]  # fmt: skip
    assert [line.split("(")[0].strip() for line in lines] == [
        "SEEN.append", "noise = np.random.rand"
    ]  # fmt: skip
    *shown, (name, line, seconds) = report.host
    # AutoGraph prints in each call.
    assert [op for op, *_ in shown] == ["StringJoin (StringJoin)", "PrintV2 (PrintV2)"]
    assert name == "AsString (AsString)"
    assert "tf.as_string" in line
    assert seconds > 0
    assert "on the host" in str(report)


def test_what_prints_once(eager):
    function = tfe.defun(traced)
    function(tf.ones([2]), 1)
    assert "print" in [what.split("s ")[0] for _, what in function.explain().once]


def test_what_a_function_holds(eager):
    weight, constant = tfe.Variable([1.0, 2.0], name="w"), tf.constant([3.0, 4.0])
    function = tf.function(lambda x: x * weight + constant)
    function(tf.ones([2]))
    (w, w_line), (c, c_line) = function.explain().captures
    assert "'w:0'" in w
    assert "float32[2]" in c
    assert "x * weight + constant" in w_line
    assert "x * weight + constant" in c_line


def test_a_look_at_a_whole_graph(graph):
    x = tf.placeholder(tf.float32, [4, 3])
    tf.placeholder(tf.float32, name="never")
    kernel = tf.get_variable("kernel", [3, 2])
    tf.get_variable("dead", [3])
    cut = tf.get_variable("cut", [2])
    h = tf.layers.batch_normalization(x @ kernel, training=True)
    h = tf.cond(tf.constant(True), lambda: h + tf.stop_gradient(cut), lambda: h)
    loss = tf.reduce_mean(h * h)
    step = tf.train.GradientDescentOptimizer(0.1)
    train = step.minimize(loss, var_list=[kernel])
    found = {(f.kind, f.name) for f in tf.explain(x.graph, [train, loss]).findings}
    norm = "batch_normalization/AssignMovingAvg"
    assert found == {
        ("unused variable", "dead"), ("unused placeholder", "never"),
        ("dead branch", "cond/cond"), ("no gradient", "dead"), ("no gradient", "cut"),
        ("update never runs", norm), ("update never runs", f"{norm}_1"),
    }  # fmt: skip
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = step.minimize(loss, var_list=[kernel])
    kinds = {f.kind for f in tf.explain(x.graph, [train, loss]).findings}
    assert "update never runs" not in kinds


def test_a_sound_graph_has_no_findings(graph):
    x = tf.placeholder(tf.float32, [4, 3])
    loss = tf.losses.mean_squared_error(tf.zeros([4, 2]), tf.layers.dense(x, 2))
    train = tf.train.AdamOptimizer().minimize(loss)
    tf.train.Saver()
    tf.global_variables_initializer()
    report = tf.explain(x.graph, [train, loss])
    assert report.findings == [], str(report)


def bad_number(message):
    return pytest.raises(tf.errors.InvalidArgumentError, match=message)


def test_the_first_bad_number_of_eager_calls_and_gradients(eager):
    x = tf.constant([0.0, -1.0])
    words = (
        r"Log .Log. at .*test_looks.*tf\.log\(x\).* gives 1 NaN, 0 inf and 1 -inf "
        "among 2 numbers.* it begins here"
    )
    with tf.check_numerics_everywhere(), bad_number(words):
        tf.exp(tf.log(x))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sqrt(tf.nn.relu(x))
    with tf.check_numerics_everywhere(), bad_number("SqrtGrad.* gives .* 2 inf"):
        tape.gradient(y, x)
    assert np.isinf(tf.log(x).numpy()).any()  # and nothing is looked at afterwards


def test_the_first_bad_number_of_graphs(graph):
    x = tf.placeholder(tf.float32, [])

    def body(i, a):
        return i + 1, tf.log(a - 1.0)

    looped = tf.while_loop(lambda i, a: i < 3, body, (0, x))[1]
    called = tf.function(lambda z: 1.0 / z)(x)
    with tf.Session() as session, tf.check_numerics_everywhere():
        with bad_number(r"Log 'while/Log'.*tf\.log\(a - 1\.0\) in loop .*\[1\] gives"):
            session.run(looped, {x: 3.0})
        with bad_number("RealDiv.* gives 0 NaN, 1 inf"):
            session.run(called, {x: 0.0})
        assert session.run(called, {x: 2.0}) == 0.5


def test_checks_are_switched_on_and_off(eager):
    tf.debugging.enable_check_numerics()
    try:
        with bad_number("Log"):
            tf.log(0.0)
    finally:
        tf.debugging.disable_check_numerics()
    assert np.isneginf(tf.log(0.0).numpy())
