"""tensorflow.python.eager.context: the mode of a thread, as TensorFlow names it."""

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


class Context:
    """What a program asks of the context of its thread."""

    executing_eagerly = staticmethod(executing_eagerly)
    in_eager_mode = staticmethod(in_eager_mode)
    num_gpus = staticmethod(devices.num_gpus)
    devices = staticmethod(devices.list_devices)
    device = staticmethod(scopes.device)
    execution_mode = eager.SYNC

    @property
    def scope_name(self):
        """The name scope of this thread, with its '/'."""
        return MODE.scope

    @property
    def device_name(self):
        """The device that a block asks for."""
        return dispatch.local.device

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
