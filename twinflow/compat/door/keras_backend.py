"""What python.keras.backend has beside the public functions."""

import builtins

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import Tensor
from twinflow.compat.door.machine import list_local_devices
from twinflow.execute.session_config import soft_placement
from twinflow.graph.defaults import get_default_graph
from twinflow.keras.backend import defaults, sessions
from twinflow.keras.layers.arguments import format_or_refused, op_format, op_padding
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.constant import identity as _identity

Function = sessions.Function
learning_phase_scope = defaults.learning_phase_scope
get_default_session_config = soft_placement
_preprocess_padding = op_padding
py_all, py_any, py_sum = builtins.all, builtins.any, builtins.sum


def identity(x, name=None):
    """A tensor with the same value."""
    return _identity(x, name)


def is_placeholder(x):
    """Whether this is a placeholder without a default."""
    op = getattr(x, "op", None) if isinstance(x, Tensor) else None
    return op is not None and op.type == "Placeholder"


def get_graph():
    """The graph that Keras makes nodes in."""
    return get_default_graph()


def track_variable(v):
    """Let a variable be initialized with those of the collections."""
    if not current_mode().eager:
        sessions.track(get_default_graph(), v)


def _get_variables(graph=None):
    graph = graph or get_default_graph()
    return sessions.known_variables(graph)


def _initialize_variables(session):
    sessions.initialize(session)


def _to_tensor(x, dtype):
    return convert_to_tensor(x, dtypes.as_dtype(dtype))


def _get_available_gpus():
    return [d.name for d in list_local_devices() if d.device_type == "GPU"]


def _has_nchw_support():
    return bool(_get_available_gpus())


def _preprocess_conv_input(x, data_format, rank):
    return x, op_format(format_or_refused(data_format), rank)


def _preprocess_conv1d_input(x, data_format):
    return _preprocess_conv_input(x, data_format, 1)


def _preprocess_conv2d_input(x, data_format):
    return _preprocess_conv_input(x, data_format, 2)


def _preprocess_conv3d_input(x, data_format):
    return _preprocess_conv_input(x, data_format, 3)
