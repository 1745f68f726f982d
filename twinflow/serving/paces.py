"""Which runs are so short that a thread of their own would take longer.

Note [Quick runs]: a run is quick where its ops do work that follows from the shapes of
what is fed (no loop, no queue, no op that makes a tensor as large as a number says),
and runs of inputs of about this size were short of late. It is made where the request
was read; all others go to the pool of threads, where the limits of time hold.
"""

from collections.abc import Iterable
from typing import Any

_QUICK = 1e-3  # seconds
_TRIES = 3  # runs in the pool before one is believed to be quick
_WEIGHT = 0.1  # of the last run
_MOST = 4 * _QUICK  # that a run counts for: one that the machine held up is no proof
_OPS = """
Abs Add AddN AddV2 ArgMax ArgMin AvgPool BatchMatMul BatchMatMulV2 BiasAdd Cast Ceil
ClipByValue Concat ConcatV2 Const Conv2D Cos DepthwiseConv2dNative DivNoNan Elu Equal
Erf Exp ExpandDims Floor FloorDiv FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3
Gather GatherV2 Greater GreaterEqual Identity IdentityN L2Loss LeakyRelu Less LessEqual
Log Log1p LogicalAnd LogicalNot LogicalOr LogSoftmax LRN MatMul Max Maximum MaxPool Mean
Min Minimum Mul Neg NoOp NotEqual Pack Placeholder PlaceholderWithDefault Pow
PreventGradient Prod Rank ReadVariableOp RealDiv Reciprocal Relu Relu6 Reshape Round
Rsqrt Select Selu Shape Sigmoid Sign Sin Size Slice Snapshot Softmax Softplus Softsign
Split SplitV Sqrt Square SquaredDifference Squeeze StopGradient StridedSlice Sub Sum Tan
Tanh TopKV2 Transpose Unpack VarHandleOp Variable VariableV2 ZerosLike
"""
_BOUNDED = frozenset(_OPS.split())


def is_bounded(nodes: Iterable[Any]) -> bool:
    """Whether the time of a program follows from the shapes of what is fed."""
    return all(node.type in _BOUNDED for node in nodes)


class Paces:
    """How long the runs of a signature took of late, by the size of what was fed."""

    def __init__(self) -> None:
        self._seconds: dict[int, float] = {}  # by the number of bits of the size
        self._runs: dict[int, int] = {}

    def took(self, size: int, seconds: float) -> None:
        """Take note of a run."""
        at = size.bit_length()
        seconds = min(seconds, _MOST)
        before = self._seconds.get(at, seconds)
        self._seconds[at] = before + _WEIGHT * (seconds - before)
        self._runs[at] = self._runs.get(at, 0) + 1

    def quick(self, size: int) -> bool:
        """Whether the next run will be short."""
        at = size.bit_length()
        return self._runs.get(at, 0) >= _TRIES and self._seconds[at] < _QUICK
