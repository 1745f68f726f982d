"""tensorflow.python.eager.tape: recording by hand, as custom gradients do."""

import contextlib

from twinflow.autodiff.tape import GradientTape
from twinflow.base import dispatch
from twinflow.ops.core.creation import zeros_like


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


def variable_accessed(variable):
    """Let the tapes that watch what is used watch a trainable variable."""
    for tape in dispatch.local.tapes or ():
        if variable.trainable:
            tape.accessed(variable, variable.handle._id)


def delete_trace(tensor_id):
    """Let the tapes forget a tensor: what is computed from it is not recorded."""
    for tape in dispatch.local.tapes or ():
        tape.watched.discard(tensor_id)


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


def record_operation(op_type, output_tensors, input_tensors, backward_function):
    """Put a computation on the tapes that watch what it takes.

    Args:
        op_type: accepted. output_tensors, input_tensors: lists of tensors.
        backward_function: from a gradient for each output to one for each input.
    """
    ids = tuple(t._id for t in input_tensors)
    for tape in dispatch.local.tapes or ():
        if tape.watched.isdisjoint(ids):
            continue
        for t in output_tensors:
            t._id = t._id or dispatch.next_id()
        outs = tuple(t._id for t in output_tensors)
        tape.watched.update(outs)
        vjp = _Backward(backward_function, list(output_tensors))
        tape.records.append((vjp, ids, outs, None, None))


class _Backward:
    """The way back by a function; see base.vjp.Vjp for the protocol."""

    none_ok = True

    def __init__(self, function, outputs):
        self.function, self.outputs = function, outputs

    def back(self, kept, attrs, dys):
        """The gradients of the inputs."""
        pairs = zip(dys, self.outputs, strict=True)
        found = self.function(*(zeros_like(t) if d is None else d for d, t in pairs))
        return list(found) if isinstance(found, list | tuple) else [found]
