"""The debugger in a program: tf.debugger.debug, breakpoint and post_mortem."""

import bdb
import contextlib
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from twinflow.base import dispatch, watching
from twinflow.debugger import places
from twinflow.debugger.breakpoints import OpBreakpoint, canonical
from twinflow.debugger.prompt import MEGABYTES, Prompt, Quit

_active: list[Prompt] = []


def active() -> Prompt | None:
    """The debugger that looks on now."""
    return _active[-1] if _active else None


@contextlib.contextmanager
def started(prompt: Prompt, follows: bool = True) -> Iterator[Prompt]:
    """A block whose ops a debugger looks at.

    Args:
        follows: False where somebody else lets its follower watch.
    """
    _active.append(prompt)
    if follows:
        watching.start(prompt.follower)
    try:
        yield prompt
    finally:
        watching.stop(prompt.follower)
        _active.remove(prompt)
        if not _active:
            _forget_breakpoints(prompt)


def _forget_breakpoints(prompt: Prompt) -> None:
    """Leave no breakpoints of a debugger that is over; bdb has one list of all."""
    for bp in bdb.Breakpoint.bpbynumber:
        if bp is None:
            continue
        own = bp.line in prompt.breaks.get(bp.file, ())
        if own or isinstance(bp, OpBreakpoint):
            bp.deleteMe()
    if not any(bdb.Breakpoint.bpbynumber):
        bdb.Breakpoint.clearBreakpoints()


@contextlib.contextmanager
def debug(
    breaks: Sequence[str] = (), megabytes: float = MEGABYTES, stdin: Any = None,
    stdout: Any = None,
) -> Iterator[Prompt]:  # fmt: skip
    """A block in which ops stop at breakpoints, and where they fail.

    Args:
        breaks: what the command `break` takes: "train.py:12", "op MatMul",
            "name rnn/while/*", "grad 12", "nan", "when out.max() > 10, trip == 3".
        megabytes: how much of what ran is kept, for `back`.
        stdin, stdout: files for the prompt; those of the process by default.
    Raises:
        ValueError: a breakpoint cannot be set.
        bdb.BdbQuit: the user has left the program by `quit`.
    Example:
        with tf.debugger.debug(["nan"]):
            tf.add(1., 2.)  # 3.0
    """
    prompt = Prompt(megabytes, stdin, stdout)
    prompt.curframe = sys._getframe(2)
    with started(prompt):
        for text in breaks:
            _set_break(prompt, text)
        prompt.forget()
        try:
            yield prompt
        except Quit:
            raise bdb.BdbQuit from None
        finally:
            if prompt.botframe is not None and not _traced_by_other(prompt):
                sys.settrace(None)


def _traced_by_other(prompt: Prompt) -> bool:
    tracer = sys.gettrace()
    return tracer is not None and getattr(tracer, "__self__", None) is not prompt


def _set_break(prompt: Prompt, text: str) -> None:
    said: list = []
    prompt.message = lambda line="": None  # type: ignore[method-assign]
    prompt.error = said.append  # type: ignore[method-assign]
    try:
        prompt.do_break(text)
    finally:
        del prompt.error, prompt.message
    if said:
        raise ValueError(f"no breakpoint {text!r}: {said[0]}")


def breakpoint() -> None:
    """Stop here: eagerly at once, in traced code whenever what is traced runs.

    Called while a graph is made (in a function, the body of a loop, a branch, a map of
    data), it stops at run time before the ops that the lines below it make; the graph
    itself stays as it is. Python's own `breakpoint()` stops while the code is traced.
    From the first call on, a debugger looks at all ops, which are slower.

    Example:
        @tf.contrib.eager.defun
        def f(x):
            y = x * 2.
            tf.debugger.breakpoint()  # the prompt opens when f runs
            return y + 1.
    """
    prompt = active()
    if prompt is None:
        prompt = Prompt()
        _active.append(prompt)
        watching.start(prompt.follower)
    mode = dispatch.current_mode()
    caller = places.python_frames(sys._getframe(1))[-1]
    if mode.eager:
        prompt.set_trace(caller)
        return
    where = f"{canonical(caller.f_code.co_filename)}:{caller.f_lineno}"
    aim = (mode, mode.region, len(mode.nodes))
    prompt.stop_at("mark", aim, f"breakpoint() at {where}")


def post_mortem(error: BaseException | None = None) -> None:
    """Open the prompt where an error arose.

    Args:
        error: an exception with a traceback; the last one that was not caught.
    Raises:
        ValueError: there is no exception.
    """
    if error is None:
        error = sys.exc_info()[1] or getattr(sys, "last_value", None)
    if error is None or error.__traceback__ is None:
        raise ValueError("There is no exception: give one, or call it in `except`.")
    prompt = active() or Prompt()
    prompt.after_death(error)
