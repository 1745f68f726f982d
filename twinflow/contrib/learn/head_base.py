"""What heads have in common: from logits to a loss, predictions and metrics."""

import abc
from typing import Any

from twinflow.base import dtypes
from twinflow.contrib.layers.dense import linear
from twinflow.contrib.learn.keys import (
    ModeKeys,
    ProblemType,
)
from twinflow.contrib.learn.model_fn import ModelFnOps
from twinflow.graph.scopes import name_scope
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.reduction import reduce_mean, reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape
from twinflow.ops.variables.kinds import Variable


def no_op_train_fn(loss: Any) -> Any:
    """An op in the place of a training step, which does nothing."""
    del loss
    return no_op()


class Head(abc.ABC):
    """From logits to loss, predictions and metrics."""

    @property
    @abc.abstractmethod
    def logits_dimension(self) -> int:
        """How many logits an example has."""

    @abc.abstractmethod
    def create_model_fn_ops(
        self, features: Any, mode: Any, labels: Any = None, train_op_fn: Any = None,
        logits: Any = None, logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:  # fmt: skip
        """What a model function gives.

        Args:
            features: {name: tensor}. mode: a ModeKeys. labels: a tensor, or a dict.
            train_op_fn: from the loss to the op of a step.
            logits: [batch, logits_dimension], or
            logits_input: what they are a linear function of.
            scope: of the variables that the head makes.
        """


class _SingleHead(Head):
    """A head with one kind of labels."""

    problem = ProblemType.UNSPECIFIED

    def __init__(
        self, dimension: int, label_name: Any = None, weight_column_name: Any = None,
        centered: bool = False, head_name: str = "head",
    ) -> None:  # fmt: skip
        self._dimension, self._label_name = dimension, label_name
        self._weight_column_name, self._centered = weight_column_name, centered
        self.head_name = head_name

    @property
    def logits_dimension(self) -> int:
        return self._dimension

    def create_model_fn_ops(
        self, features: Any, mode: Any, labels: Any = None, train_op_fn: Any = None,
        logits: Any = None, logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:  # fmt: skip
        if (logits is None) == (logits_input is None):
            raise ValueError("Exactly one of logits and logits_input must be set.")
        with variable_scope(scope, self.head_name, [labels, logits, logits_input]):
            if logits is None:
                logits = linear(logits_input, self._dimension)
            if self._centered:
                start = zeros_like([0.0] * self._dimension)
                logits = logits + Variable(start, name="centered_bias_weight")
            return self._ops(features, mode, labels, train_op_fn, logits)

    def _ops(self, features, mode, labels, train_op_fn, logits):
        predictions = self.predictions(logits)
        loss = train_op = metrics = None
        if mode != ModeKeys.INFER and labels is not None:
            labels = self._labels(labels)
            weights = self._weights(features)
            losses = self.losses(labels, logits)
            training, evaluation = _reduced(losses, weights)
            loss = training if mode == ModeKeys.TRAIN else evaluation
            if mode == ModeKeys.TRAIN:
                if train_op_fn is None:
                    raise ValueError("train_op_fn can not be None in TRAIN mode")
                with name_scope(None, "train_op"):
                    train_op = train_op_fn(loss)
            else:
                metrics = self.metrics(labels, predictions, weights)
        outputs = {None: (self.problem, predictions)}
        return ModelFnOps(mode, predictions, loss, train_op, metrics, outputs)

    def _labels(self, labels):
        if isinstance(labels, dict):
            if self._label_name is None:
                (found,) = labels.values()
                return found
            return labels[self._label_name]
        return labels

    def _weights(self, features):
        if not self._weight_column_name:
            return None
        return cast(features[self._weight_column_name], dtypes.float32)

    def losses(self, labels: Any, logits: Any) -> Any:
        """The loss of each example."""
        raise AttributeError("losses")  # a subclass has it

    def predictions(self, logits: Any) -> dict[Any, Any]:
        """{name: tensor}"""
        raise AttributeError("predictions")  # a subclass has it

    def metrics(
        self, labels: Any, predictions: dict[Any, Any], weights: Any
    ) -> dict[Any, Any]:
        """{name: (value, update op)}"""
        return {}


def _reduced(losses, weights):
    """(the loss of a training, that of an evaluation): means over the examples."""
    if weights is None:
        loss = reduce_mean(losses, name="loss")
        return loss, loss
    rows = losses if losses.shape.ndims == 1 else reduce_mean(losses, 1)
    weighted = rows * reshape(weights, [-1])
    return reduce_mean(weighted), reduce_sum(weighted) / reduce_sum(weights)


def _column(labels):
    """Labels as float32[batch, 1], if they are float32[batch]."""
    found = convert_to_tensor(labels)
    found = expand_dims(found, 1) if found.shape.ndims == 1 else found
    return cast(found, dtypes.float32)
