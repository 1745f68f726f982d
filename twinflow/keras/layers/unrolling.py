"""Running a step along time: in a row, or in a loop of the graph."""

from collections.abc import Callable
from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.graph.while_loop import while_loop
from twinflow.ops.arrays.rearrange import reverse
from twinflow.ops.core.compare import where
from twinflow.ops.core.constant import constant
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.joining import stack, unstack
from twinflow.ops.core.shape import shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.tensor_array.arrays import TensorArray


def _swapped(x):
    """Batch and time in the other order."""
    return transpose(x, (1, 0, *range(2, len(x._shape))))


def rnn(
    step_function: Callable[..., Any], inputs: Any, initial_states: Any,
    go_backwards: bool = False, mask: Any = None, constants: Any = None,
    unroll: bool = False, input_length: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """Apply a step to each entry of the axis of time.

    Where the mask is False, the output of the step before and its states are kept.

    Args:
        step_function: of (float[batch, ...], list of states and constants) to (output,
            list of states).
        inputs: float[batch, time, ...]. initial_states: a list of float[batch, ...].
        go_backwards: whether to begin at the end.
        mask: bool[batch, time]. constants: a list of what every step gets too.
        unroll: whether to make nodes for each step, not a loop. input_length: the
            number of steps where it is known.
    Returns:
        (the last output, float[batch, time, ...], list of the last states)
    Raises:
        ValueError: unroll, and the number of steps is not known.
    """
    constants = list(constants or [])
    xs = _swapped(inputs)
    masks = None if mask is None else _swapped(mask)
    steps = xs._shape[0]
    if unroll and not steps:
        raise ValueError("Unrolling requires a fixed number of timesteps.")
    if current_mode().eager or unroll:
        run = _in_a_row
    else:
        run = _in_a_loop
    if go_backwards:
        xs = reverse(xs, [0])
        masks = None if masks is None else reverse(masks, [0])
    last, outputs, states = run(
        lambda x, s: step_function(x, s + constants), xs, masks, list(initial_states)
    )
    outputs = _swapped(outputs)
    if outputs.symbolic:
        outputs.set_shape((None, steps, *outputs._shape[2:]))
    return last, outputs, states if unroll else tuple(states)


def _kept(there, new, old):
    """`new` where the mask of a step is True, else `old`."""
    if there is None:
        return new
    return where(there, new, old)


def _in_a_row(step, xs, masks, states):
    there = [None] * xs._shape[0] if masks is None else unstack(masks)
    outputs: list = []
    for x, m in zip(unstack(xs), there, strict=True):
        y, new = step(x, states)
        if m is not None:
            y = _kept(m, y, outputs[-1] if outputs else zeros_like(y))
            new = [_kept(m, n, s) for n, s in zip(new, states, strict=True)]
        outputs.append(y)
        states = list(new)
    return outputs[-1], stack(outputs), states


def _in_a_loop(step, xs, masks, states):
    if masks is not None and not states:
        raise ValueError(
            "No initial states provided! When using masking in an RNN, you should "
            "provide initial states (and your step function should return as its first "
            "state at time `t` the output at time `t-1`)."
        )
    known, rest = xs._shape[0], xs._shape[1:]
    n = shape(xs)[0] if known is None else constant(known)
    given = TensorArray(xs.dtype, size=n, tensor_array_name="input_ta").unstack(xs)
    marks = None
    if masks is not None:
        marks = TensorArray(masks.dtype, size=n, tensor_array_name="mask_ta")
        marks = marks.unstack(masks)
    floats = xs.dtype.is_floating or not states  # of integers a cell makes floats
    made = TensorArray(
        xs.dtype if floats else states[0].dtype,
        size=n,
        tensor_array_name="output_ta",
        clear_after_read=False,
    )
    shapes: list = []

    def body(time, made, *states):
        x = given.read(time)
        x.set_shape(rest)
        y, new = step(x, list(states))
        if marks is not None:
            m = marks.read(time)
            m.set_shape(masks._shape[1:])
            y = _kept(m, y, states[0])
            new = [_kept(m, a, b) for a, b in zip(new, states, strict=True)]
        for a, b in zip(new, states, strict=True):
            a.set_shape(b.shape)
        shapes.append(y._shape)
        return (time + 1, made.write(time, y), *new)

    _, made, *states = while_loop(
        lambda time, *_: time < n, body, (constant(0, name="time"), made, *states),
        parallel_iterations=32, maximum_iterations=known,
    )  # fmt: skip
    outputs, last = made.stack(), made.read(n - 1)
    outputs.set_shape((known, *shapes[-1]))
    last.set_shape(shapes[-1])
    return last, outputs, states
