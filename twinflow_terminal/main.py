"""`twinflow COMMAND ...`: where the console script begins."""

import os
import pkgutil
import sys

from twinflow_terminal import running

COMPLETE = "_TWINFLOW_COMPLETE"
_OBEY = "twinflow_terminal.commands:obey"
_RUN = "twinflow.cli.run:start"
_VERSION = "twinflow_terminal.versions:version"


def main(argv: list[str] | None = None) -> int:
    """Carry out a command line.

    Args:
        argv: the arguments behind the program's name; those of sys.argv if not given.
    Returns:
        The exit status; twinflow_terminal.statuses lists them.
    """
    argv = sys.argv[1:] if argv is None else list(argv)
    if COMPLETE in os.environ:
        return pkgutil.resolve_name(_OBEY)(argv)
    if argv[:1] == ["run"]:  # which does without click, so that scripts start sooner
        chosen, rest, wrong = running.taken(argv[1:])
        if not wrong and rest:
            return pkgutil.resolve_name(_RUN)(chosen, rest)
    if argv in (["-V"], ["--version"], ["version"]):
        print(f"twinflow {pkgutil.resolve_name(_VERSION)()}")
        return 0
    return pkgutil.resolve_name(_OBEY)(argv or ["--help"])
