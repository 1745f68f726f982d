"""Less memory for more time: values are computed again on the way back.

Note [Recompute]: the second run reads its inputs through TwinTie, which XLA cannot see
through and which needs the incoming gradient: it can run no earlier. Without it XLA
shares the two runs and keeps everything. Random numbers are replayed (Note
[Replaying]).
"""

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any, cast

from twinflow.autodiff.custom_gradient import custom_gradient
from twinflow.autodiff.tape import GradientTape
from twinflow.base import dispatch, nest
from twinflow.base.annotations import Called
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.tensor import ResourceHandle
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.random.replay import noting, replaying


def _tie(xp: ModuleType) -> Callable:
    def kernel(x: Any, after: Any) -> Any:
        first = xp.real(after).reshape(-1)[:1]
        never = (first != first) & (first == 0)  # XLA does not see that it is False
        return xp.where(xp.any(never), xp.zeros_like(x), x)

    return kernel


Tie = define(
    "TwinTie(x: T, after: U) -> (output: T)",
    infer=lambda x, after: x._shape,
    kernel=lambda xp: (lambda x, after: x) if xp.__name__ == "numpy" else _tie(xp),
    grad=[lambda dy: dy, None],
)


def recompute_grad(
    fn: Called, use_data_dep: Any = True, tupleize_grads: Any = False
) -> Called:
    """Let a function keep nothing but its inputs for its gradient.

    On the way back `fn` runs once more, with the same random numbers. Variables that it
    makes must be made by its first run, as layers do.

    Args:
        fn: a function of tensors that returns a tensor or a structure of tensors.
        use_data_dep: make the second run wait for the incoming gradient, which keeps
            a compiler from sharing the two runs.
        tupleize_grads: accepted; the gradients come together anyway.
    Returns:
        The function of the same arguments.
    Example:
        block = tf.contrib.layers.recompute_grad(lambda x: tf.layers.dense(x, 64))
    Reference: Chen et al., Training deep nets with sublinear memory cost (2016).
    """

    @functools.wraps(fn)
    def wrapped(*args: Any) -> Any:
        @custom_gradient
        def run(*inputs: Any) -> tuple:
            with noting() as states:
                result = unseen(fn, inputs)

            def grad(*dys: Any, variables: Any = ()) -> Any:
                return _again(fn, inputs, dys, variables, states, use_data_dep)

            return result, grad

        return run(*args)

    return cast(Called, wrapped)


def unseen(fn: Callable, inputs: Any) -> Any:
    """What `fn` returns; of its ops tapes see only which variables were read."""
    with dispatch.tapes_paused(), GradientTape() as inner:
        result = fn(*inputs)
    for tape in dispatch.local.top.tapes:
        for v in inner.watched_variables():
            tape.accessed(v, v.handle_id())
    return result


def _again(
    fn: Callable, inputs: Any, dys: Any, variables: Any, states: Any, use_data_dep: Any
) -> Any:
    values = [convert_to_tensor(x) for x in inputs]
    # a tensor for each place: one tensor may stand in two of them
    if use_data_dep:
        values = [apply(Tie, (x, dys[0])) for x in values]
    else:
        values = [identity(x) for x in values]
    given = [
        x if isinstance(x, ResourceHandle) else v
        for x, v in zip(inputs, values, strict=True)
    ]
    with GradientTape() as tape, replaying(states):
        tape.watch(given)
        flat = [convert_to_tensor(t) for t in nest.flatten(fn(*given))]
    grads = tape.gradient(flat, [*given, *variables], list(dys))
    grads = [
        None if any(x is y for y in given[:i]) else dx  # a variable's slope is whole
        for i, (x, dx) in enumerate(zip([*given, *variables], grads, strict=True))
    ]
    found, extra = grads[: len(given)], grads[len(given) :]
    return (found, extra) if variables else found
