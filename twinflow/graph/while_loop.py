"""tf.while_loop: two regions in one graph, run as often as the first says."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinflow.base import dispatch, nest
from twinflow.base.advice import advised
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.graph.structure import expanded, filled, kept_shapes, leaves, tensor_in
from twinflow.graph.while_node import repeated
from twinflow.ops.core import array, compare
from twinflow.ops.core.infer import fits
from twinflow.ops.tensor_array.arrays import TensorArray


def while_loop(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10, back_prop: bool = True, swap_memory: bool = False,
    name: str | None = None, maximum_iterations: Any = None,
    return_same_structure: bool = False,
) -> Any:  # fmt: skip
    """Repeat `body` while `cond` holds.

    Args:
        cond: a function of the loop variables that gives a bool scalar.
        body: a function of the loop variables that gives their next values.
        loop_vars: the first values, in any structure, TensorArrays among them.
        shape_invariants: TensorShapes, in the structure of `loop_vars`, for variables
            whose shape changes.
        maximum_iterations: stop after so many iterations.
        return_same_structure: keep a list of one variable as a list.
        back_prop: False stops gradients at the results.
        parallel_iterations, swap_memory: accepted.
    Returns:
        The last values, in the structure of `loop_vars`.
    Raises:
        ValueError: there are no loop variables, or a shape without an invariant
            changes.
        TypeError: a dtype changes, or an argument is of the wrong kind.
    Example:
        tf.while_loop(lambda i: i < 10, lambda i: i + 1, [tf.constant(0)])  # 10
    """
    mode = dispatch.current_mode()
    if not mode.eager and isinstance(loop_vars, Tensor):
        iter(loop_vars)  # which a graph's tensor refuses
    if not isinstance(loop_vars, Tensor) and not loop_vars:
        raise ValueError("No loop variables provided")
    for label, function in (("cond", cond), ("body", body)):
        if not callable(function):
            raise advised(TypeError, f"{label} must be callable.")
    if parallel_iterations is not None and parallel_iterations < 1:
        raise TypeError("parallel_iterations must be a positive integer.")
    with mode.name_scope("while" if name is None else name):
        limit, same = _limit(mode, maximum_iterations), return_same_structure
        if mode.eager:
            return _run_now(cond, body, loop_vars, limit)
        out = _run_later(mode, cond, body, loop_vars, shape_invariants, limit, same)
        return out if back_prop else _stopped(out)


def _limit(mode: Any, maximum: int | None) -> Tensor | None:
    if maximum is None:
        return None
    limit = array.convert_to_tensor(maximum, name="maximum_iterations")
    if limit._shape:
        raise advised(
            ValueError, f"maximum_iterations must be a scalar, saw shape: {limit.shape}"
        )
    return limit


def _run_now(cond: Callable, body: Callable, loop_vars: Any, limit: Any) -> Any:
    """The loop in eager mode, in Python; numbers become tensors as in a graph."""
    single, count, packed = len(loop_vars) == 1, 0, False
    loop_vars = _tensors(loop_vars)
    while (limit is None or count < int(limit)) and cond(*loop_vars):
        before, loop_vars = loop_vars, body(*loop_vars)
        if not single and getattr(loop_vars, "_shape", None) == ():
            nest.assert_same_structure(list(before), [loop_vars])
        count += 1
        packed = single and not isinstance(loop_vars, list | tuple)
        loop_vars = _tensors((loop_vars,) if packed else loop_vars)
    return loop_vars[0] if packed else loop_vars


def _tensors(structure: Sequence) -> Sequence:
    return nest.map_structure(
        lambda v: array.convert_to_tensor(v) if isinstance(v, _PLAIN) else v, structure
    )


_PLAIN = (bool, int, float, complex, np.ndarray, np.generic)


def _stopped(structure: Any) -> Any:
    """The results without their gradients."""
    found = [
        array.stop_gradient(t) if t.dtype.is_inexact else t for t in leaves(structure)
    ]
    return filled(structure, found)


def _run_later(
    graph: Any, cond: Callable, body: Callable, loop_vars: Any, invariants: list | None,
    limit: Any, same: bool,
) -> Tensor | tuple:  # fmt: skip
    if not isinstance(loop_vars, list | tuple | dict):
        loop_vars = list(loop_vars)
    first = [tensor_in(graph, v) for v in leaves(loop_vars)]
    shapes = kept_shapes(loop_vars, first)
    if invariants is not None:
        shapes = _invariant_shapes(loop_vars, invariants, first)
    template = None

    def step(*flat: Any) -> list[Tensor]:
        nonlocal template
        inner = filled(loop_vars, flat)
        template = out = body(*inner)
        listed = list(out) if _is_listed(out) else [out]
        nest.assert_same_structure(list(inner), listed)
        _check_arrays(loop_vars, listed)
        return leaves(listed)

    def test(*flat: Any) -> Any:
        return cond(*filled(loop_vars, flat))

    with_refs, first, shapes, test, step = _without_refs(first, shapes, test, step)
    counted = limit is not None
    if counted:
        zero: Any = array.constant(0, limit.dtype, name="iteration_counter")
        first, shapes = [zero, *first], [(), *shapes]
        test, step = _counted(test, step, limit)
    out = repeated(graph, test, step, first, "while", shapes)[counted:]
    if counted:
        graph.unique_name("Exit")  # TensorFlow's counter has it
        graph.leave_ids(1)
    return _returned(template, with_refs(out), same)


def _without_refs(first: Any, shapes: list, test: Callable, step: Callable) -> tuple:
    """The loop without variables that are references: these stay what they are.

    Returns:
        (what puts them among the others again, the other variables, their shapes, the
        functions of these)
    """
    moving = [i for i, t in enumerate(first) if not t.dtype._is_ref_dtype]
    if len(moving) == len(first):
        return list, first, shapes, test, step

    def whole(flat: Any) -> list:
        rest = iter(flat)
        return [t if t.dtype._is_ref_dtype else next(rest) for t in first]

    def moved(values: Any) -> list:
        return [values[i] for i in moving]

    return (
        whole, moved(first), moved(shapes), lambda *flat: test(*whole(flat)),
        lambda *flat: moved(step(*whole(flat))),
    )  # fmt: skip


def _is_listed(out: TensorValue) -> bool:
    """Whether what a body returns is a list of all variables, not one of them."""
    return nest.is_sequence(out) and not isinstance(out, dict)


def _returned(template: Any, out: Any, same: bool) -> Any:
    """The results in the structure of what the body returned."""
    out = [t if t.dtype._is_ref_dtype else array.identity(t, name="Exit") for t in out]
    if not _is_listed(template):
        found = filled(template, out)
        return [found] if same else found
    found = filled(template, out)
    return found[0] if len(out) == 1 and not same else found


def _invariant_shapes(loop_vars: Any, invariants: list, first: Any) -> list:
    nest.assert_same_structure(loop_vars, invariants)
    flat = expanded(nest.flatten(invariants), loop_vars)
    shapes = [TensorShape(s) for s in flat]
    for t, s in zip(first, shapes, strict=True):
        if not fits(s.tuple, t._shape):
            raise advised(
                ValueError,
                f"The shape invariant specified for {t.name} is not compatible with "
                "the initial shape of the loop variable. It enters the loop with shape "
                f"{t.shape}, but the specified shape invariant is {s}.",
            )
    return [s.tuple for s in shapes]


def _check_arrays(loop_vars: Sequence, out: list) -> None:
    """A TensorArray stays the array that it was."""
    for old, new in zip(nest.flatten(loop_vars), nest.flatten(out), strict=True):
        handle = getattr(old, "handle", None)
        if isinstance(old, TensorArray) and handle is not getattr(new, "handle", None):
            raise ValueError(
                f"The body returns {new!r} in the place of a TensorArray that came "
                "into the loop. Return what writing to that array gives."
            )


def _counted(cond: Callable, body: Callable, limit: Any) -> tuple[Callable, ...]:
    """The functions of a loop with a counter before its variables."""
    return (
        lambda n, *values: compare.logical_and(n < limit, cond(*values)),
        lambda n, *values: [n + 1, *body(*values)],
    )
