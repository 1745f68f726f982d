"""Operations on the bits of integers."""

import numpy as np

from twinflow.base import factory
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, bind_first, define
from twinflow.ops.core.describe import binary_doc, unary_doc
from twinflow.ops.core.infer import at_least, broadcast, ranked, same, text


def _binary(kind, fname, formula, kernel, example):
    op = define(kind, infer=broadcast, kernel=kernel, strict=True)
    doc = binary_doc(formula, "integer", f"tf.bitwise.{fname}({example}")
    return op, factory.binary(op, fname, doc)


BitwiseAnd, bitwise_and = _binary(
    "BitwiseAnd", "bitwise_and", "The bits that both have",
    lambda xp: xp.bitwise_and, "6, 3)  # 2",
)  # fmt: skip
BitwiseOr, bitwise_or = _binary(
    "BitwiseOr", "bitwise_or", "The bits that either has",
    lambda xp: xp.bitwise_or, "6, 3)  # 7",
)  # fmt: skip
BitwiseXor, bitwise_xor = _binary(
    "BitwiseXor", "bitwise_xor", "The bits that just one has",
    lambda xp: xp.bitwise_xor, "6, 3)  # 5",
)  # fmt: skip


def _shift(function):
    """The kernel of a shift by at least 0 and less than the number of bits."""

    def bind(xp):
        shift = getattr(xp, function)

        def kernel(x, y):
            return shift(x, xp.clip(y, 0, 8 * y.dtype.itemsize - 1).astype(y.dtype))

        return kernel

    return bind


LeftShift, left_shift = _binary(
    "LeftShift", "left_shift", "x with its bits moved up by y, zeros behind them",
    _shift("left_shift"), "3, 2)  # 12",
)  # fmt: skip
RightShift, right_shift = _binary(
    "RightShift", "right_shift", "x with its bits moved down by y, its sign kept",
    _shift("right_shift"), "-8, 1)  # -4",
)  # fmt: skip

Invert = define("Invert", infer=same, kernel=lambda xp: xp.invert)
invert = factory.unary(
    Invert, "invert", unary_doc("Every bit of x turned over", "integer")
)


@bind_first
def _count_kernel(xp, x):
    plain = x.astype(x.dtype.name.replace("uint", "int").replace("int", "uint"))
    return xp.bitwise_count(plain).astype(np.uint8)


PopulationCount = define("PopulationCount", infer=same, kernel=_count_kernel)


def population_count(x, name=None):
    """How many bits of x are 1, elementwise.

    Args:
        x: an integer tensor of any shape. name: the name of the node in a graph.
    Returns:
        A uint8 tensor of that shape.
    Example:
        population_count(7)  # 3
    """
    return apply(PopulationCount, (x,), None, name)


# ------------------------------------------------------------------ packing
def _infer_pack(input, threshold):
    ranked(threshold._shape, 0, "Compare must be a scalar, but saw shape: {}")
    message = "Input should be at least a vector, but saw a scalar: {}"
    s = at_least(input._shape, 1, message)
    if s is None:
        return None
    if s[-1] is not None and s[-1] % 8:
        raise InferError(
            "Inner dimension of input should be divisible by 8, but saw shape: "
            f"{text(s)}",
            f"Dimension size must be evenly divisible by 8 but is {s[-1]}",
        )
    return (*s[:-1], None if s[-1] is None else s[-1] // 8)


CompareAndBitpack = define(
    "CompareAndBitpack",
    infer=_infer_pack,
    kernel=lambda xp: lambda input, threshold: xp.packbits(input > threshold, axis=-1),
    )  # fmt: skip


def compare_and_bitpack(input, threshold, name=None):
    """Eight answers to input > threshold in each byte, the first in the highest bit.

    Args:
        input: bool, float or int[..., 8 n]. threshold: a scalar of its dtype.
        name: the name of the node in a graph.
    Returns:
        uint8[..., n]
    """
    return apply(CompareAndBitpack, (input, threshold), None, name)
