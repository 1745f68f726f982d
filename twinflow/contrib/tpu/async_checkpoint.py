"""A hook that saves checkpoints beside the training of a TPU."""

from twinflow.train.saving_hooks import CheckpointSaverHook


class AsyncCheckpointSaverHook(CheckpointSaverHook):
    """CheckpointSaverHook; a TPU would train on while it saves.

    Args:
        checkpoint_dir, save_secs, save_steps, saver, checkpoint_basename, scaffold,
            listeners: see tf.train.CheckpointSaverHook.
    """
