"""The file `checkpoint` of a folder: which checkpoints are there, and the last one."""

import contextlib
import os
import re
from collections.abc import Iterator
from typing import Any

from google.protobuf import text_format

from twinflow.base import errors, files, logging, stores, unfinished
from twinflow.base.annotations import Path
from twinflow.base.damage import reported
from twinflow.base.text import as_str_any, path_to_str
from twinflow.formats import checkpoint_v2
from twinflow.formats.protos import CheckpointState


def state_path(folder, latest_filename=None):
    """The path of the file in a folder."""
    return stores.joined(folder, latest_filename or "checkpoint")


def generate_checkpoint_state_proto(
    save_dir: Path, model_checkpoint_path: Path, all_model_checkpoint_paths: Any = None,
    all_model_checkpoint_timestamps: Any = None, last_preserved_timestamp: Any = None,
) -> Any:  # fmt: skip
    """What the file `checkpoint` says.

    Args:
        save_dir: the folder of the file. model_checkpoint_path: the last checkpoint.
        all_model_checkpoint_paths: those still there, oldest first.
        all_model_checkpoint_timestamps: seconds since the epoch, one for each.
        last_preserved_timestamp: when one was last kept for good.
    Returns:
        A CheckpointState; where `save_dir` is relative, so are the paths, to it.
    Raises:
        ValueError: not as many times as paths.
    """
    paths, times = all_model_checkpoint_paths, all_model_checkpoint_timestamps
    if not isinstance(paths, list):  # a list of the program gets the last one too
        paths = list(paths or ())
    last = model_checkpoint_path
    if not paths or paths[-1] != last:
        logging.info(
            "%s is not in all_model_checkpoint_paths. Manually adding it.", last
        )
        paths.append(last)
    if times and len(times) != len(paths):
        raise ValueError(
            "Checkpoint timestamps, if provided, must match checkpoint paths (got "
            f"paths {paths} and timestamps {times})"
        )
    if not stores.isabs(save_dir):
        paths = [_relative(p, save_dir) for p in paths]
        last = _relative(last, save_dir)
    return CheckpointState(
        model_checkpoint_path=last, all_model_checkpoint_paths=paths,
        all_model_checkpoint_timestamps=times,
        last_preserved_timestamp=last_preserved_timestamp,
    )  # fmt: skip


def _relative(path, folder):
    return path if stores.isabs(path) else os.path.relpath(path, folder or ".")


def update_checkpoint_state(
    save_dir: Path, model_checkpoint_path: Path, all_model_checkpoint_paths: Any = None,
    latest_filename: str | None = None, all_model_checkpoint_timestamps: Any = None,
    last_preserved_timestamp: Any = None, save_relative_paths: bool = False,
) -> None:  # fmt: skip
    """Write the file `checkpoint`; arguments as of generate_checkpoint_state_proto.

    Args:
        latest_filename: another name for the file.
        save_relative_paths: write paths below `save_dir`, so that it can be moved.
    Raises:
        RuntimeError: the file would replace the checkpoint itself.
    """
    paths, last = list(all_model_checkpoint_paths or []), model_checkpoint_path
    if save_relative_paths:
        paths = [_below(p, save_dir) for p in paths]
        last = _below(last, save_dir)
    state = generate_checkpoint_state_proto(
        save_dir, last, paths, all_model_checkpoint_timestamps, last_preserved_timestamp
    )
    path = state_path(save_dir, latest_filename)
    if path == state.model_checkpoint_path:
        raise RuntimeError(
            f"Save path '{model_checkpoint_path}' conflicts with path used for "
            "checkpoint state.  Please use a different save path."
        )
    files.atomic_write_string_to_file(path, text_format.MessageToString(state))


def _below(path, folder):
    if stores.is_remote(path):
        return path.removeprefix(folder.rstrip("/") + "/")
    return os.path.relpath(path, folder) if os.path.isabs(path) else path


