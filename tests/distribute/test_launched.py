"""A training that `twinflow launch` starts again after a death."""

import os
import signal
import subprocess
import sys

import pytest

from tests.distribute import living, together
from tests.distribute.killing import checkpoint_of
from tests.source_tree import ROOT


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_goes_on_from_the_last_checkpoint_with_another_number(tmp_path):
    marked, last = living.mark(), 120
    launcher = subprocess.Popen(
        [sys.executable, "-m", "twinflow", "launch", "-n", "2", "--restart", "1",
         "--restart-with", "3", "tests/distribute/estimator_program.py", tmp_path,
         str(last), "20"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **marked},
    )  # fmt: skip
    try:
        living.until((tmp_path / "checkpoint").exists, 90)
        (worker,) = [one for one in living.living(marked) if one.rank == 1]
        os.kill(worker.pid, signal.SIGKILL)
        said, _ = launcher.communicate(timeout=150)
        assert launcher.returncode == 0, said
        assert "process 1 was ended by SIGKILL; stopping the others" in said
        assert "starting again, 1 of 1, with 3 processes" in said
        assert "[2] trained" in said
        assert checkpoint_of(tmp_path) == last
        assert not living.living(marked)
    finally:
        launcher.kill()
        launcher.wait()
        living.end_all(marked)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_keeper_dies_before_all_have_come(tmp_path):
    marked = living.mark()
    options = ("--hosts", "127.0.0.1:1,localhost:1", "--rank-offset", "0")
    address = together.addresses(1)[0]
    launcher = subprocess.Popen(
        [sys.executable, "-m", "twinflow", "launch", *options, "--coordinator", address,
         "tests/distribute/estimator_program.py", tmp_path, "10", "10"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **marked},
    )  # fmt: skip
    try:
        keepers = living.until(
            lambda: [one for one in living.living(marked) if one.is_keeper]
        )
        os.kill(keepers[0].pid, signal.SIGKILL)
        said, _ = launcher.communicate(timeout=60)
        assert launcher.returncode == 1
        assert f"[0] The list of processes at {address} is gone" in said
        assert not living.living(marked)
    finally:
        launcher.kill()
        launcher.wait()
        living.end_all(marked)
