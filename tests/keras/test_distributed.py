"""Models compiled with a strategy: the numbers of one device, and what is refused.

The numbers of `REFERENCE` are those of TensorFlow 1.12 with two CPUs (its
`prefetch_on_device=False`, which keeps the batches of the towers in order).
"""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager
from twinflow.base import devices

__all__ = ["eager"]
K = tf.keras
distribute = tf.contrib.distribute
X = np.random.RandomState(0).randn(64, 3).astype(np.float32)
Y = np.sin(X.sum(1, keepdims=True))
REFERENCE = {False: [0.902301, 0.425917], True: [1.29725, 0.54287]}


@pytest.fixture(params=["graph", "eager"])
def mode(request):
    devices.set_num_cpus(4)
    if request.param == "eager":
        request.getfixturevalue("eager")
        yield "eager"
    else:
        K.backend.clear_session()
        config = tf.ConfigProto(device_count={"CPU": 4})
        with tf.Graph().as_default(), tf.Session(config=config):
            yield "graph"
    devices.set_num_cpus(1)


def strategy_of(towers):
    return distribute.MirroredStrategy(devices=[f"/cpu:{i}" for i in range(towers)])


def net(normalised=False, input_shape=(3,)):
    random = np.random.RandomState(1)
    first, last = random.randn(3, 4), random.randn(4, 1)
    start, dense = tf.constant_initializer, K.layers.Dense
    layers = [
        dense(4, "tanh", kernel_initializer=start(first), input_shape=input_shape)
    ]
    if normalised:
        layers.append(K.layers.BatchNormalization(momentum=0.8))
    return K.Sequential([*layers, dense(1, kernel_initializer=start(last))])


def compiled(towers, model=None, optimizer=None, **options):
    model = model or net()
    options.setdefault("metrics", ["mae", K.metrics.BinaryAccuracy()])
    optimizer = optimizer or tf.train.MomentumOptimizer(0.05, 0.9)
    model.compile(optimizer, "mse", distribute=strategy_of(towers), **options)
    return model


def data(size):
    return tf.data.Dataset.from_tensor_slices((X, Y)).repeat().batch(size)


