"""tf.contrib.slim.evaluation: evaluations of checkpoints, with their summaries."""

from typing import Any

from twinflow.checkpoint.saver import Saver
from twinflow.contrib.training import loops
from twinflow.contrib.training.loops import (
    SummaryAtEndHook,
    checkpoints_iterator,
    wait_for_new_checkpoint,
)
from twinflow.estimator.evaluation import StopAfterNEvalsHook
from twinflow.summary.summaries import merge_all
from twinflow.train.scaffold import Scaffold

__all__ = [
    "checkpoints_iterator", "evaluate_once", "evaluation_loop",
    "wait_for_new_checkpoint",
]  # fmt: skip
_USE_DEFAULT = 0


def _hooks(num_evals, summary_op, logdir, feed_dict, more):
    """The hooks that end an evaluation and write summaries, and others."""
    found: list = [StopAfterNEvalsHook(num_evals)]
    if summary_op is _USE_DEFAULT:
        summary_op = merge_all()
    if summary_op is not None:
        found.append(SummaryAtEndHook(logdir, None, summary_op, feed_dict))
    return [*found, *(more or [])]


def _scaffold(variables, **parts):
    return Scaffold(saver=None if variables is None else Saver(variables), **parts)


def evaluate_once(
    master: str, checkpoint_path: Any, logdir: Any, num_evals: int = 1,
    initial_op: Any = None, initial_op_feed_dict: Any = None, eval_op: Any = None,
    eval_op_feed_dict: Any = None, final_op: Any = None, final_op_feed_dict: Any = None,
    summary_op: Any = _USE_DEFAULT, summary_op_feed_dict: Any = None,
    variables_to_restore: Any = None, session_config: Any = None, hooks: Any = None,
) -> Any:  # fmt: skip
    """Evaluate one checkpoint.

    Args:
        master, session_config: for the Session. checkpoint_path: its prefix.
        logdir: the folder of the summaries. num_evals: how often `eval_op` runs.
        initial_op, eval_op, final_op: what runs before, `num_evals` times, and after;
            with what is fed to each.
        summary_op: string scalar, written at the end; all summaries by default.
        variables_to_restore: which variables the checkpoint has; all by default.
        hooks: more SessionRunHooks.
    Returns:
        the value of `final_op`
    """
    more = _hooks(num_evals, summary_op, logdir, summary_op_feed_dict, hooks)
    scaffold = _scaffold(
        variables_to_restore, init_op=initial_op, init_feed_dict=initial_op_feed_dict
    )
    return loops.evaluate_once(
        checkpoint_path, master, scaffold, eval_op, eval_op_feed_dict, final_op,
        final_op_feed_dict, more, session_config,
    )  # fmt: skip


def evaluation_loop(
    master: str, checkpoint_dir: Any, logdir: Any, num_evals: int = 1,
    initial_op: Any = None, initial_op_feed_dict: Any = None, init_fn: Any = None,
    eval_op: Any = None, eval_op_feed_dict: Any = None, final_op: Any = None,
    final_op_feed_dict: Any = None, summary_op: Any = _USE_DEFAULT,
    summary_op_feed_dict: Any = None, variables_to_restore: Any = None,
    eval_interval_secs: float = 60, max_number_of_evaluations: Any = None,
    session_config: Any = None, timeout: Any = None, timeout_fn: Any = None,
    hooks: Any = None,
) -> Any:  # fmt: skip
    """Evaluate each checkpoint of a folder as it comes.

    Args:
        checkpoint_dir: the folder of the checkpoints.
        init_fn: a function of (scaffold, session), called before each evaluation.
        eval_interval_secs: from one evaluation to the next, at least.
        max_number_of_evaluations: how many; None: without end.
        timeout, timeout_fn: see tf.contrib.training.checkpoints_iterator.
        Others: see `evaluate_once`.
    Returns:
        the value of `final_op` in the last evaluation
    """
    more = _hooks(num_evals, summary_op, logdir, summary_op_feed_dict, hooks)
    scaffold = _scaffold(
        variables_to_restore, init_op=initial_op, init_feed_dict=initial_op_feed_dict,
        init_fn=init_fn,
    )  # fmt: skip
    return loops.evaluate_repeatedly(
        checkpoint_dir, master, scaffold, eval_op, eval_op_feed_dict, final_op,
        final_op_feed_dict, eval_interval_secs, more, session_config,
        max_number_of_evaluations, timeout, timeout_fn,
    )  # fmt: skip
