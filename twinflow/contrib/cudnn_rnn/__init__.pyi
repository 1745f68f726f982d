# Made by `make stubs` from the table of the index.
from twinflow.contrib.cudnn_rnn.layers import CudnnGRU as CudnnGRU
from twinflow.contrib.cudnn_rnn.layers import CudnnLSTM as CudnnLSTM
from twinflow.contrib.cudnn_rnn.layers import CudnnRNNRelu as CudnnRNNRelu
from twinflow.contrib.cudnn_rnn.layers import CudnnRNNTanh as CudnnRNNTanh
from twinflow.contrib.cudnn_rnn.cells import CudnnCompatibleGRUCell as CudnnCompatibleGRUCell
from twinflow.contrib.cudnn_rnn.cells import CudnnCompatibleLSTMCell as CudnnCompatibleLSTMCell
from twinflow.contrib.cudnn_rnn.saveables import CudnnGRUSaveable as CudnnGRUSaveable
from twinflow.contrib.cudnn_rnn.saveables import CudnnLSTMSaveable as CudnnLSTMSaveable
from twinflow.contrib.cudnn_rnn.saveables import CudnnRNNReluSaveable as CudnnRNNReluSaveable
from twinflow.contrib.cudnn_rnn.saveables import CudnnRNNTanhSaveable as CudnnRNNTanhSaveable

__all__ = [
"CudnnGRU", "CudnnLSTM", "CudnnRNNRelu", "CudnnRNNTanh", "CudnnCompatibleGRUCell",
"CudnnCompatibleLSTMCell", "CudnnGRUSaveable", "CudnnLSTMSaveable",
"CudnnRNNReluSaveable", "CudnnRNNTanhSaveable"
]
