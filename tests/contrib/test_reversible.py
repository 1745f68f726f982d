"""Reversible blocks: the same gradients as ordinary ones, from the output alone."""

import tracemalloc

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, interpreted
from twinflow.contrib import eager as tfe
from twinflow.contrib.reversible import ReversibleBlock, ReversibleSequence
from twinflow.execute.call import plans_of
from twinflow.lower import compile

X = np.random.RandomState(0).randn(4, 6, 6, 4).astype("f4")
DY = np.random.RandomState(1).randn(4, 6, 6, 4).astype("f4")


def inner(axis=-1, momentum=0.9):
    """Normalization, relu and a convolution of 2 channels."""
    order = "channels_last" if axis == -1 else "channels_first"
    return tf.keras.Sequential([
        tf.keras.layers.BatchNormalization(axis, momentum),
        tf.keras.layers.Activation("relu"),
        tf.keras.layers.Conv2D(2, 3, padding="same", data_format=order),
    ])  # fmt: skip


def small_block(axis=-1):
    return ReversibleBlock(inner(axis), inner(axis), axis)


def true_gradients(block, x, dy):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = block(x)
    dx, *grads = tape.gradient(y, [x, *block.trainable_variables], dy)
    return y, dx, grads


def near(found, wanted, limit=1e-6):
    for a, b in zip(found, wanted, strict=True):
        scale = max(1.0, float(tf.reduce_max(tf.abs(b))))
        assert float(tf.reduce_max(tf.abs(a - b))) < limit * scale


# ------------------------------------------------------------------ one block
@pytest.mark.parametrize("axis", [-1, 1])
def test_gradients_of_a_block_in_both_call_forms(eager, axis):
    block = small_block(axis)
    x, dy = (tf.constant(a if axis < 0 else a.transpose(0, 3, 1, 2)) for a in (X, DY))
    y, dx_true, true = true_gradients(block, x, dy)

    dx, grads = block.backward_grads(x, y, dy)
    assert np.all(np.abs(dx.numpy() - dx_true.numpy()) < 1e-6)
    near(grads, true)

    halves = [tf.split(t, 2, axis) for t in (y, dy)]
    (x1, x2), (dx1, dx2), again = block.backward_grads(*halves)
    near([tf.concat([x1, x2], axis), tf.concat([dx1, dx2], axis)], [x, dx_true])
    near(again, true)
    found, variables = block.backward_grads_and_vars(y, dy, True)[-2:]
    assert variables == block.f.trainable_variables + block.g.trainable_variables
    near(found, true)


def test_statistics_move_once_and_inference_does_not_move_them(eager):
    block, x = small_block(), tf.constant(X)
    y = block(x)
    moved = [v.numpy() for v in block.non_trainable_variables]
    block.backward_grads(y, tf.constant(DY))
    for v, before in zip(block.non_trainable_variables, moved, strict=True):
        np.testing.assert_array_equal(v.numpy(), before)
    y = block(x, training=False)
    found = block.backward_grads(y, tf.constant(DY), training=False)[0]
    near([found], [x])


def test_wrong_arguments(eager):
    with pytest.raises(TypeError, match=r"\(y, dy\) or \(x, y, dy\)"):
        small_block().backward_grads(tf.constant(X))


# ------------------------------------------------------------------ a sequence
def pairs(count=3):
    """(reversible, ordinary) over the same blocks."""
    blocks = [small_block() for _ in range(count)]
    return [ReversibleSequence(blocks, reversible=r) for r in (True, False)]


def moving(layer):
    return [v.numpy() for v in layer.non_trainable_variables]


@pytest.mark.parametrize("call", [lambda f: f, tfe.defun])
def test_a_sequence_has_ordinary_gradients(eager, call):
    reversible, ordinary = pairs()
    x, dy = tf.constant(X), tf.constant(DY)
    ordinary(x)  # makes the variables
    start = [v.numpy() for v in ordinary.variables]
    y, dx, grads = call(lambda: true_gradients(ordinary, x, dy))()
    wanted = moving(ordinary)
    for v, value in zip(ordinary.variables, start, strict=True):
        v.assign(value)
    near([y], [call(lambda: reversible(x))()])
    for v, value in zip(ordinary.variables, start, strict=True):
        v.assign(value)
    _, dx2, grads2 = call(lambda: true_gradients(reversible, x, dy))()
    near([dx2, *grads2], [dx, *grads], 4e-6)
    for a, b in zip(moving(reversible), wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-7)
    back, dx3, grads3 = reversible.backward_grads(y, dy)
    near([back, dx3, *grads3], [x, dx, *grads], 4e-6)


