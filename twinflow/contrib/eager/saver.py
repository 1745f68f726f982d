"""tfe.Saver, and variables that take their first values from a checkpoint."""

import contextlib
from collections.abc import Iterator
from typing import Any

from twinflow.base import errors
from twinflow.base.advice import advised
from twinflow.base.annotations import Path
from twinflow.base.dispatch import current_mode
from twinflow.checkpoint import saver
from twinflow.checkpoint.reader import load_checkpoint
from twinflow.ops.variables.creators import variable_creator_scope


class Saver:
    """tf.train.Saver for eager execution: no session is asked for.

    Args:
        var_list: a list of variables, or a dict of them by name.
    Raises:
        RuntimeError: eager execution is not enabled.
    Example:
        v = tfe.Variable(1.0, name="v")
        saver = tfe.Saver([v])
        path = saver.save("./model", global_step=10)
        v.assign(2.0)
        saver.restore(path)
        v.numpy()  # 1.0
    """

    def __init__(self, var_list: Any) -> None:
        if not current_mode().eager:
            raise RuntimeError(
                "tfe.Saver can only be used when eager execution is enabled. Use "
                "tf.train.Saver when building graphs."
            )
        self._saver = saver.Saver(var_list)

    def save(self, file_prefix: Path, global_step: Any = None) -> str:
        """Write a checkpoint; returns its path."""
        return self._saver.save(None, file_prefix, global_step=global_step)

    def restore(self, file_prefix: Path | None) -> None:
        """Give the variables the values of a checkpoint."""
        self._saver.restore(None, file_prefix)


@contextlib.contextmanager
def restore_variables_on_create(save_path: Any, map_func: Any = None) -> Iterator[Any]:
    """A block in which variables start with the values of a checkpoint.

    Args:
        save_path: the path of a checkpoint by names; nothing happens without one.
        map_func: from the name of a variable to that in the checkpoint.
    Raises:
        ValueError: eager execution is not enabled, or `map_func` is not callable.
        NotFoundError: the checkpoint lacks a variable.
    """
    if not current_mode().eager:
        raise ValueError(
            "Currently, restore_variables_on_create can only be used with eager "
            "execution enabled."
        )
    if not save_path:
        yield
        return
    if map_func is not None and not callable(map_func):
        raise advised(ValueError, "map_func must be callable.")
    reader = load_checkpoint(save_path)

    def restored(next_creator, **kwargs):
        variable = next_creator(**kwargs)
        name = variable.name.rpartition(":")[0]
        name = name if map_func is None else map_func(name)
        if not reader.has_tensor(name):
            raise errors.NotFoundError(None, None, f"{name} not found in checkpoint")
        variable.assign(reader.get_tensor(name))
        return variable

    with variable_creator_scope(restored):
        yield
