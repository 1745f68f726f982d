"""The optimizers of tf.contrib against TensorFlow 1.12, in every mode."""

import json
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.contrib import opt_steps as steps
from tests.modes import fresh

GOLDEN = json.loads((Path(__file__).parent / "opt_steps.json").read_text())
WAYS = {
    "reference": lambda *case: steps.in_graph(tf, *case),
    "resource": lambda *case: steps.in_graph(tf, *case, resource=True),
    "eager": lambda *case: steps.eagerly(tf, *case),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("key", "case"), list(steps.cases()))
def test_three_steps(key, case, way, request):
    if way == "eager":
        request.getfixturevalue("eager")
        fresh()
    found, golden = steps.plain(WAYS[way](*case)), GOLDEN[key]
    assert sorted(found) == sorted(golden)
    for name, wanted in golden.items():
        np.testing.assert_allclose(found[name], wanted, 2e-5, 1e-7, err_msg=name)
