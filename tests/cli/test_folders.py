"""Scripts in folders that hold modules of the names of Python's own."""

import os
import subprocess
import sys

import pytest

from tests.source_tree import ROOT

# What `twinflow` on the path is: a file in another folder.
COMMAND = "from twinflow.cli.main import main; main()"
NAMES = ("types", "token", "queue", "string", "random", "logging", "json", "calendar")


@pytest.mark.parametrize("how", [["script.py"], ["-m", "script"]])
@pytest.mark.parametrize("start", ["twinflow", "python -m twinflow"])
def test_a_folder_with_modules_of_the_standard_library(start, how, tmp_path):
    command = tmp_path / "elsewhere" / "twinflow"
    command.parent.mkdir()
    command.write_text(COMMAND)
    started = ["-m", "twinflow"] if start != "twinflow" else [str(command)]
    for name in NAMES:  # one that is imported has nothing of what is asked of it
        if start == "twinflow" or name != "types":  # Python's own start imports it
            (tmp_path / f"{name}.py").write_text("x = 1\n")
    (tmp_path / "neighbour.py").write_text("x = 2\n")
    (tmp_path / "script.py").write_text(
        "import tensorflow as tf, neighbour\nprint(tf.constant(1).dtype, neighbour.x)\n"
    )
    done = subprocess.run(
        [sys.executable, *started, "run", *how], cwd=tmp_path, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.stdout == "<dtype: 'int32'> 2\n", done.stderr
