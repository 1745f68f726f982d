"""compile, fit, evaluate and predict in both modes, by hand-made examples.

Numbers of TensorFlow 1.12: tests/golden/programs/*_keras_training.py.
"""

import copy

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import dispatch
from twinflow.eager.mode import MODE

K, L = tf.keras, tf.keras.layers
X = np.arange(24, dtype="f").reshape(8, 3) / 24
Y = X.sum(1, keepdims=True)


@pytest.fixture(params=["compiled", "eagerly", "graph"])
def options(request):
    """Arguments of compile, in each of the ways in which steps run."""
    request.getfixturevalue("graph" if request.param == "graph" else "eager")
    if request.param == "graph":
        K.backend.set_session(tf.Session())
    return {"run_eagerly": True} if request.param == "eagerly" else {}


def dense(**options):
    model = K.Sequential([L.Dense(1, kernel_initializer="ones", input_shape=(3,))])
    model.compile(options.pop("optimizer", "sgd"), "mse", **options)
    return model


class Net(K.Model):
    def __init__(self):
        super().__init__()
        self.first = L.Dense(3, kernel_initializer="ones")
        self.drop = L.Dropout(0.5)

    def call(self, x, training=None):
        return self.drop(self.first(x), training=training)


def test_sgd_follows_the_gradient(options):
    model = dense(**options)
    x, y = X[:2], Y[:2] - 1
    step = 0.01 * 2 * np.mean(X[:2], 0)[:, None]
    assert model.train_on_batch(x, y) == pytest.approx(1)
    np.testing.assert_allclose(model.get_weights()[0], 1 - step, rtol=1e-6)


def test_a_class_is_built_by_its_data(options):
    model = Net()
    model.compile("adam", "mse", **options)
    history = model.fit(X, np.repeat(Y, 3, 1), epochs=2, verbose=0)
    assert len(history.history["loss"]) == 2 and "np." not in repr(history.history)
    assert model.output_names == ["output_1"]
    np.testing.assert_allclose(model.predict(X), model.predict(X))  # nothing is dropped
    assert model.predict(X).shape == (8, 3)


def test_all_inputs_by_name(options):
    a, b = K.Input((3,), name="a"), K.Input((3,), name="b")
    model = K.Model([a, b], L.Add()([a, b]))
    model.compile("sgd", "mae", **options)
    found = model.evaluate({"b": X, "a": 2 * X}, 3 * X, verbose=0)
    assert found == pytest.approx(0)
    with pytest.raises(ValueError, match='No data provided for "b"'):
        model.predict({"a": X})


def test_weights_of_samples_and_classes_agree(options):
    model = dense(**options)
    y = (np.arange(8) % 2).astype("f")
    by_class = model.test_on_batch(X, y, sample_weight=1 + y * 2)
    model.fit(X, y, epochs=1, batch_size=8, verbose=0, class_weight={0: 1, 1: 3})
    assert model.history.history["loss"][0] == pytest.approx(by_class, rel=1e-6)


def test_a_loss_of_the_program(options):
    model = K.Sequential([L.Dense(1, kernel_initializer="ones", input_shape=(3,))])

    def twice(y_true, y_pred):
        return 2 * tf.abs(y_true - y_pred)

    model.compile("sgd", twice, metrics=[twice], **options)
    assert model.metrics_names == ["loss", "twice"]
    found = model.evaluate(X, Y - 1, verbose=0)
    np.testing.assert_allclose(found, [2, 2], rtol=1e-6)


def test_a_metric_without_a_name(options):
    model = dense(metrics=[lambda y_true, y_pred: K.backend.mean(y_true)], **options)
    assert model.metrics_names == ["loss", "<lambda>"]
    assert model.evaluate(X, Y, verbose=0)[1] == pytest.approx(Y.mean())


def test_an_optimizer_of_tf_train(options):
    model = dense(optimizer=tf.train.MomentumOptimizer(0.1, 0.9), **options)
    losses = model.fit(X, Y + 1, epochs=20, verbose=0).history["loss"]
    assert losses[-1] < losses[0] / 5
    assert K.backend.get_value(model.optimizer.iterations) == 20


