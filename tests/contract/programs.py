"""Running the programs of the seed documents, and reading what they print."""

import contextlib
import io
import os
import subprocess
import sys
import textwrap

from tests.source_tree import ROOT


def printed(function, *args):
    """(what a function prints, what it returns)."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        result = function(*args)
    return out.getvalue(), result


def process(source, arguments=(), **variables):
    """What a program prints in a process of its own; the last line of its error,
    what to do about it aside."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(source), *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        return [x for x in lines if x and not x.startswith("fix: ")][-1]
    return done.stdout
