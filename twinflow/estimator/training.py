"""train_and_evaluate: training with evaluations in between, alone or as the task of a
cluster that TF_CONFIG describes; its servers are those of this process."""

import json
import os
import time
from typing import Any

from twinflow.base import logging
from twinflow.estimator import distributed, in_step
from twinflow.estimator.continuous_evaluation import (
    ContinuousEvalListener,
    EvalResult,
    EvalStatus,
    Evaluator,
    NewCheckpointListenerForEvaluate,
    check_eval_spec,
)
from twinflow.estimator.estimator import Estimator
from twinflow.estimator.tf_config import TaskType
from twinflow.estimator.train_specs import EvalSpec, TrainSpec, checked_spec_hooks
from twinflow.formats.protos import ConfigProto
from twinflow.ops.variables.collections import GraphKeys
from twinflow.train.server import Server
from twinflow.train.session_run_hook import SessionRunHook

_MAX_DELAY_SECS = 60
_DELAY_SECS_PER_WORKER = 5
_TRAINERS = (TaskType.CHIEF, TaskType.MASTER, TaskType.WORKER)


def train_and_evaluate(estimator: Any, train_spec: Any, eval_spec: Any) -> Any:
    """Train an Estimator, and evaluate its checkpoints on the way.

    Where TF_CONFIG names a cluster, this call does what its task is to do: it trains,
    evaluates or serves variables.

    Args:
        estimator: the Estimator. train_spec: a TrainSpec. eval_spec: an EvalSpec.
    Returns:
        (the results of the last evaluation, what its exporters gave); None in a cluster
    Raises:
        TypeError: a specification is none.
        ValueError: the task cannot be.
    """
    check_eval_spec(eval_spec)
    executor = _TrainingExecutor(
        estimator=estimator, train_spec=train_spec, eval_spec=eval_spec
    )
    config = estimator.config
    if config.task_type == TaskType.EVALUATOR and config.task_id > 0:
        raise ValueError(
            "For distributed training, there can only be one `evaluator` task (with "
            f"task id 0).  Given task id {config.task_id}"
        )
    return executor.run()


