"""The eager core without the optional C module: the Python functions mean the same."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_eager_core_passes_without_the_c_module():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "tests/eager", "tests/autodiff", "tests/test_tiny.py"],
        cwd=ROOT, env={**os.environ, "TWINFLOW_NATIVE": "0"}, capture_output=True,
        text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
