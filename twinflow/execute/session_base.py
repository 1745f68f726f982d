"""SessionBase: the life of a session, and what it knows of its devices and graph."""

import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from twinflow.base import devices, errors, logging
from twinflow.base.advice import advised
from twinflow.base.devices import facts_of
from twinflow.base.text import as_bytes, as_text
from twinflow.execute import partial_run, servers, session_callables, session_config
from twinflow.execute.default_sessions import SESSIONS
from twinflow.execute.placement import Placement
from twinflow.execute.server_cells import ServerHome, filters_of, limit_of
from twinflow.execute.session_cells import Home
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.graph import Graph

_living: weakref.WeakSet = weakref.WeakSet()
_CLOSED = "Session has been closed."


class SessionBase:
    """A session without `run`: see Session for its arguments.

    Attributes:
        graph: the Graph it runs.
    """

    graph: Any

    def __init__(self, target: str = "", graph: Any = None, config: Any = None) -> None:
        self._closed, self._lost = False, False
        self._contexts: list[Any] = []
        if graph is not None and not isinstance(graph, Graph):
            raise TypeError(f"graph must be a tf.Graph, but got {type(graph)}")
        self.graph = get_default_graph() if graph is None else graph
        if target is not None and not isinstance(target, str | bytes):
            raise TypeError(f"target must be a string, but got {type(target)}")
        self._target = as_bytes(target or "")
        self.config = session_config.checked(config)
        self._home = _home(self._target, self.graph, self.config)
        self._placement: Placement | None = None
        self._plans: dict[Any, Any] = {}
        self._partial_runs: dict[Any, Any] = {}
        _living.add(self)

    # ------------------------------------------------------------------ life
    def __enter__(self) -> Any:
        if self._contexts:
            raise RuntimeError(
                "Session context managers are not re-entrant. Use "
                "`Session.as_default()` if you want to enter a session multiple times."
            )
        blocks = [self.graph.as_default(), self.as_default()]
        for block in blocks:
            block.__enter__()
        self._contexts = blocks
        return self

    def __exit__(
        self, kind: type | None, error: Any, trace: TracebackType | None
    ) -> None:
        if kind is errors.OpError:
            logging.error("Session closing due to error %s", (error,))
        blocks, self._contexts = self._contexts, []
        try:
            for block in reversed(blocks):
                block.__exit__(None, None, None)
        finally:
            self.close()

    def as_default(self) -> AbstractContextManager[Any]:
        """A block in which `Tensor.eval` and `Operation.run` use this session."""
        return SESSIONS.get_controller(self)

    def close(self) -> None:
        """Free the values of the variables; runs that wait at a queue fail."""
        self._closed = True
        self._home.close()
        self._plans.clear()
        self._partial_runs.clear()

    @staticmethod
    def reset(target: str, containers: Any = None, config: Any = None) -> None:
        """Forget what sessions have made, and end them.

        Args:
            target: "", for all sessions of this process; or the target of a server: its
                sessions end, and containers of all tasks of its cluster are emptied.
            containers: the names of these; each task's default one if there are none.
            config: a tf.ConfigProto: operation_timeout_in_ms, device_filters.
        Raises:
            tf.errors.NotFoundError, UnimplementedError, DeadlineExceededError: there is
                no such server, or it does not answer in time.
        """
        address, config = as_bytes(target or ""), session_config.checked(config)
        if not address:
            for session in list(_living):
                session._abort()
            return
        _check_target(address)
        names = [as_text(c) for c in containers or ()]
        filters = filters_of(config), list(getattr(config, "device_filters", ()))
        servers.reset(address.decode(), names, filters, limit_of(config))

    def _abort(self) -> None:
        """Close this session from outside; its runs fail from now on."""
        self._lost = True
        self.close()

    def _refuse(self) -> None:
        """Raise what says why a session that is closed does not run."""
        if self._lost:
            raise self._home.lost()
        raise advised(RuntimeError, "Attempted to use a closed Session.")

    def _check_open(self) -> None:
        if self._closed:
            raise errors.CancelledError(None, None, _CLOSED)

    # ------------------------------------------------------------------ looking
    @property
    def sess_str(self) -> bytes:
        """The target, as bytes."""
        return self._target

    @property
    def _graph(self) -> Any:
        return self.graph

    @property
    def _config(self) -> Any:
        return self.config

    @property
    def graph_def(self) -> Any:
        """The GraphDef of the graph."""
        options = getattr(self.config, "graph_options", None)
        return self.graph.as_graph_def(
            add_shapes=bool(options and options.infer_shapes)
        )

    def list_devices(self) -> "list[DeviceAttributes]":
        """The devices of this process: objects with `name`, `device_type` and
        `memory_limit_bytes`.

        Raises:
            tf.errors.CancelledError: the session is closed.
        """
        self._check_open()
        names = self._device_names()
        client = getattr(self._home, "client", None)
        if client is not None:
            return [
                DeviceAttributes(d.name, d.device_type, d.memory_limit, d.incarnation)
                for d in client.devices()
            ]
        own = getattr(self._home, "own", "")
        names.sort(key=lambda n: not n.startswith(own))
        limits = (facts_of(n).memory_limit for n in names)
        return [DeviceAttributes(n, None, m) for n, m in zip(names, limits)]

    def _device_names(self) -> list[str]:
        if isinstance(self._home, ServerHome):
            self._home.connect(self)
            return self._home.device_names()
        return session_config.device_names(self.config)

    def _device_of(self, node: Any) -> str:
        """The name of the device that a node of a run is said to be on."""
        if isinstance(self._home, ServerHome):
            return f"{self._home.place(node.device)}/device:CPU:0"
        return devices.CPU

    def _check_places(self) -> None:
        """Refuse a graph whose nodes ask for devices that are not there."""
        if self._placement is None:
            names = self._device_names()
            self._placement = Placement(sorted(names), self.config)
        self._placement.check(self.graph.nodes)

    # ------------------------------------------------------------------ other runs
    def make_callable(
        self, fetches: Any, feed_list: Any = None, accept_options: bool = False
    ) -> Callable[..., Any]:
        """A function of the values of `feed_list` that returns `fetches`.

        Args:
            fetches: as for `run`. feed_list: a list of tensors or their names.
            accept_options: whether it takes `options=` and `run_metadata=`, as `run`.
        Raises:
            TypeError: `feed_list` is no list.
        """
        self._check_open()
        return session_callables.make(self, fetches, feed_list, accept_options)

    def _make_callable_from_options(self, callable_options: Any) -> Callable:
        """The same from a CallableOptions: feeds, fetches and targets by name."""
        return session_callables.from_options(self, callable_options)

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> str:
        """A handle for running a part of the graph in several steps.

        Args:
            fetches: everything that `partial_run` will be asked for.
            feeds: every tensor that it will be given.
        Returns:
            The handle, a str.
        Raises:
            tf.errors.InvalidArgumentError: there is nothing to fetch.
        """
        if self._closed:
            self._refuse()
        self._home.connect(self)
        return partial_run.setup(self, fetches, feeds or [])

    def partial_run(self, handle: str, fetches: Any, feed_dict: Any = None) -> Any:
        """Go on with a run: compute `fetches` from what has been fed so far.

        Args:
            handle: of `partial_run_setup`. fetches, feed_dict: as for `run`; each
                tensor can be fed and fetched once.
        Raises:
            tf.errors.InvalidArgumentError: something was not set up or was used
                before, or a fetch needs more feeds.
        """
        if self._closed:
            self._refuse()
        return partial_run.go_on(self, handle, fetches, feed_dict or {})


