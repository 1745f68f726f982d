"""Places of numbers between boundaries."""

from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.math import counting


def bucketize(
    input_tensor: TensorValue, boundaries: Any, name: str | None = None
) -> Tensor:
    """How many of `boundaries` are at most as large as each element.

    Args:
        input_tensor: int32, int64, float32 or float64 tensor of any shape.
        boundaries: a sorted list of floats. name: the name of the node in a graph.
    Returns:
        int32, of the shape of `input_tensor`.
    Example:
        tf.contrib.slim.bucketize([-5.0, 1.0], [0.0, 10.0])  # [0, 1]
    """
    return counting.bucketize(input_tensor, boundaries, name)
