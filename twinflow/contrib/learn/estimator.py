"""Estimators of tf.contrib.learn, which tf.estimator's train."""

import abc
import copy
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import logging
from twinflow.checkpoint.reader import load_variable
from twinflow.checkpoint.state import latest_checkpoint
from twinflow.contrib.learn.export import receiver_of
from twinflow.contrib.learn.feeding import checked_input, input_fn_of
from twinflow.contrib.learn.keys import ModeKeys
from twinflow.contrib.learn.metric_spec import made_metrics
from twinflow.contrib.learn.model_fn import ModelFnOps
from twinflow.contrib.learn.monitors import replace_monitors_with_hooks
from twinflow.contrib.learn.run_config import RunConfig
from twinflow.estimator import estimator as core
from twinflow.estimator.prediction import rows
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.train.training_util import GLOBAL_STEP


class NotFittedError(ValueError, AttributeError):
    """An estimator was used before it was trained."""


class Evaluable(abc.ABC):
    """What can be evaluated."""

    @property
    @abc.abstractmethod
    def model_dir(self) -> Any:
        """The folder."""

    @abc.abstractmethod
    def evaluate(self, *args: Any, **kwargs: Any) -> Any:
        """Metrics by name."""


class Trainable(abc.ABC):
    """What can be trained."""

    @abc.abstractmethod
    def fit(self, *args: Any, **kwargs: Any) -> Any:
        """Train."""


