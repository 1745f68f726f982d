"""How eager mode was set up: device policy and execution mode."""

import contextlib
from collections.abc import Iterator
from typing import Any

from twinflow.base import devices, dispatch, errors
from twinflow.base.accelerator_options import set_memory
from twinflow.eager.accelerator import EXPLICIT, SILENT, SILENT_FOR_INT32, WARN, Policy

SYNC, ASYNC = 0, 1
POLICIES = {None, EXPLICIT, WARN, SILENT, SILENT_FOR_INT32}


def configure(config: Any, device_policy: int | None, execution_mode: Any) -> None:
    """Check and take over the arguments of tf.enable_eager_execution.

    Raises:
        TypeError: `config` is not a ConfigProto. ValueError: another value is unknown.
    """
    if config is not None and type(config).__name__ != "ConfigProto":
        raise TypeError(f"config must be a tf.ConfigProto, but got {type(config)}")
    if device_policy not in list(POLICIES):
        raise ValueError(
            "device_policy must be one of None, tf.contrib.eager.DEVICE_PLACEMENT_*"
        )
    set_execution_mode(execution_mode)
    if config is not None:
        set_memory(config.gpu_options)
    if config is not None and config.device_count.get("CPU", 0):
        devices.set_num_cpus(config.device_count["CPU"])
    if device_policy is not None:
        Policy.value = device_policy


def set_execution_mode(mode: Any) -> None:
    """Accept an execution mode: here each op is done when its call returns.

    Raises:
        ValueError: the mode is neither tfe.SYNC nor tfe.ASYNC.
    """
    if mode not in (None, SYNC, ASYNC):
        raise ValueError(
            "execution_mode must be one of None, tf.contrib.eager.SYNC, "
            "tf.contrib.eager.ASYNC"
        )


@contextlib.contextmanager
def execution_mode(mode: Any) -> Iterator[None]:
    """A block with an execution mode, see `set_execution_mode`."""
    set_execution_mode(mode)
    yield


def async_wait() -> None:
    """Wait for ops to be done: they are."""


def async_clear_error() -> None:
    """Forget the error of an op that ran behind: there is none."""


def _remote(*args: Any, **kwargs: Any) -> Any:
    """Refuse remote devices: twinflow runs in one process.

    Raises:
        UnimplementedError: always.
    """
    raise errors.UnimplementedError(
        None, None, "Remote eager execution is not supported: twinflow runs ops in "
        "this process. Run a program per machine, and exchange data yourself.",
    )  # fmt: skip


connect_to_remote_host = enable_remote_eager_execution = set_server_def = _remote
dispatch.configure_eager = configure
