"""export_estimator and ExportMonitor: estimators in the form of before SavedModel."""

from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.checkpoint.saver import Saver
from twinflow.checkpoint.state import latest_checkpoint
from twinflow.contrib.layers.column_makers import create_feature_spec_for_parsing
from twinflow.contrib.learn.keys import ModeKeys, PredictionKey
from twinflow.contrib.learn.monitor_base import EveryN
from twinflow.contrib.session_bundle.exporter import (
    Exporter,
    classification_signature,
    generic_signature,
    regression_signature,
)
from twinflow.estimator.old_exports import largest_export_versions
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph
from twinflow.graph.scopes import group
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.parsing.public import parse_example
from twinflow.ops.tables.initialized import tables_initializer
from twinflow.ops.variables.collections import local_variables_initializer
from twinflow.train.training_util import create_global_step


def _checked(examples: Any) -> Any:
    if examples is None:
        raise ValueError("examples cannot be None when using this signature fn.")
    return examples


def generic_signature_fn(
    examples: Any, unused_features: Any, predictions: Any
) -> tuple:
    """A signature of the examples and all predictions, by their names.

    Args:
        examples: string[n], what is fed, or None. unused_features: not used.
        predictions: a tensor, or {name: tensor}.
    Returns:
        (a Signature, {}).
    """
    found = {"inputs": _checked(examples)}
    found.update(
        predictions if isinstance(predictions, dict) else {"outputs": predictions}
    )
    return generic_signature(found), {}


def _told(predictions, key):
    """What is told under a key, if several things are."""
    return predictions[key] if isinstance(predictions, dict) else predictions


def classification_signature_fn(
    examples: Any, unused_features: Any, predictions: Any
) -> tuple:
    """A signature of the examples and the classes; see `generic_signature_fn`."""
    found = _told(predictions, PredictionKey.CLASSES)
    return classification_signature(_checked(examples), found), {}


def classification_signature_fn_with_prob(
    examples: Any, unused_features: Any, predictions: Any
) -> tuple:
    """A signature of the examples and the probabilities, as scores."""
    found = _told(predictions, PredictionKey.PROBABILITIES)
    return classification_signature(_checked(examples), scores_tensor=found), {}


def regression_signature_fn(
    examples: Any, unused_features: Any, predictions: Any
) -> tuple:
    """A signature of the examples and the one tensor of predictions."""
    return regression_signature(_checked(examples), predictions), {}


def logistic_regression_signature_fn(
    examples: Any, unused_features: Any, predictions: Any
) -> tuple:
    """A signature of the examples and the probability of the second class."""
    found = _told(predictions, PredictionKey.PROBABILITIES)
    return regression_signature(_checked(examples), found[:, 1]), {}


# ---------------------------------------------------------------------- exporting
def _default_input_fn(estimator: Any, examples: Any) -> dict:
    """The features of an estimator's columns in serialised tf.Examples.

    Raises:
        ValueError: the estimator has no columns.
    """
    columns = getattr(estimator, "_columns", None)
    if not columns:
        raise ValueError(
            "Only estimators of feature columns know their features: pass an input_fn"
        )
    return parse_example(examples, create_feature_spec_for_parsing(columns))


def export_estimator(
    estimator: Any, export_dir: Any, signature_fn: Callable | None = None,
    input_fn: Callable = _default_input_fn, default_batch_size: Any = 1,
    exports_to_keep: int | None = None,
) -> None:  # fmt: skip
    """Write an estimator's model into a numbered folder, as a session bundle.

    Args:
        estimator: of tf.contrib.learn. export_dir: the folder of the exports.
        signature_fn: from (examples, features, predictions) to (Signature, {name:
            Signature}); `generic_signature_fn` by default.
        input_fn: from (estimator, string[n] of tf.Examples) to features; those of the
            estimator's columns by default.
        default_batch_size: how many examples; None for any number.
        exports_to_keep: how many folders stay; all by default.
    Raises:
        ValueError: there is no input function. NotFittedError: it was not trained.
    """
    if input_fn is None:
        raise ValueError("input_fn must be defined.")

    def inputs() -> tuple:
        examples = placeholder(
            dtypes.string, [default_batch_size], name="input_example_tensor"
        )
        return input_fn(estimator, examples), examples

    sign = signature_fn or generic_signature_fn
    _export(estimator, export_dir, sign, inputs, None, exports_to_keep)


