"""Loops of steps, and where parts of a computation run; all of it on this machine."""

import inspect
from collections.abc import Callable
from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import control_dependencies
from twinflow.graph.while_loop import while_loop as plain_loop
from twinflow.ops.core.constant import constant, convert_to_tensor, identity


def core(num: int) -> str:
    """The name of a device: a core of a TPU.

    Args:
        num: which core.
    Example:
        tf.contrib.tpu.core(0)  # "device:TPU_REPLICATED_CORE:0"
    """
    return f"device:TPU_REPLICATED_CORE:{num}"


def outside_compilation(
    computation: Callable[..., Any], *args: Any, **kwargs: Any
) -> Any:
    """Call a function that a TPU is to leave to the CPU; here that is where all is.

    Args:
        computation: the function. args, kwargs: what it takes.
    Example:
        tf.contrib.tpu.outside_compilation(lambda x: x * 2, 3)  # 6
    """
    return computation(*args, **kwargs)


def while_loop(
    condition: Callable[..., Any], body: Callable[..., Any], inputs: Any = None,
    infeed_queue: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Repeat `body` while `condition` holds.

    Args:
        condition: a function of the values that gives a bool scalar.
        body: a function of the values that gives as many of the same dtypes, then
            perhaps ops to run.
        inputs: the first values: a tensor or list. name: the name scope.
        infeed_queue: None; there is no TPU.
    Returns:
        A list of the last values; an op where there are none.
    Raises:
        TypeError: a function does not take the values, or `body` gives others.
        ValueError: `body` gives no tensors and ops, or there is an `infeed_queue`.
    Example:
        with tf.Graph().as_default(), tf.Session() as sess:
            loop = tf.contrib.tpu.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
            sess.run(loop)  # [3]
    """
    if infeed_queue is not None:
        raise ValueError(
            "Can't build training loop with infeed when there is no "
            "tpu_shard_context. Are you building a loop or graph directly rather than "
            "from inside tpu.rewrite, tpu.batch_parallel, tpu.shard, or tpu.replicate?"
        )
    inputs = [] if inputs is None else inputs
    values = [
        convert_to_tensor(x) for x in (inputs if isinstance(inputs, list) else [inputs])
    ]
    _check_arity(condition, values, "condition function", "loop condition")
    _check_arity(body, values, "body function", "loop body")
    dtypes = [v.dtype for v in values]

    def step(*now: Any) -> list:
        found = body(*(now if values else ()))
        return _checked(found, dtypes) or [constant(0)]

    def holds(*now: Any) -> Any:
        return condition(*(now if values else ()))

    ends = plain_loop(holds, step, values or [constant(0)], name=name or "")
    ends = ends if isinstance(ends, list | tuple) else [ends]
    return list(ends) if values else ends[0].op


def _check_arity(function, values, what, short):
    try:
        inspect.signature(function).bind(*values)
    except TypeError:
        taken = inspect.signature(function).parameters
        raise TypeError(
            f"Supplied loop {what} cannot be called with the specified inputs. You "
            f"specified {len(values)} inputs: {[v.name for v in values]}, but the "
            f"{short} needs exactly {len(taken)} arguments"
        ) from None


def _checked(found, dtypes):
    """The tensors that a body gave, after its ops."""
    found = [] if found is None else found
    found = list(found) if isinstance(found, list | tuple) else [found]
    found = [x if hasattr(x, "node_def") else convert_to_tensor(x) for x in found]
    tensors = [x for x in found if isinstance(x, Tensor)]
    ops = found[len(tensors) :]
    if any(isinstance(x, Tensor) for x in ops):
        raise ValueError(
            "TPU training loop body must return zero or more Tensor values followed by "
            "zero or more Operations."
        )
    given = [t.dtype for t in tensors]
    if given != dtypes:
        raise TypeError(
            "Mismatch between input types and output types for training loop body: "
            f"{dtypes} vs {given}"
        )
    with control_dependencies(ops):
        return [identity(t) for t in tensors] or ([constant(0)] if ops else [])


def repeat(
    n: Any, body: Callable[..., Any], inputs: Any = None, infeed_queue: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Repeat `body` n times.

    Args:
        n: how many times. body, inputs, infeed_queue, name: see `while_loop`.
    Returns:
        A list of the last values; an op where there are none.
    Example:
        with tf.Graph().as_default(), tf.Session() as sess:
            loop = tf.contrib.tpu.repeat(3, lambda x: x * 2.0, [tf.constant(1.0)])
            sess.run(loop)  # [8.0]
    """
    inputs = [] if inputs is None else inputs
    inputs = list(inputs) if isinstance(inputs, list | tuple) else [inputs]

    def step(i: Any, *args: Any) -> list:
        found = body(*args)
        found = [] if found is None else found
        found = list(found) if isinstance(found, list | tuple) else [found]
        return [i + 1, *found]

    ends = while_loop(
        lambda i, *_: i < n, step, [0, *inputs], infeed_queue=infeed_queue, name=name
    )
    return ends[1:] if inputs else ends[0].op
