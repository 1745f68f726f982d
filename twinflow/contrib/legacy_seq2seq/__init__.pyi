# Made by `make stubs` from the table of the index.
from twinflow.contrib.seq2seq.loss import list_loss as sequence_loss
from twinflow.contrib.seq2seq.loss import sequence_loss_by_example as sequence_loss_by_example
from twinflow.contrib.legacy_seq2seq.decoders import rnn_decoder as rnn_decoder
from twinflow.contrib.legacy_seq2seq.decoders import basic_rnn_seq2seq as basic_rnn_seq2seq
from twinflow.contrib.legacy_seq2seq.decoders import tied_rnn_seq2seq as tied_rnn_seq2seq
from twinflow.contrib.legacy_seq2seq.decoders import embedding_rnn_decoder as embedding_rnn_decoder
from twinflow.contrib.legacy_seq2seq.decoders import embedding_rnn_seq2seq as embedding_rnn_seq2seq
from twinflow.contrib.legacy_seq2seq.decoders import embedding_tied_rnn_seq2seq as embedding_tied_rnn_seq2seq
from twinflow.contrib.legacy_seq2seq.decoders import one2many_rnn_seq2seq as one2many_rnn_seq2seq
from twinflow.contrib.legacy_seq2seq.attention import attention_decoder as attention_decoder
from twinflow.contrib.legacy_seq2seq.attention import embedding_attention_decoder as embedding_attention_decoder
from twinflow.contrib.legacy_seq2seq.attention import embedding_attention_seq2seq as embedding_attention_seq2seq
from twinflow.contrib.legacy_seq2seq.buckets import model_with_buckets as model_with_buckets

__all__ = [
"sequence_loss", "sequence_loss_by_example", "rnn_decoder", "basic_rnn_seq2seq",
"tied_rnn_seq2seq", "embedding_rnn_decoder", "embedding_rnn_seq2seq",
"embedding_tied_rnn_seq2seq", "one2many_rnn_seq2seq", "attention_decoder",
"embedding_attention_decoder", "embedding_attention_seq2seq", "model_with_buckets"
]
