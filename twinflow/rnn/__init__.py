"""Recurrent networks: cells (tf.nn.rnn_cell) and the loops that run them."""
