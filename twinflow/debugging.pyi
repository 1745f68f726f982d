# Made by `make stubs` from the table of the index.
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from typing import Any
from twinflow.explaining.numerics import enable_check_numerics as enable_check_numerics
from twinflow.explaining.numerics import disable_check_numerics as disable_check_numerics
from twinflow.ops.debugging.checks import Assert as Assert
from twinflow.ops.debugging.checks import assert_equal as assert_equal
def assert_none_equal(x: TensorValue, y: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x != y for every element.

    Args:
        x, y: tensors of one numeric dtype that broadcast to each other.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x, y = [1, 2], [3, 4]
        with tf.control_dependencies([tf.assert_none_equal(x, y)]): out = tf.identity(x)
    """
def assert_less(x: TensorValue, y: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x < y for every element.

    Args:
        x, y: tensors of one numeric dtype that broadcast to each other.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x, y = [1, 2], [3, 4]
        with tf.control_dependencies([tf.assert_less(x, y)]): out = tf.identity(x)
    """
def assert_less_equal(x: TensorValue, y: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x <= y for every element.

    Args:
        x, y: tensors of one numeric dtype that broadcast to each other.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x, y = [1, 2], [3, 4]
        with tf.control_dependencies([tf.assert_less_equal(x, y)]): out = tf.identity(x)
    """
def assert_greater(x: TensorValue, y: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x > y for every element.

    Args:
        x, y: tensors of one numeric dtype that broadcast to each other.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x, y = [3, 4], [1, 2]
        with tf.control_dependencies([tf.assert_greater(x, y)]): out = tf.identity(x)
    """
def assert_greater_equal(x: TensorValue, y: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x >= y for every element.

    Args:
        x, y: tensors of one numeric dtype that broadcast to each other.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x, y = [3, 4], [1, 2]
        with tf.control_dependencies([tf.assert_greater_equal(x, y)]): out = tf.identity(x)
    """
from twinflow.ops.debugging.checks import assert_near as assert_near
def assert_negative(x: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x < 0 for every element.

    Args:
        x: a numeric tensor.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x = [-1, -2]
        with tf.control_dependencies([tf.assert_negative(x)]): out = tf.identity(x)
    """
def assert_positive(x: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x > 0 for every element.

    Args:
        x: a numeric tensor.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x = [1, 2]
        with tf.control_dependencies([tf.assert_positive(x)]): out = tf.identity(x)
    """
def assert_non_negative(x: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x >= 0 for every element.

    Args:
        x: a numeric tensor.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x = [1, 2]
        with tf.control_dependencies([tf.assert_non_negative(x)]): out = tf.identity(x)
    """
def assert_non_positive(x: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x <= 0 for every element.

    Args:
        x: a numeric tensor.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x = [-1, -2]
        with tf.control_dependencies([tf.assert_non_positive(x)]): out = tf.identity(x)
    """
from twinflow.ops.debugging.static import assert_rank as assert_rank
from twinflow.ops.debugging.static import assert_rank_at_least as assert_rank_at_least
from twinflow.ops.debugging.static import assert_rank_in as assert_rank_in
from twinflow.ops.debugging.static import assert_integer as assert_integer
from twinflow.ops.debugging.static import assert_type as assert_type
from twinflow.ops.debugging.static import assert_scalar as assert_scalar
from twinflow.ops.debugging.static import assert_proper_iterable as assert_proper_iterable
from twinflow.ops.debugging.static import assert_same_float_dtype as assert_same_float_dtype
from twinflow.ops.debugging.numbers import is_numeric_tensor as is_numeric_tensor
from twinflow.ops.debugging.numbers import is_non_decreasing as is_non_decreasing
from twinflow.ops.debugging.numbers import is_strictly_increasing as is_strictly_increasing
from twinflow.ops.debugging.numbers import verify_tensor_all_finite as assert_all_finite
from twinflow.ops.debugging.numbers import check_numerics as check_numerics
def is_finite(x: TensorValue, name: str | None = None) -> Tensor:
    r"""Whether x is a finite number, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A bool tensor of the shape of `x`.
    """
def is_inf(x: TensorValue, name: str | None = None) -> Tensor:
    r"""Whether x is infinite, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A bool tensor of the shape of `x`.
    """
def is_nan(x: TensorValue, name: str | None = None) -> Tensor:
    r"""Whether x is not a number, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A bool tensor of the shape of `x`.
    """

__all__ = [
"enable_check_numerics", "disable_check_numerics", "Assert", "assert_equal",
"assert_none_equal", "assert_less", "assert_less_equal", "assert_greater",
"assert_greater_equal", "assert_near", "assert_negative", "assert_positive",
"assert_non_negative", "assert_non_positive", "assert_rank", "assert_rank_at_least",
"assert_rank_in", "assert_integer", "assert_type", "assert_scalar",
"assert_proper_iterable", "assert_same_float_dtype", "is_numeric_tensor",
"is_non_decreasing", "is_strictly_increasing", "assert_all_finite", "check_numerics",
"is_finite", "is_inf", "is_nan"
]
