"""Debugged sessions, a person's part played through a pseudo-terminal."""

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from twinflow.compat.door import resolve
from twinflow.tfdbg.dumps.dump_dir import DebugDumpDir
from twinflow.tfdbg.sessions.dumping import DumpingDebugWrapperSession
from twinflow.tfdbg.sessions.hooks import DumpingDebugHook
from twinflow.tfdbg.sessions.local_cli import LocalCLIDebugWrapperSession
from twinflow.tfdbg.sessions.requests import OnRunStartAction, OnRunStartResponse
from twinflow.tfdbg.sessions.stepper import NodeStepper

PROGRAM = """
import sys
import twinflow as tf
import twinflow.compat.tensorflow
from tensorflow.python import debug as tf_debug

x = tf.placeholder(tf.float32, [], name="x")
y = tf.log(x, name="y")
z = tf.multiply(y, 2.0, name="z")
sess = tf_debug.LocalCLIDebugWrapperSession(tf.Session(), ui_type=sys.argv[1])
for i in range(6):
    print("RESULT", i, sess.run(z, {x: 3.0 - i}))
"""
TALK = {  # (what a person types, what he sees then)
    "readline": [
        ("run", "3 dumped tensor(s)"),
        ("lt -s tensor_name", "Log"),
        ("pt y", "1.0986123"),
        ("ni -t z", "z = tf.multiply(y, 2.0"),
        ("pf x:0", "3.0"),
        ("run -f has_inf_or_nan", "run-end: run #4"),
        ("pt z:0", "array(-inf"),
        ("exit", "calling sys.exit(1)"),
    ],
    "curses": [
        ("run", "dumped tensor(s)"),
        ("pt y", "1.0986123"),
        ("run -f has_inf_or_nan", "passing filter"),
        ("exit", "alling sys.exit(1)"),
    ],
}


def talk(ui, folder):
    """Everything that the terminal shows while a person has a TALK."""
    script = folder / "program.py"
    script.write_text(PROGRAM)
    leader, follower = pty.openpty()
    env = dict(os.environ, HOME=str(folder), TERM="xterm", COLUMNS="100", LINES="40")
    root = str(Path(tf.__file__).parents[1])
    env["PYTHONPATH"] = root
    child = subprocess.Popen(
        [sys.executable, str(script), ui], stdin=follower, stdout=follower,
        stderr=follower, env=env, cwd=folder, start_new_session=True,
    )  # fmt: skip
    os.close(follower)
    shown = b""

    def until(text, seconds=60):
        nonlocal shown
        begin, end = len(shown), time.monotonic() + seconds
        while text.lower().encode() not in shown[begin:].lower():
            assert time.monotonic() < end, f"{text!r} is not in {shown[begin:]!r}"
            if select.select([leader], [], [], 1)[0]:
                try:
                    shown += os.read(leader, 65536)
                except OSError:  # the program has ended
                    break

    try:
        until("invoke_stepper")
        time.sleep(0.3)
        for typed, seen in TALK[ui]:
            os.write(leader, typed.encode() + b"\n")
            until(seen)
            time.sleep(0.1)
        return child.wait(30), shown.decode(errors="replace")
    finally:
        child.kill()
        child.wait()
        os.close(leader)


@pytest.mark.parametrize("ui", TALK)
def test_a_person_stops_at_the_first_bad_run(ui, tmp_path):
    status, shown = talk(ui, tmp_path)
    assert status == 1
    if ui == "readline":
        assert "RESULT 2 0.0" in shown and "RESULT 3" not in shown


@pytest.fixture
def counting(tmp_path):
    """(the session, an op that adds 1 to a variable, the folder of dumps)"""
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(10.0, name="v")
        more = tf.assign_add(v, 1.0, name="more")
        sess.run(v.initializer)
        yield sess, more, tmp_path / "dumps"


def values_of(folder):
    """What each run dumped of v, by the time of the run."""
    runs = sorted(folder.iterdir(), key=lambda path: int(path.name.split("_")[1]))
    dumps = [DebugDumpDir(str(path)) for path in runs]
    return [float(d.get_tensors("v", 0, "DebugIdentity")[0]) for d in dumps]


def test_each_run_has_a_folder(counting):
    sess, more, folder = counting
    wrapped = DumpingDebugWrapperSession(sess, str(folder))
    assert [wrapped.run(more) for _ in range(3)] == [11, 12, 13]
    assert values_of(folder) == [10, 11, 12]
    with pytest.raises(ValueError, match="non-empty"):
        DumpingDebugWrapperSession(sess, str(folder))


