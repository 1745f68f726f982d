"""tf.contrib.training's loop of training steps, and how it changes gradients."""

from collections.abc import Callable
from typing import Any

from twinflow.contrib.slim.learning import (
    add_gradients_summaries,
    clip_gradient_norms,
    multiply_gradients,
)
from twinflow.contrib.slim.learning import create_training_op as create_train_op
from twinflow.train.monitored_session import MonitoredTrainingSession

__all__ = [
    "add_gradients_summaries", "clip_gradient_norms", "clip_gradient_norms_fn",
    "create_train_op", "multiply_gradients", "train",
]  # fmt: skip


def clip_gradient_norms_fn(max_norm: Any) -> Callable:
    """A function that cuts each gradient of (gradient, variable) pairs to a norm."""
    return lambda gradients_to_variables: clip_gradient_norms(
        gradients_to_variables, max_norm
    )


def train(
    train_op: Any, logdir: Any, master: str = "", is_chief: bool = True,
    scaffold: Any = None, hooks: Any = None, chief_only_hooks: Any = None,
    save_checkpoint_secs: Any = 600, save_summaries_steps: Any = 100,
    config: Any = None, max_wait_secs: float = 7200, run_metadata: Any = None,
) -> Any:  # fmt: skip
    """Run training steps until a hook or the input ends it.

    Args:
        train_op: what `create_train_op` gave.
        logdir: a folder for checkpoints and summaries, or None.
        master, is_chief, scaffold, hooks, chief_only_hooks, save_checkpoint_secs,
        save_summaries_steps, config, max_wait_secs: see
            tf.train.MonitoredTrainingSession.
        run_metadata: a RunMetadata that each step fills.
    Returns:
        the loss of the last step, None if there was none
    Raises:
        ValueError: there is no folder for what is to be saved.
    """
    if logdir is None and is_chief:
        if save_summaries_steps:
            raise ValueError(
                "logdir cannot be None when save_summaries_steps is not None"
            )
        if save_checkpoint_secs:
            raise ValueError(
                "logdir cannot be None when save_checkpoint_secs is not None"
            )
    loss = None
    with MonitoredTrainingSession(
        master, is_chief, logdir, scaffold, hooks, chief_only_hooks,
        save_checkpoint_secs, save_summaries_steps, config=config,
        max_wait_secs=max_wait_secs,
    ) as session:  # fmt: skip
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
    return loss
