"""Weights and models in files; with a real TensorFlow where there is one."""

import json
import subprocess

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import dispatch, trackable
from twinflow.eager.mode import MODE
from twinflow.keras.saving import hdf5

K, L = tf.keras, tf.keras.layers
X = np.linspace(0, 1, 12, dtype="f").reshape(4, 3)


@pytest.fixture(params=["eager", "graph"])
def mode(request):
    request.getfixturevalue(request.param)
    if request.param == "graph":
        K.backend.set_session(tf.Session())
    return request.param


def sequential(optimizer):
    model = K.Sequential([L.Dense(2, input_shape=(3,)), L.Dropout(0.5), L.Dense(1)])
    model.compile(optimizer, "mse", metrics=["mae"])
    model.fit(X, X[:, :1], verbose=0)
    return model


class Net(K.Model):
    def __init__(self):
        super().__init__()
        self.first, self.rest = L.Dense(2), [L.Dense(1)]

    def call(self, x):
        return self.rest[0](self.first(x))


def keys(path):
    return [k for k, _ in tf.train.list_variables(path)]


def test_weights_keep_the_state_of_the_optimizer(mode, tmp_path):
    path = str(tmp_path / "w")
    model = sequential(tf.train.AdamOptimizer(0.1))
    model.save_weights(path)
    first = "layer_with_weights-0/kernel"
    assert f"{first}/.ATTRIBUTES/VARIABLE_VALUE" in keys(path)
    slot = f"{first}/.OPTIMIZER_SLOT/optimizer/optimizer/m/.ATTRIBUTES/VARIABLE_VALUE"
    assert slot in keys(path)
    again = sequential(tf.train.AdamOptimizer(0.1))
    again.load_weights(path).assert_consumed()
    for a, b in zip(model.get_weights(), again.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)
    assert tf.train.latest_checkpoint(str(tmp_path)) == path


def test_weights_of_a_class_wait_for_their_variables(eager, tmp_path):
    path = str(tmp_path / "w")
    model = Net()
    expected = model(X)
    model.save_weights(path)
    assert "rest/0/kernel/.ATTRIBUTES/VARIABLE_VALUE" in keys(path)
    again = Net()
    again.load_weights(path)
    np.testing.assert_array_equal(again(X), expected)


def test_formats_are_checked(eager, tmp_path, monkeypatch):
    model = sequential("sgd")
    with pytest.raises(ValueError, match='Unknown format "zip"'):
        model.save_weights(str(tmp_path / "w"), save_format="zip")
    with pytest.raises(ValueError, match="looks like an HDF5 file"):
        model.save_weights(str(tmp_path / "w.h5"), save_format="tf")
    monkeypatch.setattr(hdf5, "h5py", None)
    for action in (model.save_weights, model.load_weights, model.save):
        with pytest.raises(ImportError, match="requires h5py"):
            action(str(tmp_path / "w.h5"))
    with pytest.raises(NotImplementedError, match="graph network"):
        Net().save(str(tmp_path / "m"))


def test_settings_make_an_equal_model(mode):
    model = sequential("sgd")
    again = K.models.model_from_json(model.to_json())
    assert [w.shape for w in again.get_weights()] == [
        w.shape for w in model.get_weights()
    ]
    assert K.models.clone_model(model).get_config() == model.get_config()


def test_whole_models(mode, tmp_path):
    pytest.importorskip("h5py")
    path = str(tmp_path / "m.h5")
    model = sequential(K.optimizers.Adam(0.1))
    model.save(path)
    again = K.models.load_model(path)
    np.testing.assert_array_equal(model.predict(X), again.predict(X))
    assert again.metrics_names == ["loss", "mean_absolute_error"]
    kept = [m.optimizer.get_weights() for m in (model, again)]
    for a, b in zip(*kept, strict=True):
        np.testing.assert_array_equal(a, b)
    model.save_weights(path)
    again.load_weights(path)
    again.load_weights(path, by_name=True)
    with pytest.raises(ValueError, match="containing 2 layers into a model with 1"):
        K.Sequential([L.Dense(2, input_shape=(3,))]).load_weights(path)


