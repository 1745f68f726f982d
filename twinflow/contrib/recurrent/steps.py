"""Recurrent: a function over time, on structures, with its own gradient."""

from collections.abc import Callable
from typing import Any

from twinflow.autodiff.custom_gradient import custom_gradient
from twinflow.base import nest
from twinflow.graph.while_loop import while_loop
from twinflow.ops.arrays.padding import pad
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.shape import shape
from twinflow.ops.tensor_array.arrays import TensorArray


def Recurrent(
    theta: Any, state0: Any, inputs: Any, cell_fn: Callable[..., Any],
    cell_grad: Any = None,
    extras: Any = None, max_input_length: Any = None, use_tpu: bool = False,
    aligned_end: bool = False,
) -> tuple[Any, ...]:  # fmt: skip
    """state[t + 1], extras[t] = cell_fn(theta, state[t], inputs[t]), for all t.

    Args:
        theta, state0, inputs: structures of tensors: what stays, the first state, and
            what comes at each time (the first axis).
        cell_fn: a function of (theta, a state, the inputs of one time) that gives (a
            state, extras), and uses nothing else.
        cell_grad: a function of (theta, state, inputs, extras, gradient of the next
            state) that gives the gradients of the first three; None derives it.
        extras: a structure like that of cell_fn, for cell_grad.
        max_input_length: int32[], how many times to run; all if None.
        aligned_end: whether to run the last ones rather than the first ones.
        use_tpu: accepted.
    Returns:
        (the states of all times, those after the end 0; the last state).
    Example:
        def cell(theta, state, inputs):
            return {"h": theta * state["h"] + inputs}, {}
        _, last = tf.contrib.recurrent.Recurrent(
            tf.constant(0.5), {"h": tf.constant(0.)}, tf.constant([4., 2., 1.]), cell)
        last["h"]  # 3.0
    """
    theta, state0, inputs = (
        nest.map_structure(convert_to_tensor, s) for s in (theta, state0, inputs)
    )
    step = _step(cell_fn, cell_grad, theta, state0, inputs)
    sources = nest.flatten(inputs)
    times = shape(sources[0])[0]
    count = times if max_input_length is None else max_input_length
    start = times - count if aligned_end else 0
    read = [TensorArray(x.dtype, times).unstack(x) for x in sources]
    first = nest.flatten(state0)
    written = [TensorArray(s.dtype, count, element_shape=s.shape) for s in first]

    def body(t, states, arrays):
        now = [x.read(t + start) for x in read]
        for element, source in zip(now, sources, strict=True):
            element.set_shape(source.shape[1:])
        new = step(nest.flatten(theta), states, now)
        for tensor, old in zip(new, first, strict=True):
            tensor.set_shape(old.shape)
        arrays = [a.write(t, s) for a, s in zip(arrays, new, strict=True)]
        return t + 1, new, arrays

    _, last, arrays = while_loop(
        lambda t, states, arrays: t < count, body, (0, first, written)
    )
    states = [a.stack() for a in arrays]
    if max_input_length is not None:
        ends = [start, times - count - start]
        states = [_padded(s, ends) for s in states]
    for found, state in zip(states, first, strict=True):
        found.set_shape(sources[0].shape[:1].concatenate(state.shape))
    return nest.pack_sequence_as(state0, states), nest.pack_sequence_as(state0, last)


def _padded(states, ends):
    """States with 0 before and after."""
    return pad(states, [ends] + [[0, 0]] * (states.shape.ndims - 1))


def _step(cell_fn, cell_grad, theta, state0, inputs):
    """A function from lists of tensors (theta, a state, inputs) to those of a state."""
    likes = [theta, state0, inputs]
    sizes = [len(nest.flatten(s)) for s in likes]

    def packed(tensors):
        found, rest = [], list(tensors)
        for like, size in zip(likes, sizes, strict=True):
            found.append(nest.pack_sequence_as(like, rest[:size]))
            rest = rest[size:]
        return found

    def plain(*tensors):
        new, _ = cell_fn(*packed(tensors))
        nest.assert_same_structure(state0, new)
        return nest.flatten(new)

    def ruled(*tensors):
        parts = packed(tensors)
        new, extras = cell_fn(*parts)
        nest.assert_same_structure(state0, new)

        def grad(*dys: Any) -> list:
            given = nest.pack_sequence_as(state0, list(dys))
            slopes = cell_grad(*parts, extras, given)
            flat = [g for s in slopes for g in nest.flatten(s)]
            return [
                zeros_like(x) if g is None else g
                for x, g in zip(tensors, flat, strict=True)
            ]

        return nest.flatten(new), grad

    function = plain if cell_grad is None else custom_gradient(ruled)

    def step(*parts: list) -> list:
        found = function(*(t for part in parts for t in part))
        return list(found) if isinstance(found, list | tuple) else [found]

    return step