@pytest.mark.parametrize("optimizer", [
    lambda: tf.train.AdamOptimizer(0.01), lambda: tf.train.MomentumOptimizer(0.05, 0.9),
])  # fmt: skip
def test_towers_give_the_numbers_of_one_device(mode, optimizer):
    wanted = None
    for towers in (1, 2, 4):
        model = compiled(towers, optimizer=optimizer())
        history = model.fit(data(8 // towers), epochs=2, steps_per_epoch=10, verbose=0)
        found = [*model.get_weights(), history.history["loss"]]
        found.append(model.evaluate(data(8 // towers), steps=4, verbose=0))
        found.append(model.predict(data(8 // towers), steps=2))
        wanted = wanted or found
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)
    assert found[-1].shape == (16, 1)
    x = tf.constant(X[:16]) if mode == "eager" else X[:16]
    alone = K.models.clone_model(model)
    alone.set_weights(model.get_weights())
    np.testing.assert_allclose(alone.predict(x), found[-1], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("normalised", [False, True])
def test_the_numbers_of_tensorflow(mode, normalised):
    model = compiled(2, net(normalised))
    losses = model.fit(data(4), epochs=2, steps_per_epoch=10, verbose=0).history["loss"]
    np.testing.assert_allclose(losses, REFERENCE[normalised], atol=1e-6)
    if normalised:  # the moving averages are means of those of the towers
        mean = model.layers[1].get_weights()[2]
        wanted = [0.016536, -0.033679, -0.155707, 0.036104]
        np.testing.assert_allclose(mean, wanted, atol=1e-6)


def test_arrays_are_cut_into_batches_of_towers(mode):
    both = []
    for towers, size in ((1, 8), (2, 4)):
        model = compiled(towers)
        model.fit(X, Y, size, epochs=2, verbose=0, shuffle=False)
        assert model.history.params["steps"] == 8
        score = model.evaluate(X, Y, size, verbose=0)
        both.append([score, model.predict(X, size)])
        wanted = np.mean((both[-1][1] - Y) ** 2), np.mean(np.abs(both[-1][1] - Y))
        np.testing.assert_allclose(score[:2], wanted, rtol=1e-5)
    np.testing.assert_allclose(both[0][0], both[1][0], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(both[0][1], both[1][1], rtol=1e-5, atol=1e-6)
    assert model.predict(X[:63], 4).shape == (56, 1)  # whole steps only, as in 1.12


def test_a_metric_that_adds_up_counts_all_towers(mode):
    model = K.Sequential([K.layers.Dense(1, use_bias=False, input_shape=(1,),
                                         kernel_initializer="ones")])  # fmt: skip
    metric = K.metrics.BinaryAccuracy()
    compiled(2, model, tf.train.GradientDescentOptimizer(0.0), metrics=[metric])
    x = np.float32([[1], [1], [0], [1], [0], [0], [0], [1]])
    y = np.float32([[1], [1], [1], [1], [1], [1], [1], [1]])
    for _ in range(2):  # each evaluation begins anew
        assert model.evaluate(x, y, batch_size=2, verbose=0)[1] == 0.5
    fitted = model.fit(x, y, batch_size=2, epochs=2, verbose=0, shuffle=False)
    assert fitted.history["binary_accuracy"] == [0.5, 0.5]


class Seen(K.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        if epoch == 1:
            self.model.set_weights([np.zeros_like(w) for w in self.model.get_weights()])

    def on_epoch_end(self, epoch, logs=None):
        self.losses = [*getattr(self, "losses", []), logs["val_loss"]]
        self.weights = self.model.get_weights()
        self.model.stop_training = epoch == 1


def test_validation_callbacks_and_files(mode, tmp_path):
    model, seen = compiled(2), Seen()
    path = str(tmp_path / "weights_{epoch}.h5")
    keep = K.callbacks.ModelCheckpoint(path, save_weights_only=True)
    history = model.fit(
        X, Y, 4, epochs=5, verbose=0, validation_data=(X, Y), callbacks=[seen, keep]
    )
    assert history.epoch == [0, 1] and history.history["val_loss"] == seen.losses
    for mine, kept in zip(model.get_weights(), seen.weights, strict=True):
        np.testing.assert_array_equal(mine, kept)
    score = model.evaluate(X, Y, 4, verbose=0)[0]
    np.testing.assert_allclose(score, seen.losses[-1], rtol=1e-5)
    other = net()
    other.load_weights(path.format(epoch=2))
    np.testing.assert_array_equal(other.get_weights()[0], model.get_weights()[0])
    model.load_weights(path.format(epoch=1))
    again = model.evaluate(X, Y, 4, verbose=0)[0]
    np.testing.assert_allclose(again, seen.losses[0], rtol=1e-5)


def test_several_inputs_and_outputs(mode):
    a, b = K.Input((3,), name="a"), K.Input((2,), name="b")
    dense = K.layers.Dense(2, name="d", kernel_initializer="ones")
    e = K.layers.Dense(1, name="e", kernel_initializer="ones")
    model = K.Model([a, b], [dense(a), e(K.layers.concatenate([dense(a), b]))])
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    losses = {"d": "mse", "e": "mae"}
    inputs = {"a": X[:16], "b": X[:16, :2]}
    targets = {"d": X[:16, :2], "e": Y[:16]}
    pairs = tf.data.Dataset.from_tensor_slices((inputs, targets)).batch(4)
    results = []
    for towers in (1, 2):
        model.compile(optimizer, losses, distribute=strategy_of(towers))
        results.append(model.evaluate(pairs, steps=4 // towers, verbose=0))
        outs = model.predict(pairs, steps=4 // towers)
        assert [y.shape for y in outs] == [(16, 2), (16, 1)]
    assert model.metrics_names == ["loss", "d_loss", "e_loss"]
    np.testing.assert_allclose(results[0], results[1], rtol=1e-6)


REFUSED = {
    "optimizer": (
        lambda m: m.compile("sgd", "mse", distribute=strategy_of(2)),
        NotImplementedError, "optimizer must be an instance of tf.train.Optimizer",
    ),
    "steps": (
        lambda m: m.fit(data(4)), ValueError,
        "When using DistributionStrategy, you should specify the `steps_per_epoch`",
    ),
    "steps of evaluate": (
        lambda m: m.evaluate(data(4)), ValueError, "you should specify the `steps` arg",
    ),
    "weights": (
        lambda m: m.fit(X, Y, sample_weight=np.ones(64)), NotImplementedError,
        "`sample_weight` is currently not supported when using DistributionStrategy.",
    ),
    "lists": (lambda m: m.fit([X], Y), ValueError, "lists of numpyarrays"),
    "dicts": (lambda m: m.fit({"a": X}, Y), ValueError, "inputs of type dict"),
    "split": (
        lambda m: m.fit(data(4), steps_per_epoch=1, validation_split=0.5), ValueError,
        "`validation_split` argument is not supported when input `x` is a dataset",
    ),
    "split of arrays": (
        lambda m: m.fit(X, Y, 4, validation_split=0.5), ValueError, "validation_data",
    ),
    "schedule": (
        lambda m: m.fit(
            X, Y, callbacks=[K.callbacks.LearningRateScheduler(lambda e: 0.1)]
        ),
        ValueError, "LearningRateScheduler callback is not supported",
    ),
    "batch": (
        lambda m: m.train_on_batch(X, Y), NotImplementedError,
        "`train_on_batch` is not supported for models compiled with",
    ),
    "large batch": (
        lambda m: m.fit(X, Y, 100), ValueError,
        "a batch_size that is smaller thanthe number of input samples 64.",
    ),
    "few batches": (
        lambda m: m.fit(X, Y, 40), ValueError, "number of batches 1 is smaller than",
    ),
    "shape": (
        lambda m: m.fit(data(4).map(lambda x, y: (x[:, :2], y)), steps_per_epoch=1),
        ValueError, "expected (dense_input to have shape|axis -1 of input shape)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refused(mode, case):
    act, kind, text = REFUSED[case]
    with pytest.raises(kind, match=text):
        act(compiled(2))


def test_models_without_known_inputs(mode):
    model = compiled(2, K.Sequential([K.layers.Dense(1)]))
    with pytest.raises(ValueError, match="input_shape"):
        model.fit(data(4), steps_per_epoch=1)
