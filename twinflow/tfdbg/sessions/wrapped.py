"""A session whose runs are watched."""

import abc
import re
import threading
from collections.abc import Callable
from typing import Any

from twinflow.base import errors, logging, nest
from twinflow.formats import protos
from twinflow.tfdbg.dumps import watch_options
from twinflow.tfdbg.sessions.requests import (
    OnRunEndRequest,
    OnRunEndResponse,
    OnRunStartAction,
    OnRunStartRequest,
    OnRunStartResponse,
    OnSessionInitAction,
    OnSessionInitRequest,
    OnSessionInitResponse,
    WatchOptions,
)
from twinflow.tfdbg.sessions.stepper import NodeStepper


class BaseDebugWrapperSession(abc.ABC):
    """Asks before each run how to make it, and tells of it afterwards.

    Args:
        sess: a tf.Session or tf.train.MonitoredSession.
        thread_name_filter: expression for the threads whose runs are watched.
        pass_through_operrors: whether what a run raises leaves it.
    Raises:
        ValueError: the answer to the wrapping is none of OnSessionInitAction.
    """

    def __init__(
        self, sess: Any, thread_name_filter: str | None = None,
        pass_through_operrors: bool | None = False,
    ) -> None:  # fmt: skip
        self._sess = sess
        self._thread_name_filter_pattern = (
            re.compile(thread_name_filter) if thread_name_filter else None
        )
        self._pass_through_operrors = pass_through_operrors
        self._run_call_count = 0
        self._default_session_block: Any = None
        response = self.on_session_init(OnSessionInitRequest(sess))
        if response.action == OnSessionInitAction.REMOTE_INSTR_LOOP:
            raise NotImplementedError(
                "OnSessionInitAction REMOTE_INSTR_LOOP has not been implemented."
            )
        if response.action != OnSessionInitAction.PROCEED:
            raise ValueError(f"Invalid OnSessionInitAction value: {response.action}")

    # ------------------------------------------------------------------ the session
    @property
    def graph(self) -> Any:
        return self._sess.graph

    @property
    def graph_def(self) -> Any:
        return self._sess.graph_def

    @property
    def sess_str(self) -> str:
        return self._sess.sess_str

    @property
    def session(self) -> Any:
        return self._sess

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None,
        run_metadata: Any = None, callable_runner: Callable | None = None,
        callable_runner_args: Any = None, callable_options: Any = None,
    ) -> Any:  # fmt: skip
        """As Session.run, in the way that is asked for.

        Raises:
            ValueError: arguments exclude each other, or an answer makes no sense.
        """
        self._check(fetches, feed_dict, callable_runner, callable_options)
        by_callable = callable_runner or callable_options
        count = self.increment_run_call_count()
        plain = self._is_disabled_thread()
        if not by_callable and not nest.flatten(fetches):
            logging.info(
                "Due to empty fetches, tfdbg Session wrapper is letting a Session.run "
                "pass through without any debugging actions."
            )
            plain = True
        args = (fetches, feed_dict, callable_runner, callable_runner_args,
                callable_options)  # fmt: skip
        if plain:
            return self._performed(args, options, run_metadata)
        start = self.on_run_start(
            OnRunStartRequest(
                fetches, feed_dict, options, run_metadata, count,
                is_callable_runner=bool(by_callable),
            )
        )  # fmt: skip
        known = [value for name, value in vars(OnRunStartAction).items()
                 if name.isupper()]  # fmt: skip
        if start.action not in known:
            raise ValueError(f"Invalid OnRunStartAction value: {start.action}")
        if start.action == OnRunStartAction.INVOKE_STEPPER:
            return self._stepped(fetches, feed_dict, by_callable)
        return self._answered(args, start, options, run_metadata)

    def _check(
        self, fetches: Any, feeds: Any, runner: Any, callable_options: Any
    ) -> None:
        if runner and callable_options:
            raise ValueError(
                "callable_runner and callable_options are mutually exclusive, but are "
                "both specified in this call to BaseDebugWrapperSession.run()."
            )
        what = "callable_runner" if runner else "callable_options"
        if (runner or callable_options) and (fetches or feeds):
            raise ValueError(
                f"{what} and fetches/feed_dict are mutually exclusive, but are used "
                "simultaneously."
            )

    def _stepped(self, fetches: Any, feed_dict: Any, by_callable: Any) -> Any:
        if by_callable:
            raise NotImplementedError(
                "Stepper mode is not implemented for callables created by "
                "Session.make_callable()."
            )
        with NodeStepper(self._sess, fetches, feed_dict) as stepper:
            result = self.invoke_node_stepper(stepper)
            self.on_run_end(OnRunEndRequest(OnRunStartAction.INVOKE_STEPPER))
        return result

    def _answered(
        self, args: tuple, start: OnRunStartResponse, options: Any, metadata: Any
    ) -> Any:
        """Make a run in the way that was answered, and tell of it."""
        if start.action == OnRunStartAction.NON_DEBUG_RUN:
            result = self._performed(args, options, metadata)
            self.on_run_end(OnRunEndRequest(start.action))
            return result
        own = protos.RunOptions()
        if options is not None:
            own.CopyFrom(options)
        metadata = protos.RunMetadata() if metadata is None else metadata
        if start.action == OnRunStartAction.DEBUG_RUN:
            self._decorate_run_options_for_debug(
                own, start.debug_urls, debug_ops=start.debug_ops,
                node_name_regex_whitelist=start.node_name_regex_whitelist,
                op_type_regex_whitelist=start.op_type_regex_whitelist,
                tensor_dtype_regex_whitelist=start.tensor_dtype_regex_whitelist,
                tolerate_debug_op_creation_failures=(
                    start.tolerate_debug_op_creation_failures
                ),
            )  # fmt: skip
        else:
            self._decorate_run_options_for_profile(own)
        result, error = None, None
        try:
            result = self._performed(args, own, metadata)
        except errors.OpError as raised:
            if self._pass_through_operrors:
                raise
            error = raised
        self.on_run_end(
            OnRunEndRequest(
                start.action, run_metadata=metadata,
                client_graph_def=self.graph.as_graph_def(), tf_error=error,
            )
        )  # fmt: skip
        return result

    def _performed(self, args: tuple, options: Any, metadata: Any) -> Any:
        fetches, feeds, runner, runner_args, callable_options = args
        if runner is not None:
            return runner(*(runner_args or ()), options=options, run_metadata=metadata)
        if callable_options is not None:
            own = type(callable_options)()
            own.CopyFrom(callable_options)
            if options is not None:
                own.run_options.CopyFrom(options)
            made = self._sess._make_callable_from_options(own)
            return made(*(runner_args or ()), run_metadata=metadata)
        return self._sess.run(
            fetches, feed_dict=feeds, options=options, run_metadata=metadata
        )

    def _is_disabled_thread(self) -> bool:
        pattern = self._thread_name_filter_pattern
        return bool(pattern and not pattern.match(threading.current_thread().name))

    def run_step_fn(self, step_fn: Callable) -> Any:
        return step_fn(MonitoredStep(self))

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> None:
        raise NotImplementedError(
            "partial_run_setup is not implemented for debug-wrapper sessions."
        )

    def partial_run(self, handle: Any, fetches: Any, feed_dict: Any = None) -> None:
        raise NotImplementedError(
            "partial_run is not implemented for debug-wrapper sessions."
        )

    def list_devices(self, *args: Any, **kwargs: Any) -> Any:
        return self._sess.list_devices(*args, **kwargs)

    def reset(self, *args: Any, **kwargs: Any) -> Any:
        return self._sess.reset(*args, **kwargs)

    def make_callable(
        self, fetches: Any, feed_list: Any = None, accept_options: bool = False
    ) -> Callable:
        runner = self._sess.make_callable(
            fetches, feed_list=feed_list, accept_options=True
        )

        def wrapped(*args: Any, **kwargs: Any) -> Any:
            return self.run(
                None, options=kwargs.get("options"),
                run_metadata=kwargs.get("run_metadata"), callable_runner=runner,
                callable_runner_args=args,
            )  # fmt: skip

        return wrapped

    def _make_callable_from_options(self, callable_options: Any) -> Callable:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            return self.run(
                None, run_metadata=kwargs.get("run_metadata"),
                callable_options=callable_options, callable_runner_args=args,
            )  # fmt: skip

        return wrapped

    @property
    def run_call_count(self) -> int:
        return self._run_call_count

    def increment_run_call_count(self) -> int:
        self._run_call_count += 1
        return self._run_call_count

    def _is_disk_usage_reset_each_run(self) -> bool:
        """Whether the dumps of a run are removed after it."""
        return False

    def _decorate_run_options_for_debug(
        self, run_options: Any, debug_urls: Any, **watches: Any
    ) -> None:
        """Let RunOptions ask for dumps: for the arguments see `watch_graph`."""
        run_options.output_partition_graphs = True
        watch_options.watch_graph(
            run_options, self.graph, debug_urls=debug_urls,
            reset_disk_byte_usage=(
                self._run_call_count == 1 or self._is_disk_usage_reset_each_run()
            ), **watches,
        )  # fmt: skip

    def _decorate_run_options_for_profile(self, run_options: Any) -> None:
        run_options.trace_level = protos.RunOptions.FULL_TRACE

    # ------------------------------------------------------------------ questions
    @abc.abstractmethod
    def on_session_init(self, request: OnSessionInitRequest) -> OnSessionInitResponse:
        """Asked once, when the session is wrapped."""

    @abc.abstractmethod
    def on_run_start(self, request: OnRunStartRequest) -> OnRunStartResponse:
        """Asked before each run."""

    @abc.abstractmethod
    def on_run_end(self, request: OnRunEndRequest) -> OnRunEndResponse:
        """Told after each run."""

    @abc.abstractmethod
    def invoke_node_stepper(
        self, node_stepper: NodeStepper, restore_variable_values_on_exit: bool = True
    ) -> Any:
        """Asked for a run that is made node by node."""

    # ------------------------------------------------------------------ life
    def as_default(self) -> Any:
        return self._sess.as_default()

    def __enter__(self) -> "BaseDebugWrapperSession":
        self._sess.__enter__()
        return self

    def __exit__(self, exec_type: Any, exec_value: Any, exec_tb: Any) -> Any:
        return self._sess.__exit__(exec_type, exec_value, exec_tb)

    def close(self) -> None:
        self._sess.close()

    def should_stop(self) -> bool:
        if not hasattr(self._sess, "should_stop"):
            raise ValueError(
                f"The wrapped session {self._sess!r} does not have a method called "
                "'should_stop'. Do you intend to wrap a tf.MonitoredSession instead?"
            )
        return self._sess.should_stop()


