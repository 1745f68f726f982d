"""Contract S: the reversible network of the article, written by a user.

Its other parts (models of all sizes, memory, scripts) are in examples/revnet and
tests/examples/test_revnet.py.
"""

import sys

import numpy as np
import pytest
import six

import twinflow as tf
from tests.modes import both, eagerly
from tests.source_tree import ROOT

tfe = tf.contrib.eager


class ResidualInner(tf.keras.Model):
    """Normalization, relu, convolution."""

    def __init__(self, filters, strides, axis):
        super().__init__()
        order = "channels_first" if axis == 1 else "channels_last"
        self.norm = tf.keras.layers.BatchNormalization(axis=axis)
        self.conv = tf.keras.layers.Conv2D(
            filters, 3, strides, padding="SAME", data_format=order
        )

    def call(self, x, training=True):
        return self.conv(tf.nn.relu(self.norm(x, training=training)))


class Residual(tf.keras.Model):
    """The block of the article."""

    def __init__(self, filters, axis):
        super().__init__()
        self.axis = axis
        self.f = ResidualInner(filters=filters, strides=(1, 1), axis=axis)
        self.g = ResidualInner(filters=filters, strides=(1, 1), axis=axis)

    def call(self, x, training=True):
        x1, x2 = tf.split(x, num_or_size_splits=2, axis=self.axis)
        f_x2 = self.f(x2, training=training)
        y1 = f_x2 + x1
        g_y1 = self.g(y1, training=training)
        y2 = g_y1 + x2
        return tf.concat([y1, y2], axis=self.axis)

    def backward_grads(self, y, dy, training=True):
        dy1, dy2 = dy
        y1, y2 = y
        with tf.GradientTape() as gtape:
            gtape.watch(y1)
            gy1 = self.g(y1, training=training)
        grads_combined = gtape.gradient(
            gy1, [y1] + self.g.trainable_variables, output_gradients=dy2
        )
        dg = grads_combined[1:]
        dx1 = dy1 + grads_combined[0]
        x2 = y2 - gy1
        with tf.GradientTape() as ftape:
            ftape.watch(x2)
            fx2 = self.f(x2, training=training)
        grads_combined = ftape.gradient(
            fx2, [x2] + self.f.trainable_variables, output_gradients=dx1
        )
        df = grads_combined[1:]
        dx2 = dy2 + grads_combined[0]
        x1 = y1 - fx2
        return (x1, x2), (dx1, dx2), df + dg


def numbers(axis, seed):
    """Images of four channels on this axis."""
    shape = (2, 4, 6, 6) if axis == 1 else (2, 6, 6, 4)
    return tf.constant(np.random.RandomState(seed).randn(*shape).astype(np.float32))


AXES = pytest.mark.parametrize("axis", [1, 3])


@AXES
@both
def test_s01_the_call(run, axis):
    def build():
        block, x = Residual(2, axis), numbers(axis, 0)
        y = block(x)
        x1, x2 = tf.split(x, 2, axis)
        y1, y2 = tf.split(y, 2, axis)
        return y1 - x1 - block.f(x2), y2 - x2 - block.g(y1), y

    rest1, rest2, y = run(build)
    assert y.shape == tuple(numbers(axis, 0).shape)
    assert np.abs(rest1).max() < 1e-6 and np.abs(rest2).max() < 1e-6


@AXES
@both
def test_s02_backward_grads(run, axis):
    def build():
        block, x, dy = Residual(2, axis), numbers(axis, 0), numbers(axis, 1)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = block(x)
        sources = [x, *block.f.trainable_variables, *block.g.trainable_variables]
        true = tape.gradient(y, sources, output_gradients=dy)
        halves = [tf.split(t, 2, axis) for t in (y, dy)]
        back, dx, grads = block.backward_grads(*halves)
        return x, tf.concat(back, axis), true, [tf.concat(dx, axis), *grads]

    x, back, true, found = run(build)
    assert np.abs(x - back).max() < 1e-6
    assert np.abs(true[0] - found[0]).max() < 1e-6
    for a, b in zip(true, found, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6 * max(1, np.abs(a).max()))


def test_s03_the_check_of_the_article(eager):
    class Both(tf.contrib.reversible.ReversibleBlock):
        """It is called with the input as well, and returns two values then."""

    block = Both(ResidualInner(2, 1, 1), ResidualInner(2, 1, 1), axis=1)
    x = tf.random_normal(shape=(2, 4, 6, 6), seed=1)
    dy = tf.random_normal(shape=(2, 4, 6, 6), seed=2)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = block(x)
    dx_true = tape.gradient(y, x, output_gradients=dy)
    dx, _ = block.backward_grads(x, y, dy)
    thres = 1e-6
    diff_abs = tf.reshape(abs(dx - dx_true), [-1])
    assert all(diff_abs < thres)


# ------------------------------------------------------------------ the whole model
MODULES = ["config", "blocks", "model", "data", "train", "estimator", "tpu_estimator"]
MODULES += ["picture"]


@pytest.fixture
def revnet(monkeypatch):
    """The modules of examples/revnet, by name."""
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "revnet"))
    for name in MODULES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield lambda name: __import__(name)
    for name in MODULES:
        sys.modules.pop(name, None)


def small(revnet):
    """Hyperparameters of a network for images of 8 x 8."""
    return revnet("config").named("revnet-tiny", batch_size=4, rates=[0.05] * 3)


