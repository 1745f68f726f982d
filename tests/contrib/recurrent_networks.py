"""Recurrent parts of tf.contrib with weights that follow from their shapes.

recurrent_networks.json holds what `ran` gives of each of the `programs` in TensorFlow
1.12, with seven digits.
"""

import numpy as np

X = np.random.RandomState(1).randn(3, 4).astype(np.float32)
IDS = np.random.RandomState(2).randint(0, 5, (4, 3)).astype(np.int32)
ROWS = np.random.RandomState(3).randn(3, 6, 5).astype(np.float32)
MEMORY = np.random.RandomState(4).randn(3, 4, 4).astype(np.float32)
LENGTHS = np.array([6, 3, 4], np.int32)
LSTM = {
    "plain": {},
    "peepholes": {"use_peepholes": True},
    "projected": {"num_proj": 3, "proj_clip": 0.4},
}
GRID = {"feature_size": 2, "frequency_skip": 1, "num_frequency_blocks": [3]}


def weights(tf):
    """The initializer: numbers that follow from the shape."""

    def made(shape, dtype=None, partition_info=None):
        n = int(np.prod(shape))
        values = 0.5 * np.random.RandomState(n).randn(*shape)
        return tf.constant(values, dtype)

    return made


def cells(tf, deep):
    """Cells by name."""
    R = tf.contrib.rnn
    found = {
        "block": lambda: R.LSTMBlockCell(5, use_peephole=True, cell_clip=0.6),
        "gru_block": lambda: R.GRUBlockCellV2(5),
        "nas": lambda: R.NASCell(5, num_proj=3, use_biases=True),
        "intersection": lambda: R.IntersectionRNNCell(5, num_in_proj=5),
        "groups": lambda: R.GLSTMCell(6, number_of_groups=2, num_proj=4),
        "sru": lambda: R.SRUCell(5),
        "attention": lambda: R.AttentionCellWrapper(R.GRUCell(5), 3, attn_size=4),
        "grid": lambda: R.GridLSTMCell(3, use_peepholes=True, **GRID),
        "grid_shared": lambda: R.GridLSTMCell(
            3, share_time_frequency_weights=True, couple_input_forget_gates=True, **GRID
        ),
        "grid_both": lambda: R.BidirectionalGridLSTMCell(
            3, backward_slice_offset=1, **GRID
        ),
    }
    for name, options in LSTM.items():
        found["coupled_" + name] = lambda o=options: R.CoupledInputForgetGateLSTMCell(
            5, layer_norm=not o, **o
        )
        found["normed_" + name] = lambda o=options: deep.LayerNormLSTMCell(
            5, layer_norm=bool(o), **o
        )
        found["weights_" + name] = lambda o=options: deep.WeightNormLSTMCell(5, **o)
    return found


def steps(tf, make, nest):
    """The outputs and states of two steps of a cell."""
    cell = make()
    state = nest.map_structure(lambda t: t + 0.1, cell.zero_state(3, tf.float32))
    with tf.variable_scope("c") as scope:
        _, state = cell(tf.constant(X), state)
        scope.reuse_variables()
        output, state = cell(tf.constant(X), state)
    return [output] + nest.flatten(state)


def attentions(S):
    """Mechanisms by name."""
    lengths = [4, 2, 3]
    found = {
        "luong": lambda: S.LuongAttention(8, MEMORY, lengths, scale=True),
        "bahdanau": lambda: S.BahdanauAttention(5, MEMORY, lengths, normalize=True),
        "luong_hard": lambda: S.LuongMonotonicAttention(
            8, MEMORY, lengths, mode="hard"
        ),
    }
    for mode in ("parallel", "recursive"):
        found[mode] = lambda m=mode: S.BahdanauMonotonicAttention(
            5, MEMORY, lengths, score_bias_init=-1.0, mode=m
        )
    return found


def decoded(tf, attention):
    """What a decoder with attention puts out."""
    S, first = tf.contrib.seq2seq, weights(tf)
    cell = S.AttentionWrapper(tf.nn.rnn_cell.GRUCell(8), attention(), 6)
    helper = S.TrainingHelper(ROWS, LENGTHS)
    layer = tf.layers.Dense(7, kernel_initializer=first)
    decoder = S.BasicDecoder(cell, helper, cell.zero_state(3, tf.float32), layer)
    found, state, lengths = S.dynamic_decode(
        decoder, impute_finished=True, maximum_iterations=5
    )
    return [found.rnn_output, state.attention, tf.to_float(lengths)]