def _export(
    estimator: Any, folder: Any, sign: Callable, inputs: Callable, key: Any, keep: Any
) -> str:
    """Write the model of the last checkpoint; returns the folder."""
    path = estimator._checkpoint()
    with Graph().as_default() as graph:
        step = create_global_step(graph)
        features, examples = inputs()
        if examples is None and not features:
            raise ValueError("Either features or examples must be defined.")
        ops = estimator._model_ops(features, None, ModeKeys.INFER)
        predictions = ops.predictions
        if key is not None and isinstance(predictions, dict):
            predictions = predictions[key]
        default, named = sign(examples, features, predictions)
        saver = Saver(sharded=True)
        ready = group(local_variables_initializer(), tables_initializer())
        with Session() as session:
            saver.restore(session, path)
            session.run(ready)
            exporter = Exporter(saver)
            exporter.init(
                init_op=ready, default_graph_signature=default,
                named_graph_signatures=named,
            )  # fmt: skip
            kept = largest_export_versions(keep) if keep else None
            return exporter.export(folder, step, session, kept)


class ExportMonitor(EveryN):
    """Exports the model as a session bundle in every n-th step, and at the end.

    Args:
        every_n_steps: int. export_dir: the folder of the exports.
        input_fn: () -> (features, labels); by default the features come from the
            estimator's columns, in serialised tf.Examples.
        input_feature_key: which feature of `input_fn` is the tensor that is fed.
        exports_to_keep: how many folders stay.
        signature_fn: see `export_estimator`; by default that of a regression or
            classification, as the estimator is.
        default_batch_size: how many examples; None for any number.
    Raises (in a training):
        ValueError: the signature needs the tensor that is fed, and there is none.
    """

    def __init__(
        self, every_n_steps: int, export_dir: Any, input_fn: Callable | None = None,
        input_feature_key: Any = None, exports_to_keep: int | None = 5,
        signature_fn: Callable | None = None, default_batch_size: Any = 1,
    ) -> None:  # fmt: skip
        super().__init__(every_n_steps=every_n_steps)
        self._export_dir, self._input_fn = export_dir, input_fn
        self._input_feature_key, self._exports_to_keep = (
            input_feature_key,
            exports_to_keep,
        )
        self._signature_fn, self._default_batch_size = signature_fn, default_batch_size
        self._last_export_dir: Any = None

    @property
    def export_dir(self) -> Any:
        """The folder of the exports."""
        return self._export_dir

    @property
    def exports_to_keep(self) -> int | None:
        """How many folders stay."""
        return self._exports_to_keep

    @property
    def signature_fn(self) -> Callable | None:
        """What makes the signature."""
        return self._signature_fn

    @property
    def last_export_dir(self) -> Any:
        """The folder of the last export, bytes; None before the first."""
        return self._last_export_dir

    def every_n_step_end(self, step: Any, outputs: Any) -> bool:
        super().every_n_step_end(step, outputs)
        self._write()
        return False

    def end(self, session: Any = None) -> None:
        super().end(session)
        self._write()

    def _write(self) -> None:
        """Export, unless there is no checkpoint yet or one of it is there."""
        if latest_checkpoint(self._estimator.model_dir) is None:
            return
        key, sign = _usual(self._estimator)
        try:
            found = _export(
                self._estimator, self._export_dir, self._signature_fn or sign,
                self._inputs, key, self._exports_to_keep,
            )  # fmt: skip
        except RuntimeError:  # an export of this checkpoint is there
            return
        self._last_export_dir = found.encode()

    def _inputs(self) -> tuple:
        if self._input_fn is None:
            examples = placeholder(
                dtypes.string, [self._default_batch_size], name="input_example_tensor"
            )
            return _default_input_fn(self._estimator, examples), examples
        features = dict(self._input_fn()[0])
        return features, features.pop(self._input_feature_key, None)


def _usual(estimator: Any) -> tuple:
    """The prediction that an estimator exports, and the function that signs it."""
    if hasattr(estimator, "predict_proba"):
        return PredictionKey.PROBABILITIES, classification_signature_fn_with_prob
    if hasattr(estimator, "predict_scores"):
        return PredictionKey.SCORES, regression_signature_fn
    return None, generic_signature_fn
