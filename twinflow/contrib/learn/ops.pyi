# Made by `make stubs` from the table of the index.
from twinflow.contrib.learn.small_ops import categorical_variable as categorical_variable
from twinflow.contrib.learn.small_ops import embedding_lookup as embedding_lookup
from twinflow.contrib.learn.small_ops import mean_squared_error_regressor as mean_squared_error_regressor
from twinflow.contrib.learn.small_ops import rnn_decoder as rnn_decoder
from twinflow.contrib.learn.small_ops import rnn_seq2seq as rnn_seq2seq
from twinflow.contrib.learn.small_ops import seq2seq_inputs as seq2seq_inputs
from twinflow.contrib.learn.small_ops import sequence_classifier as sequence_classifier
from twinflow.contrib.learn.small_ops import softmax_classifier as softmax_classifier

__all__ = [
"categorical_variable", "embedding_lookup", "mean_squared_error_regressor",
"rnn_decoder", "rnn_seq2seq", "seq2seq_inputs", "sequence_classifier",
"softmax_classifier"
]
