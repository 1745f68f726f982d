"""`twinflow verify`: whether a script means the same in every way of running it."""

import json
import pickle
import sys
from pathlib import Path

from twinflow.cli import run
from twinflow.verification import scripts

_KNOWN = ("way", "to", "budget", "json")


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
    megabytes = float(options.get("budget", 256))
    if "way" in options:
        return _one_way(options, rest, megabytes)
    try:
        verdict = scripts.verify_script(rest, megabytes)
    except scripts.NotRun as error:
        print(f"twinflow verify: {error}", file=sys.stderr)
        return 2
    print(verdict)
    if "json" in options:
        Path(options["json"]).write_text(json.dumps(verdict.as_json(), indent=1) + "\n")
    return 0 if verdict.same else 1


def _one_way(options, argv, megabytes):
    """What a process of its own does: the trace goes to a file."""

    def program():
        if run.main(argv) == 2:
            raise SystemExit(2)

    trace = scripts.run_way(options["way"], program, megabytes)
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
            return {}, [], f"no option --{name}; there are --budget MB and --json FILE"
        if not equals and not rest:
            return {}, [], f"--{name} needs a value"
        options[name] = value if equals else rest.pop(0)
    if rest[1:2] == ["--"]:
        del rest[1]
    try:
        float(options.get("budget", 0))
    except ValueError:
        return {}, [], f"--budget takes megabytes, got {options['budget']!r}"
    return options, rest, None
