# Made by `make stubs` from the table of the index.
from twinflow.rnn.cells.base import RNNCell as RNNCell
from twinflow.contrib.rnn import BasicRNNCell as BasicRNNCell
from twinflow.contrib.rnn import GRUCell as GRUCell
from twinflow.contrib.rnn import BasicLSTMCell as BasicLSTMCell
from twinflow.contrib.rnn import LSTMCell as LSTMCell
from twinflow.rnn.cells.lstm import LSTMStateTuple as LSTMStateTuple
from twinflow.contrib.rnn import MultiRNNCell as MultiRNNCell
from twinflow.contrib.rnn import DeviceWrapper as DeviceWrapper
from twinflow.contrib.rnn import DropoutWrapper as DropoutWrapper
from twinflow.contrib.rnn import ResidualWrapper as ResidualWrapper

__all__ = [
"RNNCell", "BasicRNNCell", "GRUCell", "BasicLSTMCell", "LSTMCell", "LSTMStateTuple",
"MultiRNNCell", "DeviceWrapper", "DropoutWrapper", "ResidualWrapper"
]
