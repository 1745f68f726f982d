"""Functional models beyond the golden programs: copies, pickles, training flags."""

import copy
import json
import pickle

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager, graph
from twinflow.keras import layers
from twinflow.keras.saving import rebuilding

__all__ = ["eager", "graph"]
X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)


def small():
    x = tf.keras.Input((4,))
    y = layers.Dropout(0.9)(layers.Dense(8, activation="tanh")(x))
    return tf.keras.Model(x, layers.Dense(2)(y))


def test_training_reaches_the_layers(eager):
    model = small()
    np.testing.assert_array_equal(model(X), model(X))
    assert np.any(model(X, training=True).numpy() != model(X).numpy())


@pytest.mark.parametrize(
    "again", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))]
)
def test_copies(eager, again):
    model = small()
    other = again(model)
    np.testing.assert_array_equal(other(X), model(X))
    assert other.get_config() == model.get_config()
    assert other.weights[0] is not model.weights[0]


def test_models_from_settings(eager):
    model = small()
    for other in (
        tf.keras.models.clone_model(model),
        tf.keras.models.model_from_json(model.to_json()),
        tf.keras.models.model_from_config(
            {"class_name": "Model", "config": model.get_config()}
        ),
    ):
        other.set_weights(model.get_weights())
        np.testing.assert_array_equal(other(X), model(X))
    assert json.loads(model.to_json())["class_name"] == "Model"


def test_gradients_and_functions(eager):
    model = small()
    function = tf.contrib.eager.defun(lambda x: model(x))
    np.testing.assert_allclose(function(tf.constant(X)), model(X), atol=1e-6)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(X))
    slopes = tape.gradient(loss, model.trainable_weights)
    assert [g.shape.as_list() for g in slopes] == [[4, 8], [8], [8, 2], [2]]


def test_a_model_of_a_class_and_tensors(eager):
    class Net(tf.keras.Model):
        def __init__(self):
            x = tf.keras.Input((4,))
            super().__init__(inputs=x, outputs=layers.Dense(2)(x))

    model = Net()
    assert (model(X).shape, len(model.layers), model.name) == ((3, 2), 2, "net")


def test_an_unbuilt_row_inside(eager):
    row = tf.keras.Sequential([layers.Dense(3), layers.BatchNormalization()])
    x = tf.keras.Input((4,))
    model = tf.keras.Model(x, layers.Dense(1)(row(x)))
    assert row.output_shape == (None, 3)
    assert len(model.weights) == 8
    assert model(X).shape == (3, 1)


@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_masks_inside_steps_go_on(request, mode):
    request.getfixturevalue(mode)
    ids = np.array([[[1, 2, 0], [3, 0, 0]], [[4, 1, 2], [2, 2, 1]]])
    table, recurrent = np.eye(5, 3) + 0.1, [np.eye(3, 2), np.eye(2), np.ones(2)]
    model = tf.keras.Sequential(
        [
            layers.TimeDistributed(layers.Embedding(5, 3, mask_zero=True),
                                   input_shape=(2, 3)),
            layers.TimeDistributed(layers.SimpleRNN(2)),
        ]
    )  # fmt: skip
    model.set_weights([table, *recurrent])
    single = tf.keras.Sequential(
        [layers.Embedding(5, 3, mask_zero=True, input_length=3), layers.SimpleRNN(2)]
    )
    single.set_weights([table, *recurrent])
    wanted = [single.predict(sample) for sample in ids]  # steps by themselves
    np.testing.assert_allclose(model.predict(ids), wanted, rtol=1e-6)


def test_wrappers_hold_layers():
    for wrapper in (layers.TimeDistributed, layers.Bidirectional):
        with pytest.raises(ValueError, match=r"a `Layer` instance\. You passed: 3"):
            wrapper(3)


def test_states_of_both_directions(eager):
    layer = layers.Bidirectional(layers.LSTM(2, return_state=True))
    shapes = [t.shape.as_list() for t in layer(tf.ones([1, 3, 2]))]
    assert shapes == [[1, 4], [1, 2], [1, 2], [1, 2], [1, 2]]


@pytest.mark.parametrize("around", ["none", "bidirectional", "model"])
@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_weights_of_cudnn_spellings_fit_the_plain_layers(eager, tmp_path, kind, around):
    pytest.importorskip("h5py")
    options = {"recurrent_activation": "sigmoid"}
    options |= {"reset_after": True} if kind == "GRU" else {}
    made = (
        getattr(layers, f"CuDNN{kind}")(2, bias_initializer="random_normal"),
        getattr(layers, kind)(2, bias_initializer="random_normal", **options),
    )
    models = []
    for layer in made:
        wrapped = layers.Bidirectional(layer) if around == "bidirectional" else layer
        model = tf.keras.Sequential([layers.Masking(input_shape=(4, 3)), wrapped])
        if around == "model":
            model = tf.keras.Sequential([model])
        models.append(model)
    x, path = X.reshape(1, 4, 3), str(tmp_path / "w.h5")
    wanted = models[0].predict(x)
    models[0].save_weights(path)
    models[1].load_weights(path)
    np.testing.assert_allclose(models[1].predict(x), wanted, atol=1e-6)
    models[1].save_weights(path)  # and back
    models[0].load_weights(path)
    np.testing.assert_allclose(models[0].predict(x), wanted, atol=1e-6)


