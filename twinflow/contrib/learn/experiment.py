"""Experiments: an estimator with its input, for training and evaluation."""

import os
import time
from collections.abc import Callable
from typing import Any

from twinflow.base import logging
from twinflow.checkpoint.state import latest_checkpoint
from twinflow.contrib.learn.export import ExportStrategy
from twinflow.contrib.learn.monitors import ValidationMonitor
from twinflow.estimator.estimator import Estimator as CoreEstimator

_ENDLESS = 60 * 60 * 24 * 365


class Experiment:
    """An estimator, and what it is trained and evaluated on.

    Args:
        estimator: of tf.contrib.learn or tf.estimator.
        train_input_fn, eval_input_fn: give (features, labels).
        eval_metrics: {name: MetricSpec}, for estimators of tf.contrib.learn.
        train_steps: the last step; None: without end. eval_steps: batches; None: until
            the input ends.
        train_monitors: monitors or hooks. eval_hooks: SessionRunHooks.
        local_eval_frequency: the older name of `min_eval_frequency`.
        eval_delay_secs: before the first evaluation.
        continuous_eval_throttle_secs: between two evaluations, at least.
        min_eval_frequency: how many steps lie between two evaluations of
            `train_and_evaluate`; 0: there is one at the end.
        delay_workers_by_global_step: accepted.
        export_strategies: an ExportStrategy, a list of them or a function that gives
            one.
        train_steps_per_iteration: steps between two evaluations of
            `continuous_train_and_eval`. checkpoint_and_export: accepted.
        saving_listeners: for estimators of tf.estimator.
        check_interval_secs: how often to look for a checkpoint.
    Raises:
        ValueError: the estimator is none, or metrics are given for tf.estimator's.
    """

    def __init__(
        self, estimator: Any, train_input_fn: Callable[..., Any],
        eval_input_fn: Callable[..., Any],
        eval_metrics: Any = None, train_steps: Any = None, eval_steps: Any = 100,
        train_monitors: Any = None, eval_hooks: Any = None,
        local_eval_frequency: Any = None, eval_delay_secs: float = 120,
        continuous_eval_throttle_secs: float = 60, min_eval_frequency: Any = None,
        delay_workers_by_global_step: bool = False, export_strategies: Any = None,
        train_steps_per_iteration: Any = None, checkpoint_and_export: bool = False,
        saving_listeners: Any = None, check_interval_secs: Any = 5,
    ) -> None:  # fmt: skip
        self._is_core = isinstance(estimator, CoreEstimator)
        if not self._is_core and not hasattr(estimator, "fit"):
            raise ValueError(
                "`estimator` must implement `tf.contrib.learn.Evaluable` or "
                "`tf.estimator.Estimator`."
            )
        if self._is_core and eval_metrics is not None:
            raise ValueError(
                "`eval_metrics` must be `None` with `tf.estimator.Estimator`. Use "
                "`eval_metric_ops` of the EstimatorSpec instead."
            )
        self._estimator, self._saving_listeners = estimator, saving_listeners
        self._train_input_fn, self._eval_input_fn = train_input_fn, eval_input_fn
        self._eval_metrics, self._train_steps = eval_metrics, train_steps
        self._eval_steps, self._eval_hooks = eval_steps, list(eval_hooks or [])
        self._train_monitors = list(train_monitors or [])
        self._delay, self._throttle = eval_delay_secs, continuous_eval_throttle_secs
        frequency = min_eval_frequency
        if frequency is None:
            frequency = local_eval_frequency
        self._min_eval_frequency = 1 if frequency is None else frequency
        self._train_steps_per_iteration = train_steps_per_iteration
        self._check_interval_secs = check_interval_secs
        self._export_strategies: Any = ()
        self.reset_export_strategies(export_strategies)

    estimator = property(lambda self: self._estimator, doc="The estimator.")
    eval_metrics = property(lambda self: self._eval_metrics, doc="The metrics.")
    train_steps = property(lambda self: self._train_steps, doc="The last step.")
    eval_steps = property(lambda self: self._eval_steps, doc="The batches.")

    def reset_export_strategies(self, new_export_strategies: Any = None) -> Any:
        """Take other ExportStrategies; the ones before are given back."""
        before, given = self._export_strategies, new_export_strategies
        if callable(given) and not isinstance(given, ExportStrategy):
            self._export_strategies = given
        elif given is None or isinstance(given, ExportStrategy):
            self._export_strategies = [given] if given else []
        else:
            self._export_strategies = list(given)
        return before

    def extend_train_hooks(self, additional_hooks: Any) -> None:
        """Add monitors or hooks of the training."""
        self._train_monitors.extend(additional_hooks)

    # ------------------------------------------------------------------ training
    def train(self, delay_secs: Any = None) -> Any:
        """Train.

        Args:
            delay_secs: wait before; there is one process, so not at all by default.
        """
        time.sleep(delay_secs or 0)
        return self._train(self._train_steps)

    def _train(self, max_steps, input_fn=None, monitors=()):
        hooks, given = [*self._train_monitors, *monitors], self._train_input_fn
        if self._is_core:
            return self._estimator.train(
                given, hooks, max_steps=max_steps,
                saving_listeners=self._saving_listeners,
            )  # fmt: skip
        return self._estimator.fit(
            input_fn=input_fn or given, max_steps=max_steps, monitors=hooks
        )

    # ------------------------------------------------------------------ evaluation
    def evaluate(self, delay_secs: Any = None, name: Any = None) -> Any:
        """Evaluate the last checkpoint.

        Args:
            delay_secs: wait before; `eval_delay_secs` by default.
            name: of the evaluation.
        """
        time.sleep(self._delay if delay_secs is None else delay_secs)
        return self._evaluate(self._eval_input_fn, name)

    def _evaluate(self, input_fn, name=None, path=None, steps=None):
        options = {} if self._is_core else {"metrics": self._eval_metrics}
        return self._estimator.evaluate(
            input_fn=input_fn, steps=steps or self._eval_steps, name=name,
            hooks=self._eval_hooks, checkpoint_path=path, **options,
        )  # fmt: skip

    def continuous_eval(
        self, delay_secs: Any = None, throttle_delay_secs: Any = None,
        evaluate_checkpoint_only_once: bool = True,
        continuous_eval_predicate_fn: Callable[..., Any] | None = None,
        name: Any = "continuous",
    ) -> Any:  # fmt: skip
        """Evaluate each checkpoint that another program writes.

        Args:
            delay_secs: before the first one. throttle_delay_secs: between two.
            evaluate_checkpoint_only_once: wait for a new one each time.
            continuous_eval_predicate_fn: of the last results, whether to go on.
            name: of the evaluations.
        """
        return self._continuous(
            self._eval_input_fn, name, delay_secs, throttle_delay_secs,
            evaluate_checkpoint_only_once, continuous_eval_predicate_fn, export=True,
        )  # fmt: skip

    def continuous_eval_on_train_data(
        self, delay_secs: Any = None, throttle_delay_secs: Any = None,
        continuous_eval_predicate_fn: Callable[..., Any] | None = None,
        name: Any = "continuous_on_train_data",
    ) -> Any:  # fmt: skip
        """As `continuous_eval`, on what the estimator is trained on."""
        return self._continuous(
            self._train_input_fn, name, delay_secs, throttle_delay_secs, True,
            continuous_eval_predicate_fn, export=False,
        )  # fmt: skip

    def _continuous(self, input_fn, name, delay, throttle, once, goes_on, export):
        time.sleep(self._delay if delay is None else delay)
        throttle = self._throttle if throttle is None else throttle
        before, found = None, None
        while goes_on is None or goes_on(found):
            start = time.time()
            path = latest_checkpoint(self._estimator.model_dir)
            if not path or (once and path == before):
                logging.warning("No new checkpoint yet. Sleeping %s seconds.", throttle)
            else:
                found, before = self._evaluate(input_fn, name, path), path
                if export:
                    self._export(found, path)
                if self._train_steps and found["global_step"] >= self._train_steps:
                    break
            time.sleep(max(0, throttle - (time.time() - start)))
        return found

    def continuous_train_and_eval(
        self, continuous_eval_predicate_fn: Callable[..., Any] | None = None
    ) -> Any:
        """Train and evaluate by turns.

        Args:
            continuous_eval_predicate_fn: of the last results, whether to go on.
        Returns:
            (the last results, what the last export gave)
        """
        found, exported, step = None, None, 0
        goes_on = continuous_eval_predicate_fn
        while goes_on is None or goes_on(found):
            more = self._train_steps_per_iteration or self._train_steps
            last = None if more is None else step + more
            if last is not None and self._train_steps is not None:
                last = min(last, self._train_steps)
            self._train(last)
            found = self._evaluate(self._eval_input_fn, "continuous")
            exported = self._export(found)
            step = int(found["global_step"])
            if last is None or (self._train_steps and step >= self._train_steps):
                break
        return found, exported

    def train_and_evaluate(self) -> Any:
        """Train, with evaluations in between, and evaluate.

        Returns:
            (the results, what the export gave)
        """
        monitors = []
        if self._min_eval_frequency and not self._is_core:
            monitors.append(ValidationMonitor(
                input_fn=self._eval_input_fn, eval_steps=self._eval_steps,
                metrics=self._eval_metrics, every_n_steps=self._min_eval_frequency,
                hooks=self._eval_hooks, name="eval",
                check_interval_secs=self._check_interval_secs,
            ))  # fmt: skip
        self._train(self._train_steps, monitors=monitors)
        found = self._evaluate(self._eval_input_fn, "one_pass")
        return found, self._export(found)

    def _export(self, found, path=None):
        """What each ExportStrategy gives, after an evaluation."""
        given, folder = self._export_strategies, self._estimator.model_dir
        strategies = given() if callable(given) else given
        if isinstance(strategies, ExportStrategy):
            strategies = [strategies]
        path = path or latest_checkpoint(folder)
        exports = []
        for strategy in strategies or []:
            where = os.path.join(folder, "export", strategy.name)
            exports.append(strategy.export(self._estimator, where, path, found))
        return exports

    # ------------------------------------------------------------------ more
    def local_run(self) -> Any:
        """`train_and_evaluate`."""
        return self.train_and_evaluate()

    def run_std_server(self) -> None:
        """Wait: there is one process, so there is nobody to serve."""
        time.sleep(_ENDLESS)

    def test(self) -> Any:
        """One step of training, and one batch of evaluation.

        Returns:
            (the results, what the export gave)
        """
        self._train(1)
        found = self._evaluate(self._eval_input_fn, "one_pass_test", steps=1)
        return found, self._export(found)
