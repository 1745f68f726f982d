"""Families of tf.contrib: steps of training, and recurrent networks."""

import importlib

import numpy as np

from benchmarks.family_tools import row


# ---------------------------------------------------------------------- training
def _optimizer(name, *arguments):
    def step(t):
        tf = t.tf
        w = tf.get_variable(
            "w", initializer=t.random.randn(200, 200).astype(np.float32)
        )
        x = t.normal(50, 200)
        made = getattr(tf.contrib.opt, name)(*arguments)
        loss = lambda: tf.reduce_sum(tf.square(tf.matmul(x, w)))
        return lambda: made.minimize(loss())

    row("opt." + name, eager=False)(step)


for _name, *_arguments in (
    ("PowerSignOptimizer", 0.1), ("AddSignOptimizer", 0.1), ("AdaMaxOptimizer",),
    ("NadamOptimizer",), ("LazyAdamOptimizer",), ("GGTOptimizer",),
    ("AdamWOptimizer", 0.01), ("MomentumWOptimizer", 0.01, 0.1, 0.9),
    ("ShampooOptimizer",),
):  # fmt: skip
    _optimizer(_name, *_arguments)


@row("gan step", eager=False)
def _gan(t):
    tf = t.tf
    layers, gan = tf.contrib.layers, tf.contrib.gan
    model = gan.gan_model(
        lambda z: layers.fully_connected(layers.fully_connected(z, 64), 100),
        lambda x, _: layers.linear(layers.fully_connected(x, 64), 1),
        t.normal(64, 100), t.normal(64, 16),
    )  # fmt: skip
    ops = gan.gan_train_ops(
        model, gan.gan_loss(model, add_summaries=False),
        tf.train.AdamOptimizer(), tf.train.AdamOptimizer(),
        check_for_unused_update_ops=False,
    )  # fmt: skip
    return lambda: [ops.generator_train_op, ops.discriminator_train_op]


@row("model_pruning step", eager=False)
def _pruning(t):
    tf = t.tf
    pruning = importlib.import_module("tensorflow.contrib.model_pruning.python.pruning")
    layers = importlib.import_module(
        "tensorflow.contrib.model_pruning.python.layers.layers"
    )
    settings = pruning.get_pruning_hparams().parse(
        "begin_pruning_step=0,pruning_frequency=1"
    )
    y = layers.masked_fully_connected(
        t.normal(64, 128), 128, weights_initializer=tf.constant_initializer(0.1)
    )
    step = tf.train.get_or_create_global_step()
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y), step)
    prune = pruning.Pruning(settings, global_step=step)
    update = prune.conditional_mask_update_op()
    return lambda: [train, update.op]


@row("specs conv net", eager=False)
def _specs(t):
    specs = importlib.import_module("tensorflow.contrib.specs.python.specs")
    x = t.normal(8, 28, 28, 1)
    return lambda: specs.create_net(
        "net = Cr(16, [5, 5]) | Mp([2, 2]) | Cr(32, [5, 5]) | Flat | Fl(10)", x
    )


@row("grid_rnn", eager=False)
def _grid(t):
    cell = t.tf.contrib.grid_rnn.Grid2LSTMCell(32, use_peepholes=True)
    x = [t.normal(16, 32) for _ in range(5)]
    return lambda: t.tf.nn.static_rnn(cell, x, dtype=t.tf.float32)[0]


@row("recurrent, gradient", eager=False)
def _recurrent(t):
    tf = t.tf
    functional = importlib.import_module(
        "tensorflow.contrib.recurrent.python.ops.recurrent"
    )
    nest = {"w": t.normal(32, 32) * 0.1}

    def cell(theta, state, inputs):
        return {"h": tf.tanh(tf.matmul(state["h"], theta["w"]) + inputs["x"])}, {}

    def whole(x):
        first = {"h": tf.zeros([16, 32])}
        return tf.reduce_sum(functional.Recurrent(nest, first, {"x": x}, cell)[0]["h"])

    return t.slopes(whole, t.normal(20, 16, 32))


@row("beam search", eager=False)
def _beams(t):
    tf, seq2seq = t.tf, t.tf.contrib.seq2seq
    cell, embedding = tf.nn.rnn_cell.GRUCell(32), t.normal(50, 32)
    decoder = seq2seq.BeamSearchDecoder(
        cell, embedding, tf.fill([8], 1), 2,
        seq2seq.tile_batch(tf.zeros([8, 32]), 4), 4,
        tf.layers.Dense(50, use_bias=False),
    )  # fmt: skip
    return lambda: (
        seq2seq.dynamic_decode(decoder, maximum_iterations=12)[0].predicted_ids
    )
