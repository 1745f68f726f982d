"""What shapes, makes, joins and repeats tensors, in one place."""

from twinflow.ops.core.broadcast import spread, unbroadcast
from twinflow.ops.core.constant import (
    cast,
    constant,
    convert_to_tensor,
    identity,
    stop_gradient,
)
from twinflow.ops.core.creation import fill, ones, ones_like, range, zeros, zeros_like
from twinflow.ops.core.joining import concat, split, stack, tile, unstack
from twinflow.ops.core.shape import expand_dims, rank, reshape, shape, squeeze
from twinflow.ops.core.size import size
from twinflow.ops.core.transposing import invert_permutation, transpose

__all__ = [
    "cast", "concat", "constant", "convert_to_tensor", "expand_dims", "fill",
    "identity", "invert_permutation", "ones", "ones_like", "range", "rank",
    "reshape", "shape", "size", "split", "spread", "squeeze",
    "stack", "stop_gradient", "tile", "transpose", "unbroadcast", "unstack", "zeros",
    "zeros_like",
]  # fmt: skip