@pytest.mark.interop
def test_weights_go_to_tensorflow_and_back(eager, tf112_python, tmp_path):
    ours, theirs = str(tmp_path / "ours"), str(tmp_path / "theirs")
    model = sequential(tf.train.AdamOptimizer(0.1))
    model.save_weights(ours)
    source = f"""
import json, numpy as np, tensorflow as tf
tf.enable_eager_execution()
K, L = tf.keras, tf.keras.layers
x = np.linspace(0, 1, 12).astype("f").reshape(4, 3)
model = K.Sequential([L.Dense(2, input_shape=(3,)), L.Dropout(0.5), L.Dense(1)])
model.compile(tf.train.AdamOptimizer(0.1), "mse")
model.fit(x, x[:, :1], verbose=0)
model.load_weights({ours!r}).assert_consumed()
y = model.predict(x).tolist()
model.fit(x, x[:, :1], verbose=0)
model.save_weights({theirs!r})
print(json.dumps([y, model.predict(x).tolist()]))
"""
    done = subprocess.run(
        [tf112_python, "-c", source], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    before, after = json.loads(done.stdout.splitlines()[-1])
    np.testing.assert_allclose(model.predict(X), before, rtol=1e-5)
    model.load_weights(theirs).assert_consumed()
    np.testing.assert_allclose(model.predict(X), after, rtol=1e-5)


def test_keys_do_not_tell_what_else_the_graph_holds(tmp_path):
    def cells():
        return L.RNN([L.LSTMCell(2), L.GRUCell(3)])

    path, x = str(tmp_path / "c"), np.ones((1, 2, 3), "f")
    with tf.Graph().as_default(), tf.Session() as session:
        cells()(tf.constant(x))  # takes the names
        layer = cells()
        y = layer(tf.constant(x))
        session.run(tf.global_variables_initializer())
        wanted = session.run(y)
        path = tf.train.Checkpoint(layer=layer).save(path, session)
    assert "layer/cell/cells/1/kernel/.ATTRIBUTES/VARIABLE_VALUE" in keys(path)
    with dispatch.entered(MODE):
        layer = cells()
        status = tf.train.Checkpoint(layer=layer).restore(path)
        np.testing.assert_allclose(layer(x).numpy(), wanted, atol=1e-6)
        status.assert_consumed()


def test_a_name_that_is_used_twice_keeps_both_values(eager, tmp_path):
    class Twice(L.Layer):
        def build(self, shape):
            self.a, self.b = (self.add_weight("w", [n]) for n in (2, 3))

        def call(self, x):
            return tf.concat([self.a, self.b], 0)

    first, second = Twice(), Twice()
    wanted, _ = first(X), second(X)
    path = tf.train.Checkpoint(layer=first).save(str(tmp_path / "c"))
    tf.train.Checkpoint(layer=second).restore(path).assert_consumed()
    np.testing.assert_array_equal(second(X), wanted)


def test_a_restored_model_waits_for_nothing(mode, tmp_path):
    model, path = sequential(tf.train.AdamOptimizer(0.1)), str(tmp_path / "w")
    model.save_weights(path)
    before = list(trackable.pending)
    sequential(tf.train.AdamOptimizer(0.1)).load_weights(path)
    assert trackable.pending == before


def test_models_in_models(mode):
    layers = tf.keras.layers
    a, b = layers.Input((3,)), layers.Input((3,))
    inner = tf.keras.Model([a, b], [layers.add([a, b]), layers.Dense(2)(a)], name="m")
    c, d = layers.Input((3,)), layers.Input((3,))
    total, part = inner([c, d])
    line = tf.keras.Sequential([layers.Dense(4, input_shape=(2,))], name="s")
    outer = tf.keras.Model([c, d], [layers.Dense(1)(total), line(part)])
    config = outer.get_config()
    assert config["output_layers"][1] == ["s", 1, 0]
    again = tf.keras.Model.from_config(config)
    again.set_weights(outer.get_weights())
    x = [np.ones((2, 3), np.float32), np.arange(6, dtype=np.float32).reshape(2, 3)]
    for found, expected in zip(again.predict(x), outer.predict(x)):
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_stateful_model_takes_the_batch_size_of_its_input(mode):
    x = tf.keras.layers.Input(batch_shape=(2, 3, 4))
    model = tf.keras.Model(x, tf.keras.layers.LSTM(3, stateful=True)(x))
    assert model.predict(np.ones((4, 3, 4))).shape == (4, 3)
    with pytest.raises(ValueError, match="value 4 is incompatible"):
        model.predict(np.ones((4, 3, 4)), batch_size=4)
