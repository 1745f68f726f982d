"""Dealing rows out to several tensors, and putting them together again."""

from typing import Any

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import range
from twinflow.ops.core.index import first_bad, gather
from twinflow.ops.core.infer import attr_at_least, merge, text
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.size import size


def _starts_with(data, partitions, eager):
    """The axes of `data` after those of `partitions`."""
    d, p = data._shape, partitions._shape
    if d is None or p is None:
        return None
    try:
        merge(d[: len(p)], p)
    except InferError as error:
        pairs = (q for q in zip(d, p, strict=False) if q[0] != q[1] and None not in q)
        pair = next(pairs, None)
        graph = pair and f"Dimensions must be equal, but are {pair[0]} and {pair[1]}"
        raise InferError(eager, graph or error.graph_message) from None
    return d[len(p) :]


def _infer_partition(data, partitions, num_partitions):
    attr_at_least(1, "DynamicPartition", "num_partitions", num_partitions)
    rest = _starts_with(
        data,
        partitions,
        "data.shape must start with partitions.shape, got data.shape = "
        f"{text(data._shape)}, partitions.shape = {text(partitions._shape)}",
    )
    return [None if rest is None else (None, *rest)] * num_partitions


def _check_partition(data, partitions, num_partitions):
    return first_bad(
        partitions,
        (partitions >= 0) & (partitions < num_partitions),
        lambda label, p: f"partitions{label} = {p} is not in [0, {num_partitions})",
    )


def _partition_kernel(data, partitions, num_partitions):
    rows = data.reshape(partitions.size, *data.shape[partitions.ndim :])
    places = np.reshape(partitions, -1)
    return [rows[places == i] for i in np.arange(num_partitions)]


def _partition_grad(dy, shape_data, partitions, num_partitions):
    """Deal the numbers of the rows out too, and put the gradients back there."""
    numbers = reshape(range(size(partitions)), shape(partitions))
    places = dynamic_partition(numbers, partitions, num_partitions)
    return (reshape(parallel_dynamic_stitch(places, dy), shape_data), None)


DynamicPartition = define(
    "DynamicPartition",
    attrs={"num_partitions": 1},
    infer=_infer_partition,
    host=_partition_kernel,
    grad=_partition_grad,
    check=_check_partition,
)


def dynamic_partition(
    data: TensorValue, partitions: Any, num_partitions: Any, name: str | None = None
) -> Any:
    """Deal the rows of `data` out to several tensors.

    Args:
        data: a tensor.
        partitions: int32 tensor whose shape begins that of `data`: where each row goes.
        num_partitions: how many tensors there are, an int of at least 1.
        name: the name of the node in a graph.
    Returns:
        A list of tensors; how many rows each has depends on the values.
    Raises:
        InvalidArgumentError: a partition is out of range, or the shapes do not fit.
    Example:
        tf.dynamic_partition([1, 2, 3], [0, 1, 0], 2)  # [1, 3], [2]
    """
    attrs = {"num_partitions": num_partitions}
    return apply(DynamicPartition, (data, partitions), attrs, name)


def _infer_stitch(indices, data):
    found = None
    for n, (i, d) in enumerate(zip(indices, data, strict=True)):
        message = (
            f"data[{n}].shape = {text(d._shape)} does not start with "
            f"indices[{n}].shape = {text(i._shape)}"
        )
        rest = _starts_with(d, i, message)
        if rest is not None:
            found = merge(found, rest, _unlike(indices, data, n))
    return None if found is None else (_rows(indices), *found)


def _rows(indices):
    """How many rows come out, where all indices are known."""
    known = [i._known_value() for i in indices if hasattr(i, "_known_value")]
    if len(known) < len(indices) or not all(isinstance(k, np.ndarray) for k in known):
        return None
    return max((int(k.max()) + 1 for k in known if k.size), default=0)


def _unlike(indices, data, n):
    first, k = indices[0]._shape, len(indices[0]._shape or ())
    return (
        f"Need data[0].shape[{k}:] = data[{n}].shape[{k}:], got data[0].shape = "
        f"{text(data[0]._shape)}, data[{n}].shape = {text(data[n]._shape)}, "
        f"indices[0].shape = {text(first)}, indices[{n}].shape = "
        f"{text(indices[n]._shape)}"
    )


def _check_stitch(indices, data):
    for i in indices:
        bad = first_bad(i, i >= 0, lambda label, _: f"indices{label} is out of range")
        if bad:
            return bad
    return None


def _stitch_kernel(indices, data):
    n = max((int(np.max(i)) + 1 for i in indices if i.size), default=0)
    rest = data[0].shape[indices[0].ndim :]
    blank = b"" if data[0].dtype == object else 0
    out = np.full((n, *rest), blank, data[0].dtype)
    for i, d in zip(indices, data, strict=True):
        out[np.reshape(i, -1)] = np.reshape(d, (np.size(i), *rest))
    return out


def _define_stitch(kind):
    return define(
        kind,
        infer=_infer_stitch,
        host=_stitch_kernel,
        grad=[None, lambda dy, indices: [gather(dy, i) for i in indices]],
        check=_check_stitch,
    )


DynamicStitch = _define_stitch("DynamicStitch")
ParallelDynamicStitch = _define_stitch("ParallelDynamicStitch")


def dynamic_stitch(
    indices: TensorValue, data: TensorValue, name: str | None = None
) -> Tensor:
    """Put rows at places: merged[indices[m][i]] = data[m][i].

    Args:
        indices: a list of int32 tensors, each not negative.
        data: a list of tensors of one dtype; the shape of each begins with that of its
            indices, and what follows is the same in all.
        name: the name of the node in a graph.
    Returns:
        A tensor with as many rows as the largest index plus one. Where an index comes
        twice, the last row stays; a row that no index names is 0.
    Raises:
        InvalidArgumentError: an index is negative, or the shapes do not fit.
    Example:
        tf.dynamic_stitch([[0, 2], [1]], [[1, 3], [2]])  # [1, 2, 3]
    """
    return apply(DynamicStitch, _lists(indices, data), None, name)


def parallel_dynamic_stitch(indices, data, name=None):
    """As tf.dynamic_stitch, where no index comes twice.

    Args:
        indices, data, name: see tf.dynamic_stitch.
    """
    return apply(ParallelDynamicStitch, _lists(indices, data), None, name)


def _lists(indices, data):
    if not len(indices) or len(indices) != len(data):
        raise ValueError(
            "List argument 'indices' to 'DynamicStitch' Op with length "
            f"{len(indices)} shorter than minimum length 1."
            if not len(indices)
            else f"tf.dynamic_stitch got {len(indices)} indices and {len(data)} data; "
            "give as many of each."
        )
    return [convert_to_tensor(i) for i in indices], list(data)
