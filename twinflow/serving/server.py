"""A server: both interfaces on one event loop, from its start to its end.

Note [Shutdown]: first the ports are closed, so that clients find nobody there, and
health checks say so. A client whose connection is made and not accepted yet would be
reset by that: so nobody new is let in first, then whoever waits is accepted, then the
port is closed. Connections that are open go on: REST answers what comes over them and
asks to close, gRPC says that no further call is taken. When all is quiet, or the time
is over, the connections are closed and the models let go.
"""

import asyncio
import contextlib
import ipaddress
import math
import signal
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import uvicorn

from twinflow.base import logging
from twinflow.serving.grpc_service import GrpcService
from twinflow.serving.ports import let_nobody_new_in
from twinflow.serving.rest import Rest
from twinflow.serving.service import Service
from twinflow.serving.settings import Settings

_TICK = 0.02
_HANDSHAKE = 0.1  # seconds in which connections that were asked for are made
_QUIET = 0.5  # seconds without a request after which idle connections are closed
_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Server:
    """Serves models.

    Args:
        config: a ModelServerConfig. settings: the Settings.

    Attributes:
        rest_port, grpc_port: where it listens, as soon as `ready` is set; None where
            an interface is left out. ready: a threading.Event.
    """

    def __init__(self, config: Any, settings: Settings = Settings()) -> None:  # noqa: B008
        self._settings = settings
        self.service = Service(config, settings)
        self.rest_port: int | None = None
        self.grpc_port: int | None = None
        self.ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop  # both while it runs
        self._end: asyncio.Event
        self._runs = False

    def run(self, signals: bool = True) -> None:
        """Serve until `stop` is called, or SIGTERM or SIGINT comes.

        Args:
            signals: whether to wait for these; only the main thread can.
        Raises:
            OSError: a port is taken.
        """
        asyncio.run(self._run(signals))

    def stop(self) -> None:
        """End, from any thread: see Note [Shutdown]."""
        if self._runs:
            with contextlib.suppress(RuntimeError):  # it has ended already
                self._loop.call_soon_threadsafe(self._end.set)

    async def _run(self, signals: bool) -> None:
        self._loop = asyncio.get_running_loop()
        self._end = asyncio.Event()
        self._runs = True
        rest = grpc = None
        with self._stopped_by(_SIGNALS if signals else ()):
            try:
                # Ports first: what cannot be served is said before models are loaded.
                sock = self._socket()
                grpc = self._grpc()
                loads = asyncio.ensure_future(
                    self._loop.run_in_executor(None, self.service.manager.start)
                )
                if await self._first(loads):
                    if sock is not None:
                        rest = _Rest(Rest(self.service), self._settings, sock)
                        await rest.start()
                    if grpc is not None:
                        await grpc.start()
                    self._tell()
                    await self._end.wait()
                await self._drain(rest, grpc)
                await loads
            finally:
                self.service.close()

    async def _first(self, loads: asyncio.Future) -> bool:
        """Wait until the models are loaded; False if the end comes first."""
        end = asyncio.ensure_future(self._end.wait())
        await asyncio.wait([loads, end], return_when=asyncio.FIRST_COMPLETED)
        end.cancel()
        if loads.done():
            loads.result()
        return not self._end.is_set()

    def _socket(self) -> socket.socket | None:
        port = self._settings.rest_port
        if port is None:
            return None
        host = self._settings.host
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # asyncio sends small answers at once only on sockets that name their protocol.
        sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        self.rest_port = sock.getsockname()[1]
        return sock

    def _grpc(self) -> GrpcService | None:
        if self._settings.grpc_port is None:
            return None
        reload = self._settings.reload
        if reload is None:
            reload = _is_own(self._settings.host)
        found = GrpcService(self.service, self._settings, reload)
        self.grpc_port = found.port
        return found

    def _tell(self) -> None:
        host, names = self._settings.host, ", ".join(self.service.manager.names())
        host = f"[{host}]" if ":" in host else host
        if self.rest_port is not None:
            logging.info("REST at http://%s:%d for %s", host, self.rest_port, names)
        if self.grpc_port is not None:
            logging.info("gRPC at %s:%d for %s", host, self.grpc_port, names)
        self.ready.set()

    @contextlib.contextmanager
    def _stopped_by(self, signals: tuple) -> Iterator[None]:
        for one in signals:
            self._loop.add_signal_handler(one, self._signalled, one)
        try:
            yield
        finally:
            for one in signals:
                self._loop.remove_signal_handler(one)

    def _signalled(self, number: int) -> None:
        logging.info("%s: finishing what runs", signal.Signals(number).name)
        self._end.set()

    async def _drain(self, rest: "_Rest | None", grpc: GrpcService | None) -> None:
        service, limit = self.service, self._settings.shutdown_wait
        service.draining = True
        end = time.monotonic() + limit
        parts = []
        if rest is not None:
            parts.append(rest.drain(service, end))
        if grpc is not None:
            parts.append(grpc.drain(end))
        await asyncio.gather(*parts)


class _Rest:
    """uvicorn on a socket of ours, without its signals and logs."""

    def __init__(self, app: Any, settings: Settings, sock: socket.socket) -> None:
        config = uvicorn.Config(
            app, log_config=None, log_level="warning", access_log=False, ws="none",
            lifespan="off", server_header=False, proxy_headers=False, backlog=2048,
            limit_concurrency=settings.max_connections, loop="none",
            timeout_keep_alive=75,
        )  # fmt: skip
        self._server, self._sock = _Uvicorn(config), sock
        self._task: asyncio.Task
        self._let: list[asyncio.Task] = []  # who was let in last

    async def start(self) -> None:
        """Listen."""
        self._task = asyncio.create_task(self._server.serve(sockets=[self._sock]))
        while not self._server.started:
            if self._task.done():
                self._task.result()
            await asyncio.sleep(_TICK)

    def _let_in(self, server: Any) -> None:
        """Accept who waits at the port: its close would reset them."""
        factory = getattr(server, "_protocol_factory", None)  # there is no public one
        while factory is not None:
            try:
                found, _ = self._sock.accept()
            except OSError:  # nobody waits any more
                return
            found.setblocking(False)
            loop = asyncio.get_running_loop()
            let_in = loop.create_task(loop.connect_accepted_socket(factory, found))
            self._let.append(let_in)

    async def drain(self, service: Service, end: float) -> None:
        """See Note [Shutdown].

        Args:
            end: the time.monotonic() at which open requests are given up.
        """
        if let_nobody_new_in(self._sock):
            await asyncio.sleep(_HANDSHAKE)
        for server in self._server.servers:
            self._let_in(server)
            server.close()
        await asyncio.gather(*self._let, return_exceptions=True)
        state, quiet = self._server.server_state, time.monotonic()
        seen = state.total_requests
        while state.connections and time.monotonic() < end:
            await asyncio.sleep(_TICK)
            if service.runs.active or state.total_requests != seen:
                seen, quiet = state.total_requests, time.monotonic()
            elif time.monotonic() - quiet > _QUIET:
                break
        left = max(end - time.monotonic(), 0)
        self._server.config.timeout_graceful_shutdown = math.ceil(left)
        self._server.should_exit = True
        await self._task


class _Uvicorn(uvicorn.Server):
    """A uvicorn.Server that leaves signals to others."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _is_own(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
