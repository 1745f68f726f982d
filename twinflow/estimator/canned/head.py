"""Heads: what comes after the logits of a model.

Note [Heads]: a head makes predictions, the loss, metrics, what is exported and the op
of a step from logits. `Head` says what one has; `SimpleHead` is the course that all but
the head of heads take, and its subclasses fill in what is theirs.
"""

import abc
from collections.abc import Callable
from typing import Any, NamedTuple

from twinflow.base.operators import TensorValue
from twinflow.estimator.canned.metric_keys import MetricKeys
from twinflow.estimator.canned.shapes import (
    call_loss_fn,
    check_logits_final_dim,
    checked_reduction,
    validate_loss_fn_args,
)
from twinflow.estimator.canned.weights import weights_of
from twinflow.estimator.export_outputs import PredictOutput
from twinflow.estimator.model_fn import EstimatorSpec, ModeKeys
from twinflow.export.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from twinflow.graph.scopes import group, name_scope
from twinflow.losses.weighting import Reduction, compute_weighted_loss
from twinflow.metrics.means import mean
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.summary import summaries
from twinflow.train import training_util

CLASSIFY, REGRESS, PREDICT = "classification", "regression", "predict"

_TWO_WAYS = (
    "Subclasses of _Head must implement `create_estimator_spec()` or "
    "_create_tpu_estimator_spec()."
)


class LossSpec(
    NamedTuple(
        "LossSpec",
        [
            ("training_loss", Any),
            ("unreduced_loss", Any),
            ("weights", Any),
            ("processed_labels", Any),
        ],
    )
):
    """The loss of a batch: reduced, of each example, its weights and its labels."""


