"""Evaluations of the checkpoints of a training, one after another."""

import os
import time
from typing import Any, NamedTuple

from twinflow.base import logging
from twinflow.base.text import as_str_any
from twinflow.estimator.train_specs import EvalSpec
from twinflow.ops.variables.collections import GraphKeys
from twinflow.train.basic_session_run_hooks import SecondOrStepTimer
from twinflow.train.saving_hooks import CheckpointSaverListener

_AGAIN = 600.0  # seconds until a warning is repeated


class EvalStatus:
    """How an evaluation ended."""

    EVALUATED = "evaluated"
    MISSING_CHECKPOINT = "missing checkpoint"
    NO_NEW_CHECKPOINT = "no new checkpoint"


class EvalResult(
    NamedTuple(
        "EvalResult", [("status", Any), ("metrics", Any), ("checkpoint_path", Any)]
    )
):
    """What an evaluation gave: metrics and a checkpoint, if it was EVALUATED."""

    def __new__(cls, status: str, metrics: Any = None, checkpoint_path: Any = None):
        done = EvalStatus.EVALUATED
        if status != done:
            for what, value in ("metrics", metrics), ("checkpoint", checkpoint_path):
                if value:
                    name = "checkpoint_path" if what == "checkpoint" else what
                    raise ValueError(
                        f"{what} must be `None` if status is not {done}; got status "
                        f"{status}, {name} {value}"
                    )
            return super().__new__(cls, status, None, None)
        _check_metrics(metrics)
        if not checkpoint_path:
            raise ValueError("Internal error: `checkpoint_path` should never be empty.")
        return super().__new__(cls, status, metrics, checkpoint_path)


def _check_metrics(metrics):
    if not metrics:
        raise ValueError(
            "Internal error: `Estimator.evaluate` should never return empty metrics."
        )
    if not isinstance(metrics, dict):
        raise TypeError(
            f"`Estimator.evaluate` should return dict. Given {type(metrics)}."
        )
    if GraphKeys.GLOBAL_STEP not in metrics:
        raise ValueError(
            "Internal error: `Estimator.evaluate` result should have `global_step` in "
            f"result. Given {metrics}"
        )


class ContinuousEvalListener:
    """Asked before and after each evaluation whether to go on."""

    def before_eval(self) -> bool:
        """Whether there is to be one more."""
        return True

    def after_eval(self, eval_result: EvalResult) -> bool:
        """Whether to go on."""
        return True


def check_eval_spec(eval_spec: Any) -> None:
    """Raise TypeError for what is no EvalSpec."""
    if not isinstance(eval_spec, EvalSpec):
        raise TypeError(
            "`eval_spec` must have type `tf.estimator.EvalSpec`. Got: "
            f"{type(eval_spec)}"
        )


