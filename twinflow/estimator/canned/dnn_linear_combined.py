"""Estimators of a linear model and hidden layers together: wide and deep."""

import math
from collections.abc import Callable
from typing import Any

from twinflow.base.annotations import Path
from twinflow.estimator.canned.baseline import check_features
from twinflow.estimator.canned.binary_head import binary_logistic_or_multi_class_head
from twinflow.estimator.canned.dnn import (
    add_hidden_layer_summary,
    dnn_logit_fn_builder,
)
from twinflow.estimator.canned.linear import linear_logit_fn_builder, partitioner_of
from twinflow.estimator.canned.optimizers import get_optimizer_instance
from twinflow.estimator.canned.regression_head import RegressionHead
from twinflow.estimator.estimator import Estimator
from twinflow.graph.scopes import control_dependencies, group
from twinflow.graph.variable_scope import variable_scope
from twinflow.losses.weighting import Reduction
from twinflow.ops.nn.activation import relu
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.ops.variables.state import assign_add
from twinflow.train import training_util

_DNN_LEARNING_RATE = 0.001
_LINEAR_LEARNING_RATE = 0.005
_SYNC = (
    "SyncReplicasOptimizer does not support multi optimizers case. Therefore, it is "
    "not supported in DNNLinearCombined model. If you want to use this optimizer, "
    "please use either DNN or Linear model."
)


def linear_learning_rate(num_linear_feature_columns):
    """The rate of the linear part, slower where there are many columns."""
    return min(_LINEAR_LEARNING_RATE, 1.0 / math.sqrt(num_linear_feature_columns))


def check_no_sync_replicas_optimizer(optimizer):
    """Raise ValueError for an optimizer that waits for other tasks."""
    if type(optimizer).__name__ == "SyncReplicasOptimizer":
        raise ValueError(_SYNC)


def dnn_linear_combined_model_fn(
    features, labels, mode, head, linear_feature_columns=None, linear_optimizer="Ftrl",
    dnn_feature_columns=None, dnn_optimizer="Adagrad", dnn_hidden_units=None,
    dnn_activation_fn=relu, dnn_dropout=None, input_layer_partitioner=None,
    config=None, batch_norm=False, linear_sparse_combiner="sum",
):  # fmt: skip
    """The EstimatorSpec of a linear model and hidden layers.

    Raises:
        ValueError: there are no columns, or no hidden units for those of the layers.
    """
    check_features(features)
    if not linear_feature_columns and not dnn_feature_columns:
        raise ValueError(
            "Either linear_feature_columns or dnn_feature_columns must be defined."
        )
    partitioner = input_layer_partitioner or partitioner_of(config, 64 << 20)
    parts = []  # (logits, optimizer, name of the scope)
    if dnn_feature_columns:
        options = dnn_activation_fn, dnn_dropout, partitioner, batch_norm
        parts.append(
            _deep(features, mode, head, dnn_feature_columns, dnn_optimizer,
                  dnn_hidden_units, partitioner_of(config), options)
        )  # fmt: skip
    if linear_feature_columns:
        parts.append(
            _wide(features, head, linear_feature_columns, linear_optimizer,
                  partitioner, linear_sparse_combiner)
        )  # fmt: skip
    logits = parts[0][0] if len(parts) == 1 else parts[0][0] + parts[1][0]
    return head.create_estimator_spec(
        features=features, mode=mode, labels=labels, logits=logits,
        train_op_fn=lambda loss: _train_op(loss, parts),
    )  # fmt: skip


def _deep(features, mode, head, columns, optimizer, hidden_units, partitioner, options):
    if not hidden_units:
        raise ValueError(
            "dnn_hidden_units must be defined when dnn_feature_columns is specified."
        )
    optimizer = get_optimizer_instance(optimizer, learning_rate=_DNN_LEARNING_RATE)
    check_no_sync_replicas_optimizer(optimizer)
    with variable_scope(
        "dnn", values=tuple(features.values()), partitioner=partitioner
    ) as scope:
        logit_fn = dnn_logit_fn_builder(
            head.logits_dimension, hidden_units, columns, *options
        )
        return logit_fn(features=features, mode=mode), optimizer, scope.name


def _wide(features, head, columns, optimizer, partitioner, sparse_combiner):
    rate = linear_learning_rate(len(columns))
    optimizer = get_optimizer_instance(optimizer, learning_rate=rate)
    check_no_sync_replicas_optimizer(optimizer)
    with variable_scope(
        "linear", values=tuple(features.values()), partitioner=partitioner
    ) as scope:
        logit_fn = linear_logit_fn_builder(
            head.logits_dimension, columns, sparse_combiner
        )
        logits = logit_fn(features=features)
        add_hidden_layer_summary(logits, scope.name)
    return logits, optimizer, scope.name


