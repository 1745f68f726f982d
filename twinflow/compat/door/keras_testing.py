"""What python.keras.testing_utils has: data, small models, and a check of layers."""

import inspect

import numpy as np

from twinflow.base.shapes import TensorShape
from twinflow.keras.engine.input_layer import Input
from twinflow.keras.engine.model import Model
from twinflow.keras.engine.sequential import Sequential
from twinflow.keras.layers.core import Dense
from twinflow.train.rmsprop import RMSPropOptimizer


def get_test_data(
    train_samples, test_samples, input_shape, num_classes, random_seed=None
):
    """((x, y) to train, (x, y) to test): noisy copies of a pattern for each class.

    Args:
        input_shape: of a sample. num_classes: an int. random_seed: for chance.
    """
    if random_seed is not None:
        np.random.seed(random_seed)
    patterns = 2 * num_classes * np.random.random((num_classes, *input_shape))
    count = train_samples + test_samples
    y = np.random.randint(0, num_classes, size=(count,))
    x = patterns[y] + np.random.normal(size=(count, *input_shape))
    x, at = x.astype(np.float32), train_samples
    return (x[:at], y[:at]), (x[at:], y[at:])


def get_small_sequential_mlp(num_hidden, num_classes, input_dim=None):
    """Two dense layers, as a Sequential."""
    first = {"input_dim": input_dim} if input_dim else {}
    last = "sigmoid" if num_classes == 1 else "softmax"
    return Sequential(
        [
            Dense(num_hidden, activation="relu", **first),
            Dense(num_classes, activation=last),
        ]
    )


def get_small_functional_mlp(num_hidden, num_classes, input_dim):
    """Two dense layers, as a functional model."""
    x = Input(shape=(input_dim,))
    last = "sigmoid" if num_classes == 1 else "softmax"
    y = Dense(num_hidden, activation="relu")(x)
    return Model(x, Dense(num_classes, activation=last)(y))


def layer_test(
    layer_cls, kwargs=None, input_shape=None, input_dtype=None, input_data=None,
    expected_output=None, expected_output_dtype=None,
):  # fmt: skip
    """Check a layer of one input: shapes, dtypes, configs, weights, a step of training.

    Args:
        layer_cls, kwargs: the class and its arguments.
        input_shape, input_dtype: of the input, if there is no `input_data`.
        expected_output, expected_output_dtype: what it gives.
    Returns:
        The output, an array.
    Raises:
        AssertionError: something is not as it should be.
    """
    kwargs = dict(kwargs or {})
    if input_data is None:
        input_data = _some_data(input_shape, input_dtype or "float32")
    input_shape = input_shape or input_data.shape
    input_dtype = input_dtype or input_data.dtype
    layer = layer_cls(**kwargs)
    weights = layer.get_weights()
    layer.set_weights(weights)
    if "weights" in inspect.signature(layer_cls.__init__).parameters:
        layer = layer_cls(**kwargs, weights=weights)
    x = Input(shape=input_shape[1:], dtype=input_dtype)
    y = layer(x)
    wanted = np.dtype(expected_output_dtype or input_dtype).name
    _check(y.dtype.base_dtype.name == wanted, layer_cls, y.dtype.name, wanted, kwargs)
    shape = tuple(layer.compute_output_shape(TensorShape(input_shape)).as_list())
    model = Model(x, y)
    found = _checked_model(model, input_data, shape, expected_output, kwargs)
    model.compile(RMSPropOptimizer(0.01), "mse")
    model.train_on_batch(input_data, found)
    config = {**layer.get_config(), "batch_input_shape": input_shape}
    model = Sequential([layer_cls.from_config(config)])
    return _checked_model(model, input_data, shape, expected_output, kwargs)


def _some_data(shape, dtype):
    sizes = [np.random.randint(1, 4) if n is None else n for n in shape]
    data = 10 * np.random.random(sizes)
    return (data - 0.5 * (dtype[:5] == "float")).astype(dtype)


def _check(right, what, found, wanted, kwargs):
    if not right:
        raise AssertionError(
            f"When testing {what}: found {found} but expected to find {wanted}.\nFull "
            f"kwargs: {kwargs}"
        )


def _checked_model(model, data, shape, expected, kwargs):
    """What the model and one from its settings give for the data."""
    found = model.predict(data)
    fits = all(n in (None, m) for n, m in zip(shape, found.shape, strict=False))
    _check(fits, model, found.shape, shape, kwargs)
    if expected is not None:
        np.testing.assert_allclose(found, expected, rtol=1e-3)
    again = type(model).from_config(model.get_config())
    if model.weights:
        again.set_weights(model.get_weights())
        np.testing.assert_allclose(again.predict(data), found, rtol=1e-3)
    return found
