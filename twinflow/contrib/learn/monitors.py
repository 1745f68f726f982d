"""tf.contrib.learn.monitors: what looks at a training."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import logging
from twinflow.checkpoint.saver import Saver
from twinflow.checkpoint.state import latest_checkpoint
from twinflow.contrib.learn.bundles import ExportMonitor
from twinflow.contrib.learn.graph_dump import GraphDump
from twinflow.contrib.learn.monitor_base import (
    BaseMonitor,
    EveryN,
    RunHookAdapterForMonitors,
    replace_monitors_with_hooks,
)
from twinflow.formats.protos import Summary
from twinflow.ops.variables.collections import trainable_variables
from twinflow.summary.writer import FileWriterCache
from twinflow.train.basic_session_run_hooks import NanLossDuringTrainingError

__all__ = [
    "BaseMonitor", "CaptureVariable", "CheckpointSaver", "EveryN", "ExportMonitor",
    "GraphDump", "LoggingTrainable",
    "NanLoss", "NanLossDuringTrainingError", "PrintTensor", "RunHookAdapterForMonitors",
    "StepCounter", "StopAtStep", "SummarySaver", "ValidationMonitor",
    "get_default_monitors", "replace_monitors_with_hooks",
]  # fmt: skip


class StopAtStep(BaseMonitor):
    """Ends the training after so many steps.

    Args:
        num_steps: from its start, or last_step: in all.
    Raises:
        ValueError: neither or both are given.
    """

    def __init__(self, num_steps: Any = None, last_step: Any = None) -> None:
        super().__init__()
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    @property
    def run_on_all_workers(self) -> bool:
        """True: each process stops."""
        return True

    def step_begin(self, step: Any) -> list[Any]:
        super().step_begin(step)
        if self._last_step is None:
            self._last_step = step + self._num_steps - 1
        return []

    def step_end(self, step: Any, output: Any) -> bool:
        super().step_end(step, output)
        return step >= self._last_step


class PrintTensor(EveryN):
    """Logs the values of tensors.

    Args:
        tensor_names: {what it is called: name of the tensor}, or a list of names.
        every_n, first_n: see EveryN.
    """

    def __init__(self, tensor_names: Any, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        if not isinstance(tensor_names, dict):
            tensor_names = {name: name for name in tensor_names}
        self._tensor_names = tensor_names

    def every_n_step_begin(self, step: Any) -> list[Any]:
        super().every_n_step_begin(step)
        return list(self._tensor_names.values())

    def every_n_step_end(self, step: Any, outputs: Any) -> bool:
        stop = super().every_n_step_end(step, outputs)
        found = (
            f"{tag} = {outputs[name]}"
            for tag, name in self._tensor_names.items()
            if name in outputs
        )
        logging.info("Step %d: %s", step, ", ".join(found))
        return stop


class LoggingTrainable(EveryN):
    """Logs how large the trainable variables are.

    Args:
        scope: of the variables; all by default. every_n, first_n: see EveryN.
    """

    def __init__(self, scope: Any = None, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        self._scope = scope
        self._names: dict[Any, Any] = {}

    def every_n_step_begin(self, step: Any) -> list[Any]:
        super().every_n_step_begin(step)
        self._names = {
            v.op.name: v.value().name for v in trainable_variables(self._scope)
        }
        return list(self._names.values())

    def every_n_step_end(self, step: Any, outputs: Any) -> bool:
        stop = super().every_n_step_end(step, outputs)
        found = (
            f"{name} = {np.mean(np.abs(outputs[tensor])):f}"
            for name, tensor in self._names.items()
        )
        logging.info("Logging Trainable: %s", ", ".join(found))
        return stop


class CaptureVariable(EveryN):
    """Keeps the values of a tensor.

    Args:
        var_name: its name. every_n, first_n: see EveryN.
    """

    def __init__(self, var_name: str, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        self._var_name = var_name
        self._values: dict[Any, Any] = {}

    @property
    def values(self) -> dict[Any, Any]:
        """{step: value}."""
        return self._values

    def every_n_step_begin(self, step: Any) -> list[Any]:
        super().every_n_step_begin(step)
        return [self._var_name]

    def every_n_step_end(self, step: Any, outputs: Any) -> bool:
        super().every_n_step_end(step, outputs)
        self._values[step] = outputs[self._var_name]
        return False


class NanLoss(EveryN):
    """Ends the training where the loss is NaN.

    Args:
        loss_tensor: the loss. every_n_steps: see EveryN.
        fail_on_nan_loss: raise NanLossDuringTrainingError, do not just stop.
    """

    def __init__(
        self, loss_tensor: Any, every_n_steps: int = 100, fail_on_nan_loss: bool = True
    ) -> None:
        super().__init__(every_n_steps)
        self._loss_tensor, self._fail = loss_tensor, fail_on_nan_loss

    def every_n_step_begin(self, step: Any) -> list[Any]:
        super().every_n_step_begin(step)
        return [self._loss_tensor]

    def every_n_step_end(self, step: Any, outputs: Any) -> bool:
        super().every_n_step_end(step, outputs)
        if not np.isnan(outputs[self._loss_tensor]).any():
            return False
        text = "Model diverged with loss = NaN."
        if self._fail:
            logging.error(text)
            raise NanLossDuringTrainingError
        logging.warning(text)
        return True


class SummarySaver(EveryN):
    """Writes a summary.

    Args:
        summary_op: string scalar. save_steps: how often.
        output_dir: the folder, or summary_writer: a FileWriter.
        scaffold: its summary op is taken, if there is no other.
    """

    def __init__(
        self, summary_op: Any, save_steps: int = 100, output_dir: Any = None,
        summary_writer: Any = None, scaffold: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(save_steps)
        self._summary_op, self._scaffold = summary_op, scaffold
        self._summary_writer = summary_writer
        if summary_writer is None and output_dir:
            self._summary_writer = FileWriterCache.get(output_dir)

    def set_estimator(self, estimator: Any) -> None:
        super().set_estimator(estimator)
        if self._summary_writer is None:
            self._summary_writer = FileWriterCache.get(estimator.model_dir)

    def every_n_step_begin(self, step: Any) -> list[Any]:
        super().every_n_step_begin(step)
        if self._summary_op is None and self._scaffold is not None:
            self._summary_op = self._scaffold.summary_op
        return [] if self._summary_op is None else [self._summary_op]

    def every_n_step_end(self, step: Any, outputs: Any) -> bool:
        super().every_n_step_end(step, outputs)
        if self._summary_op is not None and self._summary_writer:
            self._summary_writer.add_summary(outputs[self._summary_op], step)
        return False

    def end(self, session: Any = None) -> None:
        super().end(session)
        if self._summary_writer:
            self._summary_writer.flush()


class StepCounter(EveryN):
    """Writes how many steps are made in a second.

    Args:
        every_n_steps: how often. output_dir: the folder, or
        summary_writer: a FileWriter.
    """

    def __init__(
        self, every_n_steps: int = 100, output_dir: Any = None,
        summary_writer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(every_n_steps)
        self._summary_tag = "global_step/sec"
        self._last: Any = None
        self._summary_writer = summary_writer
        if summary_writer is None and output_dir:
            self._summary_writer = FileWriterCache.get(output_dir)

    def set_estimator(self, estimator: Any) -> None:
        super().set_estimator(estimator)
        if self._summary_writer is None:
            self._summary_writer = FileWriterCache.get(estimator.model_dir)

    def every_n_step_end(self, step: Any, outputs: Any) -> bool:
        now = time.time()
        if self._summary_writer is not None and self._last is not None:
            before, then = self._last
            rate = (step - before) / max(now - then, 1e-9)
            summary = Summary(
                value=[Summary.Value(tag=self._summary_tag, simple_value=rate)]
            )
            self._summary_writer.add_summary(summary, step)
        self._last = step, now
        return False


class CheckpointSaver(BaseMonitor):
    """Saves checkpoints.

    Args:
        checkpoint_dir: the folder. save_secs, save_steps: how often, one of them.
        saver: a Saver; that of the scaffold by default. checkpoint_basename: the name.
        scaffold: a Scaffold.
    Raises:
        ValueError: neither or both times are given.
    """

    def __init__(
        self, checkpoint_dir: str, save_secs: Any = None, save_steps: Any = None,
        saver: Any = None, checkpoint_basename: str = "model.ckpt",
        scaffold: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if (save_secs is None) == (save_steps is None):
            raise ValueError(
                "Exactly one of save_steps and save_secs should be provided"
            )
        self._saver, self._scaffold = saver, scaffold
        self._path = f"{checkpoint_dir}/{checkpoint_basename}"
        self._save_secs, self._save_steps = save_secs, save_steps
        self._last: Any = None

    def begin(self, max_steps: Any = None) -> None:
        super().begin(max_steps)
        self._last = None
        if self._saver is None and self._scaffold is None:
            self._saver = Saver()

    def post_step(self, step: Any, session: Any) -> None:
        if self._last is None:
            due = True
        elif self._save_steps is not None:
            due = step >= self._last[0] + self._save_steps
        else:
            due = time.time() >= self._last[1] + self._save_secs
        if due:
            self._save(step, session)
        self._step = step

    def end(self, session: Any = None) -> None:
        super().end(session)
        if session is not None and self._last and self._last[0] != self._step:
            self._save(self._step, session)

    def _save(self, step, session):
        saver = self._saver or self._scaffold.saver
        self._last = step, time.time()
        logging.info("Saving checkpoints for %d into %s.", step, self._path)
        saver.save(session, self._path, global_step=step)


class ValidationMonitor(EveryN):
    """Evaluates during the training, and ends it where that gets no better.

    Args:
        x, y, input_fn, batch_size, metrics, hooks, name: see Estimator.evaluate.
        eval_steps: batches of an evaluation.
        every_n_steps: how often, at most; only new checkpoints are evaluated.
        early_stopping_rounds: for how many steps it may get no better; None: for ever.
        early_stopping_metric: the metric that counts.
        early_stopping_metric_minimize: whether less of it is better.
        check_interval_secs: how often to look for a checkpoint, at most.
    Raises:
        ValueError: there are neither arrays nor a function.
    """

    def __init__(
        self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None,
        batch_size: Any = None, eval_steps: Any = None, every_n_steps: int = 100,
        metrics: Any = None, hooks: Any = None, early_stopping_rounds: Any = None,
        early_stopping_metric: str = "loss",
        early_stopping_metric_minimize: bool = True, name: Any = None,
        check_interval_secs: Any = 5,
    ) -> None:  # fmt: skip
        super().__init__(every_n_steps, first_n_steps=-1)
        if x is None and input_fn is None:
            raise ValueError("Either x or input_fn should be provided.")
        self._options = {
            "x": x, "y": y, "input_fn": input_fn, "batch_size": batch_size,
            "steps": eval_steps, "metrics": metrics, "hooks": hooks, "name": name,
        }  # fmt: skip
        self._rounds, self._metric = early_stopping_rounds, early_stopping_metric
        self._sign = 1 if early_stopping_metric_minimize else -1
        self._every_secs = check_interval_secs
        self._best_step = self._best_value = self._best_metrics = None
        self._early_stopped = False
        self._latest: Any = None
        self._looked = 0.0

    early_stopped = property(
        lambda self: self._early_stopped, doc="Whether it ended the training."
    )
    best_step = property(lambda self: self._best_step, doc="The best step.")
    best_value = property(lambda self: self._best_value, doc="The best value.")
    best_metrics = property(lambda self: self._best_metrics, doc="All metrics there.")

    def _checkpoint(self):
        """A checkpoint that has not been evaluated, if there is one."""
        now = time.time()
        if self._every_secs is not None and now - self._looked < self._every_secs:
            return None
        self._looked = now
        found = latest_checkpoint(self._estimator.model_dir)
        return None if found == self._latest else found

    def every_n_step_end(self, step: Any, outputs: Any) -> bool:
        super().every_n_step_end(step, outputs)
        if self._estimator is None:
            raise ValueError(
                "Missing call to set_estimator. This should be called by the "
                "fit() method of the estimator."
            )
        path = self._checkpoint()
        if path is None:
            return False
        self._latest = path
        found = self._estimator.evaluate(checkpoint_path=path, **self._options)
        stats = ", ".join(f"{k} = {v}" for k, v in sorted(found.items()))
        logging.info("Validation (step %d): %s", found["global_step"], stats)
        if self._rounds is None:
            return False
        return self._judged(found)

    def _judged(self, found):
        """Whether the metric has not got better for too long."""
        if self._metric not in found:
            raise ValueError(
                f"Metric {self._metric} missing from outputs {sorted(found)}."
            )
        value, step = found[self._metric], found["global_step"]
        best = self._best_value
        if best is None or self._sign * value < self._sign * best:
            self._best_value, self._best_step = value, step
            self._best_metrics = found
        if step - self._best_step < self._rounds:
            return False
        logging.info(
            "Stopping. Best step: %s with %s = %s.", self._best_step, self._metric,
            self._best_value,
        )  # fmt: skip
        self._early_stopped = True
        return True


def get_default_monitors(
    loss_op: Any = None, summary_op: Any = None, save_summary_steps: int = 100,
    output_dir: Any = None, summary_writer: Any = None,
) -> list[Any]:  # fmt: skip
    """A monitor that logs the loss, and one that writes a summary, as far as given."""
    found: list = []
    if loss_op is not None:
        found.append(PrintTensor({"loss": loss_op.name}))
    if summary_op is not None:
        found.append(
            SummarySaver(summary_op, save_summary_steps, output_dir, summary_writer)
        )
    return found
