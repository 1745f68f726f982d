"""`twinflow replay FILE`: run the step in a capsule again, up to the op that failed."""

import bdb
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from twinflow.base.errors import OpError
from twinflow.capsules import recording, report
from twinflow.capsules.replaying import Capsule, Missing, Outcome
from twinflow.cli import drawing
from twinflow.debugger.control import started
from twinflow.debugger.prompt import MEGABYTES, Prompt, Quit

SAME, OTHER, UNREADABLE = 0, 1, 2


def main(
    file: str, debug: bool | None = None, json_file: str | None = None,
    breaks: Sequence[str] = (), megabytes: int = MEGABYTES,
    commands: Sequence[str] = (),
) -> int:  # fmt: skip
    """Replay a file; `debug` opens the debugger (None: on a terminal).

    Returns:
        0: the failure was reproduced; 1: it was not; 2: the file cannot be read or run.
    """
    recording.end()  # TWINFLOW_CAPSULE would write what is read here
    try:
        capsule = Capsule(file)
    except (OSError, ValueError) as error:
        return drawing.failed("replay", error)
    capsule.texts.show()
    to_stdout = json_file == "-"
    if not to_stdout:
        print("\n".join(report.told(capsule)), flush=True)
    outcome, missing = None, ""
    try:
        if not to_stdout and _debugs(debug, commands):
            outcome = _debugged(capsule, breaks, megabytes, commands)
        else:
            outcome = capsule.run()
    except (Missing, ValueError, OpError) as error:
        missing = str(getattr(error, "message", error))
        drawing.failed("replay", missing)
    if outcome is not None and not to_stdout:
        print("\n".join(report.verdict(capsule, outcome)))
    if json_file is not None:
        text = json.dumps(report.as_json(capsule, outcome, missing), indent=1)
        if to_stdout:
            print(text)
        else:
            Path(json_file).write_text(text + "\n")
    if outcome is None:
        return UNREADABLE
    return SAME if outcome.reproduced else OTHER


def _debugs(debug, commands):
    """Whether the prompt opens: on a terminal, unless it is told not to."""
    if debug is not None:
        return debug
    return bool(commands) or sys.stdin.isatty()


def _debugged(capsule, breaks, megabytes, commands):
    """Run it under the debugger, which stops at the op that failed."""
    prompt = Prompt(megabytes, traces=False)
    prompt.rcLines.extend(commands)
    prompt.curframe = sys._getframe()
    if capsule.error is None:
        aim = capsule.node, capsule.time
        prompt.stop_at("run", aim, f"{capsule.node.name} of the capsule")
    for text in breaks:
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
