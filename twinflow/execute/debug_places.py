"""Where the dumps of a debugged run go: into folders, or to servers that listen."""

import importlib.util
import os
import threading
from typing import Any
from urllib.parse import unquote

from twinflow.base import errors
from twinflow.base.stores import is_remote
from twinflow.execute import debug_values

_FILE_URL, GRPC_URL = "file://", "grpc://"
_LIMIT_VARIABLE = "TFDBG_DISK_BYTES_LIMIT"
_DEFAULT_LIMIT = 107374182400  # bytes, as in TensorFlow
_usage = {"bytes": 0}  # what this process has dumped since the last reset
_lock = threading.Lock()


def place_of(url: str) -> Any:
    """The place of an address.

    Raises:
        tf.errors.UnimplementedError: the address is neither a file's nor a server's.
    """
    if url.startswith(GRPC_URL):
        return _server(url.removeprefix(GRPC_URL))
    if not url.startswith(_FILE_URL) or is_remote(url.removeprefix(_FILE_URL)):
        raise errors.UnimplementedError(
            None, None,
            f"tfdbg dumps into files and to servers, but was given {url!r}: use an "
            "address such as file:///tmp/tfdbg_dumps or grpc://localhost:6064.",
        )  # fmt: skip
    return Folder(unquote(url.removeprefix(_FILE_URL)))


def _server(address: str) -> Any:
    if importlib.util.find_spec("grpc") is None:
        raise errors.UnimplementedError(
            None, None,
            f"Debugging at grpc://{address} needs grpcio: pip install "
            "'twinflow[cluster]'.",
        )  # fmt: skip
    from twinflow.remote import listeners

    return listeners.Listener(address)


def forget_usage() -> None:
    """Let the limit of bytes begin anew."""
    _usage["bytes"] = 0


class Folder:
    """A folder: a dump is a file with one Event, without records.

    Args:
        path: of the folder, which is made where it is not there.
    """

    def __init__(self, path: str) -> None:
        self.path = path

    def facts(self, event: Any, run: int) -> None:
        """Write an Event with the facts about a run, which is the session's n-th."""
        now = int(event.wall_time)
        name = f"_tfdbg_core_metadata_sessionrun{run:014d}_{now}"
        write(os.path.join(self.path, name), event)

    def graph(self, event: Any, digest: int, device: str, watches: Any = ()) -> None:
        """Write an Event with the graph of a device."""
        name = f"_tfdbg_graph_hash{digest}_{int(event.wall_time)}"
        write(os.path.join(self._below(device), name), event)

    def takes(self, node: str, slot: int, kind: str, attributes: str) -> bool:
        """Whether the dumps of a debug op are wanted."""
        return True

    def value(self, event: Any, device: str) -> None:
        """Write an Event with a tensor.

        Raises:
            ValueError: the dumps of this process are too large.
        """
        value = event.summary.value[0]
        node, slot, kind = value.node_name.rsplit(":", 2)
        name = f"{node}_{slot}_{kind}_{int(event.wall_time)}"
        path = os.path.join(self._below(device), name)
        size = _bytes_of(value.tensor)
        with _lock:
            if _usage["bytes"] + size > _limit():
                raise ValueError(
                    f"The dumps of this process would exceed {_limit()} bytes with "
                    f"{path}: set {_LIMIT_VARIABLE} for more, or watch less."
                )
            _usage["bytes"] += size
        write(path, event)

    def close(self) -> None:
        """Nothing is open."""

    def _below(self, device: str) -> str:
        return os.path.join(self.path, debug_values.folder_of(device))


def _bytes_of(tensor: Any) -> int:
    if tensor.string_val:
        return 8 * len(tensor.string_val)  # as an array of objects counts
    if tensor.tensor_content:
        return len(tensor.tensor_content)
    return tensor.ByteSize()


def _limit() -> int:
    return int(os.environ.get(_LIMIT_VARIABLE) or _DEFAULT_LIMIT)


def write(path: str, event: Any) -> None:
    """A file with one Event."""
    folder = os.path.dirname(path)
    try:
        os.makedirs(folder, exist_ok=True)
    except (FileExistsError, NotADirectoryError):  # a node c, and a node c/d
        raise errors.FailedPreconditionError(
            None, None, f"{folder} is a file, and no folder for dumps"
        ) from None
    with open(path, "wb") as f:
        f.write(event.SerializeToString())
