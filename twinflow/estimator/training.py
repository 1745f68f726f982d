"""train_and_evaluate: training with evaluations in between, in one process."""

import collections
import os
import time
from typing import Any

from twinflow.base import logging
from twinflow.estimator.checks import checked_hooks
from twinflow.estimator.exporters import Exporter
from twinflow.train.saving_hooks import CheckpointSaverListener


class TrainSpec(
    collections.namedtuple("TrainSpec", ["input_fn", "max_steps", "hooks"])
):
    """How to train: an input function, the steps in all, SessionRunHooks."""

    def __new__(cls, input_fn: Any, max_steps: Any = None, hooks: Any = None):
        if not callable(input_fn):
            raise TypeError(f"`input_fn` must be callable, given: {input_fn}")
        if max_steps is not None and max_steps <= 0:
            raise ValueError(f"Must specify max_steps > 0, given: {max_steps}")
        return super().__new__(cls, input_fn, max_steps, tuple(checked_hooks(hooks)))


class EvalSpec(
    collections.namedtuple(
        "EvalSpec",
        ["input_fn", "steps", "name", "hooks", "exporters", "start_delay_secs",
         "throttle_secs"],
    )
):  # fmt: skip
    """How to evaluate.

    Args:
        input_fn: the input function. steps: batches; None: until it ends.
        name: of the evaluation. hooks: SessionRunHooks. exporters: called after it.
        start_delay_secs: accepted. throttle_secs: seconds between evaluations at least.
    """

    def __new__(
        cls, input_fn: Any, steps: Any = 100, name: str | None = None,
        hooks: Any = None, exporters: Any = None, start_delay_secs: Any = 120,
        throttle_secs: Any = 600,
    ):  # fmt: skip
        if not callable(input_fn):
            raise TypeError(f"`input_fn` must be callable, given: {input_fn}")
        if steps is not None and steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"`name` must be string, given: {name}")
        for what, n in ("start_delay_secs", start_delay_secs), (
            "throttle_secs", throttle_secs
        ):  # fmt: skip
            if n < 0:
                raise ValueError(f"Must specify {what} >= 0, given: {n}")
        exporters = (
            exporters
            if isinstance(exporters, list | tuple)
            else (() if exporters is None else (exporters,))
        )
        for exporter in exporters:
            if not isinstance(exporter, Exporter):
                raise TypeError(
                    "`exporters` must be an Exporter, an iterable of Exporter, or "
                    f"`None`, found {exporter}."
                )
        return super().__new__(
            cls, input_fn, steps, name, tuple(checked_hooks(hooks)), tuple(exporters),
            start_delay_secs, throttle_secs,
        )  # fmt: skip


class _EvaluateAfterSaving(CheckpointSaverListener):
    """Evaluates the checkpoints that are saved, not too often, and the last one."""

    def __init__(self, estimator, spec, max_steps):
        self.estimator, self.spec, self.max_steps = estimator, spec, max_steps
        self.first, self.last_time, self.result, self.step = True, None, None, None
        self.exported: list = []

    def after_save(self, session, global_step_value):
        if self.first:  # what is saved at the start was evaluated before, or is raw
            self.first, self.last_time = False, time.monotonic()
            return
        if time.monotonic() - self.last_time < self.spec.throttle_secs:
            logging.info("Skip the current checkpoint eval due to throttle secs (%d "
                         "secs).", self.spec.throttle_secs)  # fmt: skip
            return
        self.evaluate(global_step_value)

    def end(self, session, global_step_value):
        if self.step != global_step_value:
            self.evaluate(global_step_value)

    def evaluate(self, step):
        self.last_time, self.step = time.monotonic(), step
        spec, estimator = self.spec, self.estimator
        self.result = estimator.evaluate(
            spec.input_fn, spec.steps, list(spec.hooks), name=spec.name
        )
        done = self.max_steps is not None and step >= self.max_steps
        self.exported = [
            exporter.export(
                estimator, os.path.join(estimator.model_dir, "export", exporter.name),
                estimator.latest_checkpoint(), self.result, done,
            )
            for exporter in spec.exporters
        ]  # fmt: skip


def train_and_evaluate(estimator: Any, train_spec: Any, eval_spec: Any) -> tuple:
    """Train an Estimator, and evaluate its checkpoints on the way.

    Args:
        estimator: the Estimator. train_spec: a TrainSpec. eval_spec: an EvalSpec.
    Returns:
        (the results of the last evaluation, what its exporters gave)
    Raises:
        TypeError: a specification is none.
    """
    for name, value, kind in (
        ("train_spec", train_spec, TrainSpec), ("eval_spec", eval_spec, EvalSpec)
    ):  # fmt: skip
        if not isinstance(value, kind):
            raise TypeError(
                f"`{name}` must be instance of `tf.estimator.{kind.__name__}`, given "
                f"{type(value)}"
            )
    listener = _EvaluateAfterSaving(estimator, eval_spec, train_spec.max_steps)
    estimator.train(
        train_spec.input_fn, list(train_spec.hooks), max_steps=train_spec.max_steps,
        saving_listeners=[listener],
    )  # fmt: skip
    return listener.result, listener.exported
