"""Layers against TensorFlow 1.12: numbers and shapes, in both modes."""

import numpy as np
import pytest

from tests.modes import both, close
from twinflow import layers as plain
from twinflow.autodiff.tape import GradientTape
from twinflow.base import errors
from twinflow.execute.session import Session
from twinflow.keras import backend, layers
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.constant import constant
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.nn.activation import relu


def ramp(*shape, low=-1.0, high=1.0):
    """Evenly spaced float32 numbers in a shape."""
    return np.linspace(low, high, int(np.prod(shape))).astype(np.float32).reshape(shape)


def given(value):
    """An initializer that gives `value`."""
    return lambda shape, dtype=None, partition_info=None: constant(value, dtype)


def dense(**options):
    return layers.Dense(
        2, kernel_initializer=given(ramp(3, 2)),
        bias_initializer=given(ramp(2, low=0.1, high=0.2)), **options,
    )  # fmt: skip


def conv(**options):
    return layers.Conv2D(
        2, 3, kernel_initializer=given(ramp(3, 3, 2, 2)),
        bias_initializer=given(ramp(2, low=0.1, high=0.2)), **options,
    )  # fmt: skip


def images():
    signs = np.where(np.arange(50) % 3 == 0, -1, 1).reshape(1, 5, 5, 2)
    return constant((ramp(1, 5, 5, 2) * signs).astype(np.float32))


def nearly(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=2e-6, atol=2e-6)


# ------------------------------------------------------------------ numbers
@both
def test_dense(run):
    found = run(lambda: dense(activation="tanh")(constant(ramp(2, 3))))
    nearly(found, [[0.8004991, 0.44624364], [0.36270744, 0.8336547]])
    found = run(lambda: dense(activation="tanh")(constant(ramp(2, 2, 3))))
    nearly(found[0], [[0.70732909, 0.0], [0.50391918, 0.31606808]])
    nearly(found[1], [[0.22343881, 0.57472199], [-0.099667959, 0.75385195]])


def test_dense_on_unknown_sizes(graph):
    x = placeholder("float32", [None, None, 3])
    y = dense(activation="tanh")(x)
    assert y.shape.as_list() == [None, None, 2]
    with Session() as session:
        session.run([v.initializer for v in graph.get_collection("variables")])
        assert session.run(y, {x: ramp(2, 2, 3)}).shape == (2, 2, 2)


def test_dense_options(eager):
    x = constant(ramp(2, 3))
    layer = layers.Dense(4, use_bias=False, activation=relu)
    assert layer(x).shape.as_list() == [2, 4]
    assert [v.name for v in layer.variables] == ["dense/kernel:0"]
    assert layer.bias is None
    assert layers.Dense(10)(constant(np.zeros([1, 1, 784], "f"))).numpy().shape == (
        1, 1, 10,
    )  # fmt: skip


@both
def test_conv2d(run):
    found = run(lambda: conv()(constant(ramp(1, 5, 5, 2))))
    nearly(
        found[0, 0],
        [[3.9553933, 3.5516036], [3.9134107, 3.5935862], [3.8714285, 3.6355689]],
    )
    nearly(found[0, 2, 2], [3.4516034, 4.0553937])
    found = run(lambda: conv(padding="SAME", strides=2)(constant(ramp(1, 5, 5, 2))))
    nearly(
        found[0, 0],
        [[-1.8125365, -2.0483963], [-1.2061225, -1.5259476], [-0.07725947, -0.2011662]],
    )
    nearly(
        found[0, 2],
        [[-0.3011662, 0.022740528], [-1.6259476, -1.1061225], [-2.1483965, -1.7125365]],
    )
    found = run(lambda: conv(dilation_rate=2)(constant(ramp(1, 5, 5, 2))))
    nearly(found, [[[[7.286006, 7.386006]]]])


def test_conv2d_shapes(eager):
    x = constant(np.ones([8, 32, 32, 3], "f"))
    y = layers.Conv2D(filters=64, kernel_size=3, padding="SAME")(x)
    assert y.shape.as_list() == [8, 32, 32, 64]
    y = layers.MaxPool2D(pool_size=2, strides=2, padding="SAME")(y)
    assert y.shape.as_list() == [8, 16, 16, 64]


def test_channels_first_is_the_same_turned(eager):
    x = ramp(2, 5, 6, 2)
    last = conv(activation="relu")(constant(x)).numpy()
    first = conv(activation="relu", data_format="channels_first")(
        constant(x.transpose(0, 3, 1, 2))
    )
    nearly(first.numpy().transpose(0, 2, 3, 1), last)
    pooled = layers.MaxPool2D(data_format="channels_first")(first)
    nearly(
        pooled.numpy().transpose(0, 2, 3, 1), layers.MaxPool2D()(constant(last)).numpy()
    )
    mean = layers.GlobalAveragePooling2D("channels_first")(first).numpy()
    nearly(mean, last.mean((1, 2)))
    flat = layers.Flatten("channels_first")(first).numpy()
    nearly(flat, last.reshape(2, -1))


