"""Keras models as Estimators; the numbers are those of TensorFlow 1.12."""

import os

import numpy as np
import pytest

import twinflow as tf

K = tf.keras
to_estimator = K.estimator.model_to_estimator
X = np.linspace(-1, 1, 64).astype(np.float32).reshape(64, 1)
Y = (3 * X + 2).astype(np.float32)
PREDICT = tf.estimator.ModeKeys.PREDICT


@pytest.fixture(autouse=True)
def writers():
    yield
    tf.summary.FileWriterCache.clear()


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "model")


def inputs(features=None, labels=Y):
    features = {"d1_input": X} if features is None else features

    def input_fn():
        data = tf.data.Dataset.from_tensor_slices((features, labels))
        return data.repeat(2).batch(16)

    return input_fn


def layers():
    start = K.initializers.Constant(0.5)
    return [
        K.layers.Dense(4, "tanh", input_shape=(1,), kernel_initializer="ones",
                       name="d1"),
        K.layers.Dense(1, name="d2", kernel_initializer=start),
    ]  # fmt: skip


def compiled(optimizer="sgd", metrics=("mae",), **kwargs):
    model = K.Sequential(layers())
    model.compile(optimizer, "mse", metrics=list(metrics), **kwargs)
    return model


def trained(estimator):
    """(names of the variables, metrics) after eight steps."""
    estimator.train(inputs(), steps=8)
    found = estimator.evaluate(inputs(), steps=4)
    return sorted(estimator.get_variable_names()), found


# ------------------------------------------------------------------ training
def test_a_model_is_trained_as_in_tensorflow(graph, folder):
    model = compiled(K.optimizers.SGD(0.1))
    estimator = to_estimator(model, model_dir=folder)
    assert sorted(os.listdir(os.path.join(folder, "keras"))) == [
        "checkpoint", "keras_model.ckpt.data-00000-of-00001", "keras_model.ckpt.index",
        "keras_model.ckpt.meta",
    ]  # fmt: skip
    names, found = trained(estimator)
    assert names == [
        "SGD/decay", "SGD/iterations", "SGD/lr", "SGD/momentum", "d1/bias", "d1/kernel",
        "d2/bias", "d2/kernel", "global_step", "training/SGD/Variable",
        "training/SGD/Variable_1", "training/SGD/Variable_2",
        "training/SGD/Variable_3",
    ]  # fmt: skip
    assert found["global_step"] == 8
    np.testing.assert_allclose(found["loss"], 0.076137148, rtol=1e-5)
    np.testing.assert_allclose(found["mae"], 0.224924639, rtol=1e-5)
    first = next(iter(estimator.predict(inputs())))
    np.testing.assert_allclose(first["d2"], [-1.0081469], rtol=1e-5)


def test_weights_come_along_and_the_model_stays_as_it_is(graph, folder):
    model = K.Sequential([*layers(), K.layers.BatchNormalization(name="bn")])
    model.compile(tf.train.AdamOptimizer(0.01), "mse")
    model.fit(X, Y, epochs=3, batch_size=16, verbose=0, shuffle=False)
    loss, weights = model.evaluate(X, Y, verbose=0), model.get_weights()
    estimator = to_estimator(model, model_dir=folder)
    found = estimator.evaluate(inputs(), steps=4)  # no training yet
    np.testing.assert_allclose(found["loss"], loss, rtol=1e-5)
    first = next(iter(estimator.predict(inputs())))
    np.testing.assert_allclose(first["bn"], model.predict(X[:1])[0], rtol=1e-5)
    estimator.train(inputs(), steps=1)
    moved = estimator.get_variable_value("bn/moving_variance")
    assert abs(moved - weights[-1]).max() < 0.02 and (moved != weights[-1]).all()
    names = estimator.get_variable_names()
    assert {"d1/kernel/Adam", "training/TFOptimizer/beta1_power"} < set(names)
    for before, after in zip(weights, model.get_weights(), strict=True):
        np.testing.assert_array_equal(before, after)


