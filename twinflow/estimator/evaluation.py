"""One evaluation of a checkpoint, and the summaries of its results."""

import time

import numpy as np

from twinflow.base import logging
from twinflow.base.protos import Summary
from twinflow.graph.scopes import control_dependencies
from twinflow.ops.arrays.constant import identity
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.ops.variables.kinds import Variable
from twinflow.summary.writer import FileWriterCache
from twinflow.train.basic_session_run_hooks import FinalOpsHook
from twinflow.train.monitored_session import ChiefSessionCreator, MonitoredSession
from twinflow.train.session_run_hook import SessionRunArgs, SessionRunHook


def eval_step():
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

    def __init__(self, num_evals, log_progress=True):
        self._num_evals, self._log_progress = num_evals, log_progress
        self._log_frequency = max(1, (num_evals or 0) // 10)
        self._step = None

    def set_step(self, tensor):
        """Say which tensor counts the evaluations."""
        self._step = tensor

    def before_run(self, run_context):
        return SessionRunArgs({"evals_completed": self._step})

    def after_run(self, run_context, run_values):
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


def write_summary(folder, values, step):
    """Write the results of an evaluation as summaries."""
    text = ", ".join(f"{key} = {value!s}" for key, value in sorted(values.items()))
    logging.info("Saving dict for global step %d: %s", step, text)
    writer, summary = FileWriterCache.get(folder), Summary()
    for key, value in values.items():
        if value is None or key == "global_step":
            continue
        if isinstance(value, bytes):
            try:
                summary.MergeFromString(value)
                continue
            except Exception:
                logging.warning("Skipping summary for %s, cannot parse string to "
                                "Summary.", key)  # fmt: skip
                continue
        if np.ndim(value) == 0 and np.asarray(value).dtype.kind in "fiu":
            summary.value.add(tag=key, simple_value=float(value))
        else:
            logging.warning("Skipping summary for %s, must be a float, np.float32, "
                            "np.int64, np.int32 or int or np.ndarray or a serialized "
                            "string of Summary.", key)  # fmt: skip
    writer.add_summary(summary, step)
    writer.flush()
