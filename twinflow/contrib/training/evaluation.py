"""Evaluations of checkpoints: of one, or of each as it comes."""

import time
from collections.abc import Callable
from typing import Any

from twinflow.base import logging, nest
from twinflow.contrib.training.checkpoints import (
    checkpoints_iterator,
    wait_for_new_checkpoint,
)
from twinflow.estimator.evaluation import StopAfterNEvalsHook, eval_step
from twinflow.graph.scopes import control_dependencies
from twinflow.ops.core.constant import identity
from twinflow.summary.summaries import merge_all
from twinflow.summary.writer import FileWriterCache
from twinflow.train import training_util
from twinflow.train.basic_session_run_hooks import FinalOpsHook
from twinflow.train.monitored_session import ChiefSessionCreator, MonitoredSession
from twinflow.train.scaffold import Scaffold
from twinflow.train.session_run_hook import SessionRunHook

__all__ = [
    "StopAfterNEvalsHook", "SummaryAtEndHook", "checkpoints_iterator", "evaluate_once",
    "evaluate_repeatedly", "get_or_create_eval_step", "wait_for_new_checkpoint",
]  # fmt: skip
_USE_DEFAULT = 0


def get_or_create_eval_step() -> Any:
    """The variable that counts the batches of an evaluation, made if there is none."""
    return eval_step()


class SummaryAtEndHook(SessionRunHook):
    """Writes summaries at the end of a session.

    Args:
        log_dir: the folder, or summary_writer: a FileWriter.
        summary_op: string scalar; all summaries of the graph by default.
        feed_dict: what is fed to it.
    """

    def __init__(
        self, log_dir: Any = None, summary_writer: Any = None, summary_op: Any = None,
        feed_dict: Any = None,
    ) -> None:  # fmt: skip
        self._log_dir, self._summary_writer = log_dir, summary_writer
        self._summary_op, self._feed_dict = summary_op, feed_dict
        self._all = summary_op is None
        self._global_step: Any = None

    def begin(self) -> None:
        if self._all:
            self._summary_op = merge_all()
        self._global_step = training_util.get_or_create_global_step()

    def after_create_session(self, session: Any, coord: Any) -> None:
        if self._summary_writer is None and self._log_dir:
            self._summary_writer = FileWriterCache.get(self._log_dir)

    def end(self, session: Any) -> None:
        step = training_util.global_step(session, self._global_step)
        if self._summary_writer is None or self._summary_op is None:
            return
        found = session.run(self._summary_op, self._feed_dict)
        self._summary_writer.add_summary(found, step)
        self._summary_writer.flush()


def _counted(eval_ops, hooks):
    """A tensor that is one more each time that the ops ran; hooks may look at it."""
    if eval_ops is None:
        return None
    counter = eval_step()
    with control_dependencies(nest.flatten(eval_ops)):
        step = identity(counter.assign_add(1, use_locking=True))
    for hook in hooks:
        if isinstance(hook, StopAfterNEvalsHook):
            hook.set_step(step)
    return step


def _run(creator, hooks, step, feed_dict):
    logging.info("Starting evaluation at %s", _stamp())
    with MonitoredSession(creator, hooks) as session:
        while step is not None and not session.should_stop():
            session.run(step, feed_dict)
    logging.info("Finished evaluation at %s", _stamp())


def _stamp():
    return time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime())


def evaluate_once(
    checkpoint_path: Any, master: str = "", scaffold: Any = None, eval_ops: Any = None,
    feed_dict: Any = None, final_ops: Any = None, final_ops_feed_dict: Any = None,
    hooks: Any = None, config: Any = None,
) -> Any:  # fmt: skip
    """Evaluate one checkpoint.

    Args:
        checkpoint_path: its prefix. master, config: for the Session.
        scaffold: a Scaffold, for a saver or init ops of your own.
        eval_ops: what runs until the input or a hook ends it, such as the updates of
            metrics. feed_dict: what is fed to them.
        final_ops: what runs at the end, once. final_ops_feed_dict: what is fed to them.
        hooks: SessionRunHooks; StopAfterNEvalsHook(n) ends it after n batches.
    Returns:
        the values of `final_ops`
    """
    hooks, last = list(hooks or []), FinalOpsHook(final_ops, final_ops_feed_dict)
    step = _counted(eval_ops, hooks)
    creator = ChiefSessionCreator(
        scaffold, master, config, checkpoint_filename_with_path=checkpoint_path
    )
    _run(creator, [*hooks, last], step, feed_dict)
    return last.final_ops_values


def evaluate_repeatedly(
    checkpoint_dir: Any, master: str = "", scaffold: Any = None, eval_ops: Any = None,
    feed_dict: Any = None, final_ops: Any = None, final_ops_feed_dict: Any = None,
    eval_interval_secs: float = 60, hooks: Any = None, config: Any = None,
    max_number_of_evaluations: Any = None, timeout: Any = None,
    timeout_fn: Callable | None = None,
) -> Any:  # fmt: skip
    """Evaluate each checkpoint of a folder as it comes.

    Args:
        checkpoint_dir: the folder.
        master, scaffold, eval_ops, feed_dict, final_ops, final_ops_feed_dict, hooks,
        config: see `evaluate_once`.
        eval_interval_secs: from one evaluation to the next, at least.
        max_number_of_evaluations: how many; None: without end.
        timeout, timeout_fn: see `checkpoints_iterator`.
    Returns:
        the values of `final_ops` in the last evaluation
    """
    hooks, last = list(hooks or []), FinalOpsHook(final_ops, final_ops_feed_dict)
    step, scaffold = _counted(eval_ops, hooks), scaffold or Scaffold()
    paths = checkpoints_iterator(
        checkpoint_dir, eval_interval_secs, timeout, timeout_fn
    )
    for done, path in enumerate(paths, 1):
        creator = ChiefSessionCreator(
            scaffold, master, config, checkpoint_filename_with_path=path
        )
        _run(creator, [*hooks, last], step, feed_dict)
        if max_number_of_evaluations is not None and done >= max_number_of_evaluations:
            break
    return last.final_ops_values
