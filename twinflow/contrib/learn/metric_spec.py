"""How a metric function gets labels and predictions."""

import functools
import inspect
from collections.abc import Callable
from typing import Any

from twinflow.base import logging

_LABELS = ("labels", "label", "target", "targets")
_PREDICTIONS = ("predictions", "prediction", "predictions_tensor", "logits")
_WEIGHTS = ("weights", "weight")


class MetricSpec:
    """A metric function, and which predictions, labels and weights it gets.

    Args:
        metric_fn: a function with arguments for predictions and labels, maybe for
            weights, that gives a tensor or (value, update op).
        prediction_key: of the predictions, where there are several.
        label_key: of the labels, where there are several.
        weight_key: of the feature that holds the weights.
    """

    def __init__(
        self, metric_fn: Callable[..., Any], prediction_key: Any = None,
        label_key: Any = None, weight_key: Any = None,
    ) -> None:  # fmt: skip
        self._metric_fn, self._prediction_key = metric_fn, prediction_key
        self._label_key, self._weight_key = label_key, weight_key

    metric_fn = property(lambda self: self._metric_fn, doc="The function.")
    prediction_key = property(lambda self: self._prediction_key, doc="The key.")
    label_key = property(lambda self: self._label_key, doc="The key.")
    weight_key = property(lambda self: self._weight_key, doc="The key.")

    def create_metric_ops(self, inputs: Any, labels: Any, predictions: Any) -> Any:
        """What the function gives.

        Args:
            inputs: the features. labels, predictions: a tensor, or a dict of them.
        Raises:
            ValueError: a key is missing, or there is one too many.
        """
        predictions = _picked(predictions, self._prediction_key, "prediction", self)
        labels = _picked(labels, self._label_key, "label", self)
        weights = None
        if self._weight_key is not None:
            if self._weight_key not in inputs:
                raise ValueError(
                    f"{self} metric spec requires weight_key {self._weight_key}, which "
                    "is not among the features."
                )
            weights = inputs[self._weight_key]
        return _called(self._metric_fn, predictions, labels, weights)

    def __str__(self) -> str:
        name = getattr(self._metric_fn, "__name__", repr(self._metric_fn))
        return (
            f"MetricSpec(metric_fn={name}, prediction_key={self._prediction_key}, "
            f"label_key={self._label_key}, weight_key={self._weight_key})"
        )


def _picked(values, key, what, spec):
    if not isinstance(values, dict):
        if key:
            raise ValueError(
                f"MetricSpec with {what}_key specified requires {what}s dict, got "
                f"{values}."
            )
        return values
    if key:
        if key not in values:
            raise KeyError(f"{key} is not among the {what}s {sorted(values)}")
        return values[key]
    if len(values) == 1:
        return next(iter(values.values()))
    raise ValueError(
        f"MetricSpec without specified {what}_key requires {what}s tensor or single "
        f"element dict, got {values}"
    )


def _called(function, predictions, labels, weights):
    """Call a metric function by the names of its arguments, or in the usual order."""
    inner = function.func if isinstance(function, functools.partial) else function
    names = list(inspect.signature(inner).parameters)
    given = {}
    for value, known in (
        (predictions, _PREDICTIONS), (labels, _LABELS), (weights, _WEIGHTS)
    ):  # fmt: skip
        name = next((n for n in names if n in known), None)
        if value is not None and name:
            given[name] = value
    if any(v is predictions for v in given.values()) and (
        labels is None or any(v is labels for v in given.values())
    ):
        return function(**given)
    more = {} if weights is None else {"weights": weights}
    return function(predictions, labels, **more)


def made_metrics(metrics: Any, features: Any, labels: Any, predictions: Any) -> dict:
    """{name: what each metric gives}.

    Args:
        metrics: {name: MetricSpec}, or {name or (name, key): function}.
    """
    single = labels
    if isinstance(labels, dict) and len(labels) == 1:
        single = next(iter(labels.values()))
    found = {}
    for name, metric in sorted((metrics or {}).items(), key=lambda item: str(item[0])):
        if isinstance(metric, MetricSpec):
            found[name] = metric.create_metric_ops(features, labels, predictions)
            continue
        logging.warning(
            "Please specify metrics using MetricSpec. Using bare functions or (key, "
            "fn) tuples is deprecated and support for it will be removed on Oct 1, "
            "2016."
        )
        if isinstance(name, tuple):
            found[name[0]] = _keyed(name, metric, labels, single, predictions)
        elif isinstance(predictions, dict):
            raise ValueError(
                "Metrics passed provide only name, no prediction, but predictions are "
                f"dict. Metrics: {metrics}, Labels: {single}."
            )
        else:
            found[name] = metric(predictions, single)
    return found


def _keyed(name, metric, labels, single, predictions):
    if len(name) != 2:
        raise ValueError(
            f"Invalid metric for {name}. It returned a tuple with len {len(name)}, "
            "expected 2."
        )
    if not isinstance(predictions, dict):
        raise ValueError(
            "Metrics passed provide (name, prediction), but predictions are not dict. "
            f"Predictions: {predictions}."
        )
    own = isinstance(labels, dict) and name[1] in labels
    return metric(predictions[name[1]], labels[name[1]] if own else single)
