"""Metrics that are objects, alone and in models; numbers of TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.keras import metrics

K, L = tf.keras, tf.keras.layers
RNG = np.random.RandomState(0)
X = RNG.randn(10, 4).astype("f")
Y = np.eye(3, dtype="f")[RNG.randint(0, 3, 10)]
WEIGHTS = [RNG.randn(4, 3).astype("f"), RNG.randn(3).astype("f")]


@pytest.fixture(params=["compiled", "eagerly", "graph"])
def options(request):
    """Arguments of compile, in each of the ways in which steps run."""
    request.getfixturevalue("graph" if request.param == "graph" else "eager")
    if request.param == "graph":
        K.backend.set_session(tf.Session())
    return {"run_eagerly": True} if request.param == "eagerly" else {}


def done(update):
    """Run what `update_state` gave, in a graph."""
    if update is not None:
        K.backend.get_session().run(update)


def test_a_mean_adds_up_and_begins_again(options):
    mean = metrics.Mean()
    value = lambda: K.backend.get_value(mean.result())
    assert value() == 0
    done(mean.update_state([1.0, 3.0, 5.0, 7.0]))
    assert value() == 4
    done(mean.update_state([1.0, 2.0], sample_weight=[0.0, 1.0]))
    assert value() == pytest.approx(3.6)
    mean.reset_states()
    assert value() == 0
    assert mean.get_config() == {"name": "mean", "trainable": True, "dtype": "float32"}
    assert tf.global_variables() == [] and len(mean.variables) == 2
    called = metrics.Mean("rows")([[1.0, 2.0], [3.0, 6.0]], sample_weight=[1.0, 0.0])
    assert K.backend.get_value(called) == 1.5


@pytest.mark.parametrize(
    ("name", "y", "found", "plain", "weighted"),
    [
        (
            "BinaryAccuracy",
            [[1], [0], [1], [0]],
            [[0.9], [0.8], [0.2], [0.1]],
            0.5,
            0.4,
        ),
        ("CategoricalAccuracy", [[0, 1], [1, 0]], [[0.2, 0.8], [0.1, 0.9]], 0.5, 0.25),
        ("SparseCategoricalAccuracy", [[1], [0]], [[0.2, 0.8], [0.1, 0.9]], 0.5, 0.25),
    ],
)
def test_accuracies(options, name, y, found, plain, weighted):
    make = getattr(metrics, name)
    data = tf.constant(y), tf.constant(found)
    assert K.backend.get_value(make()(*data)) == plain
    weights = tf.constant([[1.0]] + [[3.0]] * (len(y) - 1))
    value = make()(*data, sample_weight=weights)
    assert K.backend.get_value(value) == pytest.approx(weighted)
    again = make.from_config(make(name="q").get_config())
    assert again.name == "q" and again.stateful
    made = metrics.get({"class_name": name, "config": {"name": "r"}})
    assert type(made) is make and made.name == "r"


def dense(more=(), **options):
    model = K.Sequential([L.Dense(3, activation="softmax", input_shape=(4,))])
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    found = [metrics.CategoricalAccuracy(name="all"), "categorical_accuracy", *more]
    model.compile(optimizer, "categorical_crossentropy", metrics=found, **options)
    model.set_weights(WEIGHTS)
    return model


def test_a_model_resets_them_with_each_epoch(options):
    model = dense(**options)
    assert model.stateful_metric_names == ["all"]
    history = model.fit(
        X, Y, epochs=3, batch_size=4, shuffle=False, verbose=0, validation_split=0.3
    ).history
    shares = [1 / 7, 2 / 7, 3 / 7]
    each = [2.16519, 1.9426, 1.77136]  # eagerly a batch of 3 counts as much as one of 4
    losses = each if tf.executing_eagerly() else [2.27935, 2.0587, 1.8876]
    np.testing.assert_allclose(history["loss"], losses, rtol=1e-5)
    np.testing.assert_allclose(history["all"], shares, rtol=1e-5)
    np.testing.assert_allclose(history["val_all"], [2 / 3] * 3, rtol=1e-5)
    wanted = [1.57471, 0.5, 0.5]
    for size in (3, 4):  # the size of the batches does not matter
        found = model.evaluate(X, Y, batch_size=size, verbose=0)
        np.testing.assert_allclose(found, wanted, rtol=1e-5)
    pairs = [(X[:5], Y[:5]), (X[5:], Y[5:])]
    found = model.evaluate_generator(iter(pairs), steps=2, workers=0)
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_single_batches_go_on_adding(options):
    model = dense(**options)
    model.optimizer = None
    values = [model.test_on_batch(X[:3], Y[:3]), model.test_on_batch(X[3:], Y[3:])]
    right = [v[2] * n for v, n in zip(values, (3, 7), strict=True)]
    assert values[0][1] == pytest.approx(right[0] / 3)
    assert values[1][1] == pytest.approx(sum(right) / 10)


class Largest(metrics.Metric):
    def __init__(self, name="largest", dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.top = self.add_weight("top", initializer=tf.zeros_initializer())

    def update_state(self, y_true, y_pred, sample_weight=None):
        best = tf.maximum(tf.convert_to_tensor(self.top), tf.reduce_max(y_pred))
        return self.top.assign(best)

    def result(self):
        return tf.identity(self.top)


def test_a_metric_of_the_program_with_a_mask(options):
    model = K.Sequential(
        [L.Masking(input_shape=(3, 2)), L.SimpleRNN(1, return_sequences=True)]
    )
    found = [Largest(), metrics.BinaryAccuracy(threshold=0.1), "mae"]
    x = np.arange(24, dtype="f").reshape(4, 3, 2) / 10
    x[0, 1:], x[2, 0] = 0, 0
    y = (np.arange(12).reshape(4, 3, 1) % 2).astype("f")
    for _ in range(2):  # compiled anew, the metrics begin anew
        model.compile(tf.train.GradientDescentOptimizer(0.0), "mse", found, **options)
        model.set_weights([np.full((2, 1), 0.3), np.full((1, 1), 0.2), np.full(1, 0.1)])
        history = model.fit(x, y, batch_size=2, epochs=2, verbose=0, shuffle=False)
        values = history.history
        np.testing.assert_allclose(values["largest"], [0.92619] * 2, rtol=1e-5)
        np.testing.assert_allclose(values["binary_accuracy"], [5 / 9] * 2, rtol=1e-5)
        values = model.evaluate(x, y, verbose=0, batch_size=3)
        np.testing.assert_allclose(values[1:3], [0.92619, 5 / 9], rtol=1e-5)


class Holds(K.Model):
    def __init__(self):
        super().__init__()
        self.dense, self.mean = L.Dense(1), metrics.Mean(name="mean_of_all")

    def call(self, x):
        return self.dense(x)


@pytest.mark.parametrize("end", ["", ".h5"])
def test_weights_of_a_model_that_holds_one(options, end, tmp_path):
    if end:
        pytest.importorskip("h5py")
    first, second = Holds(), Holds()
    for model in (first, second):
        model(tf.ones([2, 3]))
    done(first.mean.update_state([4.0, 6.0]))
    assert len(first.non_trainable_weights) == 2 and len(first.trainable_weights) == 2
    first.save_weights(str(tmp_path / f"w{end}"))
    second.load_weights(str(tmp_path / f"w{end}"))
    assert K.backend.get_value(second.mean.result()) == 5
    if not end:  # the keys do not say how many metrics the graph has
        keys = [name for name, _ in tf.train.list_variables(str(tmp_path / "w"))]
        assert "mean/total/.ATTRIBUTES/VARIABLE_VALUE" in keys


def test_whole_models_keep_them(options, tmp_path):
    pytest.importorskip("h5py")
    model = dense(**options)
    model.save(str(tmp_path / "m.h5"))
    again = K.models.load_model(str(tmp_path / "m.h5"), compile=False)
    np.testing.assert_array_equal(again.get_weights()[0], WEIGHTS[0])
    model.compile("sgd", "mse", metrics=[metrics.BinaryAccuracy(threshold=0.25)])
    model.save(str(tmp_path / "m.h5"))
    again = K.models.load_model(str(tmp_path / "m.h5"))
    assert again.metrics_names == ["loss", "binary_accuracy"]
    assert again.evaluate(X, Y, verbose=0) == model.evaluate(X, Y, verbose=0)


def test_what_a_subclass_gives_is_checked(eager):
    class Bad(metrics.Mean):
        def result(self):
            return self.total

    class Empty(metrics.Metric):
        pass

    with pytest.raises(TypeError, match="Metric bad's result must be a Tensor"):
        Bad(name="bad").result()
    with pytest.raises(NotImplementedError, match="Empty does not define update_state"):
        Empty()(1.0)
