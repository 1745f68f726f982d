"""What both interfaces share: the models, the runs, the limits and the counters."""

import concurrent.futures
import contextlib
import time
from collections.abc import Iterator
from typing import Any

from twinflow.base import errors, logging
from twinflow.serving.batches import Batches
from twinflow.serving.inference import Inference
from twinflow.serving.manager import Manager
from twinflow.serving.monitoring import Metrics
from twinflow.serving.runs import Runs
from twinflow.serving.servable import Servable
from twinflow.serving.settings import Settings
from twinflow.serving.versions import Version
from twinflow.serving.warm_up import warm_up

_CODES = {
    value: name
    for name, value in vars(errors).items()
    if name.isupper() and type(value) is int
}


class Service:
    """The models of a server, and how requests get at them.

    Args:
        config: a ModelServerConfig. settings: the Settings.
    """

    def __init__(self, config: Any, settings: Settings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.runs = Runs(settings.threads, settings.waiting, settings.timeout)
        self.metrics.watch(lambda: self.runs.active)
        batches = None
        if settings.batch > 1:
            wait = settings.batch_wait / 1000
            batches = Batches(self.runs, settings.batch, wait, self.metrics.batch)
        self.inference = Inference(self.runs, batches)
        self.manager = Manager(config, settings.poll, self._loaded, self._warm_up)
        self.draining = False  # no new connections; those that are there end

    def _loaded(self, version: Version, seconds: float, error: Any) -> None:
        self.metrics.loaded(version, seconds, error is not None)
        if error is None:
            logging.info("loaded %s from %s in %.2f s", version, version.path, seconds)
        else:
            code, text = code_and_text(error)
            logging.error("cannot load %s: %s: %s", version, name_of(code), text)

    def _warm_up(self, version: Version, servable: Servable) -> None:
        count = warm_up(version.path, servable)
        if count:
            logging.info("warmed up %s with %d requests", version, count)

    def counted(self, name: str, method: str, interface: str) -> "Counted":
        """A block that answers a request: counted, with its code and time.

        Raises:
            ResourceExhaustedError: too many requests wait already.
        """
        known = name if self.manager.has(name) else ""
        return Counted(self, known, method, interface)

    @contextlib.contextmanager
    def version(
        self, one: "Counted", name: str, number: int | None, label: str
    ) -> Iterator[Version]:
        """A block that holds a version; see Manager.held."""
        version = self.manager.held(name, number, label)
        one.version = version.number
        try:
            yield version
        finally:
            version.release()

    def close(self) -> None:
        """Let the models go."""
        self.manager.stop()
        self.runs.close()


class Counted:
    """What is known of a request when it is answered; see Service.counted."""

    __slots__ = "_labels", "_service", "_start", "version"

    def __init__(self, service: Service, *labels: str) -> None:
        self._service, self._labels = service, labels
        self._start = time.perf_counter()
        self.version: int | None = None

    def __enter__(self) -> "Counted":
        try:
            self._service.runs.enter()
        except errors.OpError:
            self._count("RESOURCE_EXHAUSTED")
            raise
        return self

    def __exit__(self, kind: Any, error: BaseException | None, _: Any) -> None:
        self._service.runs.leave()
        if error is None:
            self._count("OK")
        elif isinstance(error, Exception):
            self._count(name_of(code_and_text(error)[0]))
        else:
            self._count("CANCELLED")

    def _count(self, code: str) -> None:
        version = "" if self.version is None else str(self.version)
        model, method, interface = self._labels
        labels = (model, version, method, interface)
        took = time.perf_counter() - self._start
        self._service.metrics.answered(labels, code, took)


def name_of(code: int) -> str:
    """The name of a canonical code."""
    return _CODES[code]


def code_and_text(error: BaseException) -> tuple[int, str]:
    """(the canonical code of an error, its text for the client)."""
    if isinstance(error, errors.OpError):
        return error.error_code, error.message
    if isinstance(error, concurrent.futures.CancelledError):
        return errors.CANCELLED, "The client has gone."
    if isinstance(error, MemoryError):
        return errors.RESOURCE_EXHAUSTED, "There is not enough memory for the request."
    if isinstance(error, OSError):
        return errors.UNAVAILABLE, str(error)
    if isinstance(error, TypeError | ValueError):
        return errors.INVALID_ARGUMENT, str(error)
    return errors.INTERNAL, f"{type(error).__name__}: {error}"
