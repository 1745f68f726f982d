"""What processes give each other, as Horovod names it: tensors in, tensors out.

All processes call the same of these in the same order: graphs are run in the order in
which their nodes were made. Names are compared, as dtypes and shapes are: those of a
graph's tensors, or those given.
"""

from collections.abc import Sequence
from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import Tensor
from twinflow.compat.horovod.compression import Compression
from twinflow.compat.horovod.state import size
from twinflow.distribute.cross_tower_ops import divided
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.division import floordiv
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.math.process_values import (
    process_broadcast,
    process_gather,
    process_reduce,
)


def allreduce(
    tensor: Any, average: bool = True, device_dense: str = "", device_sparse: str = "",
    compression: Any = Compression.none,
) -> Any:  # fmt: skip
    """The mean, or sum, of a tensor over all processes.

    Args:
        tensor: a tensor of the same shape everywhere, or IndexedSlices, whose rows are
            gathered. average: whether to divide by the number of processes.
        device_dense, device_sparse: accepted. compression: how it travels.
    Returns:
        What it became; its gradient is the mean, or sum, of those of all processes.
    Example:
        import twinflow.compat.horovod.tensorflow as hvd
        hvd.init()
        hvd.allreduce(tf.constant([1.0, 2.0]))  # [1.0, 2.0]
    """
    return reduced([tensor], average, compression)[0]


def reduced(
    values: Sequence, average: bool = True, compression: Any = Compression.none
) -> list:
    """`allreduce` of several values, those of one dtype as one message.

    Args:
        values: tensors, IndexedSlices or None, which stays.
    """
    if size() == 1:
        return [_itself(v) for v in values]
    found, dense = list(values), {}
    for i, value in enumerate(values):
        if isinstance(value, IndexedSlices):
            found[i] = _gathered(value, average)
        elif value is not None:
            sent, known = compression.compress(convert_to_tensor(value))
            dense.setdefault(sent.dtype.base_dtype, []).append((i, sent, known))
    for given in dense.values():
        names = _named([values[i] for i, _, _ in given])
        totals = process_reduce([sent for _, sent, _ in given], names=names)
        for (i, _, known), total in zip(given, totals, strict=True):
            total = compression.decompress(total, known)
            found[i] = _mean(total) if average else total
    return found


def _named(tensors: Sequence, name: str | None = None) -> str:
    """What processes compare: a name that is given, or those of a graph's tensors."""
    if name is None and current_mode().eager:
        return ""
    names = [name] if name else [getattr(t, "name", "constant") for t in tensors]
    return " ".join(n.replace(" ", "_") for n in names)


def _itself(value: Any) -> Any:
    if value is None or isinstance(value, IndexedSlices):
        return value
    return identity(convert_to_tensor(value))


def _gathered(value: IndexedSlices, average: bool) -> IndexedSlices:
    parts = value.values, value.indices
    rows, places = (process_gather(t, _named([t])) for t in parts)
    rows = _mean(rows) if average else rows
    return IndexedSlices(rows, places, value.dense_shape)


def _mean(total: Tensor) -> Tensor:
    if total.dtype.is_integer:
        return floordiv(total, convert_to_tensor(size(), dtype=total.dtype))
    return divided(total, size())


def allgather(tensor: Any, name: str | None = None) -> Tensor:
    """The tensors of all processes joined along the first axis, by their numbers.

    Args:
        tensor: dtype[rows, ...]; processes may differ in the number of rows.
        name: the name of the result, the same in all processes.
    Returns:
        dtype[all rows, ...]; its gradient is the sum of all, for the own rows.
    Raises:
        ValueError: a scalar has no first axis.
    Example:
        import twinflow.compat.horovod.tensorflow as hvd
        hvd.init()
        hvd.allgather(tf.constant([1.0, 2.0]))  # [1.0, 2.0]
    """
    tensor = convert_to_tensor(tensor)
    if tensor.shape.ndims == 0:
        raise ValueError(
            "hvd.allgather joins along the first axis, which a scalar has not; give "
            "tf.reshape(x, [1])"
        )
    found = tensor if size() == 1 else process_gather(tensor, _named([tensor], name))
    return identity(found, name=name)


def broadcast(tensor: Any, root_rank: int, name: str | None = None) -> Tensor:
    """The tensor of one process, in all of them, bit for bit.

    Args:
        tensor: of the same shape everywhere. root_rank: whose.
        name: the name of the result, the same in all processes.
    Returns:
        It; its gradient is the sum of all in that process, and zero in the others.
    Raises:
        ValueError: there is no such process.
    Example:
        import twinflow.compat.horovod.tensorflow as hvd
        hvd.init()
        hvd.broadcast(tf.constant([1.0, 2.0]), 0)  # [1.0, 2.0]
    """
    tensor = convert_to_tensor(tensor)
    check_root(root_rank)
    if size() > 1:
        names = _named([tensor], name)
        (tensor,) = process_broadcast([tensor], root_rank, names)
    return identity(tensor, name=name)


def check_root(root_rank: int) -> None:
    """That there is a process of this number."""
    if not 0 <= root_rank < size():
        raise ValueError(
            f"root_rank must be one of the {size()} processes, from 0; got {root_rank}"
        )
