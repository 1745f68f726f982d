# Made by `make stubs` from the table of the index.
from twinflow.rnn.cells.base import RNNCell as RNNCell
from twinflow.rnn.cells.basic import BasicRNNCell as BasicRNNCell
from twinflow.rnn.cells.basic import GRUCell as GRUCell
from twinflow.rnn.cells.lstm import BasicLSTMCell as BasicLSTMCell
from twinflow.rnn.cells.lstm import LSTMCell as LSTMCell
from twinflow.rnn.cells.lstm import LSTMStateTuple as LSTMStateTuple
from twinflow.rnn.cells.multi import MultiRNNCell as MultiRNNCell
from twinflow.rnn.cells.wrappers import DeviceWrapper as DeviceWrapper
from twinflow.rnn.cells.wrappers import DropoutWrapper as DropoutWrapper
from twinflow.rnn.cells.wrappers import ResidualWrapper as ResidualWrapper

__all__ = [
"RNNCell", "BasicRNNCell", "GRUCell", "BasicLSTMCell", "LSTMCell", "LSTMStateTuple",
"MultiRNNCell", "DeviceWrapper", "DropoutWrapper", "ResidualWrapper"
]
