# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.rnn.cells.base import RNNCell as RNNCell
from twinflow.rnn.cells.base import LayerRNNCell as LayerRNNCell
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
from twinflow.rnn.static import static_rnn as static_rnn
from twinflow.rnn.static import static_bidirectional_rnn as static_bidirectional_rnn
from twinflow.rnn.static import static_state_saving_rnn as static_state_saving_rnn
from twinflow.contrib.rnn.wrappers import EmbeddingWrapper as EmbeddingWrapper
from twinflow.contrib.rnn.wrappers import InputProjectionWrapper as InputProjectionWrapper
from twinflow.contrib.rnn.wrappers import OutputProjectionWrapper as OutputProjectionWrapper
from twinflow.contrib.rnn.wrappers import HighwayWrapper as HighwayWrapper
from twinflow.contrib.rnn.cells import LayerNormBasicLSTMCell as LayerNormBasicLSTMCell
from twinflow.contrib.rnn.cells import UGRNNCell as UGRNNCell
from twinflow.contrib.rnn.stacks import stack_bidirectional_rnn as stack_bidirectional_rnn
from twinflow.contrib.rnn.stacks import stack_bidirectional_dynamic_rnn as stack_bidirectional_dynamic_rnn
from twinflow.contrib.rnn.stacks import transpose_batch_time as transpose_batch_time
from twinflow.contrib.rnn.stacks import best_effort_input_batch_size as best_effort_input_batch_size
from twinflow.contrib.rnn.blocks import LSTMBlockCell as LSTMBlockCell
from twinflow.contrib.rnn.blocks import LSTMBlockFusedCell as LSTMBlockFusedCell
from twinflow.contrib.rnn.blocks import LSTMBlockWrapper as LSTMBlockWrapper
from twinflow.contrib.rnn.blocks import GRUBlockCell as GRUBlockCell
from twinflow.contrib.rnn.blocks import GRUBlockCellV2 as GRUBlockCellV2
from twinflow.contrib.rnn.fused import FusedRNNCell as FusedRNNCell
from twinflow.contrib.rnn.fused import FusedRNNCellAdaptor as FusedRNNCellAdaptor
from twinflow.contrib.rnn.fused import TimeReversedFusedRNN as TimeReversedFusedRNN
from twinflow.contrib.rnn.cells_lstm import CoupledInputForgetGateLSTMCell as CoupledInputForgetGateLSTMCell
from twinflow.contrib.rnn.cells_gated import NASCell as NASCell
from twinflow.contrib.rnn.cells_gated import IntersectionRNNCell as IntersectionRNNCell
from twinflow.contrib.rnn.cells_gated import PhasedLSTMCell as PhasedLSTMCell
from twinflow.contrib.rnn.cells_gated import GLSTMCell as GLSTMCell
from twinflow.contrib.rnn.cells_conv import ConvLSTMCell as ConvLSTMCell
from twinflow.contrib.rnn.cells_conv import Conv1DLSTMCell as Conv1DLSTMCell
from twinflow.contrib.rnn.cells_conv import Conv2DLSTMCell as Conv2DLSTMCell
from twinflow.contrib.rnn.cells_conv import Conv3DLSTMCell as Conv3DLSTMCell
from twinflow.contrib.rnn.cells_grid import TimeFreqLSTMCell as TimeFreqLSTMCell
from twinflow.contrib.rnn.cells_grid import GridLSTMCell as GridLSTMCell
from twinflow.contrib.rnn.cells_grid import BidirectionalGridLSTMCell as BidirectionalGridLSTMCell
from twinflow.contrib.rnn.cells_independent import IndRNNCell as IndRNNCell
from twinflow.contrib.rnn.cells_independent import IndyGRUCell as IndyGRUCell
from twinflow.contrib.rnn.cells_independent import IndyLSTMCell as IndyLSTMCell
from twinflow.contrib.rnn.cells_independent import SRUCell as SRUCell
from twinflow.contrib.rnn.attention_cell import AttentionCellWrapper as AttentionCellWrapper
from twinflow.contrib.rnn.attention_cell import CompiledWrapper as CompiledWrapper

__all__ = [
"RNNCell", "LayerRNNCell", "BasicRNNCell", "GRUCell", "BasicLSTMCell", "LSTMCell",
"LSTMStateTuple", "MultiRNNCell", "DeviceWrapper", "DropoutWrapper", "ResidualWrapper",
"static_rnn", "static_bidirectional_rnn", "static_state_saving_rnn", "EmbeddingWrapper",
"InputProjectionWrapper", "OutputProjectionWrapper", "HighwayWrapper",
"LayerNormBasicLSTMCell", "UGRNNCell", "stack_bidirectional_rnn",
"stack_bidirectional_dynamic_rnn", "transpose_batch_time",
"best_effort_input_batch_size", "LSTMBlockCell", "LSTMBlockFusedCell",
"LSTMBlockWrapper", "GRUBlockCell", "GRUBlockCellV2", "FusedRNNCell",
"FusedRNNCellAdaptor", "TimeReversedFusedRNN", "CoupledInputForgetGateLSTMCell",
"NASCell", "IntersectionRNNCell", "PhasedLSTMCell", "GLSTMCell", "ConvLSTMCell",
"Conv1DLSTMCell", "Conv2DLSTMCell", "Conv3DLSTMCell", "TimeFreqLSTMCell",
"GridLSTMCell", "BidirectionalGridLSTMCell", "IndRNNCell", "IndyGRUCell",
"IndyLSTMCell", "SRUCell", "AttentionCellWrapper", "CompiledWrapper"
]