def test_compiling_anew_frees_what_was_frozen(options):
    model = dense(**options)
    model.layers[0].trainable = False
    model.compile("sgd", "mse", **options)
    before = model.get_weights()
    model.fit(X, Y + 1, verbose=0)
    np.testing.assert_array_equal(before[0], model.get_weights()[0])


def test_a_dataset_that_ends_is_told(options, caplog):
    model = dense(**options)
    data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(4)
    model.fit(data, epochs=1, steps_per_epoch=5, verbose=0)
    assert "ran out of data" in caplog.text


def test_the_rate_can_be_changed(options):
    model = dense(**options)
    rates = []
    note = K.callbacks.LambdaCallback(
        on_epoch_end=lambda e, logs: rates.append(
            float(K.backend.get_value(model.optimizer.lr))
        )
    )
    change = K.callbacks.LearningRateScheduler(lambda e: 0.5 / (e + 1))
    model.fit(X, Y, epochs=2, verbose=0, callbacks=[change, note])
    assert rates == [0.5, 0.25]
    K.backend.set_value(model.optimizer.lr, 0.0)
    before = model.get_weights()[0]
    model.fit(X, Y + 1, verbose=0)
    np.testing.assert_array_equal(before, model.get_weights()[0])


def test_shuffling_keeps_rows_together(options):
    np.random.seed(0)
    model = dense(**options)
    for shuffle in (True, "batch"):
        losses = model.fit(X, Y, batch_size=4, verbose=0, shuffle=shuffle).history
        assert losses["loss"][0] == pytest.approx(0, abs=1e-10)


def test_generators_raise_where_batches_are_taken(options):
    def bad():
        yield X, Y
        raise KeyError("broken")

    model = dense(**options)
    with pytest.raises(KeyError, match="broken"):
        model.fit_generator(bad(), steps_per_epoch=3, verbose=0)
    with pytest.raises(ValueError, match=r"Output of generator should be a tuple"):
        model.fit_generator(iter([X]), steps_per_epoch=1, verbose=0)


def test_batches_of_a_sequence_stay_in_order():
    class Numbers(K.utils.Sequence):
        def __len__(self):
            return 5

        def __getitem__(self, i):
            return i

    enqueuer = K.utils.OrderedEnqueuer(Numbers())
    enqueuer.start(workers=3, max_queue_size=2)
    batches = enqueuer.get()
    assert [next(batches) for _ in range(11)] == [*range(5), *range(5), 0]
    enqueuer.stop()
    assert not enqueuer.is_running()


def test_a_trained_model_is_copied(eager):
    model = dense()
    model.fit(X, Y, verbose=0)
    again = copy.deepcopy(model)
    np.testing.assert_array_equal(model.predict(X), again.predict(X))


def test_nothing_to_train_on(eager):
    model = K.Sequential([L.Dense(1, input_shape=(3,))])
    with pytest.raises(RuntimeError, match="must compile"):
        model.fit(X, Y)
    with pytest.raises(ValueError, match="same number of samples"):
        dense().fit(X, Y[:3])
    with pytest.raises(ValueError, match="Unknown loss function:what"):
        model.compile("sgd", "what")
    with pytest.raises(ValueError, match="distribute"):
        model.compile("sgd", "mse", distribute=object())


@pytest.mark.parametrize("run", ["eagerly", "in a graph"])
def test_arrays_without_samples(run):
    scope = dispatch.entered(MODE) if run == "eagerly" else tf.Graph().as_default()
    with scope:
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
        model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")
        x, y = np.zeros([0, 2]), np.zeros([0, 1])
        with pytest.raises(ValueError, match=r"no samples to train on.*\(0, 2\)"):
            model.fit(x, y)
        with pytest.raises(ValueError, match="no samples to evaluate"):
            model.evaluate(x, y)
