"""Recurrent parts of tf.contrib against TensorFlow 1.12, in every mode."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import twinflow as tf
from tests.contrib import recurrent_networks as networks
from tests.ways import compiled, eager, interpreted
from twinflow.base import nest
from twinflow.contrib.rnn.cells_lstm import LayerNormLSTMCell, WeightNormLSTMCell

NUMBERS = json.loads(Path(__file__).with_suffix("").with_name(
    "recurrent_networks.json"
).read_text())  # fmt: skip
DEEP = SimpleNamespace(
    LayerNormLSTMCell=LayerNormLSTMCell, WeightNormLSTMCell=WeightNormLSTMCell
)
PROGRAMS = networks.programs(tf, DEEP, nest)


def test_all_are_recorded():
    assert set(PROGRAMS) == set(NUMBERS)


@pytest.mark.parametrize("name", sorted(NUMBERS))
def test_interpreted(name):
    with interpreted():
        found = networks.ran(tf, PROGRAMS[name])
    np.testing.assert_allclose(found, NUMBERS[name], rtol=2e-4, atol=2e-4)


@pytest.mark.parametrize("name", ["block", "gru_block", "recursive", "beam_search"])
def test_compiled(name):
    grows = name in ("recursive", "beam_search")  # arrays that grow stay interpreted
    with compiled("TensorArray" if grows else None):
        found = networks.ran(tf, PROGRAMS[name])
    np.testing.assert_allclose(found, NUMBERS[name], rtol=2e-4, atol=2e-4)


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("name", ["beam_search", "bahdanau"])
def test_eager(name, traced):
    with eager():
        store = tf.contrib.eager.EagerVariableStore()
        with (
            store.as_default(),
            tf.variable_scope(
                "v", initializer=networks.weights(tf), reuse=tf.AUTO_REUSE
            ),
        ):
            build = PROGRAMS[name]
            found = (tf.contrib.eager.defun(build) if traced else build)()
    wanted = NUMBERS[name][: len(found)]
    found = [networks.digest(t.numpy()) for t in found]
    np.testing.assert_allclose(found, wanted, rtol=2e-4, atol=2e-4)
