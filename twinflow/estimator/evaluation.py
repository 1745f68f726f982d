"""One evaluation of a checkpoint, and the summaries of its results."""

import time
from typing import Any

import numpy as np
from google.protobuf import message

from twinflow.base import logging
from twinflow.estimator.model_fn import LOSS
from twinflow.formats.protos import Summary
from twinflow.formats.tensor_proto import make_tensor_proto
from twinflow.graph.scopes import control_dependencies, group
from twinflow.metrics.means import mean
from twinflow.ops.core.constant import identity
from twinflow.ops.variables.collections import (
    GraphKeys,
    get_collection,
    local_variables_initializer,
)
from twinflow.ops.variables.kinds import Variable
from twinflow.summary.writer import FileWriterCache
from twinflow.train import training_util
from twinflow.train.basic_session_run_hooks import FinalOpsHook
from twinflow.train.monitored_session import ChiefSessionCreator, MonitoredSession
from twinflow.train.scaffold import Scaffold
from twinflow.train.session_run_hook import SessionRunArgs, SessionRunHook


def eval_step() -> Any:
    """The local variable that counts evaluations, made if there is none."""
    found = get_collection(GraphKeys.EVAL_STEP)
    if found:
        return found[0]
    return Variable(
        np.int64(0), trainable=False, name="eval_step",
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.EVAL_STEP],
    )  # fmt: skip


class StopAfterNEvalsHook(SessionRunHook):
    """Ends an evaluation after so many batches.

    Args:
        num_evals: how many; None: until the input ends.
    """

    def __init__(self, num_evals: Any, log_progress: bool = True) -> None:
        self._num_evals, self._log_progress = num_evals, log_progress
        self._log_frequency = max(1, (num_evals or 0) // 10)
        self._step: Any = None

    def set_step(self, tensor: Any) -> None:
        """Say which tensor counts the evaluations."""
        self._step = tensor

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs({"evals_completed": self._step})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        done = run_values.results["evals_completed"]
        if self._num_evals is None:
            logging.info("Evaluation [%d]", done)
            return
        if self._log_progress and (
            done % self._log_frequency == 0 or self._num_evals == done
        ):
            logging.info("Evaluation [%d/%d]", done, self._num_evals)
        if done >= self._num_evals:
            run_context.request_stop()


def metric_ops(spec):
    """(the op that updates all metrics, dict of their values)"""
    return grouped([parts_of_metrics(spec)])


def grouped(towers):
    """(the op that updates the metrics of all towers, dict of their values)"""
    first, updates = towers[0], [u for parts in towers for _, us in parts for u in us]
    values = {name: value for (name, value), _ in first}
    values[training_util.GLOBAL_STEP] = training_util.get_global_step()
    return group(*updates), values


def parts_of_metrics(spec):
    """((name, value), ops that update it) of each metric, that of the loss too."""
    metrics = dict(spec.eval_metric_ops)
    for name, shown in (LOSS, '"loss"'), (training_util.GLOBAL_STEP, "`global_step`"):
        if name in metrics:
            raise ValueError(
                f"Metric with name {shown} is not allowed, because Estimator already "
                "defines a default metric with the same name."
            )
    metrics[LOSS] = mean(spec.loss)
    found = []
    for name, metric in sorted(metrics.items()):
        if isinstance(metric, tuple):
            found.append(((name, metric[0]), [metric[1]]))
        else:
            found.append(((name, metric.result()), metric.updates))
    return found


def with_local_variables(scaffold):
    """A Scaffold of a model function, which starts the variables of metrics too."""
    if not (scaffold and scaffold.local_init_op):
        return scaffold
    eval_step()
    started = group(scaffold.local_init_op, local_variables_initializer())
    return Scaffold(local_init_op=started, copy_from_scaffold=scaffold)


def evaluate_once(checkpoint_path, scaffold, eval_ops, final_ops, hooks, config):
    """Run `eval_ops` until the input or a hook ends it.

    Returns:
        The values of `final_ops`.
    """
    counter, hooks = eval_step(), list(hooks)
    with control_dependencies([eval_ops] if eval_ops is not None else []):
        counted = counter.assign_add(1)
        step = identity(counted)
    for hook in hooks:
        if isinstance(hook, StopAfterNEvalsHook):
            hook.set_step(step)
    logging.info("Starting evaluation at %s", _stamp())
    final = FinalOpsHook(final_ops)
    creator = ChiefSessionCreator(
        scaffold, config=config, checkpoint_filename_with_path=checkpoint_path
    )
    with MonitoredSession(creator, [*hooks, final]) as session:
        while not session.should_stop():
            session.run(step)
    logging.info("Finished evaluation at %s", _stamp())
    return final.final_ops_values


def _stamp():
    return time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime())


def write_summary(folder, values, step, path):
    """Write the results of an evaluation as summaries.

    Args:
        folder: of the event file. values: dict from names to numbers, arrays or
            serialised Summaries. step: the global step. path: of the checkpoint.
    """
    write_dict_to_summary(folder, values, step)
    writer = FileWriterCache.get(folder)
    if path:
        noted = Summary()
        noted.value.add(tag="checkpoint_path", tensor=make_tensor_proto(path))
        logging.info("Saving 'checkpoint_path' summary for global step %d: %s", step,
                     path)  # fmt: skip
        writer.add_summary(noted, step)
    writer.flush()


def write_dict_to_summary(folder, values, step):
    """Write numbers, arrays and serialised Summaries by their names."""
    text = ", ".join(f"{key} = {value!s}" for key, value in sorted(values.items()))
    logging.info("Saving dict for global step %d: %s", step, text)
    writer, summary = FileWriterCache.get(folder), Summary()
    for key, value in values.items():
        if value is not None and key != "global_step":
            _add(summary, key, value)
    writer.add_summary(summary, step)
    writer.flush()


def _add(summary, key, value):
    if isinstance(value, bytes):
        try:
            for i, part in enumerate(Summary.FromString(value).value):
                part.tag = f"{key}/{i}"
                summary.value.add().CopyFrom(part)
        except message.DecodeError:
            logging.warning("Skipping summary for %s, cannot parse string to Summary.",
                            key)  # fmt: skip
        return
    nested = isinstance(value, dict | list | tuple)
    array = np.asarray(None if nested else value)
    if array.dtype.kind not in "fiu":
        logging.warning("Skipping summary for %s, must be a float, np.float32, "
                        "np.int64, np.int32 or int or np.ndarray or a serialized "
                        "string of Summary.", key)  # fmt: skip
    elif array.ndim == 0:
        summary.value.add(tag=key, simple_value=float(array))
    else:
        summary.value.add(tag=key, tensor=make_tensor_proto(array))
