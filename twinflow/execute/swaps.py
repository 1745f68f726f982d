"""At which call a seeded program changes over to its compiled form.

Note [Swaps]: compiled and interpreted numbers agree to rounding, so a seeded program
repeats its numbers only if it changes engines at the same call each time; and no call
may wait for the compiler. So it changes at the first of the calls 12, 15, 18, 22 ...
(`after`) at which the compiled form is there, and that call is noted under a name of
the program, for the rest of the process and in the cache of compiled programs
(base.compile_cache): whoever runs the program again changes at that call. Where the
compiler is later than that (the cache was cleared, the machine is busy) the next call
of the row is taken and noted. `TWINFLOW_COMPILE=wait` compiles at the first call, and
waits.

Note [Trials apart]: where no call is noted, the compiled form is timed first, on what
the call got, and what it computes is thrown away: the trial leaves no trace in the
numbers. If it was slower than the interpreter at two such calls, that is noted in the
place of the call, and the program is not compiled again.
"""

import contextlib
import hashlib
import sys
from pathlib import Path
from typing import Any

from twinflow.base import compile_cache

NEVER = -1  # noted in the place of a call: the interpreter is faster
_NOTED: dict = {}  # {name of a program: its call}


def name_of(nodes: Any, key: tuple[tuple, ...]) -> str:
    """A name for a cluster and a signature that is the same in each process.

    Another version of twinflow has other names: either engine may have become faster.
    """
    digest = hashlib.sha256(sys.modules["twinflow"].__version__.encode())
    for node in nodes:
        before = ",".join(t.name for t in node.inputs)
        digest.update(f"{node.name}={node.type}({before})\n".encode())
    digest.update(repr(key).encode())
    return digest.hexdigest()[:32]


def after(call: int) -> int:
    """The next call of the row: a quarter further, so little is lost by waiting."""
    return call + max(3, call // 4)


def noted(name: str) -> int:
    """The call that was noted for a program, NEVER, or 0 = none."""
    found = _NOTED.get(name)
    if found is None:
        found = _NOTED[name] = _read(name)
    return found


def note(name: str, call: int) -> None:
    """Remember the call at which a program changed over, or NEVER."""
    if _NOTED.get(name) == call:
        return
    _NOTED[name] = call
    path = _path(name)
    if path is not None:
        with contextlib.suppress(OSError):
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"{call}\n")


def _read(name: str) -> int:
    path = _path(name)
    if path is None:
        return 0
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return 0


def _path(name: str) -> Path | None:
    folder = compile_cache.folder()
    return None if folder is None else folder / "engines" / name
