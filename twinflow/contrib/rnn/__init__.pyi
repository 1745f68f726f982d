# Made by `make stubs` from the table of the index.
from twinflow.rnn.cells.base import RNNCell as RNNCell
from twinflow.rnn.cells.base import LayerRNNCell as LayerRNNCell
from twinflow.rnn.cells.basic import BasicRNNCell as BasicRNNCell
from twinflow.rnn.cells.basic import GRUCell as GRUCell
from twinflow.rnn.cells.lstm import BasicLSTMCell as BasicLSTMCell
from twinflow.rnn.cells.lstm import LSTMCell as LSTMCell
from twinflow.rnn.cells.lstm import LSTMStateTuple as LSTMStateTuple
from twinflow.rnn.cells.multi import MultiRNNCell as MultiRNNCell
from twinflow.rnn.cells.wrappers import DeviceWrapper as DeviceWrapper
from twinflow.rnn.cells.wrappers import DropoutWrapper as DropoutWrapper
from twinflow.rnn.cells.wrappers import ResidualWrapper as ResidualWrapper
from twinflow.rnn.static import static_rnn as static_rnn
from twinflow.rnn.static import static_bidirectional_rnn as static_bidirectional_rnn
from twinflow.rnn.static import static_state_saving_rnn as static_state_saving_rnn
from twinflow.contrib.rnn.wrappers import EmbeddingWrapper as EmbeddingWrapper
from twinflow.contrib.rnn.wrappers import InputProjectionWrapper as InputProjectionWrapper
from twinflow.contrib.rnn.wrappers import OutputProjectionWrapper as OutputProjectionWrapper
from twinflow.contrib.rnn.wrappers import HighwayWrapper as HighwayWrapper
from twinflow.contrib.rnn.cells import LayerNormBasicLSTMCell as LayerNormBasicLSTMCell
from twinflow.contrib.rnn.cells import LSTMBlockCell as LSTMBlockCell
from twinflow.contrib.rnn.cells import UGRNNCell as UGRNNCell
from twinflow.contrib.rnn.stacks import stack_bidirectional_rnn as stack_bidirectional_rnn
from twinflow.contrib.rnn.stacks import stack_bidirectional_dynamic_rnn as stack_bidirectional_dynamic_rnn
from twinflow.contrib.rnn.stacks import transpose_batch_time as transpose_batch_time
from twinflow.contrib.rnn.stacks import best_effort_input_batch_size as best_effort_input_batch_size

__all__ = [
"RNNCell", "LayerRNNCell", "BasicRNNCell", "GRUCell", "BasicLSTMCell", "LSTMCell",
"LSTMStateTuple", "MultiRNNCell", "DeviceWrapper", "DropoutWrapper", "ResidualWrapper",
"static_rnn", "static_bidirectional_rnn", "static_state_saving_rnn", "EmbeddingWrapper",
"InputProjectionWrapper", "OutputProjectionWrapper", "HighwayWrapper",
"LayerNormBasicLSTMCell", "LSTMBlockCell", "UGRNNCell", "stack_bidirectional_rnn",
"stack_bidirectional_dynamic_rnn", "transpose_batch_time",
"best_effort_input_batch_size"
]
