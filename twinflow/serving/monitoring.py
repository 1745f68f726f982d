"""What a server counts, in the text format of Prometheus."""

from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

_PREFIX = "twinflow_serving"
_SECONDS = (
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
)  # fmt: skip
_ROWS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)


class Metrics:
    """The counters of a server, in a registry of their own."""

    content_type = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self._found: dict[tuple, tuple] = {}  # by labels: to look them up is slow
        self._requests = Counter(
            f"{_PREFIX}_requests", "Requests that were answered.",
            ("model", "version", "method", "interface", "code"), registry=registry,
        )  # fmt: skip
        self._latency = Histogram(
            f"{_PREFIX}_request_seconds", "Time from request to answer.",
            ("model", "method", "interface"), buckets=_SECONDS, registry=registry,
        )  # fmt: skip
        self._rows = Histogram(
            f"{_PREFIX}_batch_rows", "Rows of a run of a batch.",
            ("model",), buckets=_ROWS, registry=registry,
        )  # fmt: skip
        self._loads = Counter(
            f"{_PREFIX}_loads", "Versions that were loaded, or could not be.",
            ("model", "version", "status"), registry=registry,
        )  # fmt: skip
        self._load_seconds = Histogram(
            f"{_PREFIX}_load_seconds", "Time of a load.", ("model",), registry=registry
        )
        self._waiting = Gauge(
            f"{_PREFIX}_requests_in_progress", "Requests without an answer yet.",
            registry=registry,
        )  # fmt: skip

    def answered(
        self, labels: tuple[str, str, str, str], code: str, seconds: float
    ) -> None:
        """Count a request.

        Args:
            labels: the model, the version, the method and the interface; the first two
                are empty where no such model answers, so that clients make no labels.
            code: the name of a canonical code, "OK" or another.
        """
        model, _, method, interface = labels
        found = self._found.get((labels, code))
        if found is None:
            found = self._found[labels, code] = (
                self._requests.labels(*labels, code),
                self._latency.labels(model, method, interface),
            )
        count, latency = found
        count.inc()
        latency.observe(seconds)

    def watch(self, active: Any) -> None:
        """Tell what the function `active` says as the number of open requests."""
        self._waiting.set_function(active)

    def batch(self, version: Any, rows: int) -> None:
        """Count a run of a batch."""
        self._rows.labels(version.model).observe(rows)

    def loaded(self, version: Any, seconds: float, failed: bool) -> None:
        """Count a load."""
        status = "failed" if failed else "ok"
        self._loads.labels(version.model, str(version.number), status).inc()
        self._load_seconds.labels(version.model).observe(seconds)

    def text(self) -> bytes:
        """All of them as text."""
        return generate_latest(self.registry)
