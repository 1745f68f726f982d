"""Sessions and hooks whose runs report to servers, TensorBoard's debugger for one."""

import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any

from twinflow.tfdbg.dumps.run_keys import GRPC_URL_PREFIX, get_run_key
from twinflow.tfdbg.servers.telling import send_graph_tracebacks
from twinflow.tfdbg.sessions.hooks import arguments
from twinflow.tfdbg.sessions.requests import OnRunStartRequest, WatchOptions
from twinflow.tfdbg.sessions.wrapped import NonInteractiveDebugWrapperSession
from twinflow.train.session_run_hook import SessionRunArgs, SessionRunHook

_GATED = "DebugIdentity(gated_grpc=true)"


def publish_traceback(
    debug_server_urls: Any, graph: Any, feed_dict: Any, fetches: Any,
    old_graph_version: int,
) -> int:  # fmt: skip
    """Tell servers where a run comes from, if the graph is newer than they know.

    Returns:
        the version of the graph that they know then.
    """
    if graph.version <= old_graph_version:
        return old_graph_version
    key = get_run_key(feed_dict, fetches)
    send_graph_tracebacks(debug_server_urls, key, traceback.extract_stack(), graph)
    return graph.version


def _interrupted(*_: Any) -> None:
    while True:
        answer = input("\nSIGINT received. Quit program? (Y/n): ").strip()
        if answer in ("", "Y", "y"):
            sys.exit(0)
        if answer in ("N", "n"):
            return


def register_signal_handler() -> None:
    """Let Ctrl-C ask whether to end the program: a run may wait at a breakpoint."""
    try:
        signal.signal(signal.SIGINT, _interrupted)
    except ValueError:  # only the main thread can
        pass


class GrpcDebugWrapperSession(NonInteractiveDebugWrapperSession):
    """Reports each run to servers.

    Args:
        sess: the session. grpc_debug_server_addresses: "localhost:6064", or a list of
            such. watch_fn: a function (fetches, feeds) that returns WatchOptions.
        thread_name_filter: expression for the threads whose runs are reported.
        log_usage: without effect: nothing is logged.
    Raises:
        TypeError: an address is no string, or `watch_fn` no function.
        tf.errors.FailedPreconditionError (of a run): nobody listens there.
    """

    def __init__(
        self, sess: Any, grpc_debug_server_addresses: Any,
        watch_fn: Callable | None = None, thread_name_filter: str | None = None,
        log_usage: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(sess, watch_fn=watch_fn, thread_name_filter=thread_name_filter)
        found = grpc_debug_server_addresses
        if isinstance(found, str):
            found = [found]
        elif not isinstance(found, list):
            raise TypeError(
                "Expected type str or list in grpc_debug_server_addresses, received "
                f"type {type(found)}"
            )
        for address in found:
            if not isinstance(address, str):
                raise TypeError(
                    "Expected type str in list grpc_debug_server_addresses, received "
                    f"type {type(address)}"
                )
        self._grpc_debug_server_urls = [self._normalize_grpc_url(a) for a in found]

    def prepare_run_debug_urls(self, fetches: Any, feed_dict: Any) -> list[str]:
        """The addresses of the servers."""
        return self._grpc_debug_server_urls

    def _normalize_grpc_url(self, address: str) -> str:
        return GRPC_URL_PREFIX + address.removeprefix(GRPC_URL_PREFIX)


def _all_gated(fetches: Any, feeds: Any) -> WatchOptions:
    return WatchOptions(debug_ops=[_GATED])


class TensorBoardDebugWrapperSession(GrpcDebugWrapperSession):
    """Reports to TensorBoard's debugger what it asks for, and waits where it says.

    Args:
        sess, grpc_debug_server_addresses, thread_name_filter, log_usage: see
            GrpcDebugWrapperSession.
        send_traceback_and_source_code: whether it gets stacks and files.
    """

    def __init__(
        self, sess: Any, grpc_debug_server_addresses: Any,
        thread_name_filter: str | None = None,
        send_traceback_and_source_code: bool = True, log_usage: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(
            sess, grpc_debug_server_addresses, watch_fn=_all_gated,
            thread_name_filter=thread_name_filter, log_usage=log_usage,
        )  # fmt: skip
        self._send_traceback_and_source_code = send_traceback_and_source_code
        self._sent_graph_version = -1
        register_signal_handler()

    def run(
        self, fetches: Any, feed_dict: Any = None, *args: Any, **kwargs: Any
    ) -> Any:
        """As Session.run."""
        if self._send_traceback_and_source_code:
            self._sent_graph_version = publish_traceback(
                self._grpc_debug_server_urls, self.graph, feed_dict, fetches,
                self._sent_graph_version,
            )  # fmt: skip
        return super().run(fetches, feed_dict, *args, **kwargs)


class GrpcDebugHook(SessionRunHook):
    """Reports the runs of a MonitoredSession to servers.

    Args:
        grpc_debug_server_addresses: a list. The others: see GrpcDebugWrapperSession.
    """

    def __init__(
        self, grpc_debug_server_addresses: Any, watch_fn: Callable | None = None,
        thread_name_filter: str | None = None, log_usage: bool = True,
    ) -> None:  # fmt: skip
        self._wrapper: GrpcDebugWrapperSession | None = None
        self._thread_name_filter = thread_name_filter
        self._grpc_debug_server_addresses = [
            a.removeprefix(GRPC_URL_PREFIX) for a in grpc_debug_server_addresses
        ]
        self._watch_fn = watch_fn

    def before_run(self, run_context: Any) -> SessionRunArgs:
        if self._wrapper is None:
            self._wrapper = GrpcDebugWrapperSession(
                run_context.session, self._grpc_debug_server_addresses,
                watch_fn=self._watch_fn, thread_name_filter=self._thread_name_filter,
            )  # fmt: skip
        wrapper, args = self._wrapper, run_context.original_args
        count = wrapper.increment_run_call_count()
        response = wrapper.on_run_start(
            OnRunStartRequest(args.fetches, args.feed_dict, None, None, count)
        )
        return arguments(wrapper, response, False)


class TensorBoardDebugHook(GrpcDebugHook):
    """Reports the runs of a MonitoredSession to TensorBoard's debugger.

    Args:
        For all see TensorBoardDebugWrapperSession.
    """

    def __init__(
        self, grpc_debug_server_addresses: Any, thread_name_filter: str | None = None,
        send_traceback_and_source_code: bool = True, log_usage: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(
            grpc_debug_server_addresses, watch_fn=_all_gated,
            thread_name_filter=thread_name_filter, log_usage=log_usage,
        )  # fmt: skip
        self._send_traceback_and_source_code = send_traceback_and_source_code
        self._sent_graph_version = -1
        register_signal_handler()

    def before_run(self, run_context: Any) -> SessionRunArgs:
        if self._send_traceback_and_source_code:
            args = run_context.original_args
            self._sent_graph_version = publish_traceback(
                self._grpc_debug_server_addresses, run_context.session.graph,
                args.feed_dict, args.fetches, self._sent_graph_version,
            )  # fmt: skip
        return super().before_run(run_context)
