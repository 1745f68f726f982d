"""The models of the programs that people know, as ONNX and as StableHLO."""

import importlib
import sys

import numpy as np
import pytest
from jax import export

import twinflow as tf
from tests.interchange.layer_cases import close
from tests.interchange.onnx.both import both_ways
from tests.source_tree import ROOT
from tests.ways import eager

EXAMPLES = ROOT / "examples"
L = tf.keras.layers


class Digits(tf.keras.Model):
    """Two dense layers on images that are flat."""

    def __init__(self):
        super().__init__()
        self.dense1, self.dense2 = L.Dense(10), L.Dense(10)

    def call(self, inputs):
        return self.dense2(self.dense1(inputs))


class Unrolled(tf.keras.Model):
    """A cell that a loop of Python calls, on words."""

    def __init__(self):
        super().__init__()
        self.words, self.cell = L.Embedding(9, 4), tf.nn.rnn_cell.LSTMCell(5)
        self.last = L.Dense(2)

    def call(self, words):
        state = self.cell.zero_state(tf.shape(words)[0], tf.float32)
        for x in tf.unstack(self.words(words), axis=1):
            y, state = self.cell(x, state)
        return self.last(y)


def _power(x):
    """x to the third, by a loop."""
    one = tf.ones_like(x)
    return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, one))[1]


def _revnet(load):
    config = load("revnet", "config").named("revnet-tiny")
    model = load("revnet", "model").RevNet(config)
    return lambda images: model(images, training=False)


PROGRAMS = {
    "line": (lambda load: tf.keras.Sequential([L.Dense(1)]), (3, 1)),
    "digits": (lambda load: Digits(), (2, 784)),
    "unrolled": (lambda load: Unrolled(), (3, 4)),
    "loop": (lambda load: _power, (3,)),
    "classes": (lambda load: load("codebase", "model").Model(6, 3), (5, 2)),
    "conv_lstm": (lambda load: load("lstm_digits", "model").Reader(8, 10), (1, 784)),
    "revnet": (_revnet, (2, 16, 16, 3)),
}


@pytest.fixture
def load(monkeypatch):
    """(folder, module) -> a module of an example."""
    known = set(sys.modules)

    def loaded(folder, name):
        monkeypatch.syspath_prepend(str(EXAMPLES / folder))
        return importlib.import_module(name)

    yield loaded
    for name in set(sys.modules) - known:
        if str(EXAMPLES) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, load, tmp_path):
    make, shape = PROGRAMS[name]
    random = np.random.RandomState(0)
    words = name == "unrolled"
    x = random.randint(0, 9, shape) if words else random.rand(*shape)
    x = x.astype("i4" if words else "f4")
    with eager():
        tf.set_random_seed(1)
        model = make(load)
        found = model(tf.constant(x))
        spec = [tf.TensorSpec(shape, x.dtype)]
        both_ways(model, [x], tmp_path, spec, want=found)
        path = tmp_path / "model.stablehlo"
        tf.stablehlo.export(model, path, spec, platforms=["cpu"], vjp_order=0)
        wanted = tf.contrib.framework.nest.flatten(found)
        read = tf.contrib.framework.nest.flatten(tf.stablehlo.load(path)(x))
    plain = export.deserialize(bytearray(path.read_bytes())).call(x)
    plain = tf.contrib.framework.nest.flatten(plain)
    for a, b, c in zip(wanted, plain, read, strict=True):
        close(b, a)
        close(c, a)
