"""`twinflow verify`: whether a script means the same in every way of running it."""

import json
import os
import pickle
import pkgutil
import sys
from pathlib import Path

from twinflow.cli import run
from twinflow.verification import scripts
from twinflow.verification.request import Request

_KNOWN = ("request", "to", "budget", "json", "limit", "against", "python")
_OPTIONS = (
    "--json FILE, --limit SECONDS, --budget MB, --against tensorflow and --python PATH"
)
_AGAINST = "twinflow.verification.against:verify_against"


def main(argv):
    """Compare the ways of running `[options] script.py [arguments]`.

    Returns:
        0: nothing differs; 1: something does; 2: it could not be run.
    """
    options, rest, wrong = _taken(argv)
    if not wrong and not rest:
        wrong = "which script?"
    if wrong:
        print(f"twinflow verify: {wrong}", file=sys.stderr)
        return 2
    if "request" in options:
        return _one_way(options, rest)
    megabytes = float(options.get("budget", 256))
    seconds = float(options["limit"]) if "limit" in options else None
    try:
        if "against" in options:
            verdict = _against(options, rest)
        else:
            verdict = scripts.verify_script(rest, megabytes, seconds, _say)
    except scripts.NotRun as error:
        print(f"twinflow verify: {error}", file=sys.stderr)
        return 2
    print(verdict)
    if "json" in options:
        Path(options["json"]).write_text(json.dumps(verdict.as_json(), indent=1) + "\n")
    return 0 if verdict.same else 1


def _against(options, argv):
    """The Verdict on a script here and in the TensorFlow of another interpreter."""
    if options["against"] != "tensorflow":
        given = options["against"]
        raise scripts.NotRun(f"--against takes tensorflow, got {given!r}")
    python = options.get("python") or os.environ.get("TF112_PYTHON")
    if not python:
        raise scripts.NotRun(
            "--against tensorflow needs a Python with TensorFlow: give --python PATH, "
            "or set TF112_PYTHON"
        )
    return pkgutil.resolve_name(_AGAINST)(argv, python, _say)


def _say(text):
    print(f"twinflow verify: {text}", file=sys.stderr, flush=True)


def _one_way(options, argv):
    """What a process of its own does: the trace goes to a file."""

    def program():
        if run.main(argv) == 2:
            raise SystemExit(2)

    request = Request.of_text(Path(options["request"]).read_text())
    trace = scripts.run_way(request, program)
    Path(options["to"]).write_bytes(pickle.dumps(trace))
    return 0


def _taken(argv):
    """(the options, what stands behind them, what is wrong)"""
    options, rest = {}, list(argv)
    while rest and rest[0].startswith("--"):
        name, equals, value = rest.pop(0)[2:].partition("=")
        if not name:  # `--` ends them
            break
        if name not in _KNOWN:
            return {}, [], f"no option --{name}; there are {_OPTIONS}"
        if not equals and not rest:
            return {}, [], f"--{name} needs a value"
        options[name] = value if equals else rest.pop(0)
    if rest[1:2] == ["--"]:
        del rest[1]
    for name, unit in (("budget", "megabytes"), ("limit", "seconds")):
        try:
            float(options.get(name, 0))
        except ValueError:
            return {}, [], f"--{name} takes {unit}, got {options[name]!r}"
    return options, rest, None