def _train_op(loss, parts):
    """The op of a step: each optimizer updates the variables of its part."""
    ops = []
    for _, optimizer, name in parts:
        variables = get_collection(GraphKeys.TRAINABLE_VARIABLES, scope=name)
        ops.append(optimizer.minimize(loss, var_list=variables))
    with control_dependencies([group(*ops)]):
        return assign_add(training_util.get_global_step(), 1).op


def model_fn_of(
    head, linear_feature_columns, linear_optimizer, dnn_feature_columns,
    dnn_optimizer, dnn_hidden_units, *options,
):  # fmt: skip
    """The model function of a combined Estimator with a head.

    Raises:
        ValueError: there are no columns.
    """
    linear, deep = list(linear_feature_columns or ()), list(dnn_feature_columns or ())
    if not linear and not deep:
        raise ValueError(
            "Either linear_feature_columns or dnn_feature_columns must be defined."
        )
    activation_fn, dropout, partitioner, batch_norm, sparse_combiner = options

    def model_fn(features, labels, mode, config):
        return dnn_linear_combined_model_fn(
            features, labels, mode, head, linear, linear_optimizer, deep,
            dnn_optimizer, dnn_hidden_units, activation_fn, dropout, partitioner,
            config, batch_norm, sparse_combiner,
        )  # fmt: skip

    return model_fn


class DNNLinearCombinedClassifier(Estimator):
    """A linear model and hidden layers, whose logits are added, predict classes.

    Args:
        model_dir: the folder.
        linear_feature_columns, linear_optimizer: of the linear model.
        dnn_feature_columns, dnn_optimizer, dnn_hidden_units, dnn_activation_fn,
        dnn_dropout: of the hidden layers, see DNNClassifier.
        n_classes, weight_column, label_vocabulary, input_layer_partitioner, config,
        warm_start_from, loss_reduction, batch_norm: see DNNClassifier.
        linear_sparse_combiner: see LinearClassifier.
    Raises:
        ValueError: there are no columns.
    Example:
        x = tf.feature_column.numeric_column("x")
        estimator = tf.estimator.DNNLinearCombinedClassifier(
            linear_feature_columns=[x], dnn_feature_columns=[x], dnn_hidden_units=[4])
        data = {"x": [[2.0], [6.0]]}, [[0], [1]]
        estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
    """

    def __init__(
        self, model_dir: Path | None = None, linear_feature_columns: Any = None,
        linear_optimizer: Any = "Ftrl", dnn_feature_columns: Any = None,
        dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Any = None,
        dnn_activation_fn: Callable[..., Any] = relu, dnn_dropout: float | None = None,
        n_classes: int = 2, weight_column: Any = None, label_vocabulary: Any = None,
        input_layer_partitioner: Any = None, config: Any = None,
        warm_start_from: Any = None, loss_reduction: str = Reduction.SUM,
        batch_norm: bool = False, linear_sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        head = binary_logistic_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        model_fn = model_fn_of(
            head, linear_feature_columns, linear_optimizer, dnn_feature_columns,
            dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout,
            input_layer_partitioner, batch_norm, linear_sparse_combiner,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


class DNNLinearCombinedRegressor(Estimator):
    """A linear model and hidden layers, whose logits are added, predict numbers.

    Args:
        label_dimension: how many numbers a label has.
        The others: see DNNLinearCombinedClassifier.
    Raises:
        ValueError: there are no columns.
    Example:
        x = tf.feature_column.numeric_column("x")
        estimator = tf.estimator.DNNLinearCombinedRegressor(
            linear_feature_columns=[x], dnn_feature_columns=[x], dnn_hidden_units=[4])
        data = {"x": [[2.0], [6.0]]}, [[1.0], [3.0]]
        estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
    """

    def __init__(
        self, model_dir: Path | None = None, linear_feature_columns: Any = None,
        linear_optimizer: Any = "Ftrl", dnn_feature_columns: Any = None,
        dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Any = None,
        dnn_activation_fn: Callable[..., Any] = relu, dnn_dropout: float | None = None,
        label_dimension: int = 1, weight_column: Any = None,
        input_layer_partitioner: Any = None, config: Any = None,
        warm_start_from: Any = None, loss_reduction: str = Reduction.SUM,
        batch_norm: bool = False, linear_sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        head = RegressionHead(label_dimension, weight_column, loss_reduction)
        model_fn = model_fn_of(
            head, linear_feature_columns, linear_optimizer, dnn_feature_columns,
            dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout,
            input_layer_partitioner, batch_norm, linear_sparse_combiner,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)
