"""tensorflow.python.eager.context: the mode of a thread, as TensorFlow names it."""

import contextlib
import threading
from collections.abc import Callable
from typing import NamedTuple

from twinflow.base import devices, dispatch
from twinflow.eager import context as eager
from twinflow.eager.mode import MODE
from twinflow.graph import defaults, scopes
from twinflow.ops.random import streams

GRAPH_MODE, EAGER_MODE = 0, 1
default_execution_mode = EAGER_MODE


def executing_eagerly():
    """Whether ops run at once at this place in the program."""
    return dispatch.current_mode().eager


in_eager_mode = executing_eagerly


def eager_mode():
    """A block whose ops run at once."""
    return dispatch.entered(MODE)


def graph_mode():
    """A block whose ops go to the default graph."""
    return dispatch.entered(defaults.get_default_graph())


class ContextSwitch(NamedTuple):
    """One change of the mode.

    Attributes:
        is_building_function: whether a function is being traced.
        enter_context_fn: what gives a block in the mode.
    """

    is_building_function: bool
    enter_context_fn: Callable


class ContextSwitches:
    """The changes of the mode in this thread, outermost first."""

    @property
    def stack(self):
        """A list of ContextSwitch."""
        modes = [frame.mode for frame in dispatch.local.frames]
        if modes[0] is None and executing_eagerly():
            modes[0] = MODE
        return [
            ContextSwitch(
                getattr(mode, "is_function", False),
                eager_mode if mode.eager else mode.as_default,
            )
            for mode in modes
            if mode is not None
        ]


class Context:
    """What a program asks of the context of its thread.

    Args:
        config, device_policy, execution_mode, server_def: accepted.
    """

    context_switches = ContextSwitches()
    num_gpus = staticmethod(devices.num_gpus)
    devices = staticmethod(devices.list_devices)
    device = staticmethod(scopes.device)
    summary_writer_resource = None

    def __init__(
        self, config=None, device_policy=None, execution_mode=None, server_def=None
    ):
        eager.configure(config, device_policy, execution_mode)
        self._execution_mode = execution_mode or eager.SYNC
        self._handle, self._own = object(), threading.local()

    def executing_eagerly(self):
        """Whether ops run at once; in a context that a program makes they do."""
        return executing_eagerly() if self is _CONTEXT else True

    in_eager_mode = executing_eagerly

    @property
    def scope_name(self):
        """The name scope of this thread, with its '/'."""
        return MODE.scope if self is _CONTEXT else getattr(self._own, "scope", "")

    @scope_name.setter
    def scope_name(self, name):
        if self is _CONTEXT:
            dispatch.local.eager_scope = name
        else:
            self._own.scope = name

    @property
    def device_name(self):
        """The device that a block asks for, "" without one."""
        asked = dispatch.local.device
        return devices.full(devices.canonical(asked)) if asked else ""

    @property
    def device_spec(self):
        """`device_name` as a DeviceSpec."""
        return devices.DeviceSpec.from_string(self.device_name)

    def get_execution_mode(self):
        """tfe.SYNC or tfe.ASYNC, as it was set."""
        return self._execution_mode

    def set_execution_mode(self, mode):
        """See tfe.set_execution_mode."""
        eager.set_execution_mode(mode)
        self._execution_mode = mode or eager.SYNC

    @contextlib.contextmanager
    def execution_mode(self, mode):
        """A block with an execution mode."""
        before = self._execution_mode
        self.set_execution_mode(mode)
        try:
            yield
        finally:
            self.set_execution_mode(before)

    def ensure_initialized(self):
        """Nothing is left to do."""


_CONTEXT = Context()


def context():
    """The Context of this thread."""
    return _CONTEXT


context_safe = context


def num_gpus():
    """How many accelerators there are."""
    return devices.num_gpus()


def list_devices():
    """The names of the devices."""
    return devices.list_devices()


def scope_name():
    """The name scope of this thread, with its '/'."""
    return MODE.scope


def namescope(name):
    """A block in a name scope of eager mode."""
    return MODE.name_scope(name)


device = scopes.device
set_global_seed = streams.set_random_seed