def test_a_folder_keeps_the_weights_it_was_given_first(graph, folder):
    to_estimator(compiled(), model_dir=folder).train(inputs(), steps=3)
    other = compiled()
    other.set_weights([0 * w for w in other.get_weights()])
    found = to_estimator(other, model_dir=folder).evaluate(inputs(), steps=1)
    assert found["global_step"] == 3
    np.testing.assert_allclose(found["loss"], 0.73274, rtol=1e-4)  # not those zeros


def test_a_file_of_a_model(graph, folder, tmp_path):
    pytest.importorskip("h5py")

    def doubled(x):
        return K.activations.tanh(x) * 2

    model = K.Sequential([K.layers.Dense(1, doubled, input_shape=(1,), name="d1")])
    model.compile(K.optimizers.RMSprop(0.01), "mse")
    model.fit(X, Y, verbose=0)
    loss, path = model.evaluate(X, Y, verbose=0), str(tmp_path / "model.h5")
    model.save(path)
    config = tf.estimator.RunConfig(model_dir=folder, save_checkpoints_steps=4)
    estimator = to_estimator(
        keras_model_path=path, custom_objects={"doubled": doubled}, config=config
    )
    found = estimator.evaluate(inputs(), steps=4)
    np.testing.assert_allclose(found["loss"], loss, rtol=1e-5)
    estimator.train(inputs(), max_steps=6)
    state = tf.train.get_checkpoint_state(folder)
    paths = [os.path.basename(p) for p in state.all_model_checkpoint_paths]
    assert paths == ["model.ckpt-0", "model.ckpt-4", "model.ckpt-6"]


def test_it_works_in_a_program_that_runs_eagerly(eager, folder):
    model = compiled(tf.train.GradientDescentOptimizer(0.1))
    _, found = trained(to_estimator(model, model_dir=folder))
    np.testing.assert_allclose(found["loss"], 0.076137148, rtol=1e-5)


# ------------------------------------------------------------------ inputs and outputs
def two_ends(metrics):
    a, b = K.Input((1,), name="a"), K.Input((1,), name="b")
    hidden = K.layers.Dense(2, name="h", kernel_initializer="ones")(a)
    hidden = K.layers.concatenate([hidden, b])
    o1 = K.layers.Dense(1, name="o1", kernel_initializer="ones")(hidden)
    o2 = K.layers.Dense(2, "softmax", name="o2", kernel_initializer="ones")(hidden)
    model = K.Model([a, b], [o1, o2])
    model.compile("sgd", ["mse", "categorical_crossentropy"], metrics=metrics)
    return model


LABELS = {"o1": Y, "o2": np.eye(2, dtype=np.float32)[(X[:, 0] > 0).astype(int)]}


def test_several_inputs_and_outputs(graph, folder):
    model = two_ends({"o1": "mae", "o2": "accuracy"})
    estimator = to_estimator(model, model_dir=folder)
    data = inputs({"a": X, "b": X * 2}, LABELS)
    estimator.train(data, steps=4)
    found = estimator.evaluate(data, steps=4)
    wanted = {"accuracy": 0.96875, "mae": 1.56522, "loss": 3.32714, "global_step": 4}
    assert found == pytest.approx(wanted, rel=1e-5)
    first = next(iter(estimator.predict(data)))
    np.testing.assert_allclose(first["o1"], [-3.35451174], rtol=1e-5)
    np.testing.assert_allclose(first["o2"], [0.52879864, 0.47120139], rtol=1e-5)
    for features, labels, what in [
        ({"a": X, "c": X}, LABELS, r"features keys.*Difference: .*'[bc]', '[bc]'"),
        ({"a": X, "b": X}, {"o1": Y, "o3": Y}, r"labels keys.*'o[23]', 'o[23]'"),
    ]:
        with pytest.raises(KeyError, match=what):
            estimator.evaluate(inputs(features, labels))
    with pytest.raises(ValueError, match=r"1 tensors as features.* expects 2"):
        estimator.evaluate(inputs(X, LABELS))


