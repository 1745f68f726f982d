"""What is refused of parameters and samples while a graph runs."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.dtypes import DType
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.shape import shape
from twinflow.ops.core.transposing import matrix_transpose
from twinflow.ops.debugging.checks import (
    assert_equal,
    assert_greater_equal,
    assert_less_equal,
    assert_non_negative,
)
from twinflow.ops.debugging.static import assert_rank_at_least, with_dependencies

_INTEGER_OF = {
    dtypes.float16: dtypes.int16,
    dtypes.float32: dtypes.int32,
    dtypes.float64: dtypes.int64,
}
_NO_AXIS = "A categorical-distribution parameter must have at least 1 dimension."
_FEW_EVENTS = "A categorical-distribution parameter must have at least 2 events."
_TOO_MANY = "Number of classes exceeds `dtype` precision, i.e., "


def assert_integer_form(
    x: TensorValue, data: Any = None, summarize: Any = None, message: str | None = None,
    int_dtype: Any = None, name: str | None = "assert_integer_form",
) -> Any:  # fmt: skip
    """An op that fails where `x` is no whole number.

    Args:
        x: a numeric tensor. data, summarize, message: see tf.Assert.
        int_dtype: the dtype that all elements must fit in.
        name: the name scope in a graph.
    Raises:
        TypeError: another dtype.
    """
    with name_scope(name, values=[x, data]):
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_integer:
            return no_op()
        named = x.op.name if x.symbolic else x
        message = message or f"{named} has non-integer components"
        int_dtype = int_dtype or _INTEGER_OF.get(x.dtype.base_dtype)
        if int_dtype is None:
            raise TypeError(f"Unrecognized type {x.dtype.name}")
        whole = cast(cast(x, int_dtype), x.dtype)
        return assert_equal(x, whole, data, summarize, message, name)


def assert_symmetric(matrix: Tensor) -> Tensor:
    """`matrix`, once it is known to be its own transpose."""
    return with_dependencies([assert_equal(matrix, matrix_transpose(matrix))], matrix)


def embed_check_nonnegative_integer_form(
    x: TensorValue, name: str | None = "embed_check_nonnegative_integer_form"
) -> Tensor:
    """`x`, once its elements are known to be whole and at least 0."""
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        checks = [assert_non_negative(x, message=f"'{x}' must be non-negative.")]
        if not x.dtype.is_integer:
            text = f"'{x}' cannot contain fractional components."
            checks.append(assert_integer_form(x, message=text))
        return with_dependencies(checks, x)


# ------------------------------------------------------------------ ranges of dtypes
def _is_known(dtype):
    return dtype.is_floating or dtype.is_integer or dtype.is_bool


def is_integer_like(dtype: DType) -> bool:
    """Whether a dtype is of whole numbers, or of truth values."""
    if not _is_known(dtype):
        raise TypeError(f"Unrecognized dtype: {dtype.name}")
    return dtype.is_integer or dtype.is_bool


def largest_integer(dtype: DType) -> int:
    """The last whole number up to which a dtype has all of them."""
    if not _is_known(dtype):
        raise TypeError(f"Unrecognized dtype: {dtype.name}")
    if dtype.is_floating:
        return int(2 ** (np.finfo(dtype.np).nmant + 1))
    return int(dtype.is_bool) or int(np.iinfo(dtype.np).max)


def smallest_integer(dtype: DType) -> int:
    """The first whole number from which on a dtype has all of them."""
    if not _is_known(dtype):
        raise TypeError(f"Unrecognized dtype: {dtype.name}")
    if dtype.is_bool or dtype.is_unsigned:
        return 0
    if dtype.is_floating:
        return -largest_integer(dtype)
    return int(np.iinfo(dtype.np).min)


def embed_check_categorical_event_shape(
    categorical_param: TensorValue,
    name: str | None = "embed_check_categorical_event_shape",
) -> Tensor:
    """The parameter, once its last axis is known to be one of classes.

    Args:
        categorical_param: dtype[..., classes], at least 2 classes and no more than
            the dtype can number. name: the name scope in a graph.
    Raises:
        TypeError: another dtype. ValueError: the shape is known not to fit.
    """
    with name_scope(name, values=[categorical_param]):
        x = convert_to_tensor(categorical_param, name="categorical_param")
        dtype = x.dtype.base_dtype
        if not dtype.is_floating:
            raise TypeError(
                f"Unable to validate size of unrecognized dtype ({x.dtype.name})."
            )
        most = largest_integer(dtype)
        try:
            size = x.shape.with_rank_at_least(1)[-1].value
        except ValueError:
            raise ValueError(_NO_AXIS) from None
        return _with_classes(x, size, most)


def _with_classes(x, size, most):
    if size is None:
        found = shape(x, name="x_shape")[-1]
        text = f"{_TOO_MANY}{x.dtype} dtype cannot exceed {most} shape."
        checks = [
            assert_rank_at_least(x, 1, message=_NO_AXIS),
            assert_greater_equal(shape(x)[-1], 2, message=_FEW_EVENTS),
            assert_less_equal(found, most, message=text),
        ]
        return with_dependencies(checks, x)
    if size < 2:
        raise ValueError(_FEW_EVENTS)
    if size > most:
        raise ValueError(
            f"{_TOO_MANY}{x.dtype} implies shape ({size}) cannot exceed {most}."
        )
    return x


def embed_check_integer_casting_closed(
    x: TensorValue, target_dtype: Any, assert_nonnegative: bool = True,
    name: str | None = "embed_check_casting_closed",
) -> Tensor:  # fmt: skip
    """`x`, once its elements are known to be the same in another dtype.

    Args:
        x: float or int. target_dtype: float or int; one of both is an integer.
        assert_nonnegative: whether elements below 0 are refused.
        name: the name scope in a graph.
    Raises:
        TypeError: other dtypes.
    """
    with name_scope(name, values=[x]):
        x, target = convert_to_tensor(x, name="x"), dtypes.as_dtype(target_dtype)
        _check_casting(x, target)
        checks = []
        if assert_nonnegative:
            checks.append(
                assert_non_negative(x, message="Elements must be non-negative.")
            )
        if x.dtype.is_floating:
            text = f"Elements must be {target.name}-equivalent."
            checks.append(assert_integer_form(x, int_dtype=target, message=text))
        else:
            checks.extend(_range_checks(x, target, not assert_nonnegative))
        return with_dependencies(checks, x) if checks else x


def _check_casting(x, target):
    named = x.op.name if x.symbolic else "x"
    whole = is_integer_like(x.dtype.base_dtype)
    if not whole and not x.dtype.is_floating:
        raise TypeError(f"{named}.dtype must be floating- or integer-type.")
    target_whole = is_integer_like(target)
    if not target_whole and not target.is_floating:
        raise TypeError(
            f"target_dtype ({target.name}) must be floating- or integer-type."
        )
    if not whole and not target_whole:
        raise TypeError(
            f"At least one of {named}.dtype ({x.dtype.name}) and target_dtype "
            f"({target.name}) must be integer-type."
        )


def _range_checks(x, target, negative):
    own = x.dtype.base_dtype
    most, least = largest_integer(target), smallest_integer(target)
    if largest_integer(own) > most:
        yield assert_less_equal(x, most, message=f"Elements cannot exceed {most}.")
    if negative and smallest_integer(own) < least:
        text = f"Elements cannot be smaller than {least}."
        yield assert_greater_equal(x, least, message=text)
