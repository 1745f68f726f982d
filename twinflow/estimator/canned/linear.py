"""Linear Estimators: a weighted sum of what feature columns say."""

import math
from typing import Any

from twinflow.base import nest
from twinflow.base.annotations import Path
from twinflow.estimator.canned.baseline import check_features
from twinflow.estimator.canned.binary_head import binary_logistic_or_multi_class_head
from twinflow.estimator.canned.optimizers import get_optimizer_instance
from twinflow.estimator.canned.regression_head import RegressionHead
from twinflow.estimator.estimator import Estimator
from twinflow.feature_column.layers import _LinearModel
from twinflow.feature_column.v2.layers import LinearModel
from twinflow.feature_column.v2.makers import (
    is_feature_column_v2,
    maybe_create_shared_state_manager,
)
from twinflow.graph.partitioners import min_max_variable_partitioner
from twinflow.graph.variable_scope import variable_scope
from twinflow.losses.weighting import Reduction
from twinflow.ops.core.joining import concat
from twinflow.ops.core.partitioned import each_part
from twinflow.ops.core.shape import reshape
from twinflow.ops.nn.dropout import zero_fraction
from twinflow.summary import summaries
from twinflow.train.ftrl import FtrlOptimizer

_LEARNING_RATE = 0.2


def get_default_optimizer(feature_columns):
    """FTRL, slower where there are many columns."""
    rate = min(_LEARNING_RATE, 1.0 / math.sqrt(len(feature_columns)))
    return FtrlOptimizer(learning_rate=rate)


def get_expanded_variable_list(var_list):
    """The variables, partitioned ones in their parts."""
    return [part for var in var_list for part in each_part(var)]


def compute_fraction_of_zero(variables):
    """How many of the weights are 0, float scalar."""
    flat = [part for v in nest.flatten(list(variables)) for part in each_part(v)]
    return zero_fraction(concat([reshape(v, [-1]) for v in flat], axis=0))


def linear_logit_fn_builder(units, feature_columns, sparse_combiner="sum"):
    """A function of the features that gives the logits of a linear model."""

    def linear_logit_fn(features):
        if is_feature_column_v2(feature_columns):
            logits, bias, weights = _second(
                features, feature_columns, units, sparse_combiner
            )
        else:
            logits, bias, weights = _first(
                features, feature_columns, units, sparse_combiner
            )
        if units > 1:
            summaries.histogram("bias", bias)
        else:
            summaries.scalar("bias", bias[0])
        summaries.scalar("fraction_of_zero_weights", compute_fraction_of_zero(weights))
        return logits

    return linear_logit_fn


def _first(features, feature_columns, units, sparse_combiner):
    """(logits, bias, weights) of columns of the first protocol."""
    model = _LinearModel(feature_columns, units, sparse_combiner, name="linear_model")
    logits = model(features)
    found = dict(model.cols_to_vars())
    parts = get_expanded_variable_list(found.pop("bias"))
    bias = parts[0] if len(parts) == 1 else concat(parts, 0)
    return logits, bias, [v for v in found.values() if v]


def _second(features, feature_columns, units, sparse_combiner):
    """(logits, bias, weights) of columns of the second protocol."""
    shared = maybe_create_shared_state_manager(feature_columns)
    model = LinearModel(
        feature_columns, units, sparse_combiner, name="linear_model",
        shared_state_manager=shared,
    )  # fmt: skip
    logits = model(features)
    bias = model.bias_variable
    weights = [v for v in model.variables if v is not bias]
    return logits, bias, [*weights, *shared.variables]


def partitioner_of(config, min_slice_size=0):
    """How variables are divided: among the tasks that hold some."""
    count = config.num_ps_replicas if config else 0
    options = {"min_slice_size": min_slice_size} if min_slice_size else {}
    return min_max_variable_partitioner(max_partitions=count, **options)


def linear_model_fn(
    features, labels, mode, head, feature_columns, optimizer, partitioner, config,
    sparse_combiner="sum",
):  # fmt: skip
    """The EstimatorSpec of a linear model."""
    check_features(features)
    optimizer = get_optimizer_instance(
        optimizer or get_default_optimizer(feature_columns),
        learning_rate=_LEARNING_RATE,
    )
    partitioner = partitioner or partitioner_of(config, 64 << 20)
    with variable_scope(
        "linear", values=tuple(features.values()), partitioner=partitioner
    ):
        logit_fn = linear_logit_fn_builder(
            head.logits_dimension, feature_columns, sparse_combiner
        )
        return head.create_estimator_spec(
            features=features, mode=mode, labels=labels, optimizer=optimizer,
            logits=logit_fn(features=features),
        )  # fmt: skip


def model_fn_of(head, feature_columns, optimizer, partitioner, sparse_combiner):
    """The model function of a linear Estimator with a head."""

    def model_fn(features, labels, mode, config):
        return linear_model_fn(
            features, labels, mode, head, tuple(feature_columns or []), optimizer,
            partitioner, config, sparse_combiner,
        )  # fmt: skip

    return model_fn


class LinearClassifier(Estimator):
    """A linear model of classes.

    Args:
        feature_columns: columns of tf.feature_column.
        model_dir: the folder. n_classes: how many classes.
        weight_column: the name of a feature, or a numeric column: weights of examples.
        label_vocabulary: the names of the classes, if labels are strings.
        optimizer: a name, a tf.train.Optimizer or a function that makes one.
        config: a RunConfig. partitioner: how variables are divided.
        warm_start_from: see Estimator. loss_reduction: a tf.losses.Reduction.
        sparse_combiner: what becomes of several categories: "sum", "mean" or "sqrtn".
    Example:
        age = tf.feature_column.numeric_column("age")
        estimator = tf.estimator.LinearClassifier([age])
        data = {"age": [[20.0], [60.0]]}, [[0], [1]]
        estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
        estimator.get_variable_value("linear/linear_model/age/weights").shape  # (1, 1)
    """

    def __init__(
        self, feature_columns: Any, model_dir: Path | None = None, n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Any = None,
        optimizer: Any = "Ftrl", config: Any = None, partitioner: Any = None,
        warm_start_from: Any = None, loss_reduction: str = Reduction.SUM,
        sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        head = binary_logistic_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        super().__init__(
            model_fn_of(head, feature_columns, optimizer, partitioner, sparse_combiner),
            model_dir, config, warm_start_from=warm_start_from,
        )  # fmt: skip


class LinearRegressor(Estimator):
    """A linear model of numbers.

    Args:
        label_dimension: how many numbers a label has.
        The others: see LinearClassifier.
    Example:
        age = tf.feature_column.numeric_column("age")
        estimator = tf.estimator.LinearRegressor([age])
        data = {"age": [[20.0], [60.0]]}, [[1.0], [3.0]]
        estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
    """

    def __init__(
        self, feature_columns: Any, model_dir: Path | None = None,
        label_dimension: int = 1, weight_column: Any = None, optimizer: Any = "Ftrl",
        config: Any = None, partitioner: Any = None, warm_start_from: Any = None,
        loss_reduction: str = Reduction.SUM, sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        head = RegressionHead(label_dimension, weight_column, loss_reduction)
        super().__init__(
            model_fn_of(head, feature_columns, optimizer, partitioner, sparse_combiner),
            model_dir, config, warm_start_from=warm_start_from,
        )  # fmt: skip
