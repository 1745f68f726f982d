"""Estimators with hidden layers, on top of feature columns."""

from collections.abc import Callable
from typing import Any

from twinflow.base.annotations import Path
from twinflow.estimator.canned.baseline import check_features
from twinflow.estimator.canned.binary_head import binary_logistic_or_multi_class_head
from twinflow.estimator.canned.linear import partitioner_of
from twinflow.estimator.canned.optimizers import get_optimizer_instance
from twinflow.estimator.canned.regression_head import RegressionHead
from twinflow.estimator.estimator import Estimator
from twinflow.estimator.model_fn import ModeKeys
from twinflow.feature_column.layers import input_layer
from twinflow.feature_column.v2.layers import FeatureLayer
from twinflow.feature_column.v2.makers import (
    is_feature_column_v2,
    maybe_create_shared_state_manager,
)
from twinflow.graph.variable_scope import variable_scope
from twinflow.layers.core import dense
from twinflow.layers.core import dropout as drop
from twinflow.layers.normalization import batch_normalization
from twinflow.losses.weighting import Reduction
from twinflow.ops.nn.activation import relu
from twinflow.ops.nn.dropout import zero_fraction
from twinflow.ops.random.initializers import GlorotUniform
from twinflow.summary import summaries

_LEARNING_RATE = 0.05


def add_hidden_layer_summary(value, tag):
    """Write how the outputs of a layer are spread."""
    summaries.scalar(f"{tag}/fraction_of_zero_values", zero_fraction(value))
    summaries.histogram(f"{tag}/activation", value)


def dnn_logit_fn_builder(
    units, hidden_units, feature_columns, activation_fn, dropout,
    input_layer_partitioner, batch_norm, shared_state_manager=None,
    input_layer_fn=input_layer,
):  # fmt: skip
    """A function of features and mode that gives the logits of hidden layers.

    Raises:
        ValueError: `units` is no int.
    """
    if not isinstance(units, int):
        raise ValueError(f"units must be an int.  Given type: {type(units)}")
    options = activation_fn, dropout, batch_norm

    def dnn_logit_fn(features, mode):
        net = _inputs(
            features, feature_columns, input_layer_partitioner, shared_state_manager,
            input_layer_fn,
        )  # fmt: skip
        for i, count in enumerate(hidden_units):
            with variable_scope(
                f"hiddenlayer_{i}", values=(net,), use_resource=True
            ) as scope:
                net = _hidden(net, count, i, scope, mode, options)
            add_hidden_layer_summary(net, scope.name)
        with variable_scope("logits", values=(net,), use_resource=True) as scope:
            logits = _dense(net, units, None, scope)
        add_hidden_layer_summary(logits, scope.name)
        return logits

    return dnn_logit_fn


def _inputs(features, feature_columns, partitioner, shared_state_manager, layer_fn):
    """What the columns say, beside each other."""
    with variable_scope(
        "input_from_feature_columns", values=tuple(features.values()),
        partitioner=partitioner,
    ):  # fmt: skip
        if not is_feature_column_v2(feature_columns):
            return layer_fn(features, feature_columns)
        shared = shared_state_manager
        if shared is None:
            shared = maybe_create_shared_state_manager(feature_columns)
        layer = FeatureLayer(
            feature_columns, name="input_layer", shared_state_manager=shared
        )
        return layer(features)


def _hidden(net, count, i, scope, mode, options):
    activation_fn, rate, batch_norm = options
    training = mode == ModeKeys.TRAIN
    net = _dense(net, count, activation_fn, scope)
    if rate is not None and training:
        net = drop(net, rate=rate, training=True)
    if batch_norm:
        net = batch_normalization(
            net, momentum=0.999, training=training, name=f"batchnorm_{i}"
        )
    return net


def _dense(net, count, activation, scope):
    return dense(
        net, count, activation=activation,
        kernel_initializer=GlorotUniform(), name=scope,
    )  # fmt: skip


