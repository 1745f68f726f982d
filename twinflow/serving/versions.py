"""A version of a model, which closes when the last request lets it go."""

import threading
from typing import Any

from twinflow.base import errors
from twinflow.formats.serving_protos import serving
from twinflow.serving.servable import Servable

_STATES = serving["ModelVersionStatus.State"]
START, LOADING, AVAILABLE, UNLOADING, END = (
    _STATES.Value(name)
    for name in ("START", "LOADING", "AVAILABLE", "UNLOADING", "END")
)


class Version:
    """A version of a model, and how many requests hold it.

    Args:
        model: the name. number: the version. path: its folder.
    """

    def __init__(self, model: str, number: int, path: str) -> None:
        self.model, self.number, self.path = model, number, path
        self.state: int = START
        self.error: BaseException | None = None
        self._servable: Servable | None = None
        self._users, self._lock = 0, threading.Lock()

    @property
    def servable(self) -> Servable:
        """The model; only while the version is held."""
        if self._servable is None:
            raise errors.UnavailableError(None, None, f"{self} is not loaded.")
        return self._servable

    def __str__(self) -> str:
        return f"version {self.number} of the model {self.model!r}"

    def ready(self, servable: Servable) -> None:
        """Answer requests from now on."""
        with self._lock:
            self._servable, self.state, self.error = servable, AVAILABLE, None

    def failed(self, error: BaseException) -> None:
        """Say why it could not be loaded."""
        with self._lock:
            self.state, self.error = END, error

    def hold(self, more: bool = False) -> bool:
        """Keep it until `release`; whether it answers requests.

        Args:
            more: hold it once more for a request that holds it, even if it is old.
        """
        with self._lock:
            if not more and self.state != AVAILABLE:
                return False
            self._users += 1
            return True

    def release(self, *_: Any) -> None:
        """Let it go; the last one closes it if it is to end."""
        with self._lock:
            self._users -= 1
            servable = self._ended()
        if servable is not None:
            servable.close()

    def retire(self) -> None:
        """Answer no further request, and close as soon as nobody holds it."""
        with self._lock:
            if self.state != AVAILABLE:
                return
            self.state = UNLOADING
            servable = self._ended()
        if servable is not None:
            servable.close()

    def _ended(self) -> Servable | None:
        """What is to be closed, if the last one has let go."""
        if self.state != UNLOADING or self._users:
            return None
        servable, self._servable, self.state = self._servable, None, END
        return servable


class Model:
    """A model and its versions by number.

    Args:
        config: its ModelConfig.
    """

    def __init__(self, config: Any) -> None:
        self.config = config
        self.versions: dict[int, Version] = {}

    def available(self) -> list[Version]:
        """The versions that answer, the newest first."""
        found = [v for v in self.versions.values() if v.state == AVAILABLE]
        return sorted(found, key=lambda v: -v.number)
