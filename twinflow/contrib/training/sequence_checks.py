"""Tensors of examples, checked where they are known and again where they run."""

from typing import Any

from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import control_dependencies
from twinflow.graph.static import constant_value
from twinflow.ops.core.compare import equal, logical_and, not_equal
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.division import floormod
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.core.shape import rank, shape
from twinflow.ops.debugging.checks import Assert
from twinflow.ops.strings.basic import string_join
from twinflow.ops.strings.number import as_string


def check_rank(value: Any, expected_rank: int) -> Tensor:
    """The tensor, which has this rank.

    Raises:
        ValueError: it is known to have another.
        InvalidArgumentError: it has another.
    """
    value = convert_to_tensor(value)
    known = value.shape
    text = string_join([
        f"Rank of tensor {value.name} should be: ",
        as_string(expected_rank), ", shape received:",
    ])  # fmt: skip
    checked = Assert(equal(expected_rank, rank(value)), [text, shape(value)])
    with control_dependencies([checked]):
        found = identity(value, name="rank_checked")
    try:
        found.set_shape(known.with_rank(expected_rank))
    except ValueError as error:
        raise ValueError(f"Rank check failed for {value.name}: {error}") from error
    return found


def check_shape(value: Any, expected_shape: Any) -> Tensor:
    """The tensor, which has this shape, as far as that is known.

    Raises:
        ValueError: it is known to have another.
        InvalidArgumentError: it has another.
    """
    expected = TensorShape(expected_shape)
    value = check_rank(value, len(expected.as_list()))
    if not value.shape.is_compatible_with(expected):
        raise ValueError(
            f"Shape check failed for {value.name}: Shapes {value.shape} and {expected} "
            "are not compatible"
        )
    sizes = [(i, n) for i, n in enumerate(expected.as_list()) if n is not None]
    checked = check_dimensions(
        value, [i for i, _ in sizes], [n for _, n in sizes], "expected_shape"
    )
    checked.set_shape(expected)
    return checked


def check_dimensions(
    value: Tensor, dimensions: list[int], expected_sizes: list, debug_prefix: str
) -> Tensor:
    """The tensor, some of whose dimensions have these sizes.

    Args:
        value: the tensor. dimensions: which ones. expected_sizes: ints or int32[].
        debug_prefix: what it is called where it has not.
    Raises:
        InvalidArgumentError: one has another size.
    """
    checks = []
    for i, size in zip(dimensions, expected_sizes, strict=True):
        text = string_join([
            f"Dimension {i} of tensor labeled {debug_prefix} should be: ",
            as_string(size), ", shape received: ", as_string(shape(value)[i]),
        ])  # fmt: skip
        checks.append(Assert(equal(shape(value)[i], size), [text]))
    with control_dependencies(checks):
        found = identity(value, name="dimensions_checked")
    for i, size in zip(dimensions, expected_sizes, strict=True):
        known = constant_value(size) if isinstance(size, Tensor) else size
        if known is not None and value.shape.ndims is not None:
            dims = [None] * value.shape.ndims
            dims[i] = int(known)
            found.set_shape(dims)
    return found


def check_multiple_of(value: Tensor, multiple_of: int) -> Tensor:
    """The number, which is a multiple of another, and not 0.

    Raises:
        InvalidArgumentError: it is not.
    """
    text = string_join([
        f"Tensor {value.name} should be a multiple of: ", as_string(multiple_of),
        ", but saw value: ", as_string(value), ". Consider setting pad=True.",
    ])  # fmt: skip
    fits = logical_and(equal(floormod(value, multiple_of), 0), not_equal(value, 0))
    with control_dependencies([Assert(reduce_all(fits), [text])]):
        return identity(value, name="multiple_of_checked")
