"""Programs that the tests run in a process of their own."""

import os
import subprocess
import sys

from tests.source_tree import ROOT


def words_of(program, *args, **env):
    """What a program prints, as words; it must end well.

    Args:
        program: its text. args: its arguments. env: more of the environment.
    """
    done = subprocess.run(
        [sys.executable, "-c", program, *args], cwd=ROOT, capture_output=True,
        text=True, env={**os.environ, **env}, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split()
