"""tape.explain and tf.explain(target, source): planted causes, each at its line."""

import linecache

import numpy as np
import pytest

import twinflow as tf

tfe = tf.contrib.eager


def scattered(x):
    table = tf.ones([4, 2]) * x[0]
    return tf.gather(table, [0, 0])


# (name, program on x = [1, 2], cause, text of the line that is named)
CASES = [
    ("stop", lambda x: tf.stop_gradient(x) * 2.0, "stop_gradient", "stop_gradient"),
    ("cast", lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32), "cast", "tf.int32"),
    ("argmax", lambda x: tf.cast(tf.argmax(x), tf.float32), "argmax", "argmax"),
    ("compare", lambda x: tf.cast(x > 1.0, tf.float32), "comparison", "x > 1.0"),
    ("floor", lambda x: tf.floor(x) * x.shape.ndims, "no gradient", "tf.floor"),
    ("relu", lambda x: tf.nn.relu(-x) * 2.0, "dead relu", "tf.nn.relu"),
    ("factor", lambda x: x * tf.zeros([2]), "zero factor", "tf.zeros"),
    ("clip", lambda x: tf.clip_by_value(x, 5.0, 6.0), "clipped", "clip_by_value"),
    ("sqrt", lambda x: tf.sqrt(x - 1.0), "not finite", "tf.sqrt"),
    ("saturated", lambda x: tf.tanh(x * 1e4), "saturated", "tf.tanh"),
    ("rows", lambda x: tf.gather(x, [0, 0]), "rows never read", "tf.gather"),
    ("0 times inf", lambda x: tf.log(x - 1.0) * 0.0, "not finite", "tf.log"),
    ("cancels", lambda x: x * 2.0 - x * 2.0, "cancels", ""),
    ("apart", lambda x: tf.ones([2]) * 3.0, "not connected", ""),
    ("fine", lambda x: x * x, "none", ""),
    ("some rows", scattered, "none", ""),
]


def line_text(found):
    path, _, number = found.line.rpartition(":")
    return linecache.getline(path, int(number)) if path else ""


def check(found, cause, text):
    assert found.cause == cause, str(found)
    assert bool(text) == bool(found.line), str(found)
    assert text in line_text(found)
    assert str(found).startswith(cause)


@pytest.mark.parametrize(("cause", "text", "program"), [
    pytest.param(cause, text, program, id=name) for name, program, cause, text in CASES
])  # fmt: skip
@pytest.mark.parametrize("used", [False, True])
def test_tapes_name_the_cause_and_the_line(eager, program, cause, text, used):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(lines=True) as tape:
        tape.watch(x)
        y = program(x)
    if used:  # explained after the records were used up
        tape.gradient(y, x)
    check(tape.explain(y, x), cause, text)


@pytest.mark.parametrize(("cause", "text", "program"), [
    pytest.param(cause, text, program, id=name) for name, program, cause, text in CASES
])  # fmt: skip
def test_graphs_name_the_cause_and_the_line(graph, program, cause, text):
    x = tf.placeholder(tf.float32, [2])
    y = program(x)
    size = len(tf.get_default_graph().get_operations())
    with tf.Session():
        check(tf.explain(y, x, {x: [1.0, 2.0]}), cause, text)
    assert len(tf.get_default_graph().get_operations()) == size


def test_a_source_that_the_tape_does_not_watch(eager):
    x, w = tf.constant(1.0), tfe.Variable(2.0, trainable=False)
    unused, n = tfe.Variable(1.0), tf.constant(3)
    with tf.GradientTape(lines=True) as tape:
        tape.watch(n)
        y = x * w * 2.0
    assert tape.explain(y, x).cause == "not watched"
    assert tape.explain(y, w).cause == "not trainable"
    assert tape.explain(y, unused).cause == "not used"
    assert tape.explain(y, n).cause == "dtype"


