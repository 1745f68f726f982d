"""`twinflow launch`: a script in several processes that compute together."""

import sys
import types
from typing import Any

from twinflow.cli.launching import places as placing
from twinflow.cli.launching.output import say
from twinflow.cli.launching.running import Together


def main(argv: list[str], **given: Any) -> int:
    """Start the processes of this host, and wait until all have ended.

    Args:
        argv: for `twinflow run`. given: the options of the command.
    Returns:
        0; the status of the first process that failed; 2 for a command line that
        makes no sense.
    """
    options = types.SimpleNamespace(**given)
    try:
        if options.restart_with and not options.restart:
            raise ValueError("--restart-with needs --restart")
        if options.restart_with and options.count is None:
            raise ValueError("--restart-with needs -n: other hosts would not know")
        places = placing.places_of(options)
    except ValueError as error:
        say(str(error))
        return 2
    return _run(options, places, argv)


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
