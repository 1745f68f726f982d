"""Towers as one program of several devices (see execute.meshes)."""

import os
import subprocess
import sys

import pytest

from tests.source_tree import ROOT

PROGRAM = ROOT / "tests/execute/meshes_program.py"


@pytest.mark.parametrize("count", [2, 4])
def test_towers_are_one_program(count):
    env = {
        **os.environ, "PYTHONPATH": str(ROOT), "TWINFLOW_COMPILE": "wait",
        "XLA_FLAGS": f"--xla_force_host_platform_device_count={count + 1}",
        "TWINFLOW_FAKE_GPUS": str(count), "JAX_PLATFORMS": "cpu",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, PROGRAM, str(count)], env=env, capture_output=True, text=True,
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == "ok wait\n"