class _TrainingExecutor:
    """What each task of a cluster does in train_and_evaluate, and one alone.

    Args:
        estimator: the Estimator. train_spec: a TrainSpec. eval_spec: an EvalSpec, or
            None for tasks that only train. train_hooks: further SessionRunHooks.
        continuous_eval_listener: a ContinuousEvalListener.
    """

    _Evaluator = Evaluator

    def __init__(
        self, estimator: Any, train_spec: Any, eval_spec: Any, train_hooks: Any = None,
        continuous_eval_listener: Any = None,
    ) -> None:  # fmt: skip
        if not isinstance(estimator, Estimator):
            raise TypeError(
                "`estimator` must have type `tf.estimator.Estimator`. Got: "
                f"{type(estimator)}"
            )
        if not isinstance(train_spec, TrainSpec):
            raise TypeError(
                "`train_spec` must have type `tf.estimator.TrainSpec`. Got: "
                f"{type(train_spec)}"
            )
        if eval_spec and not isinstance(eval_spec, EvalSpec):
            raise TypeError(
                "`eval_spec` must be either `None` or have type "
                f"`tf.estimator.EvalSpec`. Got: {type(eval_spec)}"
            )
        listener = continuous_eval_listener or ContinuousEvalListener()
        self._train_hooks = checked_spec_hooks(train_hooks)
        if not isinstance(listener, ContinuousEvalListener):
            raise TypeError(
                "`continuous_eval_listener` must have type `_ContinuousEvalListener`."
            )
        self._estimator, self._train_spec = estimator, train_spec
        self._eval_spec, self._continuous_eval_listener = eval_spec, listener

    @property
    def estimator(self) -> Estimator:
        """The Estimator."""
        return self._estimator

    def run(self) -> Any:
        """Do what the task of the Estimator's RunConfig is to do.

        Raises:
            ValueError: there is no such task.
        """
        config = self._estimator.config
        task = config.task_type
        if not config.cluster_spec and task != TaskType.EVALUATOR:
            logging.info("Running training and evaluation locally (non-distributed).")
            return self.run_local()
        if not task:
            raise ValueError(
                "`estimator.config` must have task_type set. This usually means "
                "TF_CONFIG environment is not set correctly."
            )
        if task == "local":
            raise ValueError(
                "`task.type` in TF_CONFIG cannot be `local`. Leaving `cluster` and "
                "`task` properties in TF_CONFIG absent triggers train and evaluate "
                "`Estimator` locally (non-distributed)."
            )
        tasks = {
            name.removeprefix("run_"): name for name in dir(self)
            if name.startswith("run_") and name != "run_local"
            and callable(getattr(self, name))
        }  # fmt: skip
        if task not in tasks:
            raise ValueError(
                f"Task type {task} is not supported. Supported task types are "
                f"{list(tasks)}"
            )
        getattr(self, tasks[task])()
        return None

    # ------------------------------------------------------------------ the tasks
    def run_chief(self) -> None:
        """Start the server, and train."""
        self._start_distributed_training()

    def run_worker(self) -> None:
        """Start the server, and train a little later than the chief."""
        self._start_distributed_training()

    def run_master(self) -> None:
        """Start the server, train, and evaluate what is saved."""
        check_eval_spec(self._eval_spec)
        listener = self._evaluating(ContinuousEvalListener())
        self._start_distributed_training(saving_listeners=[listener])

    def run_evaluator(self) -> None:
        """Evaluate one checkpoint after another, up to the last step."""
        self._start_continuous_evaluation()

    def run_ps(self) -> None:
        """Start the server, and wait."""
        server = self._start_std_server(self._estimator.config)
        server.join()

    def run_local(self) -> tuple:
        """Train, and evaluate what is saved; see train_and_evaluate."""
        check_eval_spec(self._eval_spec)
        config = self._estimator.config
        logging.info(
            "Start train and evaluate loop. The evaluate will happen after every "
            "checkpoint. Checkpoint frequency is determined based on RunConfig "
            "arguments: save_checkpoints_steps %s or save_checkpoints_secs %s.",
            config.save_checkpoints_steps, config.save_checkpoints_secs,
        )  # fmt: skip
        listener = self._evaluating(self._continuous_eval_listener)
        self._train([listener])
        nothing = EvalResult(EvalStatus.MISSING_CHECKPOINT)
        result = listener.eval_result or nothing
        return result.metrics, listener.export_results

    def _evaluating(self, listener):
        spec, steps = self._eval_spec, self._train_spec.max_steps
        evaluator = self._Evaluator(self._estimator, spec, steps)
        return NewCheckpointListenerForEvaluate(evaluator, spec.throttle_secs, listener)

    # ------------------------------------------------------------------ training
    def _train(self, saving_listeners):
        spec = self._train_spec
        self._estimator.train(
            input_fn=spec.input_fn, max_steps=spec.max_steps,
            hooks=[*spec.hooks, *self._train_hooks], saving_listeners=saving_listeners,
        )  # fmt: skip

    def _start_distributed_training(self, saving_listeners=None):
        config = self._estimator.config
        if in_step.is_in_step(distributed.training_strategy(config)):
            self._train(saving_listeners)  # no servers, and nobody goes first
            return
        if not _is_google_env():
            self._start_std_server(config)
        delay = 0
        if config.task_type == TaskType.WORKER:  # the chief goes first
            delay = (config.task_id + 1) * _DELAY_SECS_PER_WORKER
            delay = min(_MAX_DELAY_SECS, delay)
        if delay > 0:
            logging.info("Waiting %d secs before starting training.", delay)
            time.sleep(delay)
        self._train(saving_listeners)

    def _start_std_server(self, config):
        """Start the server of this task; a cluster of one task needs none."""
        if not config.cluster_spec or not config.task_type or config.task_id is None:
            raise RuntimeError(
                "Could not start server; be sure to specify cluster_spec, task_type, "
                "and task in RunConfig or set the TF_CONFIG environment variable."
            )
        if not config.master:
            jobs = config.cluster_spec.as_dict()
            alone = sum(map(len, jobs.values())) == 1
            if not (alone and config.task_type in _TRAINERS):
                raise RuntimeError(
                    "Could not start server; be sure to specify master in RunConfig or "
                    "set the TF_CONFIG environment variable."
                )
            logging.info(
                "Skip starting Tensorflow server as there is only one node in the "
                "cluster."
            )
            return None
        logging.info("Start Tensorflow server.")
        options = {}
        if config.session_config is not None:
            options["gpu_options"] = config.session_config.gpu_options
        server = Server(
            config.cluster_spec, job_name=config.task_type, task_index=config.task_id,
            config=ConfigProto(log_device_placement=False, **options), start=False,
            protocol=config.protocol,
        )  # fmt: skip
        server.start()
        return server

    # ------------------------------------------------------------------ evaluation
    def _start_continuous_evaluation(self):
        check_eval_spec(self._eval_spec)
        delay, last = self._eval_spec.start_delay_secs, self._train_spec.max_steps
        if delay:
            logging.info("Waiting %f secs before starting eval.", delay)
            time.sleep(delay)
        evaluator = self._Evaluator(self._estimator, self._eval_spec, last)
        result, stop = None, False
        while not stop:
            if result and result.status == EvalStatus.EVALUATED:
                step = result.metrics.get(GraphKeys.GLOBAL_STEP)
                if step and last and step >= last:
                    logging.info("Exiting evaluation, global_step=%s >= train "
                                 "max_steps=%s", step, last)  # fmt: skip
                    return
            result, stop = self._execute_evaluator_once(
                evaluator, self._continuous_eval_listener, self._eval_spec.throttle_secs
            )

    def _execute_evaluator_once(
        self, evaluator, continuous_eval_listener, throttle_secs
    ):
        """(what an evaluation gave, whether it was the last)"""
        start = time.time()
        if not continuous_eval_listener.before_eval():
            logging.info("Exiting evaluation, as requested by "
                         "_ContinuousEvalListener.before_eval.")  # fmt: skip
            return None, True
        result, _ = evaluator.evaluate_and_export()
        if not continuous_eval_listener.after_eval(result):
            logging.info("Exiting evaluation, as requested by "
                         "_ContinuousEvalListener.after_eval.")  # fmt: skip
            return result, True
        left = throttle_secs - (time.time() - start)
        if left > 0:
            logging.info("Waiting %f secs before starting next eval run.", left)
            time.sleep(left)
        return result, False


def _is_google_env():
    """Whether servers are started by what runs this program."""
    config = json.loads(os.environ.get("TF_CONFIG") or "{}")
    if not config:
        logging.warn("TF_CONFIG should not be empty in distributed environment.")
    return config.get("environment") == "google"


class StopAtSecsHook(SessionRunHook):
    """Stops a training after some seconds.

    Args:
        stop_after_secs: how many.
    """

    def __init__(self, stop_after_secs: float) -> None:
        self._stop_after_secs = stop_after_secs
        self._start_time: Any = None

    def begin(self) -> None:
        """Start the clock."""
        self._start_time = time.time()

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Ask for the end, if it is time."""
        if time.time() - self._start_time >= self._stop_after_secs:
            run_context.request_stop()