def test_callables_are_watched_too(counting):
    sess, more, folder = counting
    wrapped = DumpingDebugWrapperSession(sess, str(folder))
    add = wrapped.make_callable(more)
    assert [add(), add()] == [11, 12] and values_of(folder) == [10, 11]


def test_a_hook_dumps_the_runs_of_a_monitored_session(tmp_path):
    folder = tmp_path / "dumps"
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        v = tf.Variable(10.0, name="v")
        more = tf.group(tf.assign_add(v, 1.0), tf.assign_add(step, 1))
        hook = DumpingDebugHook(str(folder))
        with tf.train.MonitoredTrainingSession(hooks=[hook]) as sess:
            sess.run(more)
            sess.run(more)
    assert values_of(folder) == [10, 11]


class Scripted(LocalCLIDebugWrapperSession):
    """A person who gives commands from a list."""

    commands = ()

    def _launch_cli(self):
        self._register_this_run_info(self._run_cli)
        registry = self._run_cli._command_handler_registry
        prefix, *args = self.commands.pop(0).split()
        try:
            registry.dispatch_command(prefix, args)
        except Exception as end:
            self._exit_token = end.exit_token
        self._exit_if_requested_by_user()
        token = self._exit_token
        return token if isinstance(token, OnRunStartResponse) else None


def test_a_failed_run_is_raised_after_it_was_looked_at(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.int32, [], name="x")
        row = tf.gather(tf.constant([1.0, 2.0]), x + 0, name="row")
        wrapped = Scripted(sess, ui_type="readline")
        wrapped.commands = ["run", "run"]
        with pytest.raises(tf.errors.InvalidArgumentError, match="not in"):
            wrapped.run(row, {x: 7})
        assert wrapped._init_command == "help"
        assert not os.path.isdir(wrapped._dump_root)


def test_runs_are_counted_by_times(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    with tf.Graph().as_default(), tf.Session() as sess:
        y = tf.add(tf.constant(1.0), 2.0)
        wrapped = Scripted(sess, ui_type="readline")
        wrapped.commands = ["run -t 3", "run -n"]
        done = []
        original = wrapped.on_run_end
        wrapped.on_run_end = lambda request: (
            done.append(request.performed_action), original(request),
        )[1]  # fmt: skip
        for _ in range(4):
            wrapped.run(y)
    plain, dumped = OnRunStartAction.NON_DEBUG_RUN, OnRunStartAction.DEBUG_RUN
    assert done == [plain, plain, dumped, plain] and not wrapped.commands


def test_the_stepper_replaces_values():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [], name="x")
        z = tf.add(tf.square(x, name="y"), 1.0, name="z")
        stepper = NodeStepper(sess, z, {x: 3.0})
        order = stepper.sorted_nodes()
        assert order.index("x") < order.index("y") < order.index("z")
        assert stepper.cont("y:0") == 9 and stepper.finalize() == 10
        stepper.override_tensor("y:0", np.float32(20))
        assert stepper.finalize() == 21
        stepper.remove_override("y:0")
        assert stepper.finalize() == 10
        with pytest.raises(ValueError, match="does not exist"):
            stepper.override_tensor("nothing:0", 1)


EXPORTED = """
    DebugDumpDir DebugTensorDatum has_inf_or_nan load_tensor_from_event
    load_tensor_from_event_file GradientsDebugger reconstruct_non_debug_graph_def
    add_debug_tensor_watch watch_graph watch_graph_with_blacklists
    DumpingDebugWrapperSession WatchOptions GrpcDebugWrapperSession
    TensorBoardDebugWrapperSession DumpingDebugHook GrpcDebugHook LocalCLIDebugHook
    TensorBoardDebugHook LocalCLIDebugWrapperSession clear_gradient_debuggers
"""


@pytest.mark.parametrize("name", EXPORTED.split())
def test_the_door_has_the_debugger(name):
    assert resolve.attribute("python.debug", name).__name__ == name


def test_dumps_are_looked_at_offline(tmp_path):
    dump = Path(__file__).parent / "data" / "tf112"
    command = ["-m", "twinflow", "run", "-m"]
    command += ["tensorflow.python.debug.cli.offline_analyzer", "--ui_type=readline"]
    done = subprocess.run(
        [sys.executable, *command, f"--dump_dir={dump}"], input="pt h/y\nexit\n",
        capture_output=True, text=True, timeout=60,
        env=dict(os.environ, HOME=str(tmp_path), PYTHONPATH=os.getcwd()),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "h/mul:0" in done.stdout or "mul:0" in done.stdout
    assert "array([ 0., nan], dtype=float32)" in done.stdout