IMAGES = np.random.RandomState(0).randn(4, 8, 8, 3).astype(np.float32)
LABELS = np.arange(4)


@both
def test_s04_the_model_and_its_gradients(run, revnet):
    def build():
        tf.set_random_seed(1)
        model, images = revnet("model").RevNet(small(revnet)), tf.constant(IMAGES)
        labels = tf.constant(LABELS)
        logits, saved_hidden = model(images, training=True)
        grads, loss = model.compute_gradients(saved_hidden, labels, training=True)
        with tf.GradientTape() as tape:
            again, _ = model(images, training=True)
            true_loss = model.loss(again, labels)
            variables = model.trainable_variables
            decay = [small(revnet).weight_decay * v for v in variables]
        true = tape.gradient(true_loss, variables)
        true = [g + d for g, d in zip(true, decay, strict=True)]
        return logits, loss, true_loss, grads, true

    logits, loss, true_loss, grads, true = run(build)
    assert logits.shape == (4, 10) and np.shape(loss) == ()
    np.testing.assert_allclose(loss, true_loss, rtol=1e-5)
    assert len(grads) == len(true) > 20
    for found, wanted in zip(grads, true, strict=True):
        scale = max(1, np.abs(wanted).max())
        np.testing.assert_allclose(found, wanted, atol=2e-5 * scale)


def steps_of_the_script(revnet, functions):
    """Values of the variables after two steps of examples/revnet/train.py."""

    def program():
        tf.set_random_seed(7)
        first = revnet("model").RevNet(small(revnet))
        first(tf.constant(IMAGES), training=False)
        tf.train.get_or_create_global_step().assign(0)
        trainer = revnet("train").Trainer(small(revnet), functions)
        trainer.model(tf.constant(IMAGES), training=False)
        pairs = list(zip(first.variables, trainer.model.variables, strict=True))
        for start, variable in pairs:
            variable.assign(start)
        for _ in range(2):
            trainer.train_on(tf.constant(IMAGES), tf.constant(LABELS))
        return {v.name.removesuffix(":0"): w.numpy() for v, w in pairs}

    found = []
    eagerly(lambda: found.append(program()) or ())
    return found[0]


def steps_of_an_estimator(revnet, folder, use_tpu):
    """The same of a TPUEstimator, or of the plain one (`use_tpu` is None)."""
    if use_tpu is None:
        estimator = tf.estimator.Estimator(
            revnet("estimator").model_fn,
            config=tf.estimator.RunConfig(model_dir=folder, tf_random_seed=7),
            params={"hyperparameters": small(revnet)},
        )
    else:
        build = revnet("tpu_estimator").build
        estimator = build(folder, small(revnet), 1, use_tpu, seed=7)

    def input_fn(params):
        return tf.data.Dataset.from_tensors((IMAGES, LABELS)).repeat()

    estimator.train(input_fn, steps=2)
    names = estimator.get_variable_names()
    return {name: estimator.get_variable_value(name) for name in names}


@pytest.mark.parametrize("way", ["defun", "Estimator", "TPUEstimator", "use_tpu=False"])
def test_s05_one_model_in_all_ways(revnet, tmp_path, way):
    wanted = steps_of_the_script(revnet, False)
    if way == "defun":
        found = steps_of_the_script(revnet, True)
    else:
        use_tpu = {"Estimator": None, "TPUEstimator": True}.get(way, False)
        found = steps_of_an_estimator(revnet, str(tmp_path), use_tpu)
        tf.summary.FileWriterCache.clear()
    assert set(wanted) <= set(found) and len(wanted) > 30
    for name, value in wanted.items():
        scale = max(1, np.abs(value).max())
        np.testing.assert_allclose(found[name], value, atol=1e-4 * scale, err_msg=name)


# ------------------------------------------------------------------ statistics, parts
def test_s06_statistics_saved_and_restored_around_the_second_run(eager):
    block, x = Residual(2, 3), numbers(3, 0)
    y = block(x)
    kept = [v.read_value() for v in block.non_trainable_variables]
    block.backward_grads(tf.split(y, 2, 3), tf.split(x, 2, 3))
    moved = [v.numpy() for v in block.non_trainable_variables]
    assert all((a.numpy() != b).any() for a, b in zip(kept, moved, strict=True))
    for variable, value in zip(block.non_trainable_variables, kept, strict=True):
        variable.assign(value)
    again = [v.numpy() for v in block.non_trainable_variables]
    np.testing.assert_array_equal(again[0], kept[0].numpy())


def test_s07_what_the_linked_program_uses(eager):
    config = tf.contrib.training.HParams()
    config.add_hparam("filters", [32, 64, 112])
    for name, value in six.iteritems({"dtype": tf.float32, "n_classes": 10}):
        config.add_hparam(name, value)
    assert config.filters[2] == 112 and config.dtype is tf.float32

    class Stack(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.blocks = tf.contrib.checkpoint.List([Residual(2, 3)])
            self.blocks.append(Residual(2, 3))

        def call(self, x, training=True):
            for block in self.blocks:
                x = block(x, training=training)
            return x

    model = Stack()
    model(numbers(3, 0))
    assert len(model.trainable_variables) == 16
    assert tf.test.is_gpu_available() in (True, False)
    assert issubclass(tf.test.TestCase, object)
