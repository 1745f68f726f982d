"""tf.keras.metrics: from a target and a prediction to a number for each sample.

Every function takes `y_true` and `y_pred`, [..., n], and gives [...]; training gives
their means. The losses are metrics too. The classes add up over batches: see
stateful_metrics.
"""

from typing import Any

from twinflow.base.annotations import DTypeValue
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.keras import losses
from twinflow.keras.backend import defaults, math
from twinflow.keras.saving.config import serialized
from twinflow.keras.training.stateful_metrics import Mean, MeanMetricWrapper, Metric
from twinflow.ops.arrays.topk import in_top_k
from twinflow.ops.core.compare import equal, greater
from twinflow.ops.core.constant import cast
from twinflow.ops.core.reduction import reduce_max
from twinflow.ops.math.positions import argmax

mean_squared_error = losses.mean_squared_error
mean_absolute_error = losses.mean_absolute_error
mean_absolute_percentage_error = losses.mean_absolute_percentage_error
mean_squared_logarithmic_error = losses.mean_squared_logarithmic_error
squared_hinge, hinge = losses.squared_hinge, losses.hinge
categorical_crossentropy = losses.categorical_crossentropy
sparse_categorical_crossentropy = losses.sparse_categorical_crossentropy
binary_crossentropy = losses.binary_crossentropy
kullback_leibler_divergence = losses.kullback_leibler_divergence
poisson, cosine_proximity = losses.poisson, losses.cosine_proximity
mse = MSE = losses.mse
mae = MAE = losses.mae
mape = MAPE = losses.mape
msle = MSLE = losses.msle
kld = KLD = losses.kld
cosine = losses.cosine


def binary_accuracy(y_true: Any, y_pred: Any, threshold: float = 0.5) -> Tensor:
    """The share of entries that are on the right side of `threshold`."""
    chosen = cast(greater(y_pred, cast(threshold, y_pred.dtype)), y_pred.dtype)
    return math.mean(equal(y_true, chosen), -1)


def categorical_accuracy(y_true: Any, y_pred: Any) -> Tensor:
    """1 where the largest entry of both is at the same place, else 0."""
    same = equal(argmax(y_true, -1), argmax(y_pred, -1))
    return cast(same, defaults.floatx())


def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Tensor:
    """1 where the largest entry of `y_pred` is at the place `y_true`, else 0."""
    right, found = reduce_max(y_true, -1), argmax(y_pred, -1)
    if right.dtype.base_dtype.name != found.dtype.base_dtype.name:
        found = cast(found, right.dtype.base_dtype)
    return cast(equal(right, found), defaults.floatx())


def top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: TensorValue = 5) -> Any:
    """The share of samples with the right class among the `k` largest entries."""
    return math.mean(in_top_k(y_pred, argmax(y_true, -1), k), -1)


def sparse_top_k_categorical_accuracy(
    y_true: Any, y_pred: Any, k: TensorValue = 5
) -> Any:
    """As top_k_categorical_accuracy, with the number of the class in `y_true`."""
    right = cast(reduce_max(y_true, -1), "int32")
    return math.mean(in_top_k(y_pred, right, k), -1)


BY_NAME = losses.BY_NAME | {
    f.__name__: f
    for f in (
        binary_accuracy, categorical_accuracy, sparse_categorical_accuracy,
        top_k_categorical_accuracy, sparse_top_k_categorical_accuracy,
    )
}  # fmt: skip


class BinaryAccuracy(MeanMetricWrapper):
    """The share of entries on the right side of a threshold, over batches.

    Args:
        name: its name. dtype: of the sums. threshold: see binary_accuracy.
    """

    def __init__(
        self, name: str | None = "binary_accuracy", dtype: DTypeValue | None = None,
        threshold: float = 0.5,
    ) -> None:  # fmt: skip
        super().__init__(binary_accuracy, name, dtype, threshold=threshold)


class CategoricalAccuracy(MeanMetricWrapper):
    """The share of samples whose largest entry is at the right place, over batches.

    Args:
        name: its name. dtype: of the sums.
    """

    def __init__(
        self, name: str | None = "categorical_accuracy", dtype: DTypeValue | None = None
    ) -> None:
        super().__init__(categorical_accuracy, name, dtype)


class SparseCategoricalAccuracy(MeanMetricWrapper):
    """As CategoricalAccuracy, with the number of the class in `y_true`.

    Args:
        name: its name. dtype: of the sums.
    """

    def __init__(
        self, name: str | None = "sparse_categorical_accuracy",
        dtype: DTypeValue | None = None,
    ) -> None:  # fmt: skip
        super().__init__(sparse_categorical_accuracy, name, dtype)


_CLASSES = {
    c.__name__: c
    for c in (
        Metric, Mean, MeanMetricWrapper, BinaryAccuracy, CategoricalAccuracy,
        SparseCategoricalAccuracy,
    )
}  # fmt: skip


def serialize(metric: Any) -> Any:
    """A metric as its name, or as its class and settings."""
    return serialized(metric)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """A metric from its name, or from its class and settings.

    Raises:
        ValueError: there is none of this name.
    """
    known = BY_NAME if isinstance(config, str) else BY_NAME | _CLASSES
    return losses.named(config, known, custom_objects, "metric function")


def get(identifier: Any) -> Any:
    """A metric from a name, a dict or a function.

    Raises:
        ValueError: there is no such metric.
    """
    if isinstance(identifier, str | dict):
        return deserialize(identifier)
    if callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret metric function identifier: {identifier}")
