"""Blocks of images moved to the depth, and back."""

from typing import Any

from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import attr_at_least, one_of, ranked


def _axes(op, data_format, block_size):
    """The places of (height, width, depth)."""
    if data_format == "NCHW_VECT_C":
        raise InferError(f"Only NHWC and NCHW are supported. Got {data_format}")
    one_of(op, "data_format", data_format, ("NHWC", "NCHW", "NCHW_VECT_C"))
    attr_at_least(2, op, "block_size", block_size)
    return (1, 2, 3) if data_format == "NHWC" else (2, 3, 1)


def _images(input):
    return ranked(
        input._shape, 4, lambda s: f"Input rank should be: 4 instead of: {len(s)}"
    )


def _scaled(s, axes, factors):
    """The sizes along `axes` times (or over, where negative) their factors."""
    out = list(s)
    for axis, f in zip(axes, factors, strict=True):
        if out[axis] is not None:
            out[axis] = out[axis] * f if f > 0 else out[axis] // -f
    return tuple(out)


def _infer_to_depth(input, block_size, data_format):
    axes, b = _axes("SpaceToDepth", data_format, block_size), block_size
    s = _images(input)
    height, width = s[axes[0]], s[axes[1]]
    for size in (width, height):
        if size is not None and size % b:
            raise InferError(
                f"Image width {width} and height {height} should be divisible by "
                f"block_size: {b}",
                f"Dimension size must be evenly divisible by {b} but is {size}",
            )
    return _scaled(s, axes, (-b, -b, b * b))


def _infer_from_depth(input, block_size, data_format):
    axes, b = _axes("DepthToSpace", data_format, block_size), block_size
    s = _images(input)
    depth = s[axes[2]]
    if depth is not None and depth % (b * b):
        raise InferError(
            f"Input depth dimension {depth} should be divisible by: {b * b}",
            f"Dimension size must be evenly divisible by {b * b} but is {depth}",
        )
    return _scaled(s, axes, (b, b, -b * b))


@bind_first
def _to_depth_kernel(xp, input, block_size, data_format):
    b, last = block_size, data_format == "NHWC"
    x = input if last else input.transpose(0, 2, 3, 1)
    n, h, w, c = x.shape
    x = x.reshape(n, h // b, b, w // b, b, c).transpose(0, 1, 3, 2, 4, 5)
    x = x.reshape(n, h // b, w // b, b * b * c)
    return x if last else x.transpose(0, 3, 1, 2)


@bind_first
def _from_depth_kernel(xp, input, block_size, data_format):
    b, last = block_size, data_format == "NHWC"
    x = input if last else input.transpose(0, 2, 3, 1)
    n, h, w, c = x.shape
    x = x.reshape(n, h, w, b, b, c // (b * b)).transpose(0, 1, 3, 2, 4, 5)
    x = x.reshape(n, h * b, w * b, c // (b * b))
    return x if last else x.transpose(0, 3, 1, 2)


SpaceToDepth = define(
    "SpaceToDepth",
    infer=_infer_to_depth,
    kernel=_to_depth_kernel,
    grad=[
        lambda dy, block_size, data_format: depth_to_space(
            dy, block_size, data_format=data_format
        )
    ],
)

DepthToSpace = define(
    "DepthToSpace",
    infer=_infer_from_depth,
    kernel=_from_depth_kernel,
    grad=[
        lambda dy, block_size, data_format: space_to_depth(
            dy, block_size, data_format=data_format
        )
    ],
)


def _with_block(op, input, block_size, data_format, name):
    attrs = {"block_size": block_size, "data_format": data_format}
    return apply(op, (input,), attrs, name)


def space_to_depth(
    input: TensorValue, block_size: Any, name: str | None = None,
    data_format: str = "NHWC",
) -> Tensor:  # fmt: skip
    """The elements of each block of an image as one, deep element.

    Args:
        input: a tensor of images, [batch, height, width, depth] or, with data_format
            "NCHW", [batch, depth, height, width].
        block_size: an int of at least 2 that divides height and width.
        name: the name of the node in a graph.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): it does not divide them.
    Example:
        tf.space_to_depth([[[[1], [2]], [[3], [4]]]], 2)  # [[[[1, 2, 3, 4]]]]
    """
    return _with_block(SpaceToDepth, input, block_size, data_format, name)


def depth_to_space(
    input: TensorValue, block_size: Any, name: str | None = None,
    data_format: str = "NHWC",
) -> Tensor:  # fmt: skip
    """The inverse of tf.space_to_depth.

    Args:
        input, block_size, name, data_format: see tf.space_to_depth; the square of the
            block size divides the depth.
    Example:
        tf.depth_to_space([[[[1, 2, 3, 4]]]], 2)  # [[[[1], [2]], [[3], [4]]]]
    """
    return _with_block(DepthToSpace, input, block_size, data_format, name)
