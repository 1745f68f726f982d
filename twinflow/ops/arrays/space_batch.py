"""Blocks of space moved to the batch, and back."""

import math
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.division import floormod
from twinflow.ops.core.elementwise import add, subtract
from twinflow.ops.core.infer import (
    attr_at_least,
    divisible,
    host_rank,
    host_ranked,
    ints,
    length,
    rank_of,
    rows,
    static_value,
    text,
)
from twinflow.ops.core.joining import stack


def _blocks(s, block_shape, borders, what):
    """The block sizes and borders if known; InferError where they do not fit."""
    host_ranked(
        block_shape,
        1,
        f"block_shape rank should be 1 instead of {host_rank(block_shape)}",
    )
    blocks = None if block_shape is None else ints(block_shape)
    n = length(block_shape)
    if s is not None and n is not None and len(s) < n + 1:
        raise InferError(
            f"input rank should be >= {n + 1} instead of {len(s)}",
            f"Shape must be at least rank {n + 1} but is rank {len(s)}",
        )
    borders = rows(borders)
    if borders is not None and n is not None and len(borders) != n:
        raise InferError(
            f"{what.lower()} should have shape [{n}, 2] instead of "
            f"{text((len(borders), 2))}",
            f"Dimension 0 in both shapes must be equal, but are {len(borders)} and "
            f"{n}. Shapes are {text((len(borders), 2))} and {text((n, 2))}.",
        )
    if blocks and None not in blocks and min(blocks) < 1:
        message = f"Product of block sizes must be positive, got {math.prod(blocks)}"
        if math.prod(blocks) > 0:
            message = f"Block sizes must be positive, got {list(blocks)}"
        raise InferError(message, "block_shape must be positive")
    if borders is not None and any(v < 0 for pair in borders for v in pair):
        raise InferError(f"{what} must be non-negative", f"{what.lower()} cannot be")
    return blocks, borders


def _infer_to_batch(input, block_shape, paddings):
    s = input._shape
    blocks, pads = _blocks(s, block_shape, paddings, "Paddings")
    if s is None or blocks is None:
        return None if s is None else (None,) * len(s)
    pads = pads or [(None, None)] * len(blocks)
    out = []
    for i, (b, d, (p, q)) in enumerate(zip(blocks, s[1:], pads, strict=False)):
        padded = None if None in (d, p) else d + p + q
        message = f"padded_shape[{i}]={padded} is not divisible by block_shape[{i}]={b}"
        out.append(divisible(padded, b, message))
    batch = None if None in (s[0], *blocks) else s[0] * math.prod(blocks)
    return (batch, *out, *s[1 + len(blocks) :])


def _infer_to_space(input, block_shape, crops):
    s = input._shape
    blocks, cuts = _blocks(s, block_shape, crops, "Crops")
    if s is None or blocks is None:
        return None if s is None else (None,) * len(s)
    cuts = cuts or [(None, None)] * len(blocks)
    total = None if None in blocks else math.prod(blocks)
    start = f"Input batch dimension ({s[0]}) is not divisible by product of block sizes"
    batch = divisible(s[0], total, f"{start} ({total})")
    out = []
    for i, (b, d, (p, q)) in enumerate(zip(blocks, s[1:], cuts, strict=False)):
        left = None if None in (b, d, p) else d * b - p - q
        if left is not None and left < 0:
            raise InferError(
                f"cropped_shape[{i}]={left} must be non-negative",
                f"Negative dimension size caused by subtracting {p + q} from {d * b}",
            )
        out.append(left)
    return (batch, *out, *s[1 + len(blocks) :])