class MonitoredStep:
    """What a step function gets: the debugged session.

    Args:
        session: the wrapper.
    """

    def __init__(self, session: BaseDebugWrapperSession) -> None:
        self.session = session

    def run_with_hooks(self, *args: Any, **kwargs: Any) -> Any:
        return self.session.run(*args, **kwargs)

    def request_stop(self) -> None:
        raise StopIteration("step_fn has requested the iterations to stop.")


class NonInteractiveDebugWrapperSession(BaseDebugWrapperSession):
    """Watches each run, without asking anybody.

    Args:
        sess, thread_name_filter, pass_through_operrors: see BaseDebugWrapperSession.
        watch_fn: a function (fetches, feeds) that returns WatchOptions, or None.
    Raises:
        TypeError: `watch_fn` is no function.
    """

    def __init__(
        self, sess: Any, watch_fn: Callable | None = None,
        thread_name_filter: str | None = None,
        pass_through_operrors: bool | None = False,
    ) -> None:  # fmt: skip
        super().__init__(
            sess, thread_name_filter=thread_name_filter,
            pass_through_operrors=pass_through_operrors,
        )  # fmt: skip
        if watch_fn is not None and not callable(watch_fn):
            raise TypeError("watch_fn is not callable")
        self._watch_fn = watch_fn

    def on_session_init(self, request: OnSessionInitRequest) -> OnSessionInitResponse:
        return OnSessionInitResponse(OnSessionInitAction.PROCEED)

    @abc.abstractmethod
    def prepare_run_debug_urls(self, fetches: Any, feed_dict: Any) -> Any:
        """Where the dumps of a run go: an address or a list of them."""

    def on_run_start(self, request: OnRunStartRequest) -> OnRunStartResponse:
        urls, watches = self._prepare_run_watch_config(
            request.fetches, request.feed_dict
        )
        return OnRunStartResponse(OnRunStartAction.DEBUG_RUN, urls, **vars(watches))

    def _prepare_run_watch_config(self, fetches: Any, feed_dict: Any) -> tuple:
        """The addresses as a list, and the WatchOptions."""
        urls = self.prepare_run_debug_urls(fetches, feed_dict)
        urls = [urls] if isinstance(urls, str) else urls
        watches: Any = WatchOptions()
        if self._watch_fn is not None:
            watches = self._watch_fn(fetches, feed_dict)
            if isinstance(watches, tuple):  # as before WatchOptions
                watches = WatchOptions(*watches)
        return urls, watches

    def on_run_end(self, request: OnRunEndRequest) -> OnRunEndResponse:
        return OnRunEndResponse()

    def invoke_node_stepper(
        self, node_stepper: NodeStepper, restore_variable_values_on_exit: bool = True
    ) -> Any:
        raise NotImplementedError(
            "NonInteractiveDebugWrapperSession does not support node-stepper mode."
        )
