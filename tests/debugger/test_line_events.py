"""Ops of graphs stop debuggers of Python at their lines: bdb, and VS Code's by DAP."""

import bdb
import importlib.util
import itertools
import json
import os
import socket
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import twinflow as tf
from tests.source_tree import ROOT


class Stops(bdb.Bdb):
    """A debugger that only knows breakpoints at lines."""

    def __init__(self, change=None):
        super().__init__()
        self.seen, self.change = [], change

    def user_line(self, frame):
        if self.get_break(self.canonic(frame.f_code.co_filename), frame.f_lineno):
            known = frame.f_locals
            self.seen.append((known.get("op"), known.get("trip"), known.get("out")))
            if self.change is not None and "op" in known:
                frame.f_locals["out"] = self.change
        self.set_continue_to_breaks()

    def set_continue_to_breaks(self):
        self._set_stopinfo(self.botframe, None, -1)


def stopped(run, line, change=None):
    debugger = Stops(change)
    debugger.set_break(__file__, line)
    try:
        with tf.debugger.lines():
            found = debugger.runcall(run)
    finally:
        debugger.clear_all_breaks()
    return found, [s for s in debugger.seen if s[0]]


def here():
    return sys._getframe(1).f_lineno


def test_a_loop_stops_in_each_iteration():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant([1.0, 2.0])
        body = lambda i, v: (i + 1, v * 2.0)
        line = here() - 1
        y = tf.while_loop(lambda i, v: i < 3, body, [0, x])[1]
        found, stops = stopped(lambda: sess.run(y), line)
    assert found.tolist() == [8.0, 16.0]
    products = [(trip, out.tolist()) for op, trip, out in stops if op == "Mul"]
    assert products == [(0, [2.0, 4.0]), (1, [4.0, 8.0]), (2, [8.0, 16.0])]


def test_a_function_stops_and_takes_another_value(eager):
    @tf.contrib.eager.defun
    def f(x):
        y = x * 3.0
        return y + 1.0

    line = f.python_function.__code__.co_firstlineno + 2
    x = tf.constant([1.0, 2.0])
    assert f(x).numpy().tolist() == [4.0, 7.0]
    found, stops = stopped(lambda: f(x), line, change=[10.0, 20.0])
    assert [s[0] for s in stops] == ["Mul"]
    assert found.numpy().tolist() == [11.0, 21.0]
    assert f(x).numpy().tolist() == [4.0, 7.0]


def test_gradients_stop_at_the_line_of_the_gradient():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(3.0)
        slope = tf.gradients(x * x * x, x)[0]
        line = here() - 1
        found, stops = stopped(lambda: sess.run(slope), line)
    assert found == 27.0
    assert [s[0] for s in stops].count("Mul") >= 2


def test_without_the_block_nothing_runs_twice():
    with tf.Graph().as_default(), tf.Session() as sess:
        y = tf.constant(1.0) + 1.0
        line = here() - 1
        debugger = Stops()
        debugger.set_break(__file__, line)
        assert debugger.runcall(lambda: sess.run(y)) == 2.0
        debugger.clear_all_breaks()
    assert debugger.seen == []


def test_a_value_that_does_not_fit_is_refused():
    with tf.Graph().as_default(), tf.Session() as sess:
        y = tf.constant([1.0, 2.0]) + 1.0
        line = here() - 1
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"float32\[2\], and got"
        ):
            stopped(lambda: sess.run(y), line, change=np.ones([3]))


# ---------------------------------------------------------------------- VS Code
PROGRAM = """
    import twinflow as tf

    x = tf.placeholder(tf.float32, [2])
    a = x * 3.0
    b = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v + 1.0), [0, a])[1]
    with tf.Session() as sess, tf.debugger.lines():
        print("result", sess.run(b, {x: [1.0, 2.0]}).tolist())
"""


class Client:
    """As much of the Debug Adapter Protocol as a test needs."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.file = self.socket.makefile("rb")
        self.numbers, self.events = itertools.count(1), []

    def close(self):
        self.file.close()
        self.socket.close()

    def send(self, command, **arguments):
        seq = next(self.numbers)
        told = dict(seq=seq, type="request", command=command, arguments=arguments)
        body = json.dumps(told).encode()
        self.socket.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        return seq

    def message(self):
        length = None
        while line := self.file.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        assert length, "the adapter is gone"
        return json.loads(self.file.read(length))

    def reply(self, seq):
        while True:
            message = self.message()
            if message["type"] == "response" and message["request_seq"] == seq:
                assert message["success"], message
                return message.get("body")
            self.events.append(message)

    def ask(self, command, **arguments):
        return self.reply(self.send(command, **arguments))

    def event(self, name):
        while True:
            for message in self.events:
                if message.get("event") == name:
                    self.events.remove(message)
                    return message.get("body")
            self.events.append(self.message())


def listening(file, output):
    """A process under debugpy, and the number of its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-Xfrozen_modules=off", "-m", "debugpy", "--listen"]
    command += [f"127.0.0.1:{port}", "--wait-for-client", str(file)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path[1:]])}
    done = subprocess.Popen(
        command, env=env, stdout=output, stderr=subprocess.DEVNULL, text=True
    )  # a file: the adapter keeps it open
    return done, port


def connected(port):
    for _ in range(200):
        try:
            return Client(port)
        except ConnectionRefusedError:
            threading.Event().wait(0.05)
    raise AssertionError("debugpy did not listen")


@pytest.mark.skipif(
    importlib.util.find_spec("debugpy") is None,
    reason="debugpy is not installed: pip install twinflow[vscode]",
)
def test_vs_code_stops_in_the_run(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(textwrap.dedent(PROGRAM))
    with (tmp_path / "output").open("w") as output:
        process, port = listening(file, output)
    client = connected(port)
    try:
        client.ask("initialize", adapterID="test", pathFormat="path")
        attached = client.send("attach", justMyCode=True)
        client.event("initialized")
        breaks = [{"line": 5}, {"line": 6, "condition": "trip == 1 and op == 'Add'"}]
        client.ask("setBreakpoints", source={"path": str(file)}, breakpoints=breaks)
        client.ask("configurationDone")
        client.reply(attached)
        seen = []
        for _ in range(4):
            seen.append(told(client, "7." if len(seen) == 3 else None))
        client.event("terminated")
        client.send("disconnect")
        client.close()
        process.wait(30)
    finally:
        client.close()
        process.kill()
        process.wait()
    assert (tmp_path / "output").read_text() == "result [8.0, 8.0]\n"
    names, lines, outs = zip(*seen, strict=True)
    assert names == ("<module>", "Mul 'mul'", "Add 'while/add'", "Add 'while/add_1'")
    assert lines == (5, 5, 6, 6)
    assert outs[1:] == (
        "array([3., 6.], dtype=float32)", "np.int32(2)",
        "array([5., 8.], dtype=float32)",
    )  # fmt: skip


def told(client, value):
    """(the name of the frame, its line, `out`) at the next stop, which gets a value."""
    thread = client.event("stopped")["threadId"]
    frame = client.ask("stackTrace", threadId=thread)["stackFrames"][0]
    scope = client.ask("scopes", frameId=frame["id"])["scopes"][0]
    place = scope["variablesReference"]
    listed = client.ask("variables", variablesReference=place)["variables"]
    if value is not None:
        new = f"out * 0 + {value}"
        client.ask("setVariable", variablesReference=place, name="out", value=new)
    client.ask("continue", threadId=thread)
    out = next((v["value"] for v in listed if v["name"] == "out"), None)
    return frame["name"], frame["line"], out
