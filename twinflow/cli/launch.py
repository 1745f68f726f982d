"""`twinflow launch`: a script in several processes that compute together."""

import argparse
import sys
from typing import Any

from twinflow.cli import options as run_options
from twinflow.cli.launching import places as placing
from twinflow.cli.launching.output import say
from twinflow.cli.launching.running import Together

_EPILOG = """\
Each process runs `twinflow run script.py arguments`, and its lines begin with its
number: [0], [1] ... When one fails, the others are stopped, and its status is that of
the command (128 + N for signal N).

Several hosts: the same command on each, as
  twinflow launch --hosts a:2,b:2 --coordinator a:20117 --rank-offset 2 script.py
on b, whose first process is number 2. Under SLURM, Open MPI or an indexed job of
Kubernetes the scheduler starts `twinflow launch script.py` once for each process.
"""
_VALUES = {"-n", "--hosts", "--rank-offset", "--coordinator", "--restart",
           "--restart-with", "--grace"}  # fmt: skip


def main(argv: list[str]) -> int:
    """Start the processes of this host, and wait until all have ended.

    Returns:
        0; the status of the first process that failed; 2 for a command line that
        cannot be read.
    """
    own, script = _split(argv)
    try:
        options = _parser().parse_args(own)
        _, rest, wrong = run_options.taken(script)
        if not wrong and not rest:
            wrong = "which script?"
        if not wrong and options.restart_with and not options.restart:
            wrong = "--restart-with needs --restart"
        if not wrong and options.restart_with and options.count is None:
            wrong = "--restart-with needs -n: other hosts would not know"
        if wrong:
            raise ValueError(wrong)
        places = placing.places_of(options)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 2
    except ValueError as error:
        say(str(error))
        return 2
    return _run(options, places, script)


def _run(options: Any, places: placing.Places, script: list[str]) -> int:
    command = [sys.executable, "-m", "twinflow", "run", *script]
    for attempt in range(options.restart + 1):
        if attempt and options.restart_with:
            options.count = options.restart_with
            places = placing.places_of(options)
        if attempt:
            ranks = f"{len(places.ranks)} process{'es' * (len(places.ranks) > 1)}"
            say(f"starting again, {attempt} of {options.restart}, with {ranks}")
        envs = placing.environments(places, attempt)
        others = not places.all_here
        end = Together(command, places.ranks, envs, options.grace, others).run()
        if not end.status or end.asked:
            break
    return end.status


def _split(argv: list[str]) -> tuple[list[str], list[str]]:
    """(what is for the launcher, what is for `twinflow run`)."""
    own, rest = [], list(argv)
    while rest and (
        rest[0].partition("=")[0] in _VALUES or rest[0] in ("-h", "--help")
    ):
        takes = rest[0] in _VALUES
        own += rest[: 1 + takes]
        del rest[: 1 + takes]
    return own, rest


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "twinflow launch", usage="twinflow launch -n COUNT [options] script.py ...",
        description="Run a script in several processes that compute together.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )  # fmt: skip
    add = parser.add_argument
    add("-n", dest="count", type=_positive, metavar="COUNT", help="of processes here")
    add("--hosts", metavar="HOST:COUNT,...", help="all hosts, with their processes")
    add("--rank-offset", type=_count, metavar="N", help="this host's first process")
    add("--coordinator", metavar="HOST:PORT", help="where the first process is reached")
    add("--restart", type=_count, default=0, metavar="N",
        help="times to start all again when one has failed (0)")  # fmt: skip
    add("--restart-with", type=_positive, metavar="COUNT", help="of processes then")
    add("--grace", type=float, default=10.0, metavar="SECONDS",
        help="from SIGTERM to SIGKILL (10)")  # fmt: skip
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError
    return number
