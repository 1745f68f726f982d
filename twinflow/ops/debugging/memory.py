"""How much memory the process has and may take: numbers in bytes."""

from typing import Any

import numpy as np

from twinflow.base import heap
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.ops.core.infer import scalar

_InUse = define(
    "BytesInUse", infer=scalar, host=lambda: np.int64(heap.bytes_in_use()),
    stateful=True,
)  # fmt: skip
_MostInUse = define(
    "MaxBytesInUse", infer=scalar, stateful=True,
    host=lambda: np.int64(max(heap.bytes_in_use(), heap.most_bytes_in_use())),
)  # fmt: skip
_Limit = define(
    "BytesLimit", infer=scalar, host=lambda: np.int64(heap.memory_of_machine()),
    stateful=True,
)  # fmt: skip


def BytesInUse() -> Any:
    """The bytes that the process has allocated when it is computed: int64 scalar.

    NumPy's arrays and XLA's buffers are among them. Where the C library is not glibc,
    the most that it ever had.

    Example:
        used = tf.contrib.memory_stats.BytesInUse()
        used.numpy() > 0  # True
    """
    return apply(_InUse, (), None)


def MaxBytesInUse() -> Any:
    """The most bytes of memory that the process has had by then: int64 scalar."""
    return apply(_MostInUse, (), None)


def BytesLimit() -> Any:
    """The bytes of the machine's memory: int64 scalar; 0 where that is not known."""
    return apply(_Limit, (), None)
