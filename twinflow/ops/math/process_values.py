"""What processes give each other: values reduced, gathered and sent, as ops.

All processes run the same of these ops in the same order (Note [Processes] in
execute.processes). They run on the host: what is compiled ends before one of them and
goes on behind it.
"""

import numpy as np

from twinflow.base import processes
from twinflow.base.annotations import Array
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.tensor import Tensor

_MERGES = ("sum", "prod", "min", "max")


def _reduce(inputs: list[Array], merge: str, names: str) -> list[Array]:
    return processes.joined().all_reduce(inputs, merge, names.split())


def _reduce_grad(dy, merge, names):
    return (process_reduce(dy) if merge == "sum" else [None] * len(dy),)


ProcessReduce = define(
    "TwinProcessReduce(inputs: N*T) -> (outputs: N*T); merge='sum', names=''",
    infer=lambda inputs, merge, names: [x._shape for x in inputs],
    host=_reduce,
    stateful=True,
    grad=_reduce_grad,
)


def process_reduce(
    tensors: list[Tensor], merge: str = "sum", names: str = ""
) -> list[Tensor]:
    """What tensors of all processes become, element by element; as one message.

    Args:
        tensors: of one dtype, and of the same shapes in all processes.
        merge: "sum", "prod", "min" or "max".
        names: of the tensors, with spaces between them, which all processes must give
            alike; "" for none.
    Returns:
        A tensor for each; those of a sum have gradients, which are sums themselves.
    Raises:
        ValueError: there is no such merge.
        UnavailableError: a process has died, or this one is alone.
        DeadlineExceededError: a process did not come.
        FailedPreconditionError: the processes have come to different collectives.
    """
    if merge not in _MERGES:
        raise ValueError(f"merge must be one of {', '.join(_MERGES)}; got {merge!r}")
    given = {"merge": merge, "names": names}
    return list(apply(ProcessReduce, (list(tensors),), given))


def _gather(input: Array, names: str) -> Array:
    return np.concatenate(processes.joined().all_gather(input, names.split()))


def _share(dy: Array, like: Array) -> Array:
    group = processes.joined()
    (total,) = group.all_reduce([dy])
    sizes = [int(n[0]) for n in group.all_gather(np.array([len(like)]))]
    start = sum(sizes[: group.rank])
    return total[start : start + len(like)]


def _gathered_shape(input: Tensor, names: str) -> tuple | None:
    return None if input._shape is None else (None, *input._shape[1:])


# The gradient of what was gathered, for the part of this process.
ProcessShare = define(
    "TwinProcessShare(dy: T, like: T) -> (output: T)",
    infer=lambda dy, like: like._shape,
    host=_share,
    stateful=True,
    grad=[lambda dy: process_gather(dy), None],
)


ProcessGather = define(
    "TwinProcessGather(input: T) -> (output: T); names=''",
    infer=_gathered_shape,
    host=_gather,
    stateful=True,
    grad=[lambda dy, input, names: apply(ProcessShare, (dy, input))],
)


def process_gather(input: Tensor, names: str = "") -> Tensor:
    """The tensors of all processes joined along the first axis, by their numbers.

    Args:
        input: dtype[rows, ...]; processes may differ in the number of rows.
        names: see `process_reduce`.
    Returns:
        dtype[all rows, ...]
    Raises:
        FailedPreconditionError: they differ in other sizes, or see `process_reduce`.
        UnavailableError, DeadlineExceededError: see `process_reduce`.
    """
    return apply(ProcessGather, (input,), {"names": names})


def _broadcast(inputs: list[Array], root: int, names: str) -> list[Array]:
    return processes.joined().broadcast(inputs, root, names.split())


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
    "TwinProcessBroadcast(inputs: N*T) -> (outputs: N*T); root=0, names=''",
    infer=lambda inputs, root, names: [x._shape for x in inputs],
    host=_broadcast,
    stateful=True,
    grad=lambda dy, root, names: (
        list(apply(ProcessBroadcastGrad, (list(dy),), {"root": root})),
    ),
)


def process_broadcast(
    tensors: list[Tensor], root: int = 0, names: str = ""
) -> list[Tensor]:
    """The tensors of one process, in all of them, bit for bit.

    Args:
        tensors: of one dtype, and of the same shapes in all processes.
        root: the number of the process that has them. names: see `process_reduce`.
    Returns:
        A tensor for each.
    Raises:
        FailedPreconditionError, UnavailableError, DeadlineExceededError: see
            `process_reduce`.
    """
    given = {"root": root, "names": names}
    return list(apply(ProcessBroadcast, (list(tensors),), given))
