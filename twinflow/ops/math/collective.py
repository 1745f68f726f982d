"""Collective ops: values that several devices give, and all of them get (Note [Groups]
in execute.collectives)."""

from typing import Any

from twinflow.base import devices
from twinflow.base.annotations import DTypeValue, ShapeValue
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.tensor import Tensor


def _alone(*inputs, group_size, **attrs):
    raise invalid(
        f"A collective op of a group of {group_size} runs in a graph: fetch all of its "
        "members in one run of a session"
    )


CollectiveReduce = define(
    "CollectiveReduce",
    infer=lambda input, **attrs: input._shape,
    host=_alone,
    stateful=True,
)
CollectiveBcastSend = define(
    "CollectiveBcastSend",
    infer=lambda input, shape, **attrs: shape,
    host=_alone,
    stateful=True,
)
CollectiveBcastRecv = define(
    "CollectiveBcastRecv",
    infer=lambda shape, **attrs: shape,
    host=_alone,
    stateful=True,
)


def all_reduce(
    t: Tensor, group_size: int, group_key: int, instance_key: int, merge_op: str,
    final_op: str, subdiv_offsets: Any = (0,),
) -> Tensor:  # fmt: skip
    """One value of those that the members of a group give; each of them gets it.

    Args:
        t: float16, float32, float64, int32 or int64[...], of one shape for all.
        group_size: how many members there are, 2 or more; one run has all of them.
        group_key, instance_key: ints that the members have in common.
        merge_op: "Add", "Mul", "Min" or "Max". final_op: "Id", or "Div" for the mean.
        subdiv_offsets: accepted: how TensorFlow cuts up the work.
    Returns:
        As `t`.
    Raises:
        ValueError: `t` is on no device, or the group is too small.
    """
    if not devices.canonical(t.device):
        raise ValueError("Device assignment required for collective ops")
    _check_size(group_size, "add_reduce")
    attrs = {
        "group_size": group_size, "group_key": group_key, "instance_key": instance_key,
        "merge_op": merge_op, "final_op": final_op,
        "subdiv_offsets": list(subdiv_offsets),
    }  # fmt: skip
    return apply(CollectiveReduce, (t,), attrs)


def broadcast_send(
    t: Tensor, shape: ShapeValue, dtype: DTypeValue, group_size: int, group_key: int,
    instance_key: int,
) -> Tensor:  # fmt: skip
    """Give a value to the others of a group, who call `broadcast_recv`.

    Args:
        t: the tensor. shape, dtype: its own. group_size, group_key, instance_key: see
            `all_reduce`.
    Returns:
        As `t`.
    Raises:
        ValueError: `t` is on no device or of another kind, or the group is too small.
    """
    if not devices.canonical(t.device):
        raise ValueError("Device assignment required for collective ops")
    _check_size(group_size, "broadcast_send")
    if t.shape != shape:
        raise ValueError("Shape of broadcast_send tensor not equal to delcared shape")
    if t.dtype != dtype:
        raise ValueError("Type of broadcast_send tensor not equal to declared type")
    attrs = {
        "group_size": group_size, "group_key": group_key, "instance_key": instance_key,
        "shape": shape,
    }  # fmt: skip
    return apply(CollectiveBcastSend, (t,), attrs)


def broadcast_recv(
    shape: ShapeValue, dtype: DTypeValue, group_size: int, group_key: int,
    instance_key: int,
) -> Tensor:  # fmt: skip
    """What another member of a group sends: see `broadcast_send`.

    Returns:
        dtype[shape].
    Raises:
        ValueError: the group is too small.
    """
    _check_size(group_size, "broadcast_send")
    attrs = {
        "T": dtype, "group_size": group_size, "group_key": group_key,
        "instance_key": instance_key, "shape": shape,
    }  # fmt: skip
    return apply(CollectiveBcastRecv, (), attrs)


def _check_size(group_size, what):
    if group_size <= 1:
        raise ValueError(f"Parameter group_size to {what} must be at least 2.")