def searched(tf):
    """What a beam search with two mechanisms and penalties finds."""
    S, first, width = tf.contrib.seq2seq, weights(tf), 4
    memory = S.tile_batch(tf.constant(MEMORY), width)
    lengths = S.tile_batch(tf.constant([4, 2, 3]), width)
    cell = S.AttentionWrapper(
        tf.nn.rnn_cell.LSTMCell(8),
        [S.LuongAttention(8, memory, lengths), S.BahdanauAttention(5, memory, lengths)],
        attention_layer_size=[6, 5],
    )
    table = tf.constant(np.random.RandomState(5).randn(7, 5).astype(np.float32))
    decoder = S.BeamSearchDecoder(
        cell, table, tf.fill([3], 1), 0, cell.zero_state(12, tf.float32), width,
        tf.layers.Dense(7, kernel_initializer=first), length_penalty_weight=0.6,
        coverage_penalty_weight=0.3,
    )  # fmt: skip
    found, state, lengths = S.dynamic_decode(decoder, maximum_iterations=9)
    scores = found.beam_search_decoder_output.scores
    ids = tf.to_float(found.predicted_ids)
    return [ids, scores, state.log_probs, tf.to_float(lengths)]


def legacy(tf):
    """Models of tf.contrib.legacy_seq2seq by name."""
    L, GRU = tf.contrib.legacy_seq2seq, tf.nn.rnn_cell.GRUCell
    ids = [tf.constant(row) for row in IDS]
    read, written = ids, ids[:3]

    def buckets():
        ones = [tf.ones([3])] * 3
        outputs, losses = L.model_with_buckets(
            read, written, written, ones, [(2, 2), (4, 3)],
            lambda x, y: L.embedding_attention_seq2seq(x, y, GRU(5), 6, 5, 4),
        )  # fmt: skip
        return outputs[0] + losses

    return {
        "tied": lambda: L.embedding_tied_rnn_seq2seq(read, written, GRU(5), 6, 4)[0],
        "fed": lambda: L.embedding_attention_seq2seq(
            read, written, GRU(5), 6, 5, 4, num_heads=2, feed_previous=True
        )[0],
        "switched": lambda: L.embedding_attention_seq2seq(
            read, written, GRU(5), 6, 5, 4, initial_state_attention=True,
            feed_previous=tf.placeholder_with_default(True, []),
        )[0],
        "many": lambda: L.one2many_rnn_seq2seq(
            read, {"a": written}, GRU(5), {"a": GRU(5)}, 6, {"a": 5}, 4
        )[0]["a"],
        "buckets": buckets,
    }  # fmt: skip


def digest(value):
    """Two sums that tell arrays apart."""
    a = np.asarray(value, np.float64)
    cosines = np.cos(np.arange(a.size)).reshape(a.shape)
    return [float(a.sum()), float((a * cosines).sum())]


def programs(tf, deep, nest):
    """{name: function that builds the results}

    Args:
        deep: has LayerNormLSTMCell and WeightNormLSTMCell. nest: has map_structure.
    """
    found = {
        name: lambda make=make: steps(tf, make, nest)
        for name, make in cells(tf, deep).items()
    }
    for name, make in attentions(tf.contrib.seq2seq).items():
        found[name] = lambda make=make: decoded(tf, make)
    found["beam_search"] = lambda: searched(tf)
    for name in ("tied", "fed", "switched", "many", "buckets"):
        found[name] = lambda name=name: legacy(tf)[name]()
    return found


def ran(tf, build):
    """The digests of one program, in a graph and session of its own."""
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.variable_scope("v", initializer=weights(tf)):
            found = build()
        variables = tf.trainable_variables()
        loss = tf.add_n([tf.reduce_sum(t) for t in found])
        slopes = tf.gradients(loss, variables)
        session.run(tf.global_variables_initializer())
        slopes = [tf.convert_to_tensor(s) for s in slopes if s is not None]
        return [digest(v) for v in session.run(found + slopes)]