def get_checkpoint_state(
    checkpoint_dir: Any, latest_filename: str | None = None
) -> Any:
    """What the file `checkpoint` of a folder says, with paths that can be opened.

    Returns:
        A CheckpointState, or None: there is none that can be read.
    Raises:
        ValueError: the file names no checkpoint.
    """
    path = state_path(path_to_str(checkpoint_dir), latest_filename)
    if not files.Exists(path):
        return None
    state = CheckpointState()
    try:
        text_format.Parse(files.read_file_to_string(path), state)
    except (errors.OpError, text_format.ParseError, UnicodeDecodeError) as error:
        logging.warning("%s: %s", type(error).__name__, error)
        logging.warning("%s: Checkpoint ignored", path)
        return None
    if not state.model_checkpoint_path:
        raise ValueError(f"Invalid checkpoint state loaded from {checkpoint_dir}")
    folder = path_to_str(checkpoint_dir)  # joined to an absolute path, it goes
    state.model_checkpoint_path = stores.joined(folder, state.model_checkpoint_path)
    paths = state.all_model_checkpoint_paths
    paths[:] = [stores.joined(folder, p) for p in paths]
    return state


def latest_checkpoint(
    checkpoint_dir: Any, latest_filename: str | None = None
) -> str | Any:
    """The prefix of the last checkpoint in a folder, or None.

    Args:
        checkpoint_dir: the folder. latest_filename: another name for `checkpoint`.
    """
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None or not state.model_checkpoint_path:
        return None
    prefix = state.model_checkpoint_path
    with reported(state_path(path_to_str(checkpoint_dir), latest_filename)):
        if checkpoint_exists(prefix):
            return prefix
    logging.error(
        "Couldn't match files for checkpoint %s", checkpoint_v2.index_path(prefix)
    )
    return None


def checkpoint_exists(checkpoint_prefix: Path) -> bool:
    """Whether there is a checkpoint of this prefix."""
    prefix = as_str_any(path_to_str(checkpoint_prefix))
    return bool(files.Glob(checkpoint_v2.index_path(prefix)) or files.Glob(prefix))


def get_checkpoint_mtimes(checkpoint_prefixes: Any) -> list[float]:
    """When the checkpoints were written, in seconds since the epoch; missing ones are
    left out."""
    found = []
    for prefix in checkpoint_prefixes:
        for path in (checkpoint_v2.index_path(prefix), prefix):
            matches = files.Glob(path)
            if matches:
                found.append(files.Stat(matches[0]).mtime_nsec / 1e9)
                break
    return found


@contextlib.contextmanager
def needs_parent(save_path: Path) -> Iterator[None]:
    """A block that writes a checkpoint.

    Raises:
        ValueError: it fails because the folder of `save_path` does not exist.
    """
    try:
        yield
    except (errors.FailedPreconditionError, errors.NotFoundError) as error:
        if not stores.has_folder(stores.dirname(path_to_str(save_path))):
            raise ValueError(
                f"Parent directory of {save_path} doesn't exist, can't save."
            ) from error
        raise


def checkpoint_path(prefix: str, format_version: int) -> str:
    """The file that says that a checkpoint is there: its index from version 2 on."""
    return f"{prefix}.index" if format_version == 2 else prefix


def version_of(checkpoint_prefix: Path) -> tuple | None:
    """What tells whether a checkpoint was written anew since, by another process."""
    for path in checkpoint_v2.index_path(checkpoint_prefix), checkpoint_prefix:
        with contextlib.suppress(OSError):
            return stores.version(path)
    return None


def remove_checkpoint(
    checkpoint_prefix: Path, checkpoint_format_version: int = 2,
    meta_graph_suffix: str = "meta",
) -> None:  # fmt: skip
    """Remove the files of a checkpoint, its MetaGraph included.

    Args:
        checkpoint_prefix: the path without the ends.
        checkpoint_format_version: 2: a bundle, 1: one file.
        meta_graph_suffix: how the file of the MetaGraph ends.
    """
    with unfinished.alone_in(stores.dirname(checkpoint_prefix)):
        _remove(meta_graph_filename(checkpoint_prefix, meta_graph_suffix))
        if checkpoint_format_version == 2:
            _remove(checkpoint_v2.index_path(checkpoint_prefix))
            _remove(checkpoint_prefix + ".data-?????-of-?????")
            _remove(checkpoint_prefix + ".data-?????-of-?????.former")
        else:
            _remove(checkpoint_prefix)


def _remove(pattern):
    for path in files.Glob(pattern):
        with contextlib.suppress(errors.NotFoundError):
            files.Remove(path)


def meta_graph_filename(checkpoint_filename, meta_graph_suffix="meta"):
    """The path of the MetaGraph beside a checkpoint."""
    base = re.sub(r"-[\d\?]+-of-\d+$", "", checkpoint_filename)
    return f"{base}.{meta_graph_suffix}"
