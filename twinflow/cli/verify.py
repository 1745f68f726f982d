"""`twinflow verify`: whether a script means the same in every way of running it."""

import json
import pickle
import pkgutil
import sys
from pathlib import Path

from twinflow.cli import drawing, run
from twinflow.verification import scripts
from twinflow.verification.request import Request

_AGAINST = "twinflow.verification.against:verify_against"


def main(
    argv, json_file=None, seconds=None, megabytes=256.0, against=None, python=None,
    request=None, to=None,
):  # fmt: skip
    """Compare the ways of running `argv`.

    Returns:
        0: nothing differs; 1: something does; 2: it could not be run.
    """
    if request is not None:
        return _one_way(request, to, argv)
    try:
        if against is not None:
            verdict = _against(against, python, argv)
        else:
            verdict = scripts.verify_script(argv, megabytes, seconds, _say)
    except scripts.NotRun as error:
        return drawing.failed("verify", error)
    print(verdict)
    if json_file is not None:
        Path(json_file).write_text(json.dumps(verdict.as_json(), indent=1) + "\n")
    return 0 if verdict.same else 1


def _against(against, python, argv):
    """The Verdict on a script here and in the TensorFlow of another interpreter."""
    if against != "tensorflow":
        raise scripts.NotRun(f"--against takes tensorflow, got {against!r}")
    if not python:
        raise scripts.NotRun(
            "--against tensorflow needs a Python with TensorFlow: give --python PATH, "
            "or set TF112_PYTHON"
        )
    return pkgutil.resolve_name(_AGAINST)(argv, python, _say)


def _say(text):
    print(f"twinflow verify: {text}", file=sys.stderr, flush=True)


def _one_way(asked, to, argv):
    """What a process of its own does: the trace goes to a file."""

    def program():
        if run.main(argv) == 2:
            raise SystemExit(2)

    request = Request.of_text(Path(asked).read_text())
    trace = scripts.run_way(request, program)
    Path(to).write_bytes(pickle.dumps(trace))
    return 0
