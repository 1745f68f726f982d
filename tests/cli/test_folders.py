"""Scripts in folders that hold modules of the names of Python's own."""

import os
import subprocess
import sys

import pytest

from tests.source_tree import ROOT

NAMES = ("types", "token", "queue", "string", "random", "logging", "json", "calendar")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("how", [["script.py"], ["-m", "script"]])
def test_a_folder_with_a_module_of_the_standard_library(name, how, tmp_path):
    (tmp_path / f"{name}.py").write_text("x = 1\n")
    (tmp_path / "neighbour.py").write_text("x = 2\n")
    (tmp_path / "script.py").write_text(
        "import tensorflow as tf, neighbour\nprint(tf.constant(1).dtype, neighbour.x)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "twinflow", "run", *how], cwd=tmp_path, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.stdout == "<dtype: 'int32'> 2\n", done.stderr