def test_weights_of_other_recurrent_layers_are_refused(eager, tmp_path):
    pytest.importorskip("h5py")
    path = str(tmp_path / "w.h5")
    cudnn, plain = (
        tf.keras.Sequential([layer(2, input_shape=(4, 3))])
        for layer in (layers.CuDNNGRU, layers.GRU)
    )
    cudnn.save_weights(path)
    with pytest.raises(ValueError, match=r"CuDNNGRU is not compatible with GRU\(reset"):
        plain.load_weights(path)


def test_custom_objects_by_name(eager):
    class Twice(layers.Layer):
        def call(self, x):
            return 2 * x

    def cube(x):
        return x * x * x

    model = tf.keras.Sequential([Twice(input_shape=(4,)), layers.Dense(2, cube)])
    with pytest.raises(ValueError, match="Unknown layer: Twice"):
        tf.keras.Sequential.from_config(model.get_config())
    with tf.keras.utils.CustomObjectScope({"Twice": Twice, "cube": cube}):
        other = tf.keras.Sequential.from_config(model.get_config())
    assert other.layers[1].activation is cube
    assert tf.keras.utils.get_custom_objects() == {}


def test_keras_has_a_session():
    with tf.Graph().as_default():
        x = tf.keras.Input((2,))
        y = layers.Dense(2, kernel_initializer="ones")(x)
        run = tf.keras.backend.function([x], [y, y + 1])
        assert run([np.ones((1, 2))])[1].tolist() == [[3, 3]]
        v = tf.keras.backend.variable([1.0])
        tf.keras.backend.set_value(v, [5.0])
        assert tf.keras.backend.get_value(v).tolist() == [5]


def test_what_depends_on_the_learning_phase(graph):
    with tf.Graph().as_default():
        x = tf.keras.Input((4,))
        plain = layers.Dense(2)(x)
        dropped = layers.Dropout(0.5)(plain)
        always = layers.Dropout(0.5)(plain, training=True)
        flags = [t._uses_learning_phase for t in (plain, dropped, always)]
        assert flags == [False, True, False]
        model = tf.keras.Model(x, layers.Dense(1)(dropped))
        assert model(x)._uses_learning_phase


def test_losses_of_a_network_are_of_its_own_inputs(graph):
    class Summed(layers.Layer):
        def call(self, inputs):
            self.add_loss(tf.reduce_sum(inputs), inputs=True)
            return inputs + 1.0

    with tf.Graph().as_default():
        layer = Summed()
        first, second = tf.keras.Input((1,)), tf.keras.Input((1,))
        layer(first)
        model = tf.keras.Model(second, layer(second))
        assert model.get_losses_for(first) == []
        assert len(model.get_losses_for(second)) == 1


def test_models_compiled_as_others(graph):
    with tf.Graph().as_default(), tf.Session():
        model = small()
        assert rebuilding.clone_and_build_model(model).optimizer is None
        model.compile(tf.train.AdamOptimizer(), "mse", metrics=["acc"])
        x = tf.keras.Input((4,))
        for inputs in None, x:
            made = rebuilding.clone_and_build_model(model, inputs)
            assert (made.loss, made.metrics) == ("mse", ["acc"])
            assert len(made.train_on_batch(X, X[:, :2])) == 2
        row = tf.keras.Sequential([layers.Dense(2, input_shape=(4,))])
        row.compile("sgd", "mse")
        count = tf.keras.backend.variable(3, "int64")
        other = rebuilding.clone_and_build_model(row, optimizer_iterations=count)
        assert type(other.optimizer) is type(row.optimizer)
        assert other.optimizer.iterations is count
        assert rebuilding.clone_sequential_model(row, x).outputs
        y = layers.Dense(4)(x)
        for clone, *args in (
            (rebuilding.clone_functional_model, row),
            (rebuilding.clone_functional_model, None),
            (rebuilding.clone_sequential_model, model),
            (rebuilding.clone_sequential_model, row, [x, x]),
            (rebuilding.clone_sequential_model, row, y),
        ):
            with pytest.raises(ValueError, match=r"xpect|on top of"):
                clone(*args)
