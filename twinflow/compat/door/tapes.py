"""tensorflow.python.eager.tape: recording by hand, as custom gradients do."""

import contextlib

from twinflow.autodiff.tape import GradientTape
from twinflow.base import dispatch


def push_new_tape(persistent=False, watch_accessed_variables=True):
    """A tape that records from now on, until `pop_tape`."""
    tape = GradientTape(persistent, watch_accessed_variables)
    return tape.__enter__()


def push_tape(tape):
    """Let a tape record, until `pop_tape`."""
    tape.__enter__()


def pop_tape(tape):
    """Let a tape record no more."""
    tape.__exit__(None, None, None)


def watch(tape, tensor):
    """Record what is computed from a tensor."""
    tape.watch(tensor)


def watch_variable(tape, variable):
    """Record what is computed from a variable."""
    tape.watch(variable)


def could_possibly_record():
    """Whether a tape records what this thread does."""
    return bool(dispatch.local.tapes)


@contextlib.contextmanager
def stop_recording():
    """A block in which no tape records."""
    with dispatch.tapes_paused():
        yield


def should_record(tensors):
    """Whether a tape watches one of the tensors."""
    ids = {t._id for t in tensors}
    return any(t.watched & ids for t in dispatch.local.tapes or ())
