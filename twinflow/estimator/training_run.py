"""One training of an Estimator: its session, and what saves and writes summaries."""

from twinflow.checkpoint.saver import Saver
from twinflow.estimator import in_clusters
from twinflow.graph.scopes import add_to_collection
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.train import monitored_session
from twinflow.train.saving_hooks import CheckpointSaverHook


def run(spec, hooks, listeners, config, session_config):
    """Run the train op of an EstimatorSpec until a hook ends it.

    Args:
        hooks: SessionRunHooks of every task. listeners: CheckpointSaverListeners.
        config: the RunConfig. session_config: the ConfigProto.
    Returns:
        The last loss.
    """
    _make_saver(spec, config)
    chief = []
    if config.is_chief:
        saving = _saver_hooks(spec, hooks, listeners, config)
        chief = [*saving, *spec.training_chief_hooks]
    every, log_every, writing = in_clusters.summaries(config, spec.scaffold)
    session = monitored_session.MonitoredTrainingSession(
        master=config.master, is_chief=config.is_chief,
        checkpoint_dir=config.model_dir, scaffold=spec.scaffold,
        hooks=[*hooks, *writing], chief_only_hooks=chief,
        save_checkpoint_secs=0, save_summaries_steps=every, config=session_config,
        log_step_count_steps=log_every,
    )  # fmt: skip
    loss = None
    with session as sess:
        while not sess.should_stop():
            _, loss = sess.run([spec.train_op, spec.loss])
    return loss


def _make_saver(spec, config):
    if spec.scaffold.saver or get_collection(GraphKeys.SAVERS):
        return
    add_to_collection(GraphKeys.SAVERS, Saver(
        sharded=True, max_to_keep=config.keep_checkpoint_max,
        keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours,
        defer_build=True, save_relative_paths=True,
    ))  # fmt: skip


def _saver_hooks(spec, hooks, listeners, config):
    """The hook that saves, unless there is one already; it gets the listeners."""
    there = [
        h for h in (*hooks, *spec.training_chief_hooks)
        if isinstance(h, CheckpointSaverHook)
    ]  # fmt: skip
    made = []
    if not there and (config.save_checkpoints_secs or config.save_checkpoints_steps):
        made.append(CheckpointSaverHook(
            config.model_dir, config.save_checkpoints_secs,
            config.save_checkpoints_steps, scaffold=spec.scaffold,
        ))  # fmt: skip
    if listeners:
        if not (there or made):
            raise ValueError(
                "There should be a CheckpointSaverHook to use saving_listeners. "
                "Please set one of the RunConfig.save_checkpoints_steps or "
                "RunConfig.save_checkpoints_secs."
            )
        (*there, *made)[0]._listeners.extend(listeners)
    return made
