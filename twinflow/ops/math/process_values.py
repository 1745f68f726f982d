"""What processes give each other: values reduced, gathered and sent, as ops.

All processes run the same of these ops in the same order (Note [Processes] in
execute.processes). They run on the host: what is compiled ends before one of them and
goes on behind it.
"""

import numpy as np

from twinflow.base import processes
from twinflow.base.annotations import Array
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.tensor import Tensor

_MERGES = ("sum", "prod", "min", "max")


def _reduce(inputs: list[Array], merge: str) -> list[Array]:
    return processes.joined().all_reduce(inputs, merge)


def _reduce_grad(dy, merge):
    return (process_reduce(dy) if merge == "sum" else [None] * len(dy),)


ProcessReduce = define(
    "TwinProcessReduce(inputs: N*T) -> (outputs: N*T); merge='sum'",
    infer=lambda inputs, merge: [x._shape for x in inputs],
    host=_reduce,
    stateful=True,
    grad=_reduce_grad,
)


def process_reduce(tensors: list[Tensor], merge: str = "sum") -> list[Tensor]:
    """What tensors of all processes become, element by element; as one message.

    Args:
        tensors: of one dtype, and of the same shapes in all processes.
        merge: "sum", "prod", "min" or "max".
    Returns:
        A tensor for each; those of a sum have gradients, which are sums themselves.
    Raises:
        ValueError: there is no such merge.
        UnavailableError: a process has died, or this one is alone.
        DeadlineExceededError: a process did not come.
    """
    if merge not in _MERGES:
        raise ValueError(f"merge must be one of {', '.join(_MERGES)}; got {merge!r}")
    return list(apply(ProcessReduce, (list(tensors),), {"merge": merge}))


def _gather(input: Array) -> Array:
    rows = processes.joined().all_gather(input)
    if len({r.shape[1:] for r in rows}) > 1:
        raise invalid(
            "The tensors that processes gather may differ in their first size only, "
            f"got the shapes {[r.shape for r in rows]}"
        )
    return np.concatenate(rows)


def _share(dy: Array, like: Array) -> Array:
    group = processes.joined()
    (total,) = group.all_reduce([dy])
    sizes = [int(n[0]) for n in group.all_gather(np.array([len(like)]))]
    start = sum(sizes[: group.rank])
    return total[start : start + len(like)]


# The gradient of what was gathered, for the part of this process.
ProcessShare = define(
    "TwinProcessShare(dy: T, like: T) -> (output: T)",
    infer=lambda dy, like: like._shape,
    host=_share,
    stateful=True,
    grad=[lambda dy: process_gather(dy), None],
)


ProcessGather = define(
    "TwinProcessGather(input: T) -> (output: T)",
    infer=lambda input: None if input._shape is None else (None, *input._shape[1:]),
    host=_gather,
    stateful=True,
    grad=[lambda dy, input: apply(ProcessShare, (dy, input))],
)


def process_gather(input: Tensor) -> Tensor:
    """The tensors of all processes joined along the first axis, by their numbers.

    Args:
        input: dtype[rows, ...]; processes may differ in the number of rows.
    Returns:
        dtype[all rows, ...]
    Raises:
        InvalidArgumentError: they differ in other sizes.
        UnavailableError, DeadlineExceededError: see `process_reduce`.
    """
    return apply(ProcessGather, (input,))


def _broadcast(inputs: list[Array], root: int) -> list[Array]:
    return processes.joined().broadcast(inputs, root)


def _broadcast_grad(inputs: list[Array], root: int) -> list[Array]:
    group = processes.joined()
    totals = group.all_reduce(inputs)
    return totals if group.rank == root else [np.zeros_like(t) for t in totals]


# One op in all processes, also where the gradient is zero: a graph must not lose it.
ProcessBroadcastGrad = define(
    "TwinProcessBroadcastGrad(inputs: N*T) -> (outputs: N*T); root=0",
    infer=lambda inputs, root: [x._shape for x in inputs],
    host=_broadcast_grad,
    stateful=True,
    grad=lambda dy, root: (process_broadcast(dy, root),),
)


ProcessBroadcast = define(
    "TwinProcessBroadcast(inputs: N*T) -> (outputs: N*T); root=0",
    infer=lambda inputs, root: [x._shape for x in inputs],
    host=_broadcast,
    stateful=True,
    grad=lambda dy, root: (
        list(apply(ProcessBroadcastGrad, (list(dy),), {"root": root})),
    ),
)


def process_broadcast(tensors: list[Tensor], root: int = 0) -> list[Tensor]:
    """The tensors of one process, in all of them, bit for bit.

    Args:
        tensors: of one dtype, and of the same shapes in all processes.
        root: the number of the process that has them.
    Returns:
        A tensor for each.
    Raises:
        UnavailableError, DeadlineExceededError: see `process_reduce`.
    """
    return list(apply(ProcessBroadcast, (list(tensors),), {"root": root}))
