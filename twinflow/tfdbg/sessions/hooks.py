"""Hooks for MonitoredSessions, Estimators and the like, whose runs are watched."""

from collections.abc import Callable
from typing import Any

from twinflow.formats import protos
from twinflow.tfdbg.dumps import watch_options
from twinflow.tfdbg.sessions.dumping import DumpingDebugWrapperSession
from twinflow.tfdbg.sessions.local_cli import LocalCLIDebugWrapperSession
from twinflow.tfdbg.sessions.requests import (
    OnRunEndRequest,
    OnRunStartAction,
    OnRunStartRequest,
)
from twinflow.train.session_run_hook import SessionRunArgs, SessionRunHook


def arguments(wrapper: Any, response: Any, reset: bool) -> SessionRunArgs:
    """What a hook asks of a run: dumps, or times."""
    options = protos.RunOptions()
    if response.action == OnRunStartAction.DEBUG_RUN:
        options.output_partition_graphs = True
        watch_options.watch_graph(
            options, wrapper.graph, debug_urls=response.debug_urls,
            debug_ops=response.debug_ops,
            node_name_regex_whitelist=response.node_name_regex_whitelist,
            op_type_regex_whitelist=response.op_type_regex_whitelist,
            tensor_dtype_regex_whitelist=response.tensor_dtype_regex_whitelist,
            tolerate_debug_op_creation_failures=(
                response.tolerate_debug_op_creation_failures
            ),
            reset_disk_byte_usage=reset,
        )  # fmt: skip
    elif response.action == OnRunStartAction.PROFILE_RUN:
        wrapper._decorate_run_options_for_profile(options)
    return SessionRunArgs(None, feed_dict=None, options=options)


class LocalCLIDebugHook(SessionRunHook):
    """Stops before and after each run.

    Args:
        ui_type: "curses" or "readline". dump_root: where the dumps of a run are, for as
            long as they are looked at. thread_name_filter: which threads.
    """

    def __init__(
        self, ui_type: str = "curses", dump_root: str | None = None,
        thread_name_filter: str | None = None,
    ) -> None:  # fmt: skip
        self._ui_type = ui_type
        self._dump_root = dump_root
        self._thread_name_filter = thread_name_filter
        self._session_wrapper: LocalCLIDebugWrapperSession | None = None
        self._filters: dict[str, Callable] = {}
        self._performed_action: str | None = None

    def add_tensor_filter(self, filter_name: str, tensor_filter: Callable) -> None:
        """Give a filter for `run -f` and `lt -f` a name."""
        self._filters[filter_name] = tensor_filter
        if self._session_wrapper:
            self._session_wrapper.add_tensor_filter(filter_name, tensor_filter)

    def begin(self) -> None:
        pass

    def before_run(self, run_context: Any) -> SessionRunArgs:
        if not self._session_wrapper:
            self._session_wrapper = LocalCLIDebugWrapperSession(
                run_context.session, ui_type=self._ui_type, dump_root=self._dump_root,
                thread_name_filter=self._thread_name_filter,
            )  # fmt: skip
            for name, passes in self._filters.items():
                self._session_wrapper.add_tensor_filter(name, passes)
        wrapper = self._session_wrapper
        args = run_context.original_args
        count = wrapper.increment_run_call_count()
        response = wrapper.on_run_start(
            OnRunStartRequest(args.fetches, args.feed_dict, None, None, count)
        )
        self._performed_action = response.action
        if response.action == OnRunStartAction.INVOKE_STEPPER:
            raise NotImplementedError("Hooks do not support node-stepper mode.")
        return arguments(wrapper, response, True)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if self._session_wrapper and self._performed_action:
            self._session_wrapper.on_run_end(
                OnRunEndRequest(self._performed_action, run_values.run_metadata)
            )


class DumpingDebugHook(SessionRunHook):
    """Dumps each run below a folder.

    Args:
        session_root, watch_fn, thread_name_filter, log_usage: see
            DumpingDebugWrapperSession.
    """

    def __init__(
        self, session_root: str, watch_fn: Callable | None = None,
        thread_name_filter: str | None = None, log_usage: bool = True,
    ) -> None:  # fmt: skip
        self._session_root = session_root
        self._watch_fn = watch_fn
        self._thread_name_filter = thread_name_filter
        self._session_wrapper: DumpingDebugWrapperSession | None = None

    def begin(self) -> None:
        pass

    def before_run(self, run_context: Any) -> SessionRunArgs:
        if not self._session_wrapper:
            self._session_wrapper = DumpingDebugWrapperSession(
                run_context.session, self._session_root, watch_fn=self._watch_fn,
                thread_name_filter=self._thread_name_filter,
            )  # fmt: skip
        wrapper = self._session_wrapper
        reset = wrapper.increment_run_call_count() == 1
        args = run_context.original_args
        response = wrapper.on_run_start(
            OnRunStartRequest(
                args.fetches, args.feed_dict, None, None, wrapper.run_call_count
            )
        )
        return arguments(wrapper, response, reset)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        pass