def test_metrics_of_the_same_name_are_told_apart(graph, folder):
    model = two_ends(["mae"])
    found = to_estimator(model, model_dir=folder).evaluate(
        inputs({"a": X, "b": X}, LABELS), steps=1
    )
    assert set(found) == {"mae_o1", "mae_o2", "loss", "global_step"}


def test_features_may_be_a_tensor_and_labels_a_row(graph, folder):
    estimator = to_estimator(compiled(), model_dir=folder)
    wanted = estimator.evaluate(inputs(), steps=4)
    plain = estimator.evaluate(inputs(X.astype(np.float64), Y[:, 0]), steps=4)
    assert plain == pytest.approx(wanted)
    with pytest.raises(ValueError, match="the input function gave none"):
        estimator.evaluate(lambda: tf.data.Dataset.from_tensors(X))


# ------------------------------------------------------------------ classes
class Written(K.Model):
    """A model that is written as a class, with layers in a list."""

    def __init__(self):
        super().__init__(name="written")
        first, last = layers()
        self.parts, self._last, self.scale = [first], last, 1.0

    def call(self, x):
        for layer in self.parts:
            x = layer(x)
        return self._last(x) * self.scale


def test_a_model_written_as_a_class_begins_anew(graph, folder, capsys, caplog):
    model = Written()
    model.compile(tf.train.GradientDescentOptimizer(0.1), "mse", metrics=["mae"])
    model.fit(X, Y, epochs=2, verbose=0)
    weights = model.get_weights()
    estimator = to_estimator(model, model_dir=folder)
    assert "They are not carried over" in caplog.text + capsys.readouterr().err
    estimator.train(inputs(X), steps=8)
    found = estimator.evaluate(inputs(X), steps=4)
    np.testing.assert_allclose(found["loss"], 0.076137148, rtol=1e-5)
    assert list(next(iter(estimator.predict(inputs(X))))) == ["output_1"]
    for before, after in zip(weights, model.get_weights(), strict=True):
        np.testing.assert_array_equal(before, after)


def test_a_model_with_variables_of_its_own_is_refused(graph, folder):
    model = Written()
    model.shift = tf.contrib.eager.Variable(1.0)
    model.compile("sgd", "mse")
    estimator = to_estimator(model, model_dir=folder)
    with pytest.raises(ValueError, match="Make variables in a layer's `build`"):
        estimator.train(inputs(X), steps=1)


# ------------------------------------------------------------------ the rest
def test_it_is_exported_with_the_names_of_its_outputs(graph, folder):
    estimator = to_estimator(compiled(), model_dir=folder)
    estimator.train(inputs(), steps=1)

    def serving():
        x = {"d1_input": tf.placeholder(tf.float32, [None, 1])}
        return tf.estimator.export.ServingInputReceiver(x, x)

    path = estimator.export_savedmodel(folder + "/export", serving).decode()
    with tf.Graph().as_default(), tf.Session() as sess:
        meta = tf.saved_model.loader.load(sess, ["serve"], path)
        signature = meta.signature_def["serving_default"]
        assert list(signature.inputs) == ["d1_input"]
        feeds = {signature.inputs["d1_input"].name: X[:2]}
        found = sess.run(signature.outputs["d2"].name, feeds)
    rows = list(estimator.predict(inputs()))[:2]
    np.testing.assert_allclose(found, [row["d2"] for row in rows], rtol=1e-6)


@pytest.mark.parametrize("call, error, text", [
    (lambda: to_estimator(), ValueError, "Either `keras_model` or `keras_model_path`"),
    (lambda: to_estimator(compiled(), "x.h5"), ValueError, "not both"),
    (lambda: to_estimator(K.Sequential(layers())), ValueError,
     "has not been compiled yet"),
    (lambda: to_estimator(compiled(), config={}), ValueError,
     "config must be an instance of `RunConfig`"),
])  # fmt: skip
def test_what_does_not_do_is_said(graph, call, error, text):
    with pytest.raises(error, match=text):
        call()