class Head(abc.ABC):
    """The base of heads."""

    @property
    @abc.abstractmethod
    def name(self) -> str | None:
        """The name, None for none."""

    @property
    @abc.abstractmethod
    def logits_dimension(self) -> Any:
        """The last dimension of the logits, or a dict of those of several heads."""

    @abc.abstractmethod
    def create_loss(self, features: Any, mode: Any, logits: Any, labels: Any) -> Any:
        """The LossSpec of logits and labels.

        Args:
            features: dict of tensors. mode: a ModeKeys.
            logits: float[..., logits_dimension]. labels: what the head takes.
        """

    def create_estimator_spec(
        self, features: Any, mode: str, logits: TensorValue, labels: Any = None,
        optimizer: Any = None, train_op_fn: Callable[..., Any] | None = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """The EstimatorSpec of logits.

        Args:
            features: dict of tensors. mode: a ModeKeys.
            logits: float[..., logits_dimension]. labels: what the head takes.
            optimizer: minimises the loss, or train_op_fn: makes the train op of it.
            regularization_losses: scalars that are added to the loss.
        """
        try:
            spec = self._create_tpu_estimator_spec(
                features, mode, logits, labels, optimizer, train_op_fn,
                regularization_losses,
            )  # fmt: skip
        except NotImplementedError:
            raise NotImplementedError(_TWO_WAYS) from None
        return spec.as_estimator_spec()

    def _create_tpu_estimator_spec(
        self, features, mode, logits, labels=None, optimizer=None, train_op_fn=None,
        regularization_losses=None,
    ):  # fmt: skip
        raise NotImplementedError("TPUEstimatorSpec not available for this model head.")


class SimpleHead(Head):
    """A head of one kind of labels.

    Args:
        weight_column: the name of a feature, or a numeric column: weights of examples.
        loss_reduction: a tf.losses.Reduction. loss_fn: (labels, logits) -> the loss of
            each example, [..., loss_dimension]; may take features.
        name: of the head, in the names of metrics and summaries.
    """

    per_logit_weights = False
    loss_dimension = 1

    def __init__(self, weight_column, loss_reduction, loss_fn, name):
        if loss_fn is not None:
            validate_loss_fn_args(loss_fn)
        self._weight_column, self._name = weight_column, name
        self._loss_reduction = checked_reduction(loss_reduction)
        self._loss_fn = loss_fn

    @property
    def name(self) -> str | None:
        """The name, None for none."""
        return self._name

    def _key(self, key):
        """The name of a metric or summary, with that of the head."""
        return summary_key(self._name, key)

    # ------------------------------------------------------------------ loss
    def create_loss(
        self, features: Any, mode: Any, logits: Any, labels: Any
    ) -> LossSpec:
        """The LossSpec of logits and labels; see Head."""
        logits = convert_to_tensor(logits)
        labels = self._processed_labels(labels, logits)
        if self._loss_fn is not None:
            losses = call_loss_fn(
                self._loss_fn, labels, logits, features, self.loss_dimension
            )
        else:
            losses = self._losses(labels, logits)
        weights = weights_of(
            features, self._weight_column, logits, self.per_logit_weights
        )
        reduced = compute_weighted_loss(
            losses, weights=weights, reduction=self._loss_reduction
        )
        return LossSpec(reduced, losses, weights, labels)

    @abc.abstractmethod
    def _processed_labels(self, labels, logits):
        """The labels as the loss takes them."""

    @abc.abstractmethod
    def _losses(self, labels, logits):
        """The loss of each example."""

    # ------------------------------------------------------------------ the spec
    def create_estimator_spec(
        self, features: Any, mode: str, logits: TensorValue, labels: Any = None,
        optimizer: Any = None, train_op_fn: Callable | None = None,
        regularization_losses: Any = None,
    ) -> EstimatorSpec:  # fmt: skip
        """The EstimatorSpec of logits; see Head."""
        with name_scope(self._name, "head"):
            logits = check_logits_final_dim(logits, self.logits_dimension)
            with name_scope(None, "predictions", (logits,)):
                predictions = self._predictions(logits)
            if mode == ModeKeys.PREDICT:
                return EstimatorSpec(
                    mode, predictions, export_outputs=self._outputs(predictions)
                )
            spec = self.create_loss(features, mode, logits, labels)
            extra, loss = with_regularization(spec.training_loss, regularization_losses)
            if mode == ModeKeys.EVAL:
                return EstimatorSpec(
                    mode, predictions, loss,
                    eval_metric_ops=self._all_metrics(predictions, spec, extra),
                )  # fmt: skip
            op = train_op_of(loss, optimizer, train_op_fn)
            average = self._average(spec)
        self._summarize(loss, average, extra)
        return EstimatorSpec(mode, predictions, loss, op)

    @abc.abstractmethod
    def _predictions(self, logits):
        """Dict of predictions."""

    @abc.abstractmethod
    def _export_outputs(self, predictions):
        """Dict of export outputs, of which the first is the default."""

    @abc.abstractmethod
    def _metrics(self, predictions, spec):
        """Dict from MetricKeys to (value, update op)."""

    def _outputs(self, predictions):
        found = self._export_outputs(predictions)
        default = next(iter(found.values()))
        return {
            DEFAULT_SERVING_SIGNATURE_DEF_KEY: default,
            **found, PREDICT: PredictOutput(predictions),
        }  # fmt: skip

    def _all_metrics(self, predictions, spec, regularization_loss):
        values = (spec.unreduced_loss, spec.weights, spec.processed_labels)
        with name_scope("", "metrics"), name_scope(None, "metrics", values):
            found = {
                MetricKeys.LOSS_MEAN: mean(
                    spec.unreduced_loss, spec.weights, name=MetricKeys.LOSS_MEAN
                ),
                **self._metrics(predictions, spec),
            }
            if regularization_loss is not None:
                found[MetricKeys.LOSS_REGULARIZATION] = mean(
                    regularization_loss, name=MetricKeys.LOSS_REGULARIZATION
                )
        return {self._key(key): pair for key, pair in found.items()}

    def _average(self, spec):
        """The mean of the losses, where the sum is trained on."""
        if self._loss_reduction != Reduction.SUM:
            return None
        weights = reduce_sum(spec.weights * ones_like(spec.unreduced_loss))
        return spec.training_loss / weights

    def _summarize(self, loss, average, regularization_loss):
        with name_scope(""):
            for key, value in (
                (MetricKeys.LOSS, loss), (MetricKeys.LOSS_MEAN, average),
                (MetricKeys.LOSS_REGULARIZATION, regularization_loss),
            ):  # fmt: skip
                if value is not None:
                    summaries.scalar(self._key(key), value)


def summary_key(head_name, key):
    """The name of a metric, with that of its head."""
    return f"{key}/{head_name}" if head_name else key


def with_regularization(loss, regularization_losses):
    """(the sum of the regularization losses or None, the loss with it)"""
    extra = None if regularization_losses is None else add_n(regularization_losses)
    return extra, loss if extra is None else loss + extra


def train_op_of(loss, optimizer, train_op_fn):
    """The op of a training step: the updates of layers, and that of the variables.

    Raises:
        ValueError: not exactly one way is given.
    """
    if optimizer is not None and train_op_fn is not None:
        raise ValueError("train_op_fn and optimizer cannot both be set.")
    if optimizer is not None:
        op = optimizer.minimize(loss, global_step=training_util.get_global_step())
    elif train_op_fn is not None:
        op = train_op_fn(loss)
    else:
        raise ValueError("train_op_fn and optimizer cannot both be None.")
    return with_updates(op)


def with_updates(train_op):
    """The op together with those of the collection UPDATE_OPS."""
    updates = get_collection(GraphKeys.UPDATE_OPS)
    return group(train_op, *updates) if updates else train_op