class Evaluator:
    """Evaluates the last checkpoint of an Estimator, and exports it.

    Args:
        estimator: the Estimator. eval_spec: the EvalSpec.
        max_training_steps: the step at which the export is the final one, or None.
    """

    def __init__(
        self, estimator: Any, eval_spec: EvalSpec, max_training_steps: int | None
    ) -> None:
        check_eval_spec(eval_spec)
        self._estimator, self._eval_spec = estimator, eval_spec
        self._max_training_steps = max_training_steps
        self._is_final_export_triggered = False
        self._previous_ckpt_path: Any = None
        self._last_warning_time = 0.0

    @property
    def is_final_export_triggered(self) -> bool:
        """Whether the final export was made."""
        return self._is_final_export_triggered

    def evaluate_and_export(self) -> tuple[EvalResult, list]:
        """(what the evaluation gave, what the exporters gave)"""
        path = self._estimator.latest_checkpoint()
        if not path:
            self._warn(
                "Estimator is not trained yet. Will start an evaluation when a "
                "checkpoint is ready."
            )
            return EvalResult(EvalStatus.MISSING_CHECKPOINT), []
        if path == self._previous_ckpt_path:
            self._warn(
                "No new checkpoint ready for evaluation. Skip the current evaluation "
                "pass as evaluation results are expected to be same for the same "
                "checkpoint."
            )
            return EvalResult(EvalStatus.NO_NEW_CHECKPOINT), []
        spec = self._eval_spec
        metrics = self._estimator.evaluate(
            input_fn=spec.input_fn, steps=spec.steps, name=spec.name,
            checkpoint_path=path, hooks=spec.hooks,
        )  # fmt: skip
        found = EvalResult(EvalStatus.EVALUATED, metrics, path)
        last = self._max_training_steps
        final = bool(last) and found.metrics[GraphKeys.GLOBAL_STEP] >= last
        exported = self._export(found, final)
        self._is_final_export_triggered |= final
        self._last_warning_time, self._previous_ckpt_path = 0.0, path
        return found, exported

    def _warn(self, text):
        now = time.time()
        if now - self._last_warning_time > _AGAIN:
            logging.warning(text)
            self._last_warning_time = now

    def _export(self, result, final):
        base = os.path.join(as_str_any(self._estimator.model_dir), "export")
        return [
            exporter.export(
                estimator=self._estimator,
                export_path=os.path.join(base, as_str_any(exporter.name)),
                checkpoint_path=result.checkpoint_path, eval_result=result.metrics,
                is_the_final_export=final,
            )
            for exporter in self._eval_spec.exporters
        ]  # fmt: skip


class NewCheckpointListenerForEvaluate(CheckpointSaverListener):
    """Evaluates the checkpoints that are saved, not too often, and the last one.

    Args:
        evaluator: an Evaluator. eval_throttle_secs: seconds between evaluations.
        continuous_eval_listener: a ContinuousEvalListener.
    Attributes:
        eval_result, export_results: of the last evaluation, or None.
    """

    def __init__(
        self, evaluator: Evaluator, eval_throttle_secs: float,
        continuous_eval_listener: ContinuousEvalListener,
    ) -> None:  # fmt: skip
        self._evaluator, self._eval_throttle_secs = evaluator, eval_throttle_secs
        self._continuous_eval_listener = continuous_eval_listener
        self.eval_result: Any = None
        self.export_results: Any = None

    def begin(self) -> None:
        """Start the clock."""
        self._timer = SecondOrStepTimer(every_secs=self._eval_throttle_secs)
        self._is_first_run = True

    def after_save(self, session: Any, global_step_value: Any) -> bool | None:
        """Evaluate, if it is time; returns True to end the training."""
        if self._is_first_run:  # what is saved at the start is not trained yet
            self._is_first_run = False
            return None
        listener = self._continuous_eval_listener
        if not listener.before_eval():
            logging.info("Exiting training and evaluation loop, as requested by "
                         "_ContinuousEvalListener.before_eval.")  # fmt: skip
            return True
        if not self._timer.should_trigger_for_step(global_step_value):
            logging.info("Skip the current checkpoint eval due to throttle secs (%s "
                         "secs).", self._eval_throttle_secs)  # fmt: skip
            return None
        self._evaluate(global_step_value)
        if listener.after_eval(self.eval_result):
            return None
        logging.info("Exiting evaluation, as requested by "
                     "_ContinuousEvalListener.after_eval.")  # fmt: skip
        return True

    def end(self, session: Any, global_step_value: Any) -> None:
        """Evaluate the last step, unless that was done."""
        if global_step_value == self._timer.last_triggered_step():
            return
        if self._continuous_eval_listener.before_eval():
            self._evaluate(global_step_value)
            self._continuous_eval_listener.after_eval(self.eval_result)

    def _evaluate(self, step):
        self._timer.update_last_triggered_step(step)
        self.eval_result, self.export_results = self._evaluator.evaluate_and_export()
        if self.eval_result.status != EvalStatus.EVALUATED:
            raise RuntimeError(
                "There was no new checkpoint after the training. Eval status: "
                f"{self.eval_result.status}"
            )
