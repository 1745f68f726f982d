"""tf.contrib.learn.DynamicRnnEstimator."""

from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.base.annotations import Path
from twinflow.base.tensor import Tensor
from twinflow.contrib.layers.column_layers import (
    input_from_feature_columns,
    sequence_input_from_feature_columns,
)
from twinflow.contrib.layers.dense import fully_connected
from twinflow.contrib.layers.optimize import OPTIMIZER_SUMMARIES, optimize_loss
from twinflow.contrib.layers.target_column import multi_class_target, regression_target
from twinflow.contrib.learn import recurrent_parts as parts
from twinflow.contrib.learn.estimator import Estimator
from twinflow.contrib.learn.keys import ModeKeys, ProblemType
from twinflow.contrib.learn.model_fn import ModelFnOps
from twinflow.contrib.learn.recurrent_parts import PredictionType, RNNKeys
from twinflow.graph.scopes import name_scope
from twinflow.rnn.dynamic import dynamic_rnn
from twinflow.train.momentum import MomentumOptimizer

_OUTPUT = "dynamic_rnn_output"


def build_sequence_input(
    features: dict, sequence_feature_columns: Any, context_feature_columns: Any,
    weight_collections: Any = None, scope: Any = None,
) -> Tensor:  # fmt: skip
    """What a recurrent network reads: float[batch, steps, n].

    Args:
        features: {name: tensor}. sequence_feature_columns: columns of steps.
        context_feature_columns: columns of whole sequences, put beside each step.
        weight_collections, scope: see tf.contrib.layers.input_from_feature_columns.
    """
    features = dict(features)
    found = sequence_input_from_feature_columns(
        features, sequence_feature_columns, weight_collections, scope=scope
    )
    if context_feature_columns is None:
        return found
    context = input_from_feature_columns(
        features, context_feature_columns, weight_collections, scope=scope
    )
    return parts.with_context(found, context)


def construct_rnn(
    initial_state: Any, sequence_input: Tensor, cell: Any, num_label_columns: int,
    dtype: Any = dtypes.float32, parallel_iterations: Any = None,
    swap_memory: bool = True,
) -> tuple:  # fmt: skip
    """Logits float[batch, steps, num_label_columns] of a cell, and its last state."""
    outputs, state = dynamic_rnn(
        cell, sequence_input, initial_state=initial_state, dtype=dtype,
        parallel_iterations=parallel_iterations, swap_memory=swap_memory,
    )  # fmt: skip
    return fully_connected(outputs, num_label_columns, activation_fn=None), state


def _loss_and_predictions(logits, labels, lengths, target, features, options):
    """(the loss or None, predictions) of logits."""
    problem, prediction, probable = options
    each = prediction == PredictionType.MULTIPLE_VALUE
    if each:
        found = parts.multi_value_predictions(logits, target, problem, probable)
    else:
        logits = parts.select_last_activations(logits, lengths)
        found = parts.predictions_of(logits, target, problem, probable, None)
    if labels is None:
        return None, found
    if each:
        logits, labels = parts.mask_activations_and_labels(logits, labels, lengths)
    return target.loss(logits, labels, features), found


def _model_fn(
    cell_options: tuple, columns: tuple, target: Any, options: tuple, train: Callable,
    name: str,
) -> Callable:  # fmt: skip
    problem, prediction, _ = options

    def model_fn(features: Any, labels: Any, mode: str) -> ModelFnOps:
        with name_scope(name):
            lengths = features.get(RNNKeys.SEQUENCE_LENGTH_KEY)
            inputs = build_sequence_input(features, *columns)
            units, kind, dropout = cell_options
            dropout = dropout if mode == ModeKeys.TRAIN else None
            cell = parts.construct_rnn_cell(units, kind, dropout)
            first = parts.dict_to_state_tuple(features, cell)
            logits, last = construct_rnn(first, inputs, cell, target.num_label_columns)
            known = None if mode == ModeKeys.INFER else labels
            loss, found = _loss_and_predictions(
                logits, known, lengths, target, features, options
            )
            told = {**found, **parts.state_tuple_to_dict(last)}
            metrics = None
            if mode != ModeKeys.INFER:
                metrics = parts.get_eval_metric_ops(*options[:2], lengths, told, labels)
            step = train(loss) if mode == ModeKeys.TRAIN else None
        alone = prediction == PredictionType.SINGLE_VALUE
        outputs = {_OUTPUT: (problem, found)} if alone else None
        return ModelFnOps(mode, told, loss, step, metrics, outputs)

    return model_fn


