"""Activations and initializers by name."""

import numpy as np
import pytest

from tests.modes import both
from twinflow.keras import activations, initializers
from twinflow.ops.core.constant import constant

X = np.linspace(-3, 8, 8).astype(np.float32)


@both
def test_numbers(run):
    found = run(
        lambda: [
            activations.relu(constant(X), threshold=1.0),
            activations.relu(constant(X), alpha=0.1, max_value=6),
            activations.elu(constant(X), 0.5),
            activations.hard_sigmoid(constant(X)),
        ]
    )
    tail = [1.7142857, 3.2857144, 4.857143, 6.428571, 8.0]
    wanted = [
        [0, 0, 0, *tail],
        [-0.3, -0.14285715, 0.14285715, *tail[:3], 6.0, 6.0],
        [-0.47510648, -0.3801745, 0.14285715, *tail],
        [0.0, 0.2142857, 0.5285714, 0.8428571, 1.0, 1.0, 1.0, 1.0],
    ]
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


@both
def test_all_names(run):
    names = [
        "linear", "relu", "elu", "selu", "softplus", "softsign", "tanh", "sigmoid",
        "hard_sigmoid", "softmax",
    ]  # fmt: skip
    for name in names:
        function = activations.get(name)
        assert activations.serialize(function) == name
        assert activations.deserialize(name) is function
    x = X[None]
    found = run(lambda: [activations.get(n)(constant(x)) for n in names])
    assert all(y.shape == x.shape for y in found)


def test_get():
    assert activations.get(None) is activations.linear
    assert activations.get(abs) is abs
    with pytest.raises(ValueError, match="Could not interpret activation function"):
        activations.get(3)
    with pytest.raises(ValueError, match="Unknown activation function:foo"):
        activations.get("foo")


def test_softmax_needs_two_axes(eager):
    with pytest.raises(ValueError, match="Cannot apply softmax to a tensor that is 1D"):
        activations.softmax(constant(X))


def test_initializers():
    assert initializers.get("uniform").get_config() == {
        "minval": -0.05, "maxval": 0.05, "seed": None, "dtype": "float32",
    }  # fmt: skip
    assert initializers.get("normal").stddev == 0.05
    config = initializers.serialize(initializers.get("glorot_uniform"))
    assert config == {
        "class_name": "GlorotUniform", "config": {"seed": None, "dtype": "float32"},
    }  # fmt: skip
    assert initializers.deserialize(config).get_config() == config["config"]
    assert initializers.get(None) is None
    with pytest.raises(ValueError, match="Unknown initializer: foo"):
        initializers.get("foo")
    with pytest.raises(
        ValueError, match="Could not interpret initializer identifier: 3"
    ):
        initializers.get(3)
