"""What model functions of tf.contrib.learn give."""

import collections
from typing import Any

from twinflow.base.advice import advised
from twinflow.base.tensor import Tensor
from twinflow.contrib.learn.keys import ModeKeys, PredictionKey, ProblemType
from twinflow.estimator.export_outputs import (
    ClassificationOutput,
    PredictOutput,
    RegressionOutput,
)
from twinflow.estimator.model_fn import EstimatorSpec
from twinflow.export.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from twinflow.train.scaffold import Scaffold

_FIELDS = [
    "predictions", "loss", "train_op", "eval_metric_ops", "output_alternatives",
    "training_chief_hooks", "training_hooks", "scaffold", "mode",
]  # fmt: skip


class ModelFnOps(collections.namedtuple("ModelFnOps", _FIELDS)):
    """What a model function gives.

    Args:
        mode: a ModeKeys. predictions: a tensor or dict of tensors.
        loss: a tensor (TRAIN, EVAL). train_op: the op of a step (TRAIN).
        eval_metric_ops: {name: (value, update op)}.
        output_alternatives: {name: (ProblemType, {name: tensor})}, for exports.
        training_chief_hooks, training_hooks: SessionRunHooks. scaffold: a Scaffold.
    Raises:
        ValueError: something is missing, or is of another graph.
    """

    def __new__(
        cls, mode: Any, predictions: Any = None, loss: Any = None, train_op: Any = None,
        eval_metric_ops: Any = None, output_alternatives: Any = None,
        training_chief_hooks: Any = None, training_hooks: Any = None,
        scaffold: Any = None,
    ):  # fmt: skip
        ModeKeys.validate(mode)
        if train_op is None and mode == ModeKeys.TRAIN:
            raise advised(ValueError, "Missing train_op.")
        if loss is None and mode != ModeKeys.INFER:
            raise advised(ValueError, "Missing loss.")
        if predictions is None and mode in (ModeKeys.EVAL, ModeKeys.INFER):
            raise ValueError("Missing predictions.")
        if loss is not None and loss.shape.ndims not in (None, 0):
            loss.get_shape().assert_is_compatible_with([])
        return super().__new__(
            cls, predictions=predictions, loss=loss, train_op=train_op,
            eval_metric_ops=eval_metric_ops or {}, mode=mode,
            output_alternatives=output_alternatives,
            training_chief_hooks=training_chief_hooks or [],
            training_hooks=training_hooks or [], scaffold=scaffold,
        )  # fmt: skip

    def estimator_spec(
        self, default_serving_output_alternative_key: str | None = None
    ) -> EstimatorSpec:
        """The same for tf.estimator.

        Args:
            default_serving_output_alternative_key: which of the alternatives is the
                default of an export; needed where there are several.
        """
        outputs = None
        if self.mode == ModeKeys.INFER:
            outputs = _export_outputs(
                self.alternatives(), default_serving_output_alternative_key
            )
        return EstimatorSpec(
            self.mode, self.predictions, self.loss, self.train_op, self._metrics(),
            outputs, self.training_chief_hooks, self.training_hooks, _scaffold(self),
        )  # fmt: skip

    def _metrics(self):
        """The metrics, without the loss: tf.estimator has that of its own."""
        return {k: v for k, v in self.eval_metric_ops.items() if k != "loss"}

    def alternatives(self) -> dict[Any, Any]:
        """{name: (ProblemType, {name: tensor})}: the predictions under None, if there
        are no others."""
        if self.output_alternatives:
            return self.output_alternatives
        found = self.predictions
        if isinstance(found, Tensor):
            found = {PredictionKey.GENERIC: found}
        return {None: (ProblemType.UNSPECIFIED, found)}


def _scaffold(ops):
    return ops.scaffold or Scaffold()


def _export_outputs(alternatives, default):
    found = {key: _output(*pair) for key, pair in alternatives.items()}
    if default is None and len(found) == 1:
        default = next(iter(found))
    if default not in found:
        raise ValueError(
            f"Requested default_output_alternative: {default}, but available "
            f"output_alternatives are: {sorted(map(str, found))}"
        )
    named = {str(k): v for k, v in found.items() if k is not None}
    return {DEFAULT_SERVING_SIGNATURE_DEF_KEY: found[default], **named}


def _output(problem, predictions):
    """The export output of one alternative."""
    if problem == ProblemType.LINEAR_REGRESSION:
        scores = predictions.get(PredictionKey.SCORES)
        if scores is not None:
            return RegressionOutput(scores)
    if problem in (ProblemType.CLASSIFICATION, ProblemType.LOGISTIC_REGRESSION):
        classes = predictions.get(PredictionKey.CLASSES)
        scores = predictions.get(PredictionKey.PROBABILITIES)
        text = classes if classes is not None and classes.dtype == "string" else None
        if scores is not None or text is not None:
            return ClassificationOutput(scores=scores, classes=text)
    return PredictOutput(predictions)
