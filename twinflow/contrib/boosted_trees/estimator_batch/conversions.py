"""From what tf.estimator's heads give to what those of tf.contrib.learn give."""

from typing import Any

from twinflow.contrib.learn.keys import PredictionKey, ProblemType
from twinflow.contrib.learn.model_fn import ModelFnOps
from twinflow.estimator.export_outputs import (
    ClassificationOutput,
    RegressionOutput,
)


def _core_mode_to_contrib_mode(mode):
    return mode  # the words are the same


def _export_outputs_to_output_alternatives(export_outputs):
    """{name: (ProblemType, {name: tensor})} of ExportOutputs, or None."""
    if export_outputs is None:
        return None
    found = {}
    for key, output in export_outputs.items():
        if isinstance(output, ClassificationOutput):
            parts = {PredictionKey.PROBABILITIES: output.scores,
                     PredictionKey.CLASSES: output.classes}  # fmt: skip
            found[key] = ProblemType.CLASSIFICATION, parts
        elif isinstance(output, RegressionOutput):
            parts = {PredictionKey.SCORES: output.value}
            found[key] = ProblemType.LINEAR_REGRESSION, parts
    return found


def estimator_spec_to_model_fn_ops(
    estimator_spec: Any, export_alternatives: bool = False
) -> ModelFnOps:
    """The ModelFnOps of an EstimatorSpec.

    Args:
        estimator_spec: an EstimatorSpec.
        export_alternatives: whether its outputs for exports are taken over.
    """
    spec, outputs = estimator_spec, None
    if export_alternatives:
        outputs = _export_outputs_to_output_alternatives(spec.export_outputs)
    return ModelFnOps(
        _core_mode_to_contrib_mode(spec.mode), spec.predictions, spec.loss,
        spec.train_op, spec.eval_metric_ops, outputs, list(spec.training_chief_hooks),
        list(spec.training_hooks), spec.scaffold,
    )  # fmt: skip
