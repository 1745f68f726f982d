"""Where the prompt opens, in graphs, functions, loops, maps, gradients, and Python."""

import bdb
import io
import re
import sys

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import watching
from twinflow.debugger import control, values
from twinflow.debugger.plots import plot

HERE = "test_stops.py"


def stops(run, breaks, *commands, caught=()):
    """What the prompt writes while `run` runs; each stop takes the commands, then c."""
    shown, lines = io.StringIO(), io.StringIO("\n".join([*commands, *["c"] * 99, ""]))
    with tf.debugger.debug(breaks, stdin=lines, stdout=shown):
        try:
            run()
        except caught:
            pass
    return shown.getvalue()


def heads(text):
    """(op type, name) of each stop."""
    return re.findall(r"> .*\(\d+\)(\w+)(?: '([^']*)')?", text)


def line_of(text):
    """The line of this file that ends with a text."""
    with open(__file__, encoding="utf-8") as file:
        return next(i for i, t in enumerate(file, 1) if t.rstrip().endswith(text))


def body(i, s):
    s = tf.cond(tf.equal(i, 1), lambda: s * 3.0, lambda: s + 1.0)  # branch
    return i + 1, twice(s)


@tf.contrib.eager.defun
def twice(a):
    return tf.multiply(a, 2.0, name="doubled")  # inner


def loop():
    x = tf.placeholder_with_default([1.0, 2.0], [2], name="x")
    return tf.while_loop(lambda i, s: i < 3, body, [0, x])[1]  # loop


@pytest.fixture(scope="module")
def in_graph():
    """(a function that runs the loop and its gradient in a session)"""
    with tf.Graph().as_default() as graph:
        x = tf.constant([1.0, 2.0], name="x")
        y = tf.while_loop(lambda i, s: i < 3, body, [0, x])[1]
        slope = tf.gradients(y, x)[0]
    session = tf.Session(graph=graph)
    return lambda: session.run([y, slope])


def test_lines_stop_once_an_iteration(in_graph):
    shown = stops(in_graph, [f"{__file__}:{line_of('# inner')}"])
    assert [t for t, _ in heads(shown)].count("Mul") == 3
    assert all(f"[{i}] > function" in shown for i in range(3))


def test_conditions_on_iterations_and_values(in_graph):
    shown = stops(in_graph, ["name doubled, trip == 1 and out.max() > 5"])
    assert heads(shown) == [("Mul", "doubled")]
    assert "[1] > function" in shown
    assert stops(in_graph, ["name doubled, out.max() > 99"]) == ""


def test_temporary_and_ignored(in_graph):
    shown = stops(in_graph, ["name doubled"], "ignore 1 1", "b")
    assert len(heads(shown)) == 2
    assert "ignore next 1 hits" in shown


def test_gradients_of_lines(in_graph):
    shown = stops(in_graph, [f"grad {__file__}:{line_of('# inner')}"])
    assert len(heads(shown)) == 3
    assert f"gradient of {HERE}:{line_of('# inner')}" in shown
    assert "_gradient" in shown


def test_gradients_of_lines_in_eager_mode(eager):
    x = tf.constant([1.0, 2.0])

    def run():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sin(x) * x  # eager
        return tape.gradient(y, x)

    shown = stops(run, [f"grad {__file__}:{line_of('# eager')}"])
    assert len(heads(shown)) == 1
    plain = run().numpy()
    np.testing.assert_array_equal(run().numpy(), plain)


def test_steps(in_graph):
    """Into the loop, over its ops, out of it again."""
    steps = ["s", "n", "n", "return"]
    shown = stops(in_graph, ["op While"], "where", *steps)
    assert shown.startswith("--Enter--")
    found = heads(shown)
    assert found[0][0] == "While"
    assert "--Leave--" in shown
    names = [t for t, _ in found]
    assert names.index("Less") < names.index("Equal")
    over = stops(in_graph, ["op While"], "n")
    assert "--Leave--" in over


def test_maps_of_data():
    with tf.Graph().as_default() as graph:
        data = tf.data.Dataset.range(4).map(lambda i: i * i)  # map
        out = data.make_one_shot_iterator().get_next()
    session = tf.Session(graph=graph)
    run = lambda: [session.run(out) for _ in range(4)]
    shown = stops(run, [f"{__file__}:{line_of('# map')}"])
    assert heads(shown).count(("Mul", "mul")) == 4


def test_the_first_bad_number():
    with tf.Graph().as_default() as graph:
        x = tf.constant([1.0, 0.0])
        y = tf.log(x, name="log") * 2.0 + 1.0
    shown = stops(lambda: tf.Session(graph=graph).run(y), ["nan"])
    assert heads(shown) == [("Log", "log")]
    assert "1 inf" in shown


