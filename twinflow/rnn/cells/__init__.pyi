# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.rnn.cells.base import RNNCell as RNNCell
from twinflow.rnn.cells.basic import BasicRNNCell as _BasicRNNCell
class BasicRNNCell(_BasicRNNCell):
    num_units: Any
    activation: Any
    reuse: Any
from twinflow.rnn.cells.basic import GRUCell as _GRUCell
class GRUCell(_GRUCell):
    num_units: Any
    activation: Any
    reuse: Any
    kernel_initializer: Any
    bias_initializer: Any
from twinflow.rnn.cells.lstm import BasicLSTMCell as _BasicLSTMCell
class BasicLSTMCell(_BasicLSTMCell):
    num_units: Any
    forget_bias: Any
    state_is_tuple: Any
    activation: Any
    reuse: Any
from twinflow.rnn.cells.lstm import LSTMCell as _LSTMCell
class LSTMCell(_LSTMCell):
    num_units: Any
    use_peepholes: Any
    cell_clip: Any
    initializer: Any
    num_proj: Any
    proj_clip: Any
    num_unit_shards: Any
    num_proj_shards: Any
    forget_bias: Any
    state_is_tuple: Any
    activation: Any
    reuse: Any
from twinflow.rnn.cells.lstm import LSTMStateTuple as LSTMStateTuple
from twinflow.rnn.cells.multi import MultiRNNCell as _MultiRNNCell
class MultiRNNCell(_MultiRNNCell):
    cells: Any
    state_is_tuple: Any
from twinflow.rnn.cells.wrappers import DeviceWrapper as _DeviceWrapper
class DeviceWrapper(_DeviceWrapper):
    cell: Any
    device: Any
from twinflow.rnn.cells.wrappers import DropoutWrapper as _DropoutWrapper
class DropoutWrapper(_DropoutWrapper):
    cell: Any
    input_keep_prob: Any
    output_keep_prob: Any
    state_keep_prob: Any
    variational_recurrent: Any
    input_size: Any
    seed: Any
    dropout_state_filter_visitor: Any
from twinflow.rnn.cells.wrappers import ResidualWrapper as _ResidualWrapper
class ResidualWrapper(_ResidualWrapper):
    cell: Any
    residual_fn: Any

__all__ = [
"RNNCell", "BasicRNNCell", "GRUCell", "BasicLSTMCell", "LSTMCell", "LSTMStateTuple",
"MultiRNNCell", "DeviceWrapper", "DropoutWrapper", "ResidualWrapper"
]
