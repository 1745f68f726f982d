# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.rnn.cells.base import RNNCell as RNNCell
from twinflow.rnn.cells.base import LayerRNNCell as LayerRNNCell
from twinflow.rnn.cells.basic import BasicRNNCell as _BasicRNNCell
class BasicRNNCell(_BasicRNNCell):
    r"""h' = activation([x, h] W + b).

    Args:
        num_units: the size of the state and of the output.
        activation: a function or its name; tanh if not given.
        reuse: whether the variables must be there already. name: that of the scope.
        dtype: that of the variables; that of the first input if not given.
        kwargs: see tf.layers.Layer.
    Example:
        cell = tf.nn.rnn_cell.BasicRNNCell(4)
        y, state = cell(tf.ones([2, 3]), tf.zeros([2, 4]))
        y.shape.as_list()  # [2, 4]
    """
    num_units: Any
    activation: Any
    reuse: Any
from twinflow.rnn.cells.basic import GRUCell as _GRUCell
class GRUCell(_GRUCell):
    r"""The gated recurrent unit.

        r, u = split(sigmoid([x, h] Wg + bg))
        c = activation([x, r h] Wc + bc)
        h' = u h + (1 - u) c

    Args:
        num_units: the size of the state and of the output.
        activation: a function or its name; tanh if not given.
        reuse: whether the variables must be there already. name: that of the scope.
        kernel_initializer, bias_initializer: of the matrices and of the biases (1 for
            the gates and 0 for the candidate if not given).
        dtype: that of the variables; that of the first input if not given.
        kwargs: see tf.layers.Layer.
    Reference: Cho et al., Learning phrase representations using RNN encoder-decoder
    for statistical machine translation (2014).
    """
    num_units: Any
    activation: Any
    reuse: Any
    kernel_initializer: Any
    bias_initializer: Any
from twinflow.rnn.cells.lstm import BasicLSTMCell as _BasicLSTMCell
class BasicLSTMCell(_BasicLSTMCell):
    r"""Long short-term memory without peepholes, clipping or projection.

        i, j, f, o = split([x, h] W + b)
        c' = sigmoid(f + forget_bias) c + sigmoid(i) activation(j)
        h' = sigmoid(o) activation(c')

    Args:
        num_units: the size of the memory and of the output.
        forget_bias: added to the bias of the forget gate.
        state_is_tuple: whether states are LSTMStateTuples, or c and h side by side.
        activation: a function or its name; tanh if not given.
        reuse: whether the variables must be there already. name: that of the scope.
        dtype: that of the variables; that of the first input if not given.
        kwargs: see tf.layers.Layer.
    Reference: Zaremba et al., Recurrent neural network regularization (2014).
    """
    num_units: Any
    forget_bias: Any
    state_is_tuple: Any
    activation: Any
    reuse: Any
from twinflow.rnn.cells.lstm import LSTMCell as _LSTMCell
class LSTMCell(_LSTMCell):
    r"""Long short-term memory.

        i, j, f, o = split([x, h] W + b)
        c' = sigmoid(f + forget_bias + wf c) c + sigmoid(i + wi c) activation(j)
        h' = (sigmoid(o + wo c') activation(c')) P

    where wf, wi, wo are there with `use_peepholes` and P with `num_proj`.

    Args:
        num_units: the size of the memory.
        use_peepholes: whether the gates see the memory.
        cell_clip: the largest absolute value of the memory, or None.
        initializer: of the matrices and peepholes.
        num_proj: the size of the output, if it is projected.
        proj_clip: the largest absolute value of what is projected, or None.
        num_unit_shards, num_proj_shards: parts of the matrices; only 1.
        forget_bias: added to the bias of the forget gate.
        state_is_tuple: whether states are LSTMStateTuples, or c and h side by side.
        activation: a function or its name; tanh if not given.
        reuse: whether the variables must be there already. name: that of the scope.
        dtype: that of the variables; that of the first input if not given.
        kwargs: see tf.layers.Layer.
    Reference: Sak et al., Long short-term memory recurrent neural network architectures
    for large scale acoustic modeling (Interspeech 2014).
    """
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
    r"""Cells in a row: the output of each is the input of the next.

    Args:
        cells: a list of cells.
        state_is_tuple: whether the state is the tuple of theirs, or all side by side.
    Raises:
        ValueError: there are no cells, or a state is a tuple and may not be.
        TypeError: `cells` is not a list.
    Example:
        cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(n) for n in [8, 4]])
    """
    cells: Any
    state_is_tuple: Any
from twinflow.rnn.cells.wrappers import DeviceWrapper as _DeviceWrapper
class DeviceWrapper(_DeviceWrapper):
    r"""A cell that runs on a device.

    Args:
        cell: the cell. device: the name of the device, or a function; see tf.device.
    """
    cell: Any
    device: Any
from twinflow.rnn.cells.wrappers import DropoutWrapper as _DropoutWrapper
class DropoutWrapper(_DropoutWrapper):
    r"""A cell with dropout of its input, output and state.

    Args:
        cell: the cell.
        input_keep_prob, output_keep_prob, state_keep_prob: the probabilities with which
            a number stays; a float or a float scalar.
        variational_recurrent: whether all steps drop the same numbers.
        input_size: the sizes of the input, needed for that if the input is dropped.
        dtype: that of input, output and state, needed for that.
        seed: makes what is dropped reproducible.
        dropout_state_filter_visitor: a function that says which parts of the state may
            be dropped; all but the memory of LSTM cells if not given.
    Raises:
        TypeError: `cell` is no cell, or the visitor is no function.
        ValueError: a probability is not in [0, 1], or something needed is missing.
    Reference: Gal and Ghahramani, A theoretically grounded application of dropout in
    recurrent neural networks (2016), for `variational_recurrent`.
    """
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
    r"""A cell whose inputs are added to its outputs.

    Args:
        cell: the cell.
        residual_fn: a function from inputs and outputs to what is given instead.
    Raises:
        ValueError, TypeError: (when called) inputs and outputs do not fit each other.
    """
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