def test_a_failed_op_may_be_mended():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.int32, [None], name="x")
        y = tf.gather([1.0, 2.0], x, name="row") * 3.0
    found = []
    run = lambda: found.append(tf.Session(graph=graph).run(y, {x: [7]}))
    shown = stops(run, [], "inputs", "set [5.0]")
    assert "--Failed-- InvalidArgumentError" in shown or "--Failed--" in shown
    assert found[0].tolist() == [15.0]


def test_watched_values(in_graph):
    shown = stops(in_graph, ["when name == 'nobody'"])
    assert shown == ""
    with tf.Graph().as_default() as graph:
        v = tf.Variable(1.0, name="v", use_resource=True)
        add = v.assign_add(1.0)
    session = tf.Session(graph=graph)
    session.run(v.initializer)
    lines = io.StringIO("watch v\nc\n" + "c\n" * 9)
    shown = io.StringIO()
    with tf.debugger.debug(["op AssignAdd*"], stdin=lines, stdout=shown):
        for _ in range(3):
            session.run(add)
    assert shown.getvalue().count("> ") >= 3


def test_marks_in_traced_code():
    def step(i, s):
        s = s + 1.0
        tf.debugger.breakpoint()
        return i + 1, s * 2.0

    shown, lines = io.StringIO(), io.StringIO("p trip\nc\n" * 9)
    with tf.debugger.debug(stdin=lines, stdout=shown):
        with tf.Graph().as_default() as graph:
            y = tf.while_loop(lambda i, s: i < 2, step, [0, 1.0])[1]
            names = [n.name for n in graph.nodes]
        assert tf.Session(graph=graph).run(y) == 10.0
    assert len(heads(shown.getvalue())) == 2
    assert not [n for n in names if "breakpoint" in n.lower()]


LOOKS = {
    "inputs": "inputs[0] x", "outputs": "outputs[0]: float32[2]", "stats": "#",
    "consumers": "Sub 'c'", "origin": "made at", "journal": "MB of arrays",
    "p out": "float32[2] min 20 max 30", "p inputs[1] + 1": "float32[] 11",
    "tensor a:0": "a:0", "t nothing": "no op of that name", "args": "y:",
    "display out.sum()": "display out.sum(): float32[] 50", "back 99": "nothing before",
    "set out[0]": "20", "set [1, 2, 3]": "***", "set 'x'": "***", "p nope": "NameError",
    "list": "def chain", "help break": "grad [file:]LINE", "!x = out + 1": "(tf)",
    "errors off": "off", "break op": "***", "break grad x": "***", "watch": "***",
}  # fmt: skip


def chain():
    a = tf.add(tf.constant([1.0, 2.0]), 1.0, name="a")
    return tf.subtract(tf.multiply(a, 10.0, name="b"), 1.0, name="c")


def test_what_the_prompt_shows():
    with tf.Graph().as_default() as graph:
        c = chain()
    session = tf.Session(graph=graph)
    for command, wanted in LOOKS.items():
        shown = stops(lambda: session.run(c), ["name b"], command)
        assert wanted in shown, (command, shown)


def test_python_and_ops_share_the_prompt():
    """From an op, `next` goes on in the lines of Python."""
    with tf.Graph().as_default() as graph:
        c = chain()
    session = tf.Session(graph=graph)

    def run():
        found = session.run(c)  # here
        return found + 1  # and there

    tracer = sys.gettrace()
    shown = stops(run, ["name c"], "n", "p found")
    sys.settrace(tracer)
    assert f"({line_of('# and there')})run()" in shown
    assert "float32[2] min 19" in shown


def test_off_it_leaves_nothing():
    with pytest.raises(ValueError, match="no breakpoint"), tf.debugger.debug(["op"]):
        pass
    assert not watching.WATCHERS
    assert control.active() is None
    assert not any(bdb.Breakpoint.bpbynumber)


@pytest.mark.parametrize(("value", "text"), [
    (np.array([1, np.nan, -np.inf]), "float64[3] min 1 max 1 mean 1 std 0 1 nan 1 inf"),
    (np.array([], "f"), "float32[0] empty"),
    (np.array([True, False]), "bool[2] 1 of 2 true"),
    (np.array([b"a"], object), "string[1] ['a']"),
    (np.int32(3), "int32[] 3"),
    ([np.int32(3), None], "[int32[] 3, None]"),
    (np.array([1j, 2]), "complex128[2] mean 1+0.5j std 1.11803"),
])  # fmt: skip
def test_values_in_short(value, text):
    assert values.short(value).replace("b'a'", "'a'") == text


def test_plots(tmp_path):
    file = tmp_path / "a.png"
    assert plot(np.eye(4), str(file)) == f"image in {file}"
    assert file.read_bytes().startswith(b"\x89PNG")
    assert plot(np.arange(9.0), str(file)).startswith("histogram")
    with pytest.raises(ValueError, match="no picture"):
        plot(np.array(["a"], object))
