"""Sums, products and copies across the devices of a process.

On GPUs XLA makes them what NCCL does; between played devices they are plain sums.
"""

import functools
from collections.abc import Callable
from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import device
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.constant import identity
from twinflow.ops.core.elementwise import maximum, minimum, multiply


def all_sum(tensors: Any) -> list[Tensor]:
    """The sum of tensors, on the device of each.

    Args:
        tensors: a list of numeric tensors of one shape, each on a device.
    Returns:
        A list of tensors of that shape. The gradient is the same sum, of gradients.
    Raises:
        ValueError: there are none, or one is on no device.
    Example:
        with tf.device("/cpu:0"):
            x = tf.constant([1.0, 2.0])
        tf.contrib.nccl.all_sum([x, x])[0].shape.as_list()  # [2]
    """
    return _everywhere(add_n, tensors)


def all_prod(tensors: Any) -> list[Tensor]:
    """The product of tensors, on the device of each; see `all_sum`."""
    return _everywhere(_folding(multiply), tensors)


def all_min(tensors: Any) -> list[Tensor]:
    """The least of tensors, on the device of each; see `all_sum`."""
    return _everywhere(_folding(minimum), tensors)


def all_max(tensors: Any) -> list[Tensor]:
    """The greatest of tensors, on the device of each; see `all_sum`."""
    return _everywhere(_folding(maximum), tensors)


def reduce_sum(tensors: Any) -> Tensor:
    """The sum of tensors, on the device of this block.

    Args:
        tensors: a list of numeric tensors of one shape, each on a device.
    Raises:
        ValueError: there are none, one is on no device, or none on that of the block.
    """
    if not tensors:
        raise ValueError("Must pass >0 tensors to reduce operations")
    for t in tensors:
        _check_device(t)
    total = add_n(list(tensors))
    if all(t.device != total.device for t in tensors):
        raise ValueError("One input tensor must be assigned to current device")
    return total


def broadcast(tensor: Any) -> Tensor:
    """A tensor for ops on all other devices.

    Args:
        tensor: a tensor on a device. The gradient is the sum of those of its uses.
    Raises:
        ValueError: it is on no device.
    """
    _check_device(tensor)
    with device(tensor.device):
        return identity(tensor)


def _everywhere(reduce: Callable, tensors: Any) -> list[Tensor]:
    if not tensors:
        raise ValueError("Must pass >0 tensors to all reduce operations")
    for t in tensors:
        _check_device(t)
    with device(tensors[0].device):
        total = reduce(list(tensors))
    found = []
    for t in tensors:
        with device(t.device):
            found.append(identity(total))
    return found


def _folding(operator: Callable) -> Callable:
    return lambda values: functools.reduce(operator, values)


def _check_device(tensor: Any) -> None:
    if not tensor.device:
        raise ValueError("Device assignment required for nccl collective ops")
