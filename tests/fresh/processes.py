"""Programs in new processes, beside the same where everything is loaded."""

import json
import pickle
import re
import subprocess
import sys

from tests.source_tree import ROOT

_FOLDER = re.compile(r"[\w./-]*/tmp[a-z0-9_]{8}")  # what tempfile makes


class Zygote:
    """The process of tests.fresh.zygote, to be used in a `with`.

    Args:
        args: its arguments.
    """

    def __init__(self, *args):
        self._command = [sys.executable, "-m", "tests.fresh.zygote", *args]

    def __enter__(self):
        self._process = subprocess.Popen(
            self._command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        return self

    def ask(self, program):
        """Begin to run a Program."""
        pickle.dump(program, self._process.stdin)
        self._process.stdin.flush()

    def answer(self):
        """What the Program that was asked for first showed, without temporary names."""
        shown = json.dumps(pickle.load(self._process.stdout))
        return json.loads(_FOLDER.sub("FOLDER", shown))

    def __exit__(self, *error):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(timeout=60)


def outcomes(programs, fresh, loaded):
    """(each Program, what a new process shows, what one shows that has loaded all)"""
    for program in programs:
        fresh.ask(program)
        loaded.ask(program)
        yield program, fresh.answer(), loaded.answer()
