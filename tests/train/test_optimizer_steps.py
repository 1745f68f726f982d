"""Every optimizer against TensorFlow 1.12: five steps, in every mode (contract G08)."""

import json
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.modes import close, fresh
from tests.train import optimizer_steps as steps

GOLDEN = json.loads((Path(__file__).parent / "optimizer_steps.json").read_text())
WAYS = {
    "reference variables": lambda *case: steps.in_graph(tf, *case, resource=False),
    "resource variables": lambda *case: steps.in_graph(tf, *case, resource=True),
    "eager": lambda *case: steps.eagerly(tf, *case),
    "function": lambda *case: steps.eagerly(tf, *case, wrap=tf.contrib.eager.defun),
}


def _all():
    """Float64 eagerly, float32 in three ways."""
    for key, case in steps.cases():
        ways = ["eager"]
        if "float32" in key:
            other = "resource variables" if "sparse" in key else "function"
            ways += ["reference variables", other]
        for way in ways if key in GOLDEN else ():
            yield pytest.param(key, case, way, id=f"{key}, {way}")


@pytest.mark.parametrize(("key", "case", "way"), list(_all()))
def test_five_steps(key, case, way, request):
    if "variables" not in way:
        request.getfixturevalue("eager")
        fresh()
    found, golden = WAYS[way](*case), GOLDEN[key]
    assert found.pop("slots") == golden["slots"]
    assert sorted(found) == sorted(k for k in golden if k != "slots")
    for name, value in found.items():
        wanted = np.array([float(x) for x in golden[name]], value.dtype)
        close(value.ravel(), wanted)
