# Made by `make stubs` from the table of the index.
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from typing import Any
def reduce_slice_max(data: TensorValue, indices: TensorValue, axis: Any, name: str | None = ...) -> Tensor:
    r"""The largest elements of slices along an axis.

    Args:
        data: numbers. indices: int32 or int64, [n, 2]: start and end of each slice; or
            [n + 1], sorted: each slice ends where the next one begins.
        axis: an int. name: the name of the node in a graph.
    Returns:
        As `data`, with n entries along the axis.
    Raises:
        tf.errors.InvalidArgumentError: there is no such axis, or the indices are no
            pairs.
    """
def reduce_slice_min(data: TensorValue, indices: TensorValue, axis: Any, name: str | None = ...) -> Tensor:
    r"""The smallest elements of slices along an axis.

    Args:
        data: numbers. indices: int32 or int64, [n, 2]: start and end of each slice; or
            [n + 1], sorted: each slice ends where the next one begins.
        axis: an int. name: the name of the node in a graph.
    Returns:
        As `data`, with n entries along the axis.
    Raises:
        tf.errors.InvalidArgumentError: there is no such axis, or the indices are no
            pairs.
    """
def reduce_slice_prod(data: TensorValue, indices: TensorValue, axis: Any, name: str | None = ...) -> Tensor:
    r"""The products of slices along an axis.

    Args:
        data: numbers. indices: int32 or int64, [n, 2]: start and end of each slice; or
            [n + 1], sorted: each slice ends where the next one begins.
        axis: an int. name: the name of the node in a graph.
    Returns:
        As `data`, with n entries along the axis.
    Raises:
        tf.errors.InvalidArgumentError: there is no such axis, or the indices are no
            pairs.
    """
def reduce_slice_sum(data: TensorValue, indices: TensorValue, axis: Any, name: str | None = ...) -> Tensor:
    r"""The sums of slices along an axis.

    Args:
        data: numbers. indices: int32 or int64, [n, 2]: start and end of each slice; or
            [n + 1], sorted: each slice ends where the next one begins.
        axis: an int. name: the name of the node in a graph.
    Returns:
        As `data`, with n entries along the axis.
    Raises:
        tf.errors.InvalidArgumentError: there is no such axis, or the indices are no
            pairs.
    """

__all__ = [
"reduce_slice_max", "reduce_slice_min", "reduce_slice_prod", "reduce_slice_sum"
]
