"""Towers as one program of several devices (see execute.meshes)."""

import os
import subprocess
import sys

import pytest

from tests.source_tree import ROOT
from twinflow.base import devices

PROGRAM = ROOT / "tests/execute/meshes_program.py"


@pytest.mark.parametrize("count", [2, 4])
def test_towers_are_one_program(count):
    _run_program(
        count, XLA_FLAGS=f"--xla_force_host_platform_device_count={count + 1}",
        TWINFLOW_FAKE_GPUS=str(count), JAX_PLATFORMS="cpu",
    )  # fmt: skip


@pytest.mark.gpu
@pytest.mark.skipif(devices.num_gpus() < 2, reason="there are no two GPUs")
def test_towers_on_real_accelerators():
    _run_program(2)


def _run_program(count, **extra):
    env = {
        **os.environ, "PYTHONPATH": str(ROOT), "TWINFLOW_COMPILE": "wait", **extra,
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, PROGRAM, str(count)], env=env, capture_output=True, text=True,
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == "ok wait\n"
