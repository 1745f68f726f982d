"""Parameters and operations of models are counted as TensorFlow 1.12 counts them."""

import json
import subprocess
from pathlib import Path

import pytest

import twinflow as tf
from tests.profiler import models

HERE = Path(__file__).parent
GOLDEN = json.loads((HERE / "counts.json").read_text())


@pytest.mark.parametrize("name", models.MODELS)
def test_counts_are_those_of_tensorflow(name):
    assert models.counts(tf, name) == GOLDEN[name]


@pytest.mark.interop
def test_the_golden_counts_are_what_tensorflow_says(tf112_python):
    command = [tf112_python, str(HERE / "models.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == GOLDEN
