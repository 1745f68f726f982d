"""`twinflow replay` as a person uses it: the prompt, the report, the exit status."""

import json
import os
import subprocess
import sys
import textwrap

import pytest

from tests.source_tree import ROOT
from tests.support.terminal import in_terminal
from twinflow.cli import main

PROGRAM = """
    import tensorflow as tf

    def body(i, x):
        y = x * 2.0
        z = y - 8.0
        w = tf.check_numerics(1.0 / z, "too far")
        return i + 1, y + 0.0 * w

    x = tf.placeholder(tf.float32, [2])
    loop = tf.while_loop(lambda i, x: i < 4, body, [0, x])[1]
    with tf.Session() as sess:
        print(sess.run(tf.reduce_sum(loop), {x: [1.0, 3.0]}))
"""


def twinflow(*args, cwd, **env):
    return subprocess.run(
        [sys.executable, "-m", "twinflow", *args], cwd=cwd, text=True,
        stdin=subprocess.DEVNULL, capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), **env},
    )  # fmt: skip


@pytest.fixture(scope="module")
def step(tmp_path_factory):
    """The capsule of PROGRAM, in a folder of its own, without the script."""
    first, other = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("other")
    (first / "program.py").write_text(textwrap.dedent(PROGRAM).lstrip())
    done = twinflow("run", "--capsule", "step.capsule", "program.py", cwd=first)
    assert done.returncode == 1
    assert "twinflow: wrote " in done.stderr
    assert "gave the first nan or inf" in done.stderr
    (first / "step.capsule").rename(other / "step.capsule")
    (first / "program.py").unlink()
    return other


def test_a_person_goes_back_changes_a_value_and_goes_on(step):
    commands = ["where", "inputs", "back", "set [1, 1]", "c", "c"]
    shown, status = in_terminal(step, ["replay", "step.capsule"], commands)
    assert "program.py(6)RealDiv 'while/truediv' in while/while[2]" in shown
    assert '-> w = tf.check_numerics(1.0 / z, "too far")' in shown
    assert "out: float32[2] " in shown
    assert "program.py(12)<module>()" in shown  # where the program called it
    assert "<- while/sub:0" in shown
    back = shown.partition("\nback\n")[2]
    assert "> " in back
    assert "program.py(5)Sub 'while/sub' in while/while[2]" in back
    assert "float32[2] min 1 max 1" in back
    assert "Failed" not in back  # with another value it runs on to the end
    assert "the run came to its end, and gave\nfloat32[] 64." in back
    assert "reproduced: the same op" in back
    assert status == 0


def test_the_report_has_lines_values_and_the_op(step):
    done = twinflow("replay", "--no-debug", "step.capsule", cwd=step)
    assert done.returncode == 0, done.stderr
    for text in (
        "RealDiv 'while/truediv' in while/while[2] gave the first nan or inf",
        "program.py(6)body()", 'w = tf.check_numerics(1.0 / z, "too far")',
        "inputs[1] y: float32[2] [ 0., 16.]", "reproduced: ",
    ):  # fmt: skip
        assert text in done.stdout


def test_json_for_other_programs(step):
    twinflow("replay", "--json", "r.json", "step.capsule", cwd=step)
    found = json.loads((step / "r.json").read_text())
    assert (found["reproduced"], found["kind"], found["op"]) == (True, "nan", "RealDiv")
    assert found["lines"][0]["text"] == 'w = tf.check_numerics(1.0 / z, "too far")'
    assert (found["lines"][0]["line"], found["iterations"]) == (6, [2])
    assert found["stack"][0]["line"] == 12


def test_commands_without_a_terminal(step):
    commands = ["-c", "p trip", "-c", "p inputs[1].tolist()", "-c", "c"]
    done = twinflow("replay", *commands, "step.capsule", cwd=step)
    assert done.returncode == 0, done.stderr
    assert "int64[] 2\n[0.0, 16.0]\n" in done.stdout


@pytest.mark.parametrize(("args", "text"), [
    ([], "FILE is missing"), (["a", "b"], "Got unexpected extra argument (b)"),
    (["--quick", "a"], "no option '--quick'"), (["--json"], "--json needs a value"),
    (["--record", "x", "a"], "'x' is not a valid integer"),
])  # fmt: skip
def test_wrong_command_lines(capsys, args, text):
    assert main.main(["replay", *args]) == 2
    assert text in capsys.readouterr().err


def test_the_variable_of_the_environment(tmp_path):
    (tmp_path / "program.py").write_text(textwrap.dedent(PROGRAM).lstrip())
    done = twinflow("run", "program.py", cwd=tmp_path, TWINFLOW_CAPSULE="x.capsule")
    assert "twinflow: wrote " in done.stderr
    before = (tmp_path / "x.capsule").read_bytes()
    done = twinflow(
        "replay", "--no-debug", "x.capsule", cwd=tmp_path, TWINFLOW_CAPSULE="x.capsule"
    )
    assert done.returncode == 0
    assert (tmp_path / "x.capsule").read_bytes() == before


def test_a_folder_that_is_not_there(tmp_path):
    (tmp_path / "program.py").write_text("print('ran')")
    done = twinflow("run", "--capsule", "no/x", "program.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "There is no folder" in done.stderr