def _home(target: bytes, graph: Graph, config: Any) -> Home:
    """Where the cells of a session are: here, or with the servers of a cluster."""
    if not target:
        return Home()
    _check_target(target)
    return ServerHome(target.decode(), graph, config)


def _check_target(target: bytes) -> None:
    """Raise NotFoundError for a target that is no server."""
    if not target.startswith(b"grpc://"):
        text = target.decode(errors="replace")
        raise errors.NotFoundError(
            None, None,
            "No session factory registered for the given session options: {target: "
            f'"{text}" config: }} Registered factories are {{DIRECT_SESSION, '
            "GRPC_SESSION}. Leave the target empty, or take that of a server "
            "(tf.train.Server).",
        )  # fmt: skip


class DeviceAttributes:
    """A device that a session knows.

    Attributes:
        name: as "/job:localhost/replica:0/task:0/device:CPU:0". device_type: "CPU" or
            "GPU". memory_limit_bytes: as TensorFlow says it of a CPU.
        incarnation: a number that is another one after a restart.
    """

    def __init__(
        self, name: str, device_type: str | None = None,
        memory_limit_bytes: int = 1 << 28, incarnation: int | None = None,
    ) -> None:  # fmt: skip
        self.name, self.device_type = name, device_type or name.split(":")[-2]
        self.memory_limit_bytes = memory_limit_bytes
        own = hash(("twinflow", name)) & (1 << 63) - 1
        self.incarnation = own if incarnation is None else incarnation

    def __repr__(self) -> str:
        return (
            f"_DeviceAttributes({self.name}, {self.device_type}, "
            f"{self.memory_limit_bytes}, {self.incarnation})"
        )
