"""The models and ops of the benchmarks compute what they are meant to compute."""

import functools
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from benchmarks import models, ops
from tests.source_tree import ROOT
from twinflow.base import devices

SMALL = [row for row in ops.ROWS if row.endswith("@1e3")]
FORWARD = {  # what some ops are, in NumPy
    "affine": lambda a, b, c: a * b + c,
    "relu": lambda a: np.maximum(a, 0),
    "sum_1": lambda a: a.sum(1),
    "gather": lambda a, b: a[b],
    "one_hot": lambda a, b: np.eye(b)[a],
    "transpose_0213": lambda a: a.transpose(0, 2, 1, 3).ravel(),
    "max_pool": lambda a: a.reshape(1, 4, 2, 4, 2, 16).max((2, 4)),
    "sort": np.sort,
    "cholesky": np.linalg.cholesky,
    "fft": np.fft.fft,
}


@functools.cache
def _answers():
    """{row: {variant: ...}} of every op at its smallest size, in twinflow."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.measure", "twinflow", "--repeats=0"],
        cwd=ROOT, capture_output=True, text=True, timeout=120, input="\n".join(SMALL),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line)["rows"] for line in done.stdout.splitlines()]
    return {row: found for line in lines for row, found in line.items()}


def test_every_op_runs_and_is_the_same_each_time():
    found = _answers()
    assert list(found) == SMALL
    for row, variants in found.items():
        for variant in variants.values():
            assert "error" not in variant, (row, variant)
            assert variant["values"][0] == variant["values"][1], row


@pytest.mark.parametrize("name", list(FORWARD))
def test_an_op_is_what_its_row_says(name):
    op = ops.OPS[name]
    wanted = ops.digest(FORWARD[name](*op.inputs("1e3").values()), op)
    (variant,) = _answers()[f"{name}@1e3"].values()
    np.testing.assert_allclose(variant["values"][0], wanted, rtol=1e-5, atol=1e-5)


def test_one_wrong_number_among_many_is_seen():
    op, array = ops.OPS["exp"], np.exp(np.linspace(-1, 1, 100_000))
    wrong = array.copy()
    wrong[54_321] *= 3
    change = ops.digest(wrong, op) - ops.digest(array, op)
    assert abs(change).max() > 10 * op.tolerance


def test_a_small_network_is_trained_alike_in_all_ways():
    losses = []
    for way in models.WAYS:
        (variant,) = models.variants(f"tiny@{way}", "twinflow")
        command = ["-m", "benchmarks.measure", "twinflow", f"tiny@{way}"]
        done = subprocess.run(
            [sys.executable, *command, "--variant", variant, "--settle=0", "--least=0"],
            cwd=ROOT, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)["rows"][f"tiny@{way}"][variant]
        assert found["facts"]["peak"] > 1e6 and found["seconds"] > 0
        losses.append([loss for (loss,) in found["values"]])
    np.testing.assert_allclose(losses, [losses[0]] * 3, rtol=1e-6)
    np.testing.assert_allclose(losses[0], _tiny_losses(), rtol=1e-5)


def _tiny_losses():
    """The losses of three steps, in NumPy and float64."""
    weights, (x, labels) = models.problem("tiny")
    kernels = [weights[f"dense{i}/kernel"].astype(float) for i in range(3)]
    biases = [weights[f"dense{i}/bias"].astype(float) for i in range(3)]
    losses = []
    for _ in range(models.STEPS):
        inputs = [x]
        for kernel, bias in zip(kernels[:-1], biases[:-1], strict=True):
            inputs.append(np.maximum(inputs[-1] @ kernel + bias, 0))
        p = np.exp(inputs[-1] @ kernels[-1] + biases[-1])
        p /= p.sum(1, keepdims=True)
        losses.append(-np.log(p[0, labels[0]]))
        slope = p - np.eye(4)[labels]
        for i in (2, 1, 0):
            down = slope @ kernels[i].T * (inputs[i] > 0)
            kernels[i] -= 0.1 * inputs[i].T @ slope
            biases[i] -= 0.1 * slope[0]
            slope = down
    return losses


_ON_GPU = """
from benchmarks import with_twinflow
ways = ("eager", "GradientTape"), ("function", "defun"), ("graph", "Session")
for way, variant in ways:
    step = with_twinflow.start_model("tiny", way, variant)
    print(*["%.5f" % step() for _ in range(3)])
"""


@pytest.mark.parametrize("gpus", [
    pytest.param({"TWINFLOW_FAKE_GPUS": "1", "JAX_PLATFORMS": "cpu",
                  "XLA_FLAGS": "--xla_force_host_platform_device_count=2"},
                 id="played"),
    pytest.param({}, id="real", marks=[
        pytest.mark.gpu,
        pytest.mark.skipif(devices.num_gpus() == 0, reason="there is no GPU"),
    ]),
])  # fmt: skip
def test_models_train_on_a_gpu_as_well(gpus):
    found = []
    for extra in ({}, {**gpus, models.ON_GPU: "1"}):
        done = subprocess.run(
            [sys.executable, "-c", _ON_GPU], cwd=ROOT, env={**os.environ, **extra},
            capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        found.append([float(word) for word in done.stdout.split()])
    assert len(found[0]) == 9
    np.testing.assert_allclose(found[1], found[0], rtol=1e-3)
