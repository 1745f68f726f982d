"""Tracebacks that end in the user's line.

Note [Tracebacks]: what an uncaught error prints leaves out the frames of twinflow, of
what it is built on where twinflow called it, and of the shell. Where the error was not
raised on purpose, the frame in which it arose stays. TWINFLOW_TRACEBACK=full leaves all
as it is; `traceback` and debuggers see every frame anyway, for only printing changes:
by a sys.excepthook before the one that is there, and in IPython, if no other handler is
set, by its set_custom_exc. There an error has about ten lines: three around each of the
user's, what was received and expected, the fix. `%xmode Verbose` shows all, too.
"""

import contextlib
import dis
import itertools
import os
import sys
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from twinflow.base import errors, frames

# Other kinds are raised by accident, too: then the frame that did it is shown.
_ON_PURPOSE = (errors.OpError, ValueError, TypeError, RuntimeError)
_RAISES = {dis.opmap["RAISE_VARARGS"], dis.opmap["RERAISE"]}
_BLOCKS = contextlib.__file__  # its frames are of whoever has the block
_CONTEXT = 3  # lines of a cell, around that of the error
_NOTE = "({} frame{} of twinflow left out; TWINFLOW_TRACEBACK=full shows them)"


def install() -> None:
    """Let uncaught errors be printed so, in scripts and in the IPython shell."""
    previous = sys.excepthook
    if getattr(previous, "of_twinflow", False):
        return

    def show(kind: type, error: BaseException, tb: TracebackType | None) -> None:
        with shortened(error, tb) as (short, count):
            say(count)  # first: what reads the last line finds the error there
            previous(kind, error, short)

    show.of_twinflow = True  # type: ignore[attr-defined]
    sys.excepthook = show
    shell = _shell()
    if shell is not None and not shell.custom_exceptions:
        shell.set_custom_exc((Exception,), _in_shell)


def _shell() -> Any:
    """The running shell of IPython, or None; asks without importing it."""
    module = sys.modules.get("IPython")
    get = getattr(module, "get_ipython", None)
    return get() if get else None


def _in_shell(
    shell: Any, kind: type, error: BaseException, tb: Any, tb_offset: Any = None
) -> None:
    """Show an error of a cell; see IPython's set_custom_exc."""
    drawer = shell.InteractiveTB
    full = os.environ.get("TWINFLOW_TRACEBACK") == "full"
    if full or getattr(drawer, "mode", "") == "Verbose":
        shell.showtraceback((kind, error, tb), tb_offset)
        return
    with _brief(error), shortened(error, tb) as (short, count):
        lines = drawer.structured_traceback(kind, error, short, 0, _CONTEXT)
        if count:
            lines = [*lines, _NOTE.format(count, "s"[: count > 1])]
        with _drawn_as(error, lines):
            shell.showtraceback((kind, error, short), tb_offset=0)


@contextlib.contextmanager
def _brief(error: BaseException) -> Iterator[None]:
    """A block in which errors do not tell of what came before within twinflow."""
    chain = list(_chain(error))
    told = [e for e in chain if isinstance(e, errors.OpError)]
    for told_of in told:
        told_of.brief = True
    ends = [e for e, before in itertools.pairwise(chain) if not _of_user(before)][:1]
    causes = [(e.__cause__, e.__suppress_context__) for e in ends]
    for e in ends:
        e.__cause__, e.__suppress_context__ = None, True
    try:
        yield
    finally:
        for told_of in told:
            del told_of.brief
        for e, (cause, suppressed) in zip(ends, causes):
            e.__cause__, e.__suppress_context__ = cause, suppressed


def _of_user(error: BaseException) -> bool:
    """Whether an error went through a line of the user."""
    return any(_kept(_entries(error.__traceback__)))


@contextlib.contextmanager
def _drawn_as(error: Any, lines: list[str]) -> Iterator[None]:
    """A block in which IPython shows an error as these lines, if it asks for some."""
    own = hasattr(error, "_render_traceback_")
    if not own:
        error._render_traceback_ = lambda *args: lines
    try:
        yield
    finally:
        if not own:
            del error._render_traceback_


def say(count: int) -> None:
    """Say on stderr how many frames are left out, if any are."""
    if count:
        print(_NOTE.format(count, "s"[: count > 1]), file=sys.stderr)


@contextlib.contextmanager
def shortened(
    error: BaseException, tb: TracebackType | None
) -> Iterator[tuple[TracebackType | None, int]]:
    """A block in which an error, and those it came from, have short tracebacks.

    Yields:
        (the traceback of `error`, how many frames of twinflow are left out)
    """
    if os.environ.get("TWINFLOW_TRACEBACK") == "full":
        yield tb, 0
        return
    old, count = [], 0
    for e in _chain(error):
        before = tb if e is error else e.__traceback__
        old.append((e, e.__traceback__))
        short, dropped = _shorter(before, e, earlier=e is not error)
        count += dropped
        e.__traceback__ = short
    try:
        yield error.__traceback__, count
    finally:
        for e, before in old:
            e.__traceback__ = before


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        suppressed = error.__suppress_context__
        error = error.__cause__ or (None if suppressed else error.__context__)


def _shorter(
    tb: TracebackType | None, error: BaseException, *, earlier: bool
) -> tuple[TracebackType | None, int]:
    """A traceback without the frames that do not tell the user anything."""
    entries = _entries(tb)
    kept = [e for e, keep in zip(entries, _kept(entries)) if keep]
    if not kept:  # no frame of a user: what an error came from, or a thread of ours
        return (entries[-1 if earlier else 0] if entries else None), 0
    dropped = [e for e in entries if e not in kept]
    if dropped and dropped[-1] is entries[-1] and not _on_purpose(error, entries[-1]):
        kept.append(dropped.pop())
    return _linked(kept), sum(map(_is_house, dropped))


def _entries(tb: TracebackType | None) -> list[TracebackType]:
    found = []
    while tb is not None:
        found.append(tb)
        tb = tb.tb_next
    return found


def _kept(entries: list[TracebackType]) -> Iterator[bool]:
    """Which frames stay: those of the user, and what the user called elsewhere."""
    hidden = True  # the shell and the runner come first
    for entry in entries:
        file = entry.tb_frame.f_code.co_filename
        internal = frames.is_internal(file) or (hidden and file == _BLOCKS)
        if not internal:
            hidden = False
        elif _is_house(entry):
            hidden = True
        yield not hidden


def _is_house(entry: TracebackType) -> bool:
    return frames.is_house(entry.tb_frame.f_code.co_filename)


def _on_purpose(error: BaseException, last: TracebackType) -> bool:
    if isinstance(error, _ON_PURPOSE):
        return True
    return last.tb_frame.f_code.co_code[last.tb_lasti] in _RAISES


def _linked(entries: list[TracebackType]) -> TracebackType | None:
    found: TracebackType | None = None
    for e in reversed(entries):
        found = TracebackType(found, e.tb_frame, e.tb_lasti, e.tb_lineno)
    return found