class DynamicRnnEstimator(Estimator):
    """A recurrent network that tells classes or numbers of sequences.

    Features may hold "sequence_length", int32[batch], and the first state, as
    "rnn_cell_state_0" and so on; predictions hold the last state under these names.

    Args:
        problem_type: ProblemType.CLASSIFICATION or LINEAR_REGRESSION.
        prediction_type: PredictionType.SINGLE_VALUE or MULTIPLE_VALUE: of each
            sequence, or of each of its steps.
        sequence_feature_columns, context_feature_columns: columns of tf.contrib.layers
            of steps [batch, steps, n], and of sequences [batch, n].
        num_classes: how many. num_units: the sizes of the layers, an int or a list.
        cell_type: "basic_rnn", "lstm", "gru" or a class of cells.
        optimizer, learning_rate: see tf.contrib.layers.optimize_loss.
        predict_probabilities: whether the probabilities of classes are told.
        momentum: of the optimizer "Momentum". gradient_clipping_norm: of gradients.
        dropout_keep_probabilities: a number more than layers, or None.
        model_dir, feature_engineering_fn, config: see Estimator.
    Raises:
        ValueError: there is no such problem or prediction, or no `num_classes`.
    Example:
        learn, layers = tf.contrib.learn, tf.contrib.layers
        model = learn.DynamicRnnEstimator(
            1, 1, [layers.real_valued_column("x")], num_classes=2, num_units=[4])
        def data():
            return {"x": tf.ones([8, 5, 1])}, tf.ones([8], tf.int64)
        model.fit(input_fn=data, steps=3) is model  # True
    """

    def __init__(
        self, problem_type: int, prediction_type: int, sequence_feature_columns: Any,
        context_feature_columns: Any = None, num_classes: int | None = None,
        num_units: Any = None, cell_type: Any = "basic_rnn", optimizer: Any = "SGD",
        learning_rate: float = 0.1, predict_probabilities: bool = False,
        momentum: float | None = None, gradient_clipping_norm: float | None = 5.0,
        dropout_keep_probabilities: Any = None, model_dir: Path | None = None,
        feature_engineering_fn: Callable[..., Any] | None = None, config: Any = None,
    ) -> None:  # fmt: skip
        name, target = _chosen(problem_type, prediction_type, num_classes)
        if predict_probabilities and problem_type != ProblemType.CLASSIFICATION:
            raise ValueError(
                "predict_probabilities can only be set to True for problem_type"
                f" ProblemType.CLASSIFICATION; got {problem_type}."
            )
        if optimizer == "Momentum":
            optimizer = MomentumOptimizer(learning_rate, momentum)

        def train(loss: Tensor) -> Any:
            return optimize_loss(
                loss, None, learning_rate, optimizer,
                clip_gradients=gradient_clipping_norm, summaries=OPTIMIZER_SUMMARIES,
            )  # fmt: skip

        model_fn = _model_fn(
            (num_units, cell_type, dropout_keep_probabilities),
            (sequence_feature_columns, context_feature_columns), target,
            (problem_type, prediction_type, predict_probabilities), train, name,
        )  # fmt: skip
        super().__init__(
            model_fn, model_dir, config, feature_engineering_fn=feature_engineering_fn
        )


def _chosen(problem_type, prediction_type, num_classes):
    """(the name, the target column) of a kind of model."""
    names = {
        PredictionType.MULTIPLE_VALUE: "MultiValueDynamicRNN",
        PredictionType.SINGLE_VALUE: "SingleValueDynamicRNN",
    }
    if prediction_type not in names:
        raise ValueError(
            "prediction_type must be one of PredictionType.MULTIPLE_VALUE or "
            f"PredictionType.SINGLE_VALUE; got {prediction_type}"
        )
    if problem_type == ProblemType.LINEAR_REGRESSION:
        return names[prediction_type] + "Regressor", regression_target()
    if problem_type != ProblemType.CLASSIFICATION:
        raise ValueError(
            "problem_type must be either ProblemType.LINEAR_REGRESSION or "
            f"ProblemType.CLASSIFICATION; got {problem_type}"
        )
    if not num_classes:
        raise ValueError(
            "For CLASSIFICATION problem_type, num_classes must be specified."
        )
    return names[prediction_type] + "Classifier", multi_class_target(num_classes)
