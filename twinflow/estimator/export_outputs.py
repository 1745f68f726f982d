"""What a served or exported model gives, and the signatures of it."""

import abc
from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.base.tensor import Tensor
from twinflow.estimator.supervised import (
    METRIC_UPDATE,
    METRIC_VALUE,
    joined_key,
    metric_pair,
)
from twinflow.export.signatures import (
    classification_signature_def,
    predict_signature_def,
    regression_signature_def,
)
from twinflow.export.supervised import (
    supervised_eval_signature_def,
    supervised_train_signature_def,
)
from twinflow.graph.node import Node
from twinflow.graph.scopes import control_dependencies
from twinflow.ops.core.constant import constant


class ExportOutput(abc.ABC):
    """What a model gives: the base of the kinds of it."""

    @abc.abstractmethod
    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """The SignatureDef of it, for what is fed.

        Args:
            receiver_tensors: dict from names to tensors.
        """

    def _check_output_key(self, key, error_label):
        """The key as one string; a tuple is joined."""
        found = joined_key(key)
        if not isinstance(found, str):
            raise ValueError(f"{error_label} output key must be a string; got {key}.")
        return found

    def _wrap_and_check_outputs(
        self, outputs, single_output_default_name, error_label=None
    ):
        """A dict of tensors; one alone gets a name."""
        if not isinstance(outputs, dict):
            outputs = {single_output_default_name: outputs}
        found = {}
        for given, value in outputs.items():
            label = error_label or single_output_default_name
            key = self._check_output_key(given, label)
            if not isinstance(value, Tensor):
                raise ValueError(f"{label} output value must be a Tensor; got {value}.")
            found[key] = value
        return found


def _single(receiver_tensors, what):
    if len(receiver_tensors) != 1:
        raise ValueError(
            f"{what} input must be a single string Tensor; got {receiver_tensors}"
        )
    (found,) = receiver_tensors.values()
    if found.dtype != dtypes.string:
        raise ValueError(
            f"{what} input must be a single string Tensor; got {receiver_tensors}"
        )
    return found


class ClassificationOutput(ExportOutput):
    """Classes, scores, or both.

    Args:
        scores: float tensor. classes: string tensor.
    """

    def __init__(self, scores: Any = None, classes: Any = None) -> None:
        if scores is not None and not (
            isinstance(scores, Tensor) and scores.dtype.is_floating
        ):
            raise ValueError(
                f"Classification scores must be a float32 Tensor; got {scores}"
            )
        if classes is not None and not (
            isinstance(classes, Tensor) and classes.dtype == dtypes.string
        ):
            raise ValueError(
                f"Classification classes must be a string Tensor; got {classes}"
            )
        if scores is None and classes is None:
            raise ValueError("At least one of scores and classes must be set.")
        self._scores, self._classes = scores, classes

    @property
    def scores(self) -> Any:
        """The scores, float tensor or None."""
        return self._scores

    @property
    def classes(self) -> Any:
        """The classes, string tensor or None."""
        return self._classes

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """The SignatureDef of it, for one tensor of Examples."""
        examples = _single(receiver_tensors, "Classification")
        return classification_signature_def(examples, self.classes, self.scores)


class RegressionOutput(ExportOutput):
    """Numbers.

    Args:
        value: float tensor.
    """

    def __init__(self, value: Any) -> None:
        if not (isinstance(value, Tensor) and value.dtype.is_floating):
            raise ValueError(
                f"Regression output value must be a float32 Tensor; got {value}"
            )
        self._value = value

    @property
    def value(self) -> Any:
        """The numbers, float tensor."""
        return self._value

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """The SignatureDef of it, for one tensor of Examples."""
        return regression_signature_def(
            _single(receiver_tensors, "Regression"), self.value
        )


class PredictOutput(ExportOutput):
    """Any tensors.

    Args:
        outputs: a tensor, or dict of tensors.
    """

    def __init__(self, outputs: Any) -> None:
        self._outputs = self._wrap_and_check_outputs(outputs, "output", "Prediction")

    @property
    def outputs(self) -> dict[str, Any]:
        """Dict of tensors."""
        return self._outputs

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """The SignatureDef of it, for a dict of tensors."""
        return predict_signature_def(receiver_tensors, self.outputs)


class SupervisedOutput(ExportOutput):
    """What a graph for training or evaluation gives.

    Args:
        loss: a tensor or dict of tensors. predictions: a tensor or dict of tensors.
        metrics: dict of (value, update op) or of metric objects, or one of them.
    """

    LOSS_NAME = "loss"
    PREDICTIONS_NAME = "predictions"
    METRICS_NAME = "metrics"
    METRIC_VALUE_SUFFIX = METRIC_VALUE
    METRIC_UPDATE_SUFFIX = METRIC_UPDATE

    def __init__(
        self, loss: Any = None, predictions: Any = None, metrics: Any = None
    ) -> None:
        self._loss = self._wrapped(loss, self.LOSS_NAME)
        self._predictions = self._wrapped(predictions, self.PREDICTIONS_NAME)
        self._metrics = None
        if metrics is not None:
            found = self._wrap_and_check_metrics(metrics)
            self._metrics = self._prefix_output_keys(found, self.METRICS_NAME)

    def _wrapped(self, outputs, name):
        if outputs is None:
            return None
        found = self._wrap_and_check_outputs(outputs, name)
        return self._prefix_output_keys(found, name)

    def _prefix_output_keys(self, output_dict, output_name):
        return {self._prefix_key(k, output_name): v for k, v in output_dict.items()}

    def _prefix_key(self, key, output_name):
        """The key with the name of the output, unless it begins with it already."""
        return key if key.startswith(output_name) else f"{output_name}/{key}"

    def _wrap_and_check_metrics(self, metrics):
        """Dict of tensors: two of each metric."""
        if not isinstance(metrics, dict):
            metrics = {self.METRICS_NAME: metrics}
        found = {}
        for given, metric in metrics.items():
            value, update_op = metric_pair(metric)
            key = self._check_output_key(given, self.METRICS_NAME)
            key = self._prefix_key(key, self.METRICS_NAME)
            if not isinstance(value, Tensor):
                raise ValueError(f"{key} output value must be a Tensor; got {value}.")
            if not isinstance(update_op, Tensor | Node):
                raise ValueError(
                    f"{key} update_op must be a Tensor or Operation; got {update_op}."
                )
            if isinstance(update_op, Node):  # a signature can only hold tensors
                with control_dependencies([update_op]):
                    update_op = constant([], name="metric_op_wrapper")
            found[f"{key}/{METRIC_VALUE}"] = value
            found[f"{key}/{METRIC_UPDATE}"] = update_op
        return found

    @property
    def loss(self) -> Any:
        """Dict of tensors."""
        return self._loss

    @property
    def predictions(self) -> Any:
        """Dict of tensors."""
        return self._predictions

    @property
    def metrics(self) -> Any:
        """Dict of tensors."""
        return self._metrics

    @abc.abstractmethod
    def _get_signature_def_fn(self) -> Callable:
        """The function that makes the SignatureDef."""

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """The SignatureDef of it, for a dict of tensors."""
        make = self._get_signature_def_fn()
        return make(receiver_tensors, self.loss, self.predictions, self.metrics)


class TrainOutput(SupervisedOutput):
    """What a graph for training gives; see SupervisedOutput."""

    def _get_signature_def_fn(self):
        return supervised_train_signature_def


class EvalOutput(SupervisedOutput):
    """What a graph for evaluation gives; see SupervisedOutput."""

    def _get_signature_def_fn(self):
        return supervised_eval_signature_def
