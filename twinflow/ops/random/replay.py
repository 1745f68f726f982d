"""Drawing the same random numbers a second time.

Note [Replaying]: what runs within `noting` leaves the state of its stream before each
draw; what runs within `replaying` of these states draws the same numbers, in the same
order, and moves no stream of the program. This works eagerly and in graphs, where the
states are tensors.
"""

import contextlib
import contextvars

from twinflow.base.dispatch import apply
from twinflow.base.op import define

_noted = contextvars.ContextVar("the states noted so far", default=None)
_left = contextvars.ContextVar("the states still to be replayed", default=None)

StreamState = define(
    "TwinStreamState() -> (state: uint64); stream=None",
    infer=lambda stream: (2,),
    step=lambda xp: lambda state, stream: (state, state),
    cell="stream",
    writes_cell=False,
)

SetStream = define(
    "TwinSetStream(state: uint64) -> (); stream=None",
    infer=lambda state, stream: [],
    step=lambda xp: lambda old, state, stream: ((), state),
    cell="stream",
)


def stream_to_use(stream, make):
    """What a draw that would take `stream` does; `make` makes a new one.

    Returns:
        (the stream to take, the operations that must come first)
    """
    left, noted = _left.get(), _noted.get()
    if left:
        stream, state = make(), left.pop(0)
        if noted is not None:
            noted.append(state)
        return stream, [apply(SetStream, (state,), {"stream": stream})]
    if noted is not None:
        noted.append(apply(StreamState, (), {"stream": stream}))
    return stream, ()


@contextlib.contextmanager
def noting():
    """Note the states before the draws of the block; yields the list of them."""
    states: list = []
    outer = _noted.get()
    token = _noted.set(states)
    try:
        yield states
    finally:
        _noted.reset(token)
        if outer is not None:
            outer.extend(states)


@contextlib.contextmanager
def replaying(states):
    """Let the draws of the block start from `states`."""
    token = _left.set(list(states))
    try:
        yield
    finally:
        _left.reset(token)