@both
def test_pooling(run):
    found = run(
        lambda: [
            layers.MaxPool2D()(images()),
            layers.MaxPooling2D(3, 2, "same")(images()),
            layers.AveragePooling2D()(images()),
            layers.AveragePooling2D(2, padding="same")(images()),
            layers.GlobalAveragePooling2D()(images()),
        ]
    )
    nearly(
        found[0][0],
        [
            [[1, 0.877551], [0.75510204, 0.3877551]],
            [[0.30612245, 0.26530612], [0.3877551, 0.5102041]],
        ],
    )
    nearly(
        found[1][0, 1],
        [[0.5102041, 0.26530612], [0.5102041, 0.5102041], [0.5510204, 0.5102041]],
    )
    nearly(found[2][0, 0], [[0.0, -0.27551019], [-0.21428572, -0.35714284]])
    nearly(
        found[3][0, 2],
        [[-0.040816337, 0.71428573], [0.83673465, 0.040816307], [-0.95918369, 1.0]],
    )
    nearly(found[4], [[-0.0057142926, 0.03346939]])


@both
def test_embedding(run):
    def build():
        layer = layers.Embedding(4, 3, embeddings_initializer=given(ramp(4, 3)))
        return layer(constant([[1, 3], [0, 0]])), layer(constant([[1.0]]))

    found, one = run(build)
    close(
        found[0], [[-0.45454547, -0.27272728, -0.09090909], [0.6363636, 0.8181818, 1]]
    )
    close(found[1, 0], [-1.0, -0.8181818, -0.6363636])
    close(one[0, 0], found[0, 0])


def test_embedding_out_of_range(eager):
    layer = layers.Embedding(4, 3)
    with pytest.raises(errors.InvalidArgumentError):
        layer(constant([[4]]))
    assert [v.name for v in layer.variables] == ["embedding/embeddings:0"]


# ------------------------------------------------------------------ shapes
@both
def test_flatten_and_reshape(run):
    x = ramp(2, 3, 4)
    found = run(
        lambda: [
            layers.Flatten()(constant(x)),
            layers.Reshape([2, -1])(constant(x)),
            layers.Reshape((4, 3), name="turned")(constant(x)),
        ]
    )
    for y, shape in zip(found, ([2, 12], [2, 2, 6], [2, 4, 3]), strict=True):
        assert np.array_equal(y, x.reshape(shape))


def test_shapes_of_unknown_batches(graph):
    x = placeholder("float32", [None, 3, 4])
    assert layers.Flatten()(x).shape.as_list() == [None, 12]
    assert layers.Reshape([2, -1])(x).shape.as_list()[:2] == [None, 2]
    assert layers.Reshape([4, 3])(x).shape.as_list() == [None, 4, 3]
    wild = placeholder("float32", [None, None, 4])
    flat = layers.Flatten()(wild)
    with Session() as session:
        assert session.run(flat, {wild: np.zeros([2, 3, 4])}).shape == (2, 12)


def test_compute_output_shape():
    for layer, before, after in (
        (layers.Dense(5), [None, 3], [None, 5]),
        (layers.Flatten(), [None, 3, 4], [None, 12]),
        (layers.Reshape([2, -1]), [None, 3, 4], [None, 2, 6]),
        (layers.Conv2D(8, 3), [None, 5, 6, 1], [None, 3, 4, 8]),
        (layers.Conv2D(8, 3, 2, "same"), [None, 5, 6, 1], [None, 3, 3, 8]),
        (layers.MaxPool2D(), [None, 5, 6, 1], [None, 2, 3, 1]),
        (layers.GlobalAveragePooling2D(), [None, 5, 6, 7], [None, 7]),
        (layers.Embedding(9, 2), [None, 4], [None, 4, 2]),
        (layers.Dropout(0.5), [None, 4], [None, 4]),
    ):
        assert layer.compute_output_shape(before).as_list() == after
    with pytest.raises(ValueError, match="total size of new array must be unchanged"):
        layers.Reshape([5, -1]).compute_output_shape([None, 3, 4])


def test_a_slash_in_a_name(graph):
    x = constant(np.ones([1, 4, 4, 1], "f"))
    y = layers.MaxPool2D(2, 2, "SAME", name="conv1/pool")(x)
    assert y.name == "conv1/pool/MaxPool:0"


# ------------------------------------------------------------------ dropout
def test_dropout(eager):
    x, layer = constant(np.ones([100, 10], "f")), layers.Dropout(0.5)
    assert np.array_equal(layer(x).numpy(), x.numpy())
    assert np.array_equal(layer(x, training=False).numpy(), x.numpy())
    y = layer(x, training=True).numpy()
    assert set(np.unique(y)) == {0.0, 2.0}
    assert 300 < (y == 0).sum() < 700
    shared = layers.Dropout(0.5, noise_shape=[100, 1])(x, training=True).numpy()
    assert ((shared == 0).all(1) | (shared == 2).all(1)).all()


def test_dropout_follows_the_learning_phase(graph):
    x = constant(np.ones([100, 10], "f"))
    y, phase = layers.Dropout(0.5)(x), backend.learning_phase()
    assert phase.name == "keras_learning_phase:0"
    with Session() as session:
        assert (session.run(y) == 1).all()
        assert set(np.unique(session.run(y, {phase: True}))) == {0.0, 2.0}