def test_what_the_tape_could_not_see(eager):
    x, v = tf.constant([1.0, 2.0]), tfe.Variable([0.0, 0.0])
    before = x * 2.0
    with tf.GradientTape(lines=True) as tape:
        late = x * 5.0
        tape.watch(x)
        numbers = tf.constant(np.square(x.numpy())) * 2.0
        v.assign(x * 2.0)
        assigned = v * 3.0
        with tape.stop_recording():
            hidden = x * 3.0
    assert tape.explain(before, x).cause == "computed outside"
    assert tape.explain(hidden, x).cause == "computed outside"
    check(tape.explain(numbers, x), "numpy", "np.square(x.numpy())")
    check(tape.explain(assigned, x), "assign", "v.assign(x * 2.0)")
    assert tape.explain(x, x).cause == "the source itself"
    with tf.GradientTape(lines=True) as tape:
        late = x * 5.0
        tape.watch(x)
    check(tape.explain(late, x), "watched too late", "late = x * 5.0")


def test_values_are_read_as_before_once_the_tape_ends(eager):
    plain = vars(type(tf.constant(1.0)))["numpy"]
    with tf.GradientTape(lines=True):
        assert vars(type(tf.constant(1.0)))["numpy"] is not plain
    assert vars(type(tf.constant(1.0)))["numpy"] is plain


def test_a_plain_tape_says_how_to_get_more(eager):
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.stop_gradient(x) * 2.0
    assert "lines=True" in str(tape.explain(y, x))


def test_a_function_is_one_step_of_the_path(eager):
    x = tf.constant([1.0, 2.0])
    function = tf.function(lambda z: tf.nn.relu(-z) * 3.0)
    with tf.GradientTape(lines=True) as tape:
        tape.watch(x)
        y = function(x)
    found = tape.explain(y, x)
    assert found.cause == "zero slope"
    assert [p.type for p in found.path] == ["call of lambda_"]


def test_loops_functions_and_branches_of_graphs_are_looked_into(graph):
    x = tf.placeholder(tf.float32, [2])

    def body(i, a):
        return i + 1, tf.floor(a)

    looped = tf.while_loop(lambda i, a: i < 3, body, (0, x))[1]
    check(tf.explain(looped, x), "no gradient", "tf.floor(a)")
    called = tf.function(lambda z: tf.stop_gradient(z) * 2.0)(x)
    check(tf.explain(called, x), "stop_gradient", "tf.stop_gradient(z)")
    branched = tf.cond(x[0] > 5.0, lambda: x * 2.0, lambda: tf.ones([2]))
    with tf.Session():
        found = tf.explain(branched, x, {x: [1.0, 2.0]})
        check(found, "branch not taken", "tf.cond(x[0] > 5.0")
        assert tf.explain(branched, x, {x: [6.0, 2.0]}).cause == "connected"
    assert tf.explain(branched, x).cause == "connected"  # without a session


def test_sizes_of_tensor_arrays_are_not_what_cuts(graph):
    x = tf.placeholder(tf.float32, [2, 3, 4])
    cell = tf.nn.rnn_cell.LSTMCell(4)
    outputs, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    found = tf.explain(tf.stop_gradient(outputs), tf.trainable_variables()[0])
    check(found, "stop_gradient", "tf.stop_gradient(outputs)")
    rows = tf.TensorArray(tf.float32, 1).write(0, x[0, 0]).stack()
    with tf.Session():
        feeds = {x: np.ones([2, 3, 4])}
        assert tf.explain(rows, x, feeds).cause == "connected"


def test_variables_of_graphs(graph):
    x = tf.placeholder(tf.float32, [2])
    v, w = tf.Variable([1.0, 1.0]), tf.get_variable("w", [2], use_resource=True)
    written = tf.assign(v, x)
    with tf.control_dependencies([written]):
        y = v.read_value() * 2.0
    check(tf.explain(y, x), "assign", "tf.assign(v, x)")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for variable in (v, w):
            dead = tf.nn.relu(variable * 0.0 - 1.0)
            found = tf.explain(dead, variable, session=session)
            check(found, "dead relu", "tf.nn.relu")


def test_mistaken_calls_say_what_is_expected(eager):
    with pytest.raises(TypeError, match=r"tape\.explain"):
        tf.explain(tf.constant(1.0), tf.constant(2.0))
    with pytest.raises(TypeError, match="Expected a tensor"):
        tf.explain(3)
