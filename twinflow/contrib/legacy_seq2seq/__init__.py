"""tf.contrib.legacy_seq2seq: sequences as lists, an op for each step."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.contrib.seq2seq.loss: sequence_loss=list_loss sequence_loss_by_example
twinflow.contrib.legacy_seq2seq.decoders: rnn_decoder basic_rnn_seq2seq tied_rnn_seq2seq
twinflow.contrib.legacy_seq2seq.decoders: embedding_rnn_decoder embedding_rnn_seq2seq
""",
)
