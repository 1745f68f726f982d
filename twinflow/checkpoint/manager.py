"""tf.train.CheckpointManager: the last few checkpoints of a folder."""

import os
import time
from typing import Any

from twinflow.base import files, logging
from twinflow.base.annotations import Path
from twinflow.base.text import path_to_str
from twinflow.checkpoint import state


class CheckpointManager:
    """Saves a Checkpoint again and again, and removes what is too old.

    Args:
        checkpoint: the tf.train.Checkpoint. directory: where its files go.
        max_to_keep: how many stay; None: all.
        keep_checkpoint_every_n_hours: one that stays for good in each such time.
    Raises:
        ValueError: `max_to_keep` is not positive.
    Example:
        checkpoint = tf.train.Checkpoint(v=tf.Variable(1.))
        manager = tf.contrib.checkpoint.CheckpointManager(
            checkpoint, "./ckpts", max_to_keep=3)
        manager.save()  # "./ckpts/ckpt-1"
        checkpoint.restore(manager.latest_checkpoint)
    """

    def __init__(
        self, checkpoint: Any, directory: Path, max_to_keep: Any,
        keep_checkpoint_every_n_hours: Any = None,
    ) -> None:  # fmt: skip
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(
                "Expected a positive integer or `None` for `max_to_max_to_keep`, got "
                f"{max_to_keep}."
            )
        self._checkpoint, self._directory = checkpoint, path_to_str(directory)
        self._max_to_keep = max_to_keep
        self._hours = keep_checkpoint_every_n_hours
        self._kept: dict[Any, Any] = {}  # from paths to the seconds they were made at
        self._versions: dict[
            Any, Any
        ] = {}  # of the checkpoints that this manager wrote
        self._preserved = time.time()
        found = state.get_checkpoint_state(self._directory)
        self._latest = None if found is None else found.model_checkpoint_path
        if found is not None:
            self._take(found)

    def _take(self, found):
        """Go on from what the folder says; what no manager has dated stays for good."""
        paths, now = list(found.all_model_checkpoint_paths), time.time()
        preserved = found.last_preserved_timestamp
        if preserved > now:
            logging.warning(
                "time.time() returned a value %f seconds behind the last preserved "
                "checkpoint timestamp.", preserved - now,
            )  # fmt: skip
        self._preserved = min(preserved, now)
        times = list(found.all_model_checkpoint_timestamps)
        if len(times) != len(paths):
            times = [self._preserved] * len(paths)
        pairs = zip(paths, (min(t, now) for t in times), strict=True)
        self._kept = {path: made for path, made in pairs if made > self._preserved}

    @property
    def latest_checkpoint(self) -> Any:
        """The prefix of the last one, or None."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The prefixes that are there, oldest first."""
        return list(self._kept)

    @property
    def directory(self) -> Any:
        """Where the files go."""
        return self._directory

    def save(self, session: Any = None, checkpoint_number: Any = None) -> str:
        """Save the next one.

        Args:
            session: where variables of a graph have their values.
            checkpoint_number: the number behind its name, an int or a variable; the
                next one by default.
        Returns:
            Its prefix.
        """
        prefix = os.path.join(self._directory, "ckpt")
        files.MakeDirs(self._directory)
        path = self._checkpoint._write_next(prefix, session, checkpoint_number)
        before = dict(self._kept), self._preserved
        self._kept.pop(path, None)
        self._kept[path] = time.time()
        gone = self._too_old()
        try:  # the file must not name what is gone, so it comes first
            self._note(path)
        except Exception:
            self._kept, self._preserved = before
            raise
        self._latest = path
        self._versions[path] = state.version_of(path)
        for old in gone:
            version = self._versions.pop(old, None)
            if version and version != state.version_of(old):
                continue  # another process has written it since
            try:
                state.remove_checkpoint(old)
            except Exception as error:
                logging.warning("Ignoring: %s", error)
        return path

    def _note(self, path):
        state.update_checkpoint_state(
            self._directory, path, self.checkpoints, save_relative_paths=True,
            all_model_checkpoint_timestamps=list(self._kept.values()),
            last_preserved_timestamp=self._preserved,
        )  # fmt: skip

    def _too_old(self):
        """Take what is too old off the list; what is kept for good is not returned."""
        gone = []
        while self._max_to_keep is not None and len(self._kept) > self._max_to_keep:
            path = next(iter(self._kept))
            made = self._kept.pop(path)
            if self._hours and made - self._preserved >= self._hours * 3600:
                self._preserved = made
            else:
                gone.append(path)
        return gone
