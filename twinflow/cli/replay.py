"""`twinflow replay FILE`: run the step in a capsule again, up to the op that failed."""

import bdb
import json
import sys
from pathlib import Path

from twinflow.base.errors import OpError
from twinflow.capsules import recording, report
from twinflow.capsules.replaying import Capsule, Missing, Outcome
from twinflow.debugger.control import started
from twinflow.debugger.prompt import MEGABYTES, Prompt, Quit

_SWITCHES = ("--debug", "--no-debug")
_VALUES = ("--json", "--record", "-c", "--break")
SAME, OTHER, UNREADABLE = 0, 1, 2


def main(argv: list[str]) -> int:
    """Replay `[--no-debug] [--json FILE] [-c COMMAND ...] FILE`.

    Returns:
        0: the failure was reproduced; 1: it was not; 2: the file cannot be read or run.
    """
    recording.end()  # TWINFLOW_CAPSULE would write what is read here
    options, rest, wrong = _taken(list(argv))
    if not wrong and len(rest) != 1:
        wrong = "which file?" if not rest else f"one file, not {len(rest)}"
    if wrong:
        print(f"twinflow replay: {wrong}", file=sys.stderr)
        return UNREADABLE
    try:
        capsule = Capsule(rest[0])
    except (OSError, ValueError) as error:
        print(f"twinflow replay: {error}", file=sys.stderr)
        return UNREADABLE
    capsule.texts.show()
    to_stdout = options.get("--json") == "-"
    if not to_stdout:
        print("\n".join(report.told(capsule)), flush=True)
    outcome, missing = None, ""
    try:
        outcome = _debugged(capsule, options) if _debugs(options) else capsule.run()
    except (Missing, ValueError, OpError) as error:
        missing = str(getattr(error, "message", error))
        print(f"twinflow replay: {missing}", file=sys.stderr)
    if outcome is not None and not to_stdout:
        print("\n".join(report.verdict(capsule, outcome)))
    if "--json" in options:
        text = json.dumps(report.as_json(capsule, outcome, missing), indent=1)
        if to_stdout:
            print(text)
        else:
            Path(options["--json"]).write_text(text + "\n")
    if outcome is None:
        return UNREADABLE
    return SAME if outcome.reproduced else OTHER


def _taken(rest):
    """(the options, what stands behind them, what is wrong)"""
    options = {"-c": [], "--break": []}
    while rest and rest[0].startswith("-") and rest[0] != "-":
        option, equals, value = rest.pop(0).partition("=")
        if option in _SWITCHES and not equals:
            options[option] = True
            continue
        if option not in _VALUES:
            known = "--no-debug, --json FILE, --break WHERE, -c COMMAND and --record MB"
            return {}, [], f"no option {option!r}; there are {known}"
        if not equals and not rest:
            return {}, [], f"{option} needs a value"
        value = value if equals else rest.pop(0)
        if option in ("-c", "--break"):
            options[option].append(value)
        else:
            options[option] = value
    if not str(options.get("--record", 1)).isdigit():
        return {}, [], "--record needs a number of MB"
    return options, rest, ""


def _debugs(options):
    """Whether the prompt opens: on a terminal, unless it is told not to."""
    if "--no-debug" in options or options.get("--json") == "-":
        return False
    return "--debug" in options or bool(options["-c"]) or sys.stdin.isatty()


def _debugged(capsule, options):
    """Run it under the debugger, which stops at the op that failed."""
    prompt = Prompt(int(options.get("--record", MEGABYTES)), traces=False)
    prompt.rcLines.extend(options["-c"])
    prompt.curframe = sys._getframe()
    if capsule.error is None:
        aim = capsule.node, capsule.time
        prompt.stop_at("run", aim, f"{capsule.node.name} of the capsule")
    for text in options["--break"]:
        prompt.do_break(text)
    prompt.called_at = capsule.stack
    outcome = Outcome(capsule)
    with started(prompt, follows=False):
        prompt.forget()
        try:
            capsule.run(prompt.follower, outcome=outcome)
        except (bdb.BdbQuit, Quit):
            pass
    if outcome.gave:
        gave = [report.shown(v) for v in outcome.gave if v is not None]
        print("\n".join(["the run came to its end, and gave", *gave]))
    return outcome if outcome.reached else capsule.run()
