"""How a session reaches gs:// paths: credentials, and the sizes of what it keeps."""

import json
from typing import Any

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.graph.scopes import device as device_scope
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.constant import constant
from twinflow.ops.files import google_storage as ops
from twinflow.train.session_run_hook import SessionRunHook

_COLAB = "/content/adc.json"  # where a notebook of Colab has its credentials


class BlockCacheParams:
    """The sizes of the blocks that are kept of gs:// files.

    Args:
        block_size: int, bytes that are read at a time, 128 MB by default.
        max_bytes: int, of all blocks, twice that by default.
        max_staleness: int, seconds that a listing is believed; 0 by default.
    """

    def __init__(
        self, block_size: int | None = None, max_bytes: int | None = None,
        max_staleness: int | None = None,
    ) -> None:  # fmt: skip
        self._block_size = block_size or 128 * 1024 * 1024
        self._max_bytes = max_bytes or 2 * self._block_size
        self._max_staleness = max_staleness or 0

    @property
    def block_size(self) -> int:
        """Bytes that are read at a time."""
        return self._block_size

    @property
    def max_bytes(self) -> int:
        """Bytes of all blocks."""
        return self._max_bytes

    @property
    def max_staleness(self) -> int:
        """Seconds that a listing is believed."""
        return self._max_staleness

    def _op(self) -> Any:
        sizes = self._max_bytes, self._block_size, self._max_staleness
        inputs = tuple(constant(n, dtypes.uint64) for n in sizes)
        return apply(ops.GcsConfigureBlockCache, inputs, None)


class ConfigureGcsHook(SessionRunHook):
    """Configures gs:// paths when a session begins.

    Args:
        credentials: str in JSON, or dict, of a user (`refresh_token`) or of a service
            account (`private_key`). block_cache: BlockCacheParams.
    Raises:
        ValueError: one of them is of another kind.
    """

    def __init__(self, credentials: Any = None, block_cache: Any = None) -> None:
        self._credentials = None if credentials is None else _checked(credentials)
        if block_cache is not None and not isinstance(block_cache, BlockCacheParams):
            raise ValueError("block_cache must be an instance of BlockCacheParams.")
        self._block_cache = block_cache

    def begin(self) -> None:
        """Make the ops."""
        self._ops = []
        if self._credentials is not None:
            text = constant(self._credentials, dtypes.string)
            self._ops.append(apply(ops.GcsConfigureCredentials, (text,), None))
        if self._block_cache is not None:
            self._ops.append(self._block_cache._op())

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Run them."""
        session.run(self._ops)


def _checked(credentials: Any) -> str:
    """Credentials as a text."""
    if isinstance(credentials, str):
        try:
            found = json.loads(credentials)
        except ValueError as error:
            raise ValueError(
                "credentials was not a well formed JSON string.", error
            ) from error
    elif isinstance(credentials, dict):
        found, credentials = credentials, json.dumps(credentials)
    else:
        raise ValueError("credentials is of an unknown type")
    if "refresh_token" not in found and "private_key" not in found:
        raise ValueError(
            'credentials has neither a "refresh_token" nor a "private_key" field.'
        )
    return credentials


def configure_gcs(
    session: Any, credentials: Any = None, block_cache: Any = None, device: Any = None
) -> None:
    """Configure gs:// paths now.

    Args:
        session: a session, whose graph gets the ops. credentials, block_cache: see
            ConfigureGcsHook. device: where the ops run.
    Raises:
        InvalidArgumentError, FailedPreconditionError: the credentials lack something.
    """
    with session.graph.as_default(), device_scope(device):
        if credentials is not None:
            text = placeholder(dtypes.string)
            op = apply(ops.GcsConfigureCredentials, (text,), None)
            if isinstance(credentials, dict):
                credentials = json.dumps(credentials)
            session.run(op, {text: credentials})
        if block_cache is not None:
            session.run(block_cache._op())


def configure_colab_session(session: Any) -> None:
    """Let a session reach gs:// paths as the user of a notebook of Colab.

    Args:
        session: a session.
    Raises:
        FileNotFoundError: the notebook has no credentials.
    """
    with open(_COLAB) as file:
        data = json.load(file)
    configure_gcs(session, credentials=data)
