"""Every layer of the tables against TensorFlow 1.12, in every mode."""

from pathlib import Path

import pytest

import twinflow as tf
from tests.support import layer_saving
from tests.support.check_layer import ROWS, check_layer, load

GOLDEN = load(Path(__file__).parent)
NO_LAYERS = {"InputLayer", "InputSpec"}  # nothing is called on an input


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_layer(row):
    check_layer(row, GOLDEN[row[0]])


def test_the_checker_sees_a_small_difference():
    row = next(r for r in ROWS if r[0] == "dense")
    golden = load(Path(__file__).parent)["dense"]
    golden.arrays["grad0"] = golden.arrays["grad0"] * 1.0005
    with pytest.raises(AssertionError, match="gradient 0"):
        check_layer(row, golden)


def test_the_checker_sees_what_is_not_saved(eager, monkeypatch):
    class Hidden(tf.keras.layers.Dense):
        def build(self, input_shape):
            super().build(input_shape)
            self.__dict__["shift"] = tf.contrib.eager.Variable(
                lambda: tf.random_normal([4])
            )

        def call(self, x):
            return super().call(x) + self.shift

    monkeypatch.setattr(layer_saving, "made", lambda tf, cls, options: Hidden(4))
    row = next(r for r in ROWS if r[0] == "dense")
    for check in (layer_saving.check_checkpoint, layer_saving.check_weights):
        with pytest.raises(AssertionError, match="output 0"):
            check(row, lambda layer: None)


def classes(settings):
    """The names of layers in the settings of a row."""
    if isinstance(settings, dict):
        settings = list(settings.values())
    if isinstance(settings, tuple) and settings[:1] == ("layer",):
        yield settings[1]
        settings = settings[2]
    if isinstance(settings, list | dict):
        values = settings.values() if isinstance(settings, dict) else settings
        for value in values:
            yield from classes(value)


def test_every_layer_has_a_row():
    named = {row[1] for row in ROWS} | {c for row in ROWS for c in classes(row[2])}
    for prefix, module in (("", tf.keras.layers), ("layers.", tf.layers)):
        found = {getattr(module, n.rpartition(".")[2], None) for n in named
                 if n.startswith("layers.") == bool(prefix)}  # fmt: skip
        for name in dir(module):
            value = getattr(module, name)
            if isinstance(value, type) and name not in NO_LAYERS:
                assert value in found, f"{prefix}{name} has no row"
