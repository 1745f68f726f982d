"""A program with annotations of its own passes the strict settings of both checkers."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.source_tree import ROOT
from tests.typing.test_checkers import pyright_errors, run

PROGRAM = Path(__file__).parent / "program.py"
SAYS = {
    "eager": r"accuracy (0\.9|1\.0)", "graph": r"loss 0\.",
    "estimator": r"accuracy 1\.0",
}  # fmt: skip


def test_pyright_is_content(tmp_path):
    assert len(PROGRAM.read_text().splitlines()) >= 200
    assert pyright_errors(tmp_path, [PROGRAM], "strict") == []


def test_mypy_is_content(tmp_path):
    cache = f"--cache-dir={ROOT / '.mypy_cache' / 'strict'}"
    options = ("--config-file=", "--strict", cache)
    assert "Success" in run("mypy", *options, str(PROGRAM), folder=tmp_path)


@pytest.mark.parametrize("mode", SAYS)
def test_it_runs(mode, tmp_path):
    done = subprocess.run(
        [sys.executable, PROGRAM, tmp_path, f"--mode={mode}"],
        capture_output=True, text=True, timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.match(SAYS[mode], done.stdout.splitlines()[-1])
