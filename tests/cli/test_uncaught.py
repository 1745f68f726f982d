"""What a user sees last when a script fails under `twinflow run`: their line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

RUNTIME = """
import tensorflow as tf

def product(x):
    return tf.matmul(x, x, name="product")

x = tf.placeholder(tf.float32, [None, None])
y = product(x)
with tf.Session() as sess:
    sess.run(y, {x: [[1.0, 2.0]]})
"""
BUILDING = """
import tensorflow as tf

def product(x):
    return tf.matmul(x, tf.ones([4, 4]))

product(tf.ones([2, 3]))
"""
OWN = """
import numpy as np
np.linalg.inv(np.zeros((2, 2)))
"""


def last_words(tmp_path, source, **more):
    script = tmp_path / "script.py"
    script.write_text(source)
    done = subprocess.run(
        [sys.executable, "-m", "twinflow", "run", "script.py"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.getcwd(), **more},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 1
    return done.stderr


def files_of(text):
    lines = [line.strip() for line in text.splitlines()]
    return [os.path.basename(x.split('"')[1]) for x in lines if x.startswith("File ")]


def test_an_error_of_a_run(tmp_path):
    text = last_words(tmp_path, RUNTIME)
    assert set(files_of(text)) == {"script.py"}
    *_, last, fix = [line.strip() for line in text.splitlines() if line.strip()]
    assert fix.startswith("fix: matmul takes [n, k] and [k, m]")
    assert last.startswith("[[node product (defined at script.py:5)  = MatMul[")
    assert "Placeholder float32[1,2]" in last
    assert '    return tf.matmul(x, x, name="product")\n\nInvalidArgument' in text


def test_an_error_while_building(tmp_path):
    text = last_words(tmp_path, BUILDING)
    assert files_of(text) == ["script.py"] * 2
    assert "ValueError: Dimensions must be equal, but are 3 and 4" in text


@pytest.mark.parametrize("more, source", [({"TWINFLOW_TRACEBACK": "full"}, BUILDING),
                                          ({}, OWN)])  # fmt: skip
def test_frames_that_stay(tmp_path, more, source):
    assert files_of(last_words(tmp_path, source, **more))[-1] != "script.py"


@pytest.mark.parametrize(
    "source, words",
    [
        ("import tensorflow as tf\ntf.no_such_thing", "AttributeError: twinflow does"),
        ("import tensorflow as tf\ntf.nn.no_such_thing(1)", "does not have tensorflow"),
        ("import tensorflow.no_such_module", "does not have tensorflow.no_such_module"),
        ("from tensorflow.python.ops import no_such", "does not have"),
        (
            "import tensorflow as tf\ntf.contrib.opt.NoSuchOptimizer",
            "twinflow does not",
        ),
    ],
)
def test_a_name_that_is_missing_ends_in_the_script(tmp_path, source, words):
    text = last_words(tmp_path, source)
    assert set(files_of(text)) == {"script.py"}, text
    assert words in text


def test_the_command_itself_is_no_frame_of_the_program(tmp_path):
    """The installed `twinflow` is a small script, which no error names."""
    script = tmp_path / "bad.py"
    script.write_text(
        "import twinflow as tf\n"
        "x = tf.placeholder(tf.float32, [2])\n"
        "z = tf.check_numerics(x / 0., 'bad')\n"
        "with tf.Session() as s:\n"
        "    s.run(z, {x: [1., 2.]})\n"
    )
    command = Path(sys.executable).with_name("twinflow")
    if not command.exists():
        pytest.skip("twinflow is not installed beside this Python")
    there = tmp_path / "a" / ".." / "b"  # however it is named
    (tmp_path / "a").mkdir()
    (tmp_path / "b").symlink_to(command.parent)
    for name in (command, there / "twinflow"):
        done = subprocess.run(
            [name, "run", script], capture_output=True, text=True, cwd=tmp_path
        )
        assert "bad.py" in done.stderr and "sys.exit(main())" not in done.stderr