@bind_first
def _to_batch_kernel(xp, input, block_shape, paddings):
    blocks, k = ints(block_shape), length(block_shape)
    pads = [(0, 0), *rows(paddings)] + [(0, 0)] * (input.ndim - 1 - k)
    x = xp.pad(input, pads, constant_values=b"" if input.dtype == object else 0)
    parts = [n for d, b in zip(x.shape[1 : k + 1], blocks) for n in (d // b, b)]
    x = x.reshape(x.shape[0], *parts, *x.shape[k + 1 :])
    offsets, outer = range(2, 2 * k + 1, 2), range(1, 2 * k, 2)
    x = x.transpose(*offsets, 0, *outer, *range(2 * k + 1, x.ndim))
    return x.reshape(math.prod(blocks) * x.shape[k], *x.shape[k + 1 :])


@bind_first
def _to_space_kernel(xp, input, block_shape, crops):
    blocks, k = ints(block_shape), length(block_shape)
    batch, rest = input.shape[0] // math.prod(blocks), input.shape[1:]
    x = input.reshape(*blocks, batch, *rest)
    inner = [a for i in range(k) for a in (k + 1 + i, i)]
    x = x.transpose(k, *inner, *range(2 * k + 1, x.ndim))
    sizes = [d * b for d, b in zip(rest, blocks)]
    x = x.reshape(batch, *sizes, *rest[k:])
    if any(n < p + q for n, (p, q) in zip(sizes, rows(crops))):
        raise ValueError("more is cut off than there is")  # infer says it better
    cuts = zip(sizes, rows(crops))
    return x[(slice(None), *(slice(p, n - q) for n, (p, q) in cuts))]


SpaceToBatchND = define(
    "SpaceToBatchND",
    on_host="block_shape paddings",
    infer=_infer_to_batch,
    kernel=_to_batch_kernel,
    grad=[
        lambda dy, block_shape, paddings: batch_to_space_nd(dy, block_shape, paddings)
    ],
)

BatchToSpaceND = define(
    "BatchToSpaceND",
    on_host="block_shape crops",
    infer=_infer_to_space,
    kernel=_to_space_kernel,
    grad=[lambda dy, block_shape, crops: space_to_batch_nd(dy, block_shape, crops)],
)


def _of_images(kind, rule):
    """A shape rule of blocks for one block size and four axes."""

    def infer(input, borders, block_size):
        attr_at_least(2, kind, "block_size", block_size)
        rank_of(input, 4, "Input")
        return rule(input, (block_size,) * 2, borders)

    return infer


def _define_of_images(kind, borders, rule, kernel, inverse):
    return define(
        kind,
        on_host=borders,
        infer=_of_images(kind, rule),
        kernel=lambda xp: (
            lambda input, borders, block_size: kernel(xp)(
                input, (block_size,) * 2, borders
            )
        ),
        grad=[inverse],
    )


SpaceToBatch = _define_of_images(
    "SpaceToBatch",
    "paddings",
    _infer_to_batch,
    _to_batch_kernel,
    lambda dy, paddings, block_size: batch_to_space(dy, paddings, block_size),
)
BatchToSpace = _define_of_images(
    "BatchToSpace",
    "crops",
    _infer_to_space,
    _to_space_kernel,
    lambda dy, crops, block_size: space_to_batch(dy, crops, block_size),
)


def space_to_batch_nd(
    input: TensorValue, block_shape: Any, paddings: TensorValue, name: str | None = None
) -> Tensor:
    """Cut the space into blocks; the elements at one place of each block make a batch.

    Args:
        input: a tensor[batch, *space, ...].
        block_shape: int[k], the size of a block along each of the first k space axes.
        paddings: int[k, 2], zeros put before and behind first; then the sizes must be
            multiples of the block's.
        name: the name of the node in a graph.
    Returns:
        A tensor[batch * prod(block_shape), ...].
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the sizes do not fit.
    Example:
        tf.space_to_batch_nd([[1, 2, 3, 4]], [2], [[0, 0]])  # [[1, 3], [2, 4]]
    """
    return apply(SpaceToBatchND, (input, block_shape, paddings), None, name)


def batch_to_space_nd(
    input: TensorValue, block_shape: Any, crops: Any, name: str | None = None
) -> Tensor:
    """The inverse of tf.space_to_batch_nd.

    Args:
        input: a tensor[batch, *space, ...]. block_shape: int[k].
        crops: int[k, 2], how much to cut off at both ends of each axis.
        name: the name of the node in a graph.
    Example:
        tf.batch_to_space_nd([[1, 3], [2, 4]], [2], [[0, 0]])  # [[1, 2, 3, 4]]
    """
    return apply(BatchToSpaceND, (input, block_shape, crops), None, name)


def space_to_batch(
    input: TensorValue, paddings: TensorValue, block_size: Any, name: str | None = None
) -> Tensor:
    """tf.space_to_batch_nd of images, with square blocks.

    Args:
        input: a tensor[batch, height, width, depth]. paddings: int[2, 2].
        block_size: an int. name: the name of the node in a graph.
    """
    found = space_to_batch_nd(input, [block_size] * 2, paddings, name)
    found.shape.assert_has_rank(4)
    return found


def batch_to_space(
    input: TensorValue, crops: Any, block_size: Any, name: str | None = None
) -> Tensor:
    """The inverse of tf.space_to_batch.

    Args:
        input: a tensor[batch, height, width, depth]. crops: int[2, 2].
        block_size: an int. name: the name of the node in a graph.
    """
    found = batch_to_space_nd(input, [block_size] * 2, crops, name)
    found.shape.assert_has_rank(4)
    return found


def required_space_to_batch_paddings(
    input_shape: Any, block_shape: Any, base_paddings: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The least paddings that make sizes multiples of those of a block.

    Args:
        input_shape: int32[k], the sizes. block_shape: int32[k], the block.
        base_paddings: int32[k, 2], what is wanted at least; zeros if not given.
        name: the name scope in a graph.
    Returns:
        (paddings, crops), int32[k, 2] both: for tf.space_to_batch_nd, and for
        tf.batch_to_space_nd to cut off again what was added to `base_paddings`.
    Example:
        tf.required_space_to_batch_paddings([5], [2])  # ([[0, 1]], [[0, 1]])
    """
    with dispatch.current_mode().name_scope(name or "required_space_to_batch_paddings"):
        sizes, blocks = _int32s(input_shape), _int32s(block_shape)
        n = (blocks._shape or (None,))[0]
        if n is None:
            raise ValueError("The length of block_shape must be known.")
        if n == 0:
            nothing = constant(np.zeros((0, 2), np.int32))
            return nothing, nothing
        sizes.shape.assert_is_compatible_with([n])
        base = np.zeros((n, 2), np.int32) if base_paddings is None else base_paddings
        base = _int32s(base)
        base.shape.assert_is_compatible_with([n, 2])
        start, end = base[:, 0], base[:, 1]
        padded = add(add(sizes, start), end)
        more = floormod(subtract(blocks, floormod(padded, blocks)), blocks)
        zeros = constant(np.zeros(n, np.int32))
        return stack([start, add(end, more)], 1), stack([zeros, more], 1)


def _int32s(value):
    known = static_value(value)
    return convert_to_tensor(value if known is None else known, dtypes.int32)
