"""What `twinflow serve` was asked for."""

from typing import NamedTuple


class Settings(NamedTuple):
    """The settings of a server.

    Args:
        host: the address it listens at. rest_port, grpc_port: 0 takes a free one, None
            leaves the interface out.
        poll: seconds between looks for new versions; 0 looks once.
        threads: runs at the same time. waiting: requests that may wait beside them.
        timeout: seconds that a request may take. max_bytes: of a request.
        max_connections: open at the same time, of REST.
        batch: rows that are joined; 0 joins none. batch_wait: milliseconds that a
            request waits for others.
        shutdown_wait: seconds that requests have to end after SIGTERM.
        reload: whether gRPC clients may say which models are served; None: only where
            the address is this machine's own.
    """

    host: str = "127.0.0.1"
    rest_port: int | None = 8501
    grpc_port: int | None = 8500
    poll: float = 1.0
    threads: int = 4
    waiting: int = 1000
    timeout: float = 30.0
    max_bytes: int = 64 * 2**20
    max_connections: int = 1000
    batch: int = 0
    batch_wait: float = 2.0
    shutdown_wait: float = 30.0
    reload: bool | None = None
