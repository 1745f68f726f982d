"""What a debugged session asks before and after a run, and what is answered."""

from typing import Any


def _check_type(obj: Any, expected_types: Any) -> None:
    """Refuse an object of another type.

    Raises:
        TypeError: it has another type.
    """
    if not isinstance(obj, expected_types):
        raise TypeError(f"Expected type {expected_types}; got type {type(obj)}")


class OnSessionInitRequest:
    """A session is being wrapped."""

    def __init__(self, sess: Any) -> None:
        self.session = sess


class OnSessionInitAction:
    """What may happen then."""

    PROCEED = "proceed"
    REMOTE_INSTR_LOOP = "remote_instr_loop"


class OnSessionInitResponse:
    """What is to happen then: one of OnSessionInitAction."""

    def __init__(self, action: str) -> None:
        _check_type(action, str)
        self.action = action


class OnRunStartRequest:
    """A run is about to begin.

    Args:
        fetches, feed_dict, run_options, run_metadata: those of the run.
        run_call_count: its number, from 1.
        is_callable_runner: whether what make_callable returned is being run.
    """

    def __init__(
        self, fetches: Any, feed_dict: Any, run_options: Any, run_metadata: Any,
        run_call_count: int, is_callable_runner: bool = False,
    ) -> None:  # fmt: skip
        self.fetches = fetches
        self.feed_dict = feed_dict
        self.run_options = run_options
        self.run_metadata = run_metadata
        self.run_call_count = run_call_count
        self.is_callable_runner = is_callable_runner


class OnRunStartAction:
    """How a run may be made."""

    DEBUG_RUN = "debug_run"
    PROFILE_RUN = "profile_run"
    NON_DEBUG_RUN = "non_debug_run"
    INVOKE_STEPPER = "invoke_stepper"


class OnRunStartResponse:
    """How a run is to be made.

    Args:
        action: one of OnRunStartAction. debug_urls: where dumps go.
        The others: see `watch_graph`.
    """

    def __init__(
        self, action: str, debug_urls: list[str], debug_ops: Any = "DebugIdentity",
        node_name_regex_whitelist: str | None = None,
        op_type_regex_whitelist: str | None = None,
        tensor_dtype_regex_whitelist: str | None = None,
        tolerate_debug_op_creation_failures: bool = False,
    ) -> None:  # fmt: skip
        _check_type(action, str)
        self.action = action
        _check_type(debug_urls, list)
        self.debug_urls = debug_urls
        self.debug_ops = debug_ops
        self.node_name_regex_whitelist = node_name_regex_whitelist
        self.op_type_regex_whitelist = op_type_regex_whitelist
        self.tensor_dtype_regex_whitelist = tensor_dtype_regex_whitelist
        self.tolerate_debug_op_creation_failures = tolerate_debug_op_creation_failures


class OnRunEndRequest:
    """A run is over.

    Args:
        performed_action: one of OnRunStartAction. run_metadata: RunMetadata or None.
        client_graph_def: the GraphDef. tf_error: what the run raised, or None.
    """

    def __init__(
        self, performed_action: str, run_metadata: Any = None,
        client_graph_def: Any = None, tf_error: Any = None,
    ) -> None:  # fmt: skip
        _check_type(performed_action, str)
        self.performed_action = performed_action
        self.run_metadata = run_metadata
        self.client_graph_def = client_graph_def
        self.tf_error = tf_error


class OnRunEndResponse:
    """What is to happen then: nothing more."""


class WatchOptions:
    """What a watch function returns: which tensors are dumped, and how.

    Args:
        debug_ops: "DebugIdentity" if not given, or others.
        node_name_regex_whitelist, op_type_regex_whitelist,
            tensor_dtype_regex_whitelist: expressions that all have to match.
        tolerate_debug_op_creation_failures: whether a debug op may not fit a tensor.
    """

    def __init__(
        self, debug_ops: Any = None, node_name_regex_whitelist: str | None = None,
        op_type_regex_whitelist: str | None = None,
        tensor_dtype_regex_whitelist: str | None = None,
        tolerate_debug_op_creation_failures: bool = False,
    ) -> None:  # fmt: skip
        self.debug_ops = debug_ops or ["DebugIdentity"]
        self.node_name_regex_whitelist = node_name_regex_whitelist
        self.op_type_regex_whitelist = op_type_regex_whitelist
        self.tensor_dtype_regex_whitelist = tensor_dtype_regex_whitelist
        self.tolerate_debug_op_creation_failures = tolerate_debug_op_creation_failures

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"WatchOptions({values})"
