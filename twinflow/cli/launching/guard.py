"""Who ends the processes of a launcher that is killed itself: a shell beside it."""

import contextlib
import subprocess
from collections.abc import Callable, Iterator

_SCRIPT = """
while read -r group; do
    [ "$group" = end ] && exit
    groups="$groups -$group"
done
[ -n "$groups" ] && kill -s KILL -- $groups
"""


@contextlib.contextmanager
def guard() -> Iterator[Callable[[int], None]]:
    """A block whose groups of processes are killed if this process dies in it.

    Gives:
        what takes the number of each group.
    """
    shell = subprocess.Popen(
        ["/bin/sh", "-c", _SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True, text=True, bufsize=1,
    )  # fmt: skip
    pipe = shell.stdin

    def tell(what: object) -> None:
        with contextlib.suppress(BrokenPipeError):  # somebody has killed the shell
            print(what, file=pipe, flush=True)

    try:
        yield tell
    finally:
        tell("end")
        with contextlib.suppress(BrokenPipeError):
            pipe.close()  # type: ignore[union-attr]
        shell.wait()
