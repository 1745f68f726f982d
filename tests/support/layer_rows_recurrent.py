"""The recurrent layers and the wrappers; see layer_rows for what a row is."""

ROWS = [
    # recurrent
    ("simple_rnn", "SimpleRNN", dict(units=2), [(4, 3)], {}),
    (
        "simple_rnn_back", "SimpleRNN",
        dict(units=2, go_backwards=True, return_sequences=True), [(4, 3)], {},
    ),
    ("gru", "GRU", dict(units=2), [(4, 3)], {}),
    (
        "gru_after", "GRU",
        dict(units=2, reset_after=True, implementation=2, return_sequences=True),
        [(4, 3)], {},
    ),
    ("gru_unrolled", "GRU", dict(units=2, unroll=True, implementation=2), [(4, 3)], {}),
    ("lstm", "LSTM", dict(units=2), [(4, 3)], {}),
    (
        "lstm_states", "LSTM",
        dict(units=2, return_state=True, return_sequences=True, use_bias=False),
        [(4, 3)], {},
    ),
    (
        "lstm_sigmoid", "LSTM",
        dict(units=2, recurrent_activation="sigmoid", implementation=2,
             unit_forget_bias=False, unroll=True), [(4, 3)], {},
    ),
    ("lstm_initial", "LSTM", dict(units=2), [(4, 3), (2,), (2,)],
     {"initial_state": 2}),
    (
        "rnn_stacked", "RNN",
        dict(cell=[("layer", "LSTMCell", dict(units=2)),
                   ("layer", "GRUCell", dict(units=3))], return_state=True),
        [(4, 3)], {},
    ),
    (
        "rnn_cell", "RNN", dict(cell=("layer", "SimpleRNNCell", dict(units=2))),
        [(4, 3)], {},
    ),
    ("conv_lstm", "ConvLSTM2D", dict(filters=2, kernel_size=2), [(3, 3, 3, 1)], {}),
    (
        "conv_lstm_same", "ConvLSTM2D",
        dict(filters=2, kernel_size=2, padding="same", return_sequences=True),
        [(3, 3, 2, 1)], {},
    ),
    (
        "rnn_custom", "RNN",
        dict(cell=("layer", "MinimalCell", dict(units=2)), return_sequences=True),
        [(4, 3)], {},
    ),
    (
        "rnn_constants", "RNN", dict(cell=("layer", "ConstantCell", dict(units=2))),
        [(4, 3), (5,)], {"constants": 1, "ends": 1},
    ),
    (
        "rnn_all", "RNN",
        dict(cell=("layer", "ConstantCell", dict(units=2)), return_state=True),
        [(4, 3), (2,), (5,)], {"constants": 1, "initial_state": 1, "ends": 1},
    ),
    (
        "rnn_stacked_cells", "RNN",
        dict(cell=("layer", "StackedRNNCells",
                   dict(cells=[("layer", "MinimalCell", dict(units=2)),
                               ("layer", "SimpleRNNCell", dict(units=2))])),
             unroll=True), [(4, 3)], {},
    ),
    (
        "rnn_stacked_constants", "RNN",
        dict(cell=[("layer", "MinimalCell", dict(units=2)),
                   ("layer", "ConstantCell", dict(units=3))], return_state=True),
        [(4, 3), (5,)], {"constants": 1, "ends": 1},
    ),
    (
        "rnn_stacked_initial", "RNN",
        dict(cell=("layer", "StackedRNNCells",
                   dict(cells=[("layer", "FirstStates", dict(units=2)),
                               ("layer", "MinimalCell", dict(units=3))]))),
        [(4, 3)], {},
    ),
    # masks
    ("simple_rnn_masked", "SimpleRNN", dict(units=2), [(4, 3)], {"mask": 1}),
    (
        "gru_masked", "GRU", dict(units=2, go_backwards=True, return_sequences=True),
        [(4, 3)], {"mask": 1},
    ),
    (
        "lstm_masked", "LSTM",
        dict(units=2, return_sequences=True, return_state=True), [(4, 3)], {"mask": 1},
    ),
    ("lstm_masked_unrolled", "LSTM", dict(units=2, unroll=True), [(4, 3)], {"mask": 1}),
    (
        "rnn_stacked_masked", "RNN",
        dict(cell=("layer", "StackedRNNCells",
                   dict(cells=[("layer", "LSTMCell", dict(units=2)),
                               ("layer", "LSTMCell", dict(units=2))],
                        reverse_state_order=True)), return_state=True),
        [(4, 3)], {"mask": 1, "lossy": 1},
    ),
    (
        "bidirectional_masked", "Bidirectional",
        dict(layer=("layer", "LSTM", dict(units=2, return_sequences=True))),
        [(4, 3)], {"mask": 1},
    ),
    # states that are kept
    (
        "simple_rnn_stateful", "SimpleRNN", dict(units=2, stateful=True), [(4, 3)],
        {"batch": 1},
    ),
    (
        "gru_stateful", "GRU",
        dict(units=2, stateful=True, unroll=True, return_sequences=True), [(4, 3)],
        {"batch": 1},
    ),
    (
        "lstm_stateful", "LSTM", dict(units=2, stateful=True, return_state=True),
        [(4, 3)], {"batch": 1},
    ),
    (
        "rnn_stateful", "RNN",
        dict(cell=[("layer", "LSTMCell", dict(units=2)),
                   ("layer", "MinimalCell", dict(units=3))], stateful=True),
        [(4, 3)], {"batch": 1},
    ),
    (
        "bidirectional_stateful", "Bidirectional",
        dict(layer=("layer", "GRU", dict(units=2, stateful=True))), [(4, 3)],
        {"batch": 1},
    ),
    (
        "conv_lstm_stateful", "ConvLSTM2D",
        dict(filters=2, kernel_size=2, stateful=True, use_bias=False), [(3, 3, 3, 1)],
        {"batch": 1},
    ),
    # convolutions along time
    (
        "conv_lstm_states", "ConvLSTM2D",
        dict(filters=2, kernel_size=2, strides=2, return_state=True,
             go_backwards=True, unit_forget_bias=False), [(2, 4, 4, 2)], {},
    ),
    # NVIDIA's spellings
    ("cudnn_lstm", "CuDNNLSTM", dict(units=2), [(4, 3)], {"cudnn": 1}),
    (
        "cudnn_lstm_back", "CuDNNLSTM",
        dict(units=2, return_sequences=True, return_state=True, go_backwards=True),
        [(4, 3)], {"cudnn": 1},
    ),
    ("cudnn_gru", "CuDNNGRU", dict(units=2), [(4, 3)], {"cudnn": 1}),
    (
        "cudnn_gru_states", "CuDNNGRU",
        dict(units=2, return_sequences=True, return_state=True), [(4, 3)],
        {"cudnn": 1},
    ),
    # wrappers
    (
        "time_distributed", "TimeDistributed",
        dict(layer=("layer", "Dense", dict(units=2))), [(4, 3)], {},
    ),
    (
        "time_distributed_conv", "TimeDistributed",
        dict(layer=("layer", "Conv2D", dict(filters=2, kernel_size=2))),
        [(2, 3, 3, 1)], {},
    ),
    (
        "bidirectional", "Bidirectional",
        dict(layer=("layer", "LSTM", dict(units=2))), [(4, 3)], {},
    ),
    (
        "bidirectional_sum", "Bidirectional",
        dict(layer=("layer", "GRU", dict(units=2, return_sequences=True)),
             merge_mode="sum"), [(4, 3)], {},
    ),
    (
        "bidirectional_list", "Bidirectional",
        dict(layer=("layer", "SimpleRNN", dict(units=2)), merge_mode=None),
        [(4, 3)], {},
    ),
    ("wrapper", "Wrapper", dict(layer=("layer", "Dense", dict(units=2))), [(3,)], {}),
    (
        "time_distributed_norm", "TimeDistributed",
        dict(layer=("layer", "BatchNormalization", {})), [(4, 3)], {"training": True},
    ),
    (
        "time_distributed_drop", "TimeDistributed",
        dict(layer=("layer", "Dropout", dict(rate=0.5))), [(4, 3)],
        {"training": False},
    ),
    (
        "bidirectional_mul", "Bidirectional",
        dict(layer=("layer", "LSTM", dict(units=2)), merge_mode="mul"), [(4, 3)], {},
    ),
    (
        "bidirectional_ave", "Bidirectional",
        dict(layer=("layer", "SimpleRNN", dict(units=2, return_sequences=True)),
             merge_mode="ave"), [(4, 3)], {},
    ),
    (
        "bidirectional_states", "Bidirectional",
        dict(layer=("layer", "LSTM", dict(units=2, return_state=True,
                                          return_sequences=True))), [(4, 3)], {},
    ),
    (
        "bidirectional_constants", "Bidirectional",
        dict(layer=("layer", "RNN",
                    dict(cell=("layer", "ConstantCell", dict(units=2))))),
        [(4, 3), (2,), (2,), (5,)], {"initial_state": 2, "constants": 1, "ends": 1},
    ),
    (
        "bidirectional_initial", "Bidirectional",
        dict(layer=("layer", "GRU", dict(units=2))), [(4, 3), (2,), (2,)],
        {"initial_state": 2, "ends": 1},
    ),
    (
        "bidirectional_conv_lstm", "Bidirectional",
        dict(layer=("layer", "ConvLSTM2D", dict(filters=1, kernel_size=2))),
        [(2, 3, 3, 1)], {},
    ),
]  # fmt: skip