def test_a_sequence_in_a_graph():
    with tf.Graph().as_default(), tf.Session() as session:
        reversible, ordinary = pairs()
        x = tf.constant(X)
        y = reversible(x)
        updates = reversible.get_updates_for(x)
        variables = reversible.trainable_variables
        found = tf.gradients(y, [x, *variables], [DY])
        assert reversible.get_updates_for(x) == updates
        wanted = tf.gradients(ordinary(x), [x, *variables], [DY])
        session.run(tf.global_variables_initializer())
        found, wanted = session.run([found, wanted])
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5 * np.abs(b).max())
        (mean, *_) = reversible.non_trainable_variables
        before = session.run(mean)
        session.run(updates)
        batch = X[..., 2:].mean((0, 1, 2))
        np.testing.assert_allclose(session.run(mean), 0.1 * batch, rtol=1e-4)
        assert not before.any()


def test_functions_shared_parts_and_random_numbers(eager):
    w = tfe.Variable(np.linspace(-1, 1, 9).reshape(3, 3))
    dropout = tf.keras.layers.Dropout(0.5)
    blocks = [
        (lambda t: tf.tanh(tf.matmul(t, w)), dropout),
        (dropout, lambda t: tf.nn.dropout(tf.matmul(t, w), 0.5)),
    ]
    x = tf.constant(np.random.RandomState(2).randn(5, 6))

    def slopes(reversible):
        tf.set_random_seed(7)
        layer = ReversibleSequence(blocks, reversible=reversible)
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.reduce_sum(layer(x) ** 2)
        return tape.gradient(loss, [x, w])

    near(slopes(True), slopes(False), 1e-12)


def test_halves_along_different_axes(eager):
    def blocks():
        return [(tf.tanh, tf.sin), ReversibleBlock(tf.cos, tf.tanh, axis=0)]

    x = tf.constant(np.random.RandomState(2).randn(4, 6))
    found, wanted = (
        tfe.gradients_function(ReversibleSequence(blocks(), reversible=r))(x)[0]
        for r in (True, False)
    )
    near([found], [wanted], 1e-12)


class Smaller(tf.keras.Model):
    """Not reversible: it halves the images, and normalizes."""

    def __init__(self, keep=0.5):
        super().__init__()
        self.keep = keep
        self.norm = tf.keras.layers.BatchNormalization()
        self.conv = tf.keras.layers.Conv2D(8, 3, 2, "same")

    def call(self, x, training=True):
        return tf.nn.dropout(self.conv(self.norm(x, training=training)), self.keep)


@pytest.mark.parametrize("call", [lambda f: f, tfe.defun])
def test_layers_that_are_not_reversible_run_again(eager, call):
    def middle():
        return tf.keras.layers.Conv2D(4, 3, padding="same", activation="tanh")

    blocks = [small_block(), Smaller(), (middle(), middle()), Smaller()]
    x, found = tf.constant(X), {}
    dy = tf.constant(np.ones([4, 2, 2, 8], "f4"))
    for reversible in (False, True):
        layer = ReversibleSequence(blocks, reversible=reversible)
        layer(x)
        for v in layer.non_trainable_variables:
            v.assign(tf.zeros_like(v))
        tf.set_random_seed(5)
        y, dx, grads = call(lambda: true_gradients(layer, x, dy))()
        found[reversible] = [y, dx, *grads, *map(tf.identity, layer.variables)]
    near(found[True], found[False], 4e-6)
    with pytest.raises(ValueError, match="is not reversible"):
        layer.backward_grads(y, dy)


def test_a_sequence_whose_input_is_at_hand(eager):
    layer = ReversibleSequence([Smaller(keep=1.0), (tf.tanh, tf.sin)])
    x, dy = tf.constant(X), tf.constant(np.ones([4, 3, 3, 8], "f4"))
    found_y, found_dx, found = true_gradients(layer, x, dy)
    dx, grads = layer.backward_grads(x, found_y, dy)
    near([dx, *grads], [found_dx, *found], 4e-6)


