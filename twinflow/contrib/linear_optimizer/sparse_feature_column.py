"""A group of sparse features of a batch of examples."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import convert_to_tensor


class SparseFeatureColumn:
    """Which examples have which features, and how much of them.

    Args:
        example_indices: int64[n], the number of an example in its batch, growing.
        feature_indices: int64[n], the number of a feature.
        feature_values: float32[n]; 1 each if None.
    Example:
        # the words of two sentences: 3 and 5 in the first, 3 in the second
        words = tf.contrib.linear_optimizer.SparseFeatureColumn(
            [0, 0, 1], [3, 5, 3], None)
    """

    def __init__(
        self, example_indices: TensorValue, feature_indices: TensorValue,
        feature_values: Any,
    ) -> None:  # fmt: skip
        given = [example_indices, feature_indices]
        with name_scope(None, "SparseFeatureColumn", given):
            self._example_indices = convert_to_tensor(
                example_indices, dtypes.int64, name="example_indices"
            )
            self._feature_indices = convert_to_tensor(
                feature_indices, dtypes.int64, name="feature_indices"
            )
            self._feature_values = None
            if feature_values is not None:
                self._feature_values = convert_to_tensor(
                    feature_values, dtypes.float32, name="feature_values"
                )

    @property
    def example_indices(self) -> Tensor:
        """int64[n], the number of an example in its batch."""
        return self._example_indices

    @property
    def feature_indices(self) -> Tensor:
        """int64[n], the number of a feature."""
        return self._feature_indices

    @property
    def feature_values(self) -> Tensor | None:
        """float32[n], or None."""
        return self._feature_values
