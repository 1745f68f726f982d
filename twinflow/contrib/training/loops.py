"""Training and evaluating in loops: tf.contrib.training.train, evaluate_repeatedly."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from twinflow.base import logging
from twinflow.base.annotations import Path
from twinflow.checkpoint.state import latest_checkpoint
from twinflow.contrib.slim.learning import clip_gradient_norms
from twinflow.estimator.evaluation import StopAfterNEvalsHook, eval_step
from twinflow.ops.core.constant import identity
from twinflow.ops.variables.state import assign_add
from twinflow.summary.summaries import merge_all
from twinflow.summary.writer import FileWriterCache
from twinflow.train import training_util
from twinflow.train.basic_session_run_hooks import FinalOpsHook
from twinflow.train.monitored_session import (
    ChiefSessionCreator,
    MonitoredSession,
    MonitoredTrainingSession,
)
from twinflow.train.session_run_hook import SessionRunHook


def clip_gradient_norms_fn(max_norm: float) -> Callable[..., Any]:
    """A function from pairs of (gradient, variable) to such with their norms cut.

    Args:
        max_norm: the largest norm of a gradient.
    """
    return lambda grads_and_vars: clip_gradient_norms(grads_and_vars, max_norm)


def train(
    train_op: Any, logdir: Path | None, master: str = "", is_chief: bool = True,
    scaffold: Any = None, hooks: Any = None, chief_only_hooks: Any = None,
    save_checkpoint_secs: Any = 600, save_summaries_steps: Any = 100,
    config: Any = None, max_wait_secs: float = 7200, run_metadata: Any = None,
) -> Any:  # fmt: skip
    """Run an op until a hook or the end of the input stops it.

    Args:
        train_op: a tensor that trains when it is computed: the loss.
        logdir: the folder of checkpoints and summaries, or None.
        save_checkpoint_secs, save_summaries_steps: when; None: never.
        run_metadata: a RunMetadata that each run fills.
        others: see tf.train.MonitoredTrainingSession.
    Returns:
        The last value of `train_op`; None if it was never run.
    Raises:
        ValueError: something is to be written, and there is no folder.
    Example:
        with tf.Graph().as_default():
            step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
            hooks = [tf.train.StopAtStepHook(3)]
            found = tf.contrib.training.train(step, "./logs", hooks=hooks)
        found  # 3
    """
    for name, wanted in (
        ("save_summaries_steps", save_summaries_steps),
        ("save_checkpoint_secs", save_checkpoint_secs),
    ):
        if logdir is None and is_chief and wanted:
            raise ValueError(f"logdir cannot be None when {name} is not None")
    with MonitoredTrainingSession(
        master=master, is_chief=is_chief, checkpoint_dir=logdir, scaffold=scaffold,
        hooks=hooks, chief_only_hooks=chief_only_hooks,
        save_checkpoint_secs=save_checkpoint_secs,
        save_summaries_steps=save_summaries_steps, config=config,
        max_wait_secs=max_wait_secs,
    ) as session:  # fmt: skip
        loss = None
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
    return loss


def wait_for_new_checkpoint(
    checkpoint_dir: Path, last_checkpoint: Any = None, seconds_to_sleep: float = 1,
    timeout: float | None = None,
) -> Any:  # fmt: skip
    """The path of the next checkpoint in a folder, when it is there.

    Args:
        checkpoint_dir: the folder. last_checkpoint: one that is not new any more.
        seconds_to_sleep: between looks. timeout: for how many seconds; None: for ever.
    Returns:
        The path; None where none came in time.
    """
    logging.info("Waiting for new checkpoint at %s", checkpoint_dir)
    stop = None if timeout is None else time.time() + timeout
    while True:
        found = latest_checkpoint(checkpoint_dir)
        if found is not None and found != last_checkpoint:
            logging.info("Found new checkpoint at %s", found)
            return found
        if stop is not None and time.time() + seconds_to_sleep > stop:
            return None
        time.sleep(seconds_to_sleep)


def checkpoints_iterator(
    checkpoint_dir: Path, min_interval_secs: float = 0, timeout: float | None = None,
    timeout_fn: Callable[..., Any] | None = None,
) -> Iterator[Any]:  # fmt: skip
    """The newest checkpoint of a folder, again and again as new ones come.

    Args:
        checkpoint_dir: the folder. min_interval_secs: at least, from one to the next.
        timeout: for how many seconds to wait for one; None: for ever.
        timeout_fn: called when none came; True ends the iterator, as does None for it.
    Returns:
        An iterator of paths.
    """
    path = None
    while True:
        found = wait_for_new_checkpoint(checkpoint_dir, path, timeout=timeout)
        if found is None:
            if timeout_fn is None:
                logging.info("Timed-out waiting for a checkpoint.")
                return
            if timeout_fn():
                return
            continue
        start, path = time.time(), found
        yield path
        left = start + min_interval_secs - time.time()
        if left > 0:
            time.sleep(left)


class SummaryAtEndHook(SessionRunHook):
    """Writes summaries when a session ends.

    Args:
        log_dir: the folder, or summary_writer: a FileWriter.
        summary_op: the summary; all of the graph by default. feed_dict: for it.
    Raises:
        ValueError: there is neither a folder nor a writer.
    """

    def __init__(
        self, log_dir: Path | None = None, summary_writer: Any = None,
        summary_op: Any = None, feed_dict: Any = None,
    ) -> None:  # fmt: skip
        if log_dir is None and summary_writer is None:
            raise ValueError("One of log_dir or summary_writer should be used.")
        self._summary_op, self._feed_dict = summary_op, feed_dict
        self._summary_writer, self._log_dir = summary_writer, log_dir

    def begin(self) -> None:
        if self._summary_writer is None and self._log_dir is not None:
            self._summary_writer = FileWriterCache.get(self._log_dir)
        if self._summary_op is None:
            self._summary_op = merge_all()
        self._global_step = training_util.get_or_create_global_step()

    def end(self, session: Any) -> None:
        if self._summary_op is not None:
            text, step = session.run(
                [self._summary_op, self._global_step], feed_dict=self._feed_dict
            )
            if self._summary_writer is not None:
                self._summary_writer.add_summary(text, step)
        if self._summary_writer is not None:
            self._summary_writer.flush()


class _Evaluation:
    """What one or several evaluations run: the ops, with a step that is counted."""

    def __init__(
        self, eval_ops: Any, final_ops: Any, final_feed: Any, hooks: Any
    ) -> None:
        step = assign_add(eval_step(), 1, use_locking=True)
        if isinstance(eval_ops, dict):
            eval_ops["update_eval_step"] = step
        elif isinstance(eval_ops, list | tuple):
            eval_ops = [*eval_ops, step]
        elif eval_ops is not None:
            eval_ops = [eval_ops, step]
        self.ops, self.final = eval_ops, FinalOpsHook(final_ops, final_feed)
        counted = identity(step)
        for hook in hooks or ():
            if isinstance(hook, StopAfterNEvalsHook):
                hook.set_step(counted)
        self.hooks = [*(hooks or ()), self.final]

    def run(self, creator: Any, feed_dict: Any) -> Any:
        """Evaluate one checkpoint; the values of the final ops."""
        logging.info("Starting evaluation at %s", _stamp())
        with MonitoredSession(session_creator=creator, hooks=self.hooks) as session:
            if self.ops is not None:
                while not session.should_stop():
                    session.run(self.ops, feed_dict)
        logging.info("Finished evaluation at %s", _stamp())
        return self.final.final_ops_values


def _stamp() -> str:
    return time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime())


def evaluate_once(
    checkpoint_path: Path, master: str = "", scaffold: Any = None, eval_ops: Any = None,
    feed_dict: Any = None, final_ops: Any = None, final_ops_feed_dict: Any = None,
    hooks: Any = None, config: Any = None,
) -> Any:  # fmt: skip
    """Evaluate one checkpoint.

    Args:
        checkpoint_path: the checkpoint. master, scaffold, config: for the session.
        eval_ops: what runs until a hook or the end of the input stops it.
        feed_dict: for it. final_ops, final_ops_feed_dict: what is computed at the end.
        hooks: SessionRunHooks, such as StopAfterNEvalsHook.
    Returns:
        The values of `final_ops`.
    """
    evaluation = _Evaluation(eval_ops, final_ops, final_ops_feed_dict, hooks)
    creator = ChiefSessionCreator(
        scaffold, master, config, checkpoint_filename_with_path=checkpoint_path
    )
    return evaluation.run(creator, feed_dict)


def evaluate_repeatedly(
    checkpoint_dir: Path, master: str = "", scaffold: Any = None, eval_ops: Any = None,
    feed_dict: Any = None, final_ops: Any = None, final_ops_feed_dict: Any = None,
    eval_interval_secs: float = 60, hooks: Any = None, config: Any = None,
    max_number_of_evaluations: int | None = None, timeout: float | None = None,
    timeout_fn: Callable[..., Any] | None = None,
) -> Any:  # fmt: skip
    """Evaluate the checkpoints of a folder as they come.

    Args:
        checkpoint_dir: the folder. eval_interval_secs: at least, between evaluations.
        max_number_of_evaluations: how many; None: no end.
        timeout, timeout_fn: see checkpoints_iterator. others: see evaluate_once.
    Returns:
        The values of `final_ops` of the last evaluation.
    """
    evaluation = _Evaluation(eval_ops, final_ops, final_ops_feed_dict, hooks)
    paths = checkpoints_iterator(
        checkpoint_dir, eval_interval_secs, timeout, timeout_fn
    )
    for done, path in enumerate(paths, 1):
        creator = ChiefSessionCreator(
            scaffold, master, config, checkpoint_filename_with_path=path
        )
        evaluation.run(creator, feed_dict)
        if max_number_of_evaluations is not None and done >= max_number_of_evaluations:
            break
    return evaluation.final.final_ops_values