def peak_of(run):
    """The most bytes of arrays alive during a run."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def peak(layer, x):
    """The most bytes of arrays alive during a gradient."""

    def slopes():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(layer(x))
        return tape.gradient(loss, layer.trainable_variables)

    slopes()
    return peak_of(slopes)


def test_memory_does_not_grow_with_depth(eager):
    x = tf.constant(np.ones([32, 16, 16, 4], "f4"))
    (short, _), (deep, ordinary) = pairs(2), pairs(8)
    much, little = peak(ordinary, x), peak(deep, x)
    assert little < much / 2
    assert little < 1.2 * peak(short, x)


def temporary_bytes(layer, x):
    """How much memory XLA needs for a gradient."""

    @tfe.defun
    def slopes(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(layer(x) ** 2)
        return tape.gradient(loss, layer.trainable_variables)

    layer(x)
    with compiled():
        slopes(x)
    (trace,) = slopes.traces.values()
    clusters = [c for plan in plans_of(trace.graph) for c in plan.clusters]
    entries = [e for c in clusters for e in c.entries.values()]
    return sum(
        e.executable.compiled.memory_analysis().temp_size_in_bytes for e in entries
    )


def test_memory_of_compiled_functions_does_not_grow_with_depth(eager):
    x = tf.constant(np.ones([16, 16, 16, 4], "f4"))
    (short, _), (deep, ordinary) = pairs(2), pairs(6)
    little = temporary_bytes(deep, x)
    assert little < 1.1 * temporary_bytes(short, x)
    assert little < 0.5 * temporary_bytes(ordinary, x)


def test_what_is_computed_again_is_fused_at_any_size(eager, monkeypatch):
    """Without fusion XLA keeps values of every block."""
    monkeypatch.setattr(compile, "_MOST_FUSED", 10)
    x = tf.constant(np.ones([16, 16, 16, 4], "f4"))
    little = temporary_bytes(pairs(6)[0], x)
    assert little < 1.1 * temporary_bytes(pairs(2)[0], x)


def peak_in_a_graph(count, x, reversible=True):
    """The most bytes alive during a step of a session, interpreted."""
    with tf.Graph().as_default(), tf.Session() as session, interpreted():
        layer = pairs(count)[0 if reversible else 1]
        fed = tf.placeholder(tf.float32, x.shape)
        loss = tf.reduce_sum(layer(fed) ** 2)
        slopes = tf.gradients(loss, layer.trainable_variables)
        session.run(tf.global_variables_initializer())

        def step():
            session.run(slopes, {fed: x})

        step()
        return peak_of(step)


def test_memory_of_graphs_does_not_grow_with_depth(eager):
    x = np.ones([32, 16, 16, 4], "f4")
    little = peak_in_a_graph(8, x)
    assert little < 1.2 * peak_in_a_graph(2, x)
    assert little < 1.2 * peak(pairs(8)[0], tf.constant(x)) + x.nbytes  # what is fed
    assert little < peak_in_a_graph(8, x, reversible=False) / 2


def test_checkpoints_find_the_parts(eager, tmp_path):
    first, second = pairs(2)[0], pairs(2)[0]
    x = tf.constant(X)
    first(x)
    path = tf.train.Checkpoint(net=first).save(str(tmp_path / "c"))
    second(x)
    tf.train.Checkpoint(net=second).restore(path).assert_consumed()
    near([first(x, training=False)], [second(x, training=False)])


def test_a_shared_embedding_has_one_gradient(eager):
    table = tfe.Variable(np.linspace(-1, 1, 12).reshape(4, 3))
    codes = tf.constant([0, 2, 2, 1])

    def looked_up(x):
        return tf.tanh(x) * tf.nn.embedding_lookup(table, codes)

    x = tf.constant(np.random.RandomState(3).randn(4, 6))
    found = []
    for reversible in (True, False):
        blocks = [(looked_up, looked_up), (looked_up, tf.sin)]
        layer = ReversibleSequence(blocks, reversible=reversible)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(layer(x) ** 2)
        found.append(tf.convert_to_tensor(tape.gradient(loss, table)))
    near(found[:1], found[1:], 1e-12)
