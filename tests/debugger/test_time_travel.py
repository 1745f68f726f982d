"""Going back to an earlier op, with another value, and on from there."""

import contextlib
import io
import textwrap

import pytest

import twinflow as tf
from tests.support.terminal import in_terminal
from twinflow.base.watching import Watcher, watched_by


def debugged(run, *commands, breaks=()):
    """What `run` gives, and what the prompt wrote for these commands."""
    shown = io.StringIO()
    lines = io.StringIO("\n".join([*commands, "c", "c", "c", ""]))
    with tf.debugger.debug(breaks, stdin=lines, stdout=shown):
        found = run()
    return found, shown.getvalue()


def graph_of(make):
    """A session and what `make` gives, in a graph of its own."""
    graph = tf.Graph()
    with graph.as_default():
        fetches = make()
        first = tf.global_variables_initializer()
    session = tf.Session(graph=graph)
    session.run(first)
    return session, fetches


def chain():
    x = tf.constant([1.0, 2.0])
    a = tf.add(x, 1.0, name="a")
    b = tf.multiply(a, 10.0, name="b")
    return tf.subtract(b, 1.0, name="c")


@pytest.mark.parametrize(("steps", "set_to", "wanted"), [
    ((), "0", [0.0, 0.0]),
    (("back",), "[1, 2]", [0.0, 1.0]),
    (("back 2",), "out * 0 + 1", [9.0, 9.0]),
    (("back 2", "forward"), "3", [2.0, 2.0]),
])  # fmt: skip
def test_another_value(steps, set_to, wanted):
    session, c = graph_of(chain)
    run = lambda: session.run(c).tolist()
    assert run() == [19.0, 29.0]
    found, _ = debugged(run, *steps, f"set {set_to}", breaks=["name c"])
    assert found == wanted
    assert run() == [19.0, 29.0]


def with_effects(calls):
    """Python, a variable and a queue, in this order, and then `late`."""

    def make():
        v = tf.Variable(1.0, use_resource=True)
        queue = tf.FIFOQueue(9, [tf.float32], [[]])
        a = tf.add(tf.random_uniform([], seed=3), 1.0, name="a")
        seen = tf.py_func(lambda x: calls.append(float(x)) or x, [a], tf.float32)
        with tf.control_dependencies([seen, queue.enqueue(7.0)]):
            grown = v.assign_add(seen)
        with tf.control_dependencies([grown]):
            late = tf.add(seen, 0.0, name="late")
        with tf.control_dependencies([late]):
            return [a, late, grown, queue.size()]

    return make


def test_nothing_happens_twice():
    plain, calls = [], []
    session, fetches = graph_of(with_effects(plain))
    wanted = [session.run(fetches) for _ in range(2)]
    session, fetches = graph_of(with_effects(calls))
    run = lambda: session.run(fetches)
    again, shown = debugged(run, *["back"] * 9, "set out", breaks=["name late"])
    assert "RandomUniform" in shown
    assert again == wanted[0]
    assert calls == plain[:1]
    assert run() == wanted[1]


def test_python_runs_again_for_other_inputs():
    calls = []
    session, fetches = graph_of(with_effects(calls))
    run = lambda: session.run(fetches)
    steps = ["back 5", "t a", "set 5"]
    found, shown = debugged(run, "journal", *steps, breaks=["name late"])
    assert found[0] == found[1] == 5.0, shown
    assert found[2:] == [6.0, 1]
    assert calls[1:] == [5.0]


PROGRAM = '''
    import numpy as np
    import twinflow as tf

    tf.get_variable_scope().set_initializer(tf.constant_initializer(0.1))
    x = tf.placeholder(tf.float32, [2, 3, 4])
    cell = tf.nn.rnn_cell.BasicLSTMCell(5)
    out, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    loss = tf.reduce_sum(tf.square(out))
    slope = tf.gradients(loss, tf.trainable_variables()[0])[0]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        print("sum %.6f" % np.abs(sess.run(slope, {x: np.ones([2, 3, 4])})).sum())
'''  # fmt: skip


class Zeroed(Watcher):
    """Multiplies what an op gives in an iteration by 0."""

    def __init__(self, name):
        self.name = name

    def ended(self, run):
        if run.name == self.name and run.path[-1].trip == 1:
            run.outputs = [run.outputs[0] * 0]


def test_a_session_in_a_terminal(tmp_path, capsys):
    """Stop on the way back of an LSTM, step back two ops, change one, go on."""
    condition = "trip == 1 and op == 'TanhGrad'"
    commands = ["b 7", f"b grad 7, {condition}", "disable 1", "c", "where", "back 2"]
    (tmp_path / "lstm.py").write_text(textwrap.dedent(PROGRAM).lstrip())
    commands += ["set out * 0", "disable 2", "c", "q"]
    shown, _ = in_terminal(tmp_path, ["debug", "lstm.py"], commands)
    name = shown.rpartition("back 2")[2].split("'")[1]
    assert "_grad[1]" in shown
    assert "gradient of lstm.py:7" in shown
    program = compile(textwrap.dedent(PROGRAM).lstrip(), "lstm.py", "exec")
    sums = []
    for around in (contextlib.nullcontext(), watched_by(Zeroed(name))):
        with around, tf.Graph().as_default():
            exec(program, {})
        sums.append(capsys.readouterr().out)
    assert sums[0] != sums[1]
    assert sums[1] in shown, shown
