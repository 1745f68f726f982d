"""The eager core without the optional C module: the Python functions mean the same.

tests/eager/test_one_meaning.py holds the calls against each other; `make test-native`
runs every test of the eager core and of the ops this way.
"""

import os
import subprocess
import sys

import pytest

from tests.source_tree import ROOT

TESTS = ["tests/eager", "tests/autodiff", "tests/test_tiny.py", "tests/test_threads.py"]
FORWARD = ["tests/ops/test_op_cases.py", "-k", "kernel_gives_the_reference"]


@pytest.mark.slow
@pytest.mark.parametrize("tests", [TESTS, FORWARD], ids=["core", "ops"])
def test_it_passes_without_the_c_module(tests):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, *tests, "-m", "not slow"], cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "TWINFLOW_NATIVE": "0"}, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