class BaseEstimator(Evaluable, Trainable):
    """What trains, evaluates and predicts: a subclass has `_model_ops`.

    Args:
        model_dir: the folder of checkpoints; a new one by default.
        config: a RunConfig.
    """

    def __init__(self, model_dir: Any = None, config: Any = None) -> None:
        config = config if config is not None else RunConfig()
        self._metrics: Any = None
        self._serving_key: Any = None
        self._core = core.Estimator(self._core_model_fn, model_dir, config)

    @abc.abstractmethod
    def _model_ops(self, features, labels, mode):
        """The ModelFnOps of features and labels."""

    def _core_model_fn(self, features, labels, mode):
        ops = self._model_ops(features, labels, mode)
        if mode == ModeKeys.EVAL and self._metrics:
            more = made_metrics(self._metrics, features, labels, ops.predictions)
            ops = ops._replace(eval_metric_ops={**ops.eval_metric_ops, **more})
        return ops.estimator_spec(self._serving_key)

    @property
    def model_dir(self) -> Any:
        """The folder."""
        return self._core.model_dir

    @property
    def config(self) -> Any:
        """A copy of the RunConfig."""
        return self._core.config

    @property
    def model_fn(self) -> Callable[..., Any]:
        """From (features, labels, mode) to ModelFnOps."""
        return self._model_ops

    # ------------------------------------------------------------------ training
    def fit(
        self, x: Any = None, y: Any = None, input_fn: Any = None, steps: Any = None,
        batch_size: Any = None, monitors: Any = None, max_steps: Any = None,
    ) -> Any:  # fmt: skip
        """Train until the input, a hook or the number of steps ends it.

        Args:
            x, y: arrays of features and labels, or
            input_fn: gives (features, labels).
            steps: how many more; max_steps: in all. batch_size: rows of x and y.
            monitors: monitors, or SessionRunHooks.
        Returns:
            self
        Raises:
            ValueError: both numbers, or arrays and a function, are given.
        """
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        checked_input(x, y, input_fn, None, batch_size)
        if max_steps is not None and self._trained_steps() >= max_steps:
            logging.info("Skipping training since max_steps has already saved.")
            return self
        given = input_fn or input_fn_of(x, y, batch_size, True, None)
        hooks = replace_monitors_with_hooks(monitors, self)
        self._core.train(given, hooks, steps, max_steps)
        return self

    def partial_fit(
        self, x: Any = None, y: Any = None, input_fn: Any = None, steps: Any = 1,
        batch_size: Any = None, monitors: Any = None,
    ) -> Any:  # fmt: skip
        """`fit`, of one step by default."""
        logging.warning(
            "The current implementation of partial_fit is not optimized for use in a "
            "loop. Consider using fit() instead."
        )
        return self.fit(x, y, input_fn, steps, batch_size, monitors)

    def _trained_steps(self):
        path = latest_checkpoint(self.model_dir)
        return int(load_variable(path, GLOBAL_STEP)) if path else 0

    # ------------------------------------------------------------------ evaluation
    def evaluate(
        self, x: Any = None, y: Any = None, input_fn: Any = None, feed_fn: Any = None,
        batch_size: Any = None, steps: Any = None, metrics: Any = None,
        name: Any = None, checkpoint_path: Any = None, hooks: Any = None,
        log_progress: bool = True,
    ) -> Any:  # fmt: skip
        """The metrics of the model function on the input.

        Args:
            x, y, input_fn, batch_size: see `fit`; arrays are gone through once.
            feed_fn: accepted as None alone. steps: batches; None: until the end.
            metrics: {name: MetricSpec}, more metrics.
            name: of the evaluation. checkpoint_path: the last one by default.
            hooks: SessionRunHooks. log_progress: accepted.
        Returns:
            {name: value}, with "loss" and "global_step".
        Raises:
            NotFittedError: there is no checkpoint.
        """
        del log_progress
        checked_input(x, y, input_fn, feed_fn, batch_size)
        if metrics is not None and not isinstance(metrics, dict):
            raise ValueError(f"Metrics argument should be None or dict. Got {metrics}.")
        path = self._checkpoint(checkpoint_path)
        given = input_fn or input_fn_of(x, y, batch_size, False, 1)
        self._metrics = metrics
        try:
            return self._core.evaluate(given, steps, hooks, path, name)
        finally:
            self._metrics = None

    def _checkpoint(self, path=None):
        found = path or latest_checkpoint(self.model_dir)
        if not found:
            raise NotFittedError(f"Couldn't find trained model at {self.model_dir}.")
        return found

    # ------------------------------------------------------------------ prediction
    def predict(
        self, x: Any = None, input_fn: Any = None, batch_size: Any = None,
        outputs: Any = None, as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:  # fmt: skip
        """Predictions of the input.

        Args:
            x, input_fn, batch_size: see `fit`; arrays are gone through once; of an
                input function without queues, or not as_iterable, one batch is taken.
            outputs: the names of the predictions; all by default.
            as_iterable: give an iterator over rows, not an array of them all.
            iterate_batches: have the iterator give batches.
        Returns:
            an iterator, or an array or dict of arrays
        Raises:
            NotFittedError: there is no checkpoint.
        """
        checked_input(x, None, input_fn, None, batch_size)
        path = self._checkpoint()
        given = _Input(input_fn or input_fn_of(x, None, batch_size, False, 1))
        batches = self._core.predict(given, outputs, None, path, False)
        if not as_iterable:
            return next(batches) if input_fn else _joined(list(batches))
        found = given.until_constant(batches) if input_fn else batches
        if iterate_batches:
            return found
        return (row for batch in found for row in rows(batch))

    # ------------------------------------------------------------------ looking
    def get_variable_names(self) -> list[str]:
        """The names of the variables in the last checkpoint."""
        return self._core.get_variable_names()

    def get_variable_value(self, name: str) -> Any:
        """The value of a variable in the last checkpoint, an ndarray."""
        return self._core.get_variable_value(name)

    # ------------------------------------------------------------------ exporting
    def export_savedmodel(
        self, export_dir_base: Any, serving_input_fn: Callable[..., Any],
        default_output_alternative_key: Any = None, assets_extra: Any = None,
        as_text: bool = False, checkpoint_path: Any = None,
        graph_rewrite_specs: Any = None, strip_default_attrs: bool = False,
    ) -> Any:  # fmt: skip
        """Write the prediction graph and its values as a SavedModel.

        Args:
            export_dir_base: the folder of a folder named by the seconds of now.
            serving_input_fn: () -> InputFnOps or ServingInputReceiver.
            default_output_alternative_key: which output is the default.
            assets_extra, as_text, checkpoint_path, strip_default_attrs: see
                tf.estimator.Estimator.export_savedmodel.
            graph_rewrite_specs: accepted.
        Returns:
            The folder, bytes.
        Raises:
            ValueError: there is no function. NotFittedError: there is no checkpoint.
        """
        del graph_rewrite_specs
        if serving_input_fn is None:
            raise ValueError("serving_input_fn must be defined.")
        path = self._checkpoint(checkpoint_path)
        self._serving_key = default_output_alternative_key
        try:
            return self._core.export_savedmodel(
                export_dir_base, receiver_of(serving_input_fn), assets_extra, as_text,
                path, strip_default_attrs,
            )  # fmt: skip
        finally:
            self._serving_key = None


class _Input:
    """An input function, and whether queues feed it: without any it is run once."""

    def __init__(self, input_fn):
        self._input_fn, self._queued = input_fn, False

    def __call__(self):
        found = self._input_fn()
        self._queued = bool(get_collection(GraphKeys.QUEUE_RUNNERS))
        return found

    def until_constant(self, batches):
        for batch in batches:
            yield batch
            if not self._queued:
                return


def _joined(batches):
    if batches and isinstance(batches[0], dict):
        return {k: np.concatenate([b[k] for b in batches]) for k in batches[0]}
    return np.concatenate(batches)


class Estimator(BaseEstimator):
    """Trains and evaluates the model of a function.

    Args:
        model_fn: of (features, labels) and, if it has such arguments, mode, params,
            config and model_dir; gives ModelFnOps, an EstimatorSpec, or (predictions,
            loss, train op).
        model_dir, config: see BaseEstimator. params: for the function.
        feature_engineering_fn: from (features, labels) to what the function gets.
    Raises:
        ValueError: the function has too few arguments.
    Example:
        def model_fn(features, labels, mode):
            predictions = tf.layers.dense(features, 1)[:, 0]
            loss = tf.losses.mean_squared_error(labels, predictions)
            train_op = tf.contrib.layers.optimize_loss(
                loss, tf.train.get_global_step(), 0.1, "SGD"
            )
            return predictions, loss, train_op
        estimator = tf.contrib.learn.Estimator(model_fn, "./learned")
        x, y = np.ones((8, 3), "float32"), np.ones(8, "float32")
        estimator = estimator.fit(x, y, steps=2)
    """

    def __init__(
        self, model_fn: Any = None, model_dir: Any = None, config: Any = None,
        params: Any = None, feature_engineering_fn: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(model_dir, config)
        names = list(inspect.signature(model_fn).parameters) if model_fn else []
        if model_fn is not None and len(names) < 2:
            raise ValueError(
                f"model_fn ({model_fn}) has less than 2 arguments, but features and "
                "labels are passed."
            )
        if params is not None and "params" not in names:
            raise ValueError(
                f"Estimator's model_fn ({model_fn}) does not have a params argument, "
                f"but params ({params}) were passed to the Estimator's constructor."
            )
        if params is None and "params" in names:
            logging.warning(
                "Estimator's model_fn (%s) includes params argument, but params are "
                "not passed to Estimator.", model_fn,
            )  # fmt: skip
        self._model_fn, self.params = model_fn, params
        self._engineer = feature_engineering_fn or (lambda features, labels: (
            features, labels
        ))  # fmt: skip
        self._argument_names = names

    def _model_ops(self, features, labels, mode):
        features, labels = self._engineer(features, labels)
        known = {
            "mode": mode, "params": copy.deepcopy(self.params), "config": self.config,
            "model_dir": self.model_dir,
        }  # fmt: skip
        given = {k: v for k, v in known.items() if k in self._argument_names}
        found = self._model_fn(features, labels, **given)
        return found if hasattr(found, "estimator_spec") else _as_ops(found, mode)


class _Spec:
    """An EstimatorSpec in the place of ModelFnOps."""

    def __init__(self, spec):
        self._spec = spec
        self.predictions, self.eval_metric_ops = spec.predictions, spec.eval_metric_ops

    def _replace(self, **parts):
        return _Spec(self._spec._replace(**parts))

    def estimator_spec(self, key=None):
        return self._spec


def _as_ops(found, mode):
    """What a model function gave as ModelFnOps."""
    if hasattr(found, "export_outputs"):
        return _Spec(found)
    if len(found) != 3:
        raise ValueError("Unrecognized value returned by model_fn, please return "
                         "ModelFnOps.")  # fmt: skip
    predictions, loss, train_op = found
    return ModelFnOps(mode, predictions, loss, train_op)


class SKCompat:
    """An estimator with the methods of scikit-learn's.

    Args:
        estimator: an Estimator.
    """

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator

    def fit(
        self, x: Any, y: Any, batch_size: Any = 128, steps: Any = None,
        max_steps: Any = None, monitors: Any = None,
    ) -> "SKCompat":  # fmt: skip
        """Train on arrays; see Estimator.fit."""
        self._estimator.fit(
            x, y, batch_size=batch_size, steps=steps, max_steps=max_steps,
            monitors=monitors,
        )  # fmt: skip
        return self

    def score(
        self, x: Any, y: Any, batch_size: Any = 128, steps: Any = None,
        metrics: Any = None, name: Any = None,
    ) -> Any:  # fmt: skip
        """The metrics on arrays; see Estimator.evaluate."""
        return self._estimator.evaluate(
            x, y, batch_size=batch_size, steps=steps, metrics=metrics, name=name
        )

    def predict(self, x: Any, batch_size: Any = 128, outputs: Any = None) -> Any:
        """The predictions of an array, an array or dict of arrays."""
        found = list(
            BaseEstimator.predict(
                self._estimator, x, batch_size=batch_size, outputs=outputs,
                iterate_batches=True,
            )
        )  # fmt: skip
        return _joined(found)
