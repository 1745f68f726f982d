"""`twinflow cache`: the compiled programs that are kept on disk."""

import sys
import time

from twinflow.base import compile_cache

USAGE = """\
usage: twinflow cache ls      what is kept on disk, what was used last first
       twinflow cache clear   remove them
They are in twinflow/compiled of XDG_CACHE_HOME (or ~/.cache), at most 1 GiB;
TWINFLOW_COMPILE_CACHE=off keeps none.
"""


def main(args: list[str]) -> int:
    """Carry out the command; returns the exit status."""
    if args in (["-h"], ["--help"]):
        print(USAGE, end="")
        return 0
    if args not in (["ls"], ["clear"]):
        print(USAGE, end="", file=sys.stderr)
        return 2
    if args == ["ls"]:
        found, done = compile_cache.entries(), "in"
        for entry in found:
            used = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.used))
            print(f"{entry.bytes:>12,d} bytes  {used}  {entry.path.name}")
    else:
        found, done = compile_cache.clear(), "removed from"
    total = sum(entry.bytes for entry in found)
    print(f"{len(found)} files, {total:,d} bytes {done} {compile_cache.root()}")
    return 0
