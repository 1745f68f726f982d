"""`twinflow debug`: a script under the debugger, which stops inside graphs too."""

import bdb
import os
import sys
import traceback

from twinflow.base import tracebacks
from twinflow.cli import run
from twinflow.debugger.control import started
from twinflow.debugger.prompt import MEGABYTES, Prompt, Quit
from twinflow_terminal import running


def main(argv, megabytes=MEGABYTES, commands=()):
    """Run `argv` as `twinflow run` does, under the debugger.

    Returns:
        0, or 2 where there is nothing to run, 1 where the script raised.
    """
    prompt, rest = Prompt(megabytes), running.taken(argv)[1]
    prompt.rcLines.extend(commands)
    if rest and rest[0] != "-m":
        prompt._wait_for_mainpyfile = True
        prompt.mainpyfile = prompt.canonic(os.path.abspath(rest[0]))
    hook, sys.breakpointhook = sys.breakpointhook, lambda *_, **__: _stop_at(prompt)
    try:
        with started(prompt):
            return _run(prompt, argv)
    finally:
        sys.breakpointhook = hook


def _stop_at(prompt):
    """What Python's `breakpoint()` does in the script."""
    prompt.set_trace(sys._getframe(2))


def _run(prompt, argv):
    try:
        prompt.reset()  # and no runcall: its frame would be one of the program's
        sys.settrace(prompt.trace_dispatch)
        return run.main(argv) or 0
    except (bdb.BdbQuit, Quit):
        return 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else bool(end.code)
        print(f"The program exited via sys.exit(). Exit status: {end.code}")
        return code
    except BaseException as error:
        return _after_death(prompt, error)
    finally:
        sys.settrace(None)


def post_mortem(error):
    """The prompt where a script failed that ran without it; returns the status."""
    prompt = Prompt(MEGABYTES)
    with started(prompt):
        return _after_death(prompt, error)


def _after_death(prompt, error):
    with tracebacks.shortened(error, error.__traceback__) as (short, _):
        traceback.print_exception(type(error), error, short)
    print("Uncaught exception. Entering post mortem debugging")
    try:
        prompt.after_death(error)
    except (bdb.BdbQuit, Quit):
        pass
    return 1