def dnn_model_fn(
    features, labels, mode, head, hidden_units, feature_columns, optimizer="Adagrad",
    activation_fn=relu, dropout=None, input_layer_partitioner=None, config=None,
    use_tpu=False, batch_norm=False, shared_state_manager=None,
    input_layer_fn=input_layer,
):  # fmt: skip
    """The EstimatorSpec of hidden layers."""
    del use_tpu
    check_features(features)
    optimizer = get_optimizer_instance(optimizer, learning_rate=_LEARNING_RATE)
    partitioner = partitioner_of(config)
    inner = input_layer_partitioner or partitioner_of(config, 64 << 20)
    with variable_scope(
        "dnn", values=tuple(features.values()), partitioner=partitioner
    ):
        logit_fn = dnn_logit_fn_builder(
            head.logits_dimension, hidden_units, feature_columns, activation_fn,
            dropout, inner, batch_norm, shared_state_manager, input_layer_fn,
        )  # fmt: skip
        return head.create_estimator_spec(
            features=features, mode=mode, labels=labels, optimizer=optimizer,
            logits=logit_fn(features=features, mode=mode),
        )  # fmt: skip


def model_fn_of(
    head, hidden_units, feature_columns, optimizer, activation_fn, dropout,
    input_layer_partitioner, batch_norm, input_layer_fn=input_layer,
):  # fmt: skip
    """The model function of an Estimator of hidden layers with a head."""

    def model_fn(features, labels, mode, config):
        return dnn_model_fn(
            features, labels, mode, head, hidden_units, tuple(feature_columns or []),
            optimizer, activation_fn, dropout, input_layer_partitioner, config,
            batch_norm=batch_norm, input_layer_fn=input_layer_fn,
        )  # fmt: skip

    return model_fn


class DNNClassifier(Estimator):
    """Hidden layers that predict classes.

    Args:
        hidden_units: how many units each hidden layer has.
        feature_columns: columns of numbers of tf.feature_column.
        model_dir: the folder. n_classes: how many classes.
        weight_column: the name of a feature, or a numeric column: weights of examples.
        label_vocabulary: the names of the classes, if labels are strings.
        optimizer: a name, a tf.train.Optimizer or a function that makes one.
        activation_fn: of the hidden layers. dropout: the rate at which outputs are
            dropped; None: none are.
        input_layer_partitioner: how the variables of the columns are divided.
        config: a RunConfig. warm_start_from: see Estimator.
        loss_reduction: a tf.losses.Reduction.
        batch_norm: whether the outputs of hidden layers are normalised.
    Example:
        x = tf.feature_column.numeric_column("x")
        estimator = tf.estimator.DNNClassifier([4], [x])
        data = {"x": [[2.0], [6.0]]}, [[0], [1]]
        estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
        estimator.get_variable_value("dnn/hiddenlayer_0/kernel").shape  # (1, 4)
    """

    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: Path | None = None,
        n_classes: int = 2, weight_column: Any = None, label_vocabulary: Any = None,
        optimizer: Any = "Adagrad", activation_fn: Callable[..., Any] = relu,
        dropout: float | None = None, input_layer_partitioner: Any = None,
        config: Any = None, warm_start_from: Any = None,
        loss_reduction: str = Reduction.SUM, batch_norm: bool = False,
    ) -> None:  # fmt: skip
        head = binary_logistic_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        model_fn = model_fn_of(
            head, hidden_units, feature_columns, optimizer, activation_fn, dropout,
            input_layer_partitioner, batch_norm,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


class DNNRegressor(Estimator):
    """Hidden layers that predict numbers.

    Args:
        label_dimension: how many numbers a label has.
        The others: see DNNClassifier.
    Example:
        x = tf.feature_column.numeric_column("x")
        estimator = tf.estimator.DNNRegressor([4], [x])
        data = {"x": [[2.0], [6.0]]}, [[1.0], [3.0]]
        estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
    """

    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: Path | None = None,
        label_dimension: int = 1, weight_column: Any = None,
        optimizer: Any = "Adagrad", activation_fn: Callable[..., Any] = relu,
        dropout: float | None = None, input_layer_partitioner: Any = None,
        config: Any = None, warm_start_from: Any = None,
        loss_reduction: str = Reduction.SUM, batch_norm: bool = False,
    ) -> None:  # fmt: skip
        head = RegressionHead(label_dimension, weight_column, loss_reduction)
        model_fn = model_fn_of(
            head, hidden_units, feature_columns, optimizer, activation_fn, dropout,
            input_layer_partitioner, batch_norm,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)