def test_the_gradient_of_dropout_drops_too(eager):
    x = constant(np.ones([10, 10], "f"))
    with GradientTape() as tape:
        tape.watch(x)
        y = layers.Dropout(0.5)(x, training=True)
        total = reduce_sum(y)
    assert np.array_equal(tape.gradient(total, x).numpy(), y.numpy())


# ------------------------------------------------------------------ arguments
def test_bad_arguments(eager):
    for call, text in (
        (lambda: layers.Dense(3, activation="foo"), "Unknown activation function:foo"),
        (lambda: layers.Activation("foo"), "Unknown activation function:foo"),
        (lambda: layers.Dense(3, kernel_initializer="foo"), "Unknown initializer: foo"),
        (
            lambda: layers.Conv2D(3, (3, 3, 3)),
            r"The `kernel_size` argument must be a tuple of 2 integers. "
            r"Received: \(3, 3, 3\)",
        ),
        (
            lambda: layers.Conv2D(3, 3, padding="foo"),
            "The `padding` argument must be one",
        ),
        (
            lambda: layers.Conv2D(3, 3, data_format="foo"),
            "The `data_format` argument must be one of",
        ),
        (
            lambda: layers.Dense(3, activity_regularizer=reduce_sum),
            "Activity regularization is not supported when executing eagerly",
        ),
    ):
        with pytest.raises(ValueError, match=text):
            call()


def test_inputs_that_do_not_fit(eager):
    with pytest.raises(
        ValueError,
        match="Input 0 of layer dense is incompatible with the layer: : expected "
        r"min_ndim=2, found ndim=1. Full shape received: \[2\]",
    ):
        layers.Dense(3)(constant([1.0, 2.0]))
    with pytest.raises(
        ValueError,
        match=r"expected ndim=4, found ndim=2. Full shape received: \[2, 4\]",
    ):
        layers.Conv2D(3, 3)(constant(ramp(2, 4)))
    layer = dense()
    layer(constant(ramp(2, 3)))
    with pytest.raises(ValueError, match="axis -1 of input shape to have value 3"):
        layer(constant(ramp(2, 4)))
    with pytest.raises(ValueError, match="expects 1 inputs, but it received 2"):
        dense()([constant(ramp(2, 3)), constant(ramp(2, 3))])


@pytest.mark.parametrize(
    ("make", "first", "second"),
    [
        (lambda: layers.Dense(3), [2, 2, 4], [2, 4, 2]),
        (lambda: layers.Conv2D(3, 1), [2, 4, 4, 3], [2, 4, 3, 4]),
        (lambda: layers.BatchNormalization(), [2, 4, 4, 3], [2, 4, 3, 4]),
        (lambda: layers.LSTM(3), [2, 4, 3], [2, 3, 4]),
        (lambda: layers.Bidirectional(layers.GRU(3)), [2, 4, 3], [2, 3, 4]),
        (lambda: layers.LocallyConnected1D(3, 1), [2, 4, 3], [2, 3, 4]),
        (lambda: layers.TimeDistributed(layers.Dense(3)), [2, 3, 4], [2, 4, 3]),
        (lambda: plain.Dense(3), [2, 4], [4, 2]),
        (lambda: plain.BatchNormalization(), [2, 4, 4, 3], [2, 4, 3, 4]),
    ],
)
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_as_many_elements_in_another_shape(make, first, second, mode, request):
    request.getfixturevalue(mode)
    layer = make()
    layer(constant(ramp(*first)))
    with pytest.raises(ValueError, match=r"Input 0 of layer .*is incompatible with"):
        layer(constant(ramp(*second)))


def test_inputs_that_do_not_fit_in_a_graph(graph):
    layer = layers.Dense(3)
    layer(constant(ramp(2, 3)))
    with pytest.raises(
        ValueError,
        match="expected axis -1 of input shape to have value 3 but received input with "
        r"shape \[2, 4\]",
    ):
        layer(constant(ramp(2, 4)))
    with pytest.raises(ValueError, match="The last dimension of the inputs to `Dense`"):
        layers.Dense(3)(placeholder("float32", [None, None]))
    with pytest.raises(ValueError, match="The channel dimension of the inputs"):
        layers.Conv2D(3, 3)(placeholder("float32", [None, 3, 3, None]))


def test_configs_make_equal_layers():
    config = layers.Dense(3, activation="relu", name="d").get_config()
    assert config["kernel_initializer"] == {
        "class_name": "GlorotUniform", "config": {"seed": None, "dtype": "float32"},
    }  # fmt: skip
    assert config["activation"] == "relu"
    for layer in (
        layers.Dense(3, activation="relu"),
        layers.Conv2D(3, 3, padding="same"),
        layers.MaxPool2D(3),
        layers.BatchNormalization(momentum=0.5),
        layers.Dropout(0.3),
        layers.Reshape([2, -1]),
        layers.Embedding(3, 4),
    ):
        config = layer.get_config()
        assert type(layer).from_config(config).get_config() == config
