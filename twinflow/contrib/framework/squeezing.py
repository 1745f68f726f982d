"""tf.contrib.framework.remove_squeezable_dimensions: predictions come first."""

from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.ops.math import confusion_matrix


def remove_squeezable_dimensions(
    predictions: TensorValue, labels: TensorValue, name: str | None = None
) -> tuple[Any, ...]:
    """Drop a last axis of size 1 that one of two tensors has more than the other.

    Args:
        predictions, labels: tensors. name: the name scope in a graph.
    Returns:
        (predictions, labels)
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the axis is larger.
    Example:
        f = tf.contrib.framework.remove_squeezable_dimensions
        [x.shape.as_list() for x in f([[1], [2]], [3, 4])]  # [[2], [2]]
    """
    found = confusion_matrix.remove_squeezable_dimensions(
        labels, predictions, name=name
    )
    labels, predictions = found
    return predictions, labels
