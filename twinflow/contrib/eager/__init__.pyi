# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.graph.defaults import enable_eager_execution as enable_eager_execution
from twinflow.graph.defaults import executing_eagerly as executing_eagerly
from twinflow.graph.defaults import executing_eagerly as in_eager_mode
from twinflow.eager.context import SYNC as SYNC
from twinflow.eager.context import ASYNC as ASYNC
from twinflow.eager.context import execution_mode as execution_mode
from twinflow.eager.context import set_execution_mode as set_execution_mode
from twinflow.eager.context import async_wait as async_wait
from twinflow.eager.context import async_clear_error as async_clear_error
def connect_to_remote_host(*args: Any, **kwargs: Any) -> Any:
    r"""Refuse remote devices: twinflow runs in one process.

    Raises:
        UnimplementedError: always.
    """
def set_server_def(*args: Any, **kwargs: Any) -> Any:
    r"""Refuse remote devices: twinflow runs in one process.

    Raises:
        UnimplementedError: always.
    """
def enable_remote_eager_execution(*args: Any, **kwargs: Any) -> Any:
    r"""Refuse remote devices: twinflow runs in one process.

    Raises:
        UnimplementedError: always.
    """
from twinflow.eager.context import EXPLICIT as DEVICE_PLACEMENT_EXPLICIT
from twinflow.eager.context import WARN as DEVICE_PLACEMENT_WARN
from twinflow.eager.context import SILENT as DEVICE_PLACEMENT_SILENT
from twinflow.eager.context import SILENT_FOR_INT32 as DEVICE_PLACEMENT_SILENT_FOR_INT32
from twinflow.eager.callbacks import InfOrNanError as InfOrNanError
from twinflow.eager.callbacks import add_execution_callback as add_execution_callback
from twinflow.eager.callbacks import clear_execution_callbacks as clear_execution_callbacks
from twinflow.eager.callbacks import inf_callback as inf_callback
from twinflow.eager.callbacks import inf_nan_callback as inf_nan_callback
from twinflow.eager.callbacks import nan_callback as nan_callback
from twinflow.eager.callbacks import seterr as seterr
from twinflow.base.devices import list_devices as list_devices
from twinflow.base.devices import num_gpus as num_gpus
from twinflow.base.tensor_spec import TensorSpec as TensorSpec
from twinflow.ops.variables.resource import ResourceVariable as Variable
from twinflow.graph.variable_store import EagerVariableStore as EagerVariableStore
from twinflow.execute.function import defun as defun
from twinflow.execute.py_func import eager_py_func as py_func
from twinflow.contrib.eager.template import make_template as make_template
from twinflow.contrib.eager.saver import Saver as Saver
from twinflow.contrib.eager.saver import restore_variables_on_create as restore_variables_on_create
from twinflow.checkpoint.checkpoint import Checkpoint as Checkpoint
from twinflow.compat.app import run as run
from twinflow.contrib.eager import metrics as metrics
from twinflow.contrib.eager.network import Network as Network
from twinflow.contrib.eager.network import Sequential as Sequential
from twinflow.contrib.eager.network_checkpoints import save_network_checkpoint as save_network_checkpoint
from twinflow.contrib.eager.network_checkpoints import restore_network_checkpoint as restore_network_checkpoint
from twinflow.train.optimizer import get_optimizer_variables as get_optimizer_variables
from twinflow.autodiff.tape import GradientTape as GradientTape
from twinflow.autodiff.custom_gradient import custom_gradient as custom_gradient
from twinflow.autodiff.functional import gradients_function as gradients_function
from twinflow.autodiff.functional import value_and_gradients_function as value_and_gradients_function
from twinflow.autodiff.functional import implicit_gradients as implicit_gradients
from twinflow.autodiff.functional import implicit_value_and_gradients as implicit_value_and_gradients
from twinflow.data.iterators.handles import EagerIterator as Iterator
from twinflow.testing.both_modes import run_test_in_graph_and_eager_modes as run_test_in_graph_and_eager_modes
from twinflow.testing.both_modes import run_all_tests_in_graph_and_eager_modes as run_all_tests_in_graph_and_eager_modes
from twinflow.checkpoint.tracking import Checkpointable as Checkpointable
from twinflow.checkpoint.tracking import CheckpointableSaver as CheckpointableSaver

__all__ = [
"enable_eager_execution", "executing_eagerly", "in_eager_mode", "SYNC", "ASYNC",
"execution_mode", "set_execution_mode", "async_wait", "async_clear_error",
"connect_to_remote_host", "set_server_def", "enable_remote_eager_execution",
"DEVICE_PLACEMENT_EXPLICIT", "DEVICE_PLACEMENT_WARN", "DEVICE_PLACEMENT_SILENT",
"DEVICE_PLACEMENT_SILENT_FOR_INT32", "InfOrNanError", "add_execution_callback",
"clear_execution_callbacks", "inf_callback", "inf_nan_callback", "nan_callback",
"seterr", "list_devices", "num_gpus", "TensorSpec", "Variable", "EagerVariableStore",
"defun", "py_func", "make_template", "Saver", "restore_variables_on_create",
"Checkpoint", "run", "metrics", "Network", "Sequential", "save_network_checkpoint",
"restore_network_checkpoint", "get_optimizer_variables", "GradientTape",
"custom_gradient", "gradients_function", "value_and_gradients_function",
"implicit_gradients", "implicit_value_and_gradients", "Iterator",
"run_test_in_graph_and_eager_modes", "run_all_tests_in_graph_and_eager_modes",
"Checkpointable", "CheckpointableSaver"
]
