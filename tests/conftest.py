"""What every test shares: checks on, markers that skip, examples that repeat."""

import gc
import importlib.util
import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from tests.fresh.processes import Zygote

os.environ.setdefault("TWINFLOW_CHECKS", "1")
os.environ.setdefault("TWINFLOW_PROGRESS", "off")  # how slow a machine is, no test sees
os.environ.setdefault("TWINFLOW_COMPILE_CACHE", "off")  # tests leave nothing behind

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("fuzz", max_examples=2000, deadline=None)
settings.load_profile("repeatable")

INTEROP_VARIABLES = ("TF112_PYTHON", "TF221_PYTHON")


def why_no_gpu():
    """The reason to skip GPU tests, or None; asks without importing jax."""
    if not Path("/dev/nvidia0").exists():
        return "no NVIDIA GPU: /dev/nvidia0 does not exist"
    if os.environ.get("CUDA_VISIBLE_DEVICES") in ("", "-1"):
        return "CUDA_VISIBLE_DEVICES hides every GPU"
    plugins = ("jax_cuda12_plugin", "jax_cuda13_plugin")
    if not any(importlib.util.find_spec(name) for name in plugins):
        return "jax's CUDA plugin is not installed"
    return None


def why_no_interop():
    """The reason to skip comparisons with a real TensorFlow, or None."""
    if any(os.environ.get(name) for name in INTEROP_VARIABLES):
        return None
    return f"neither of {' and '.join(INTEROP_VARIABLES)} is set"


def pytest_collection_modifyitems(items):
    reasons = {"gpu": why_no_gpu(), "interop": why_no_interop()}
    for item in items:
        for marker, reason in reasons.items():
            if reason and item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))


def interpreter(variable):
    """The path that an environment variable names; skips the test if it is unset."""
    path = os.environ.get(variable)
    if not path:
        pytest.skip(f"{variable} is not set")
    return path


def pytest_collection_finish():
    """Thousands of tests would be walked by every collection of garbage."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def small_heap():
    """What earlier modules left is walked once, not by every collection after it."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def no_backlog():
    """What a test leaves to compile in the background does not hold up the next."""
    yield
    tiers = sys.modules.get("twinflow.execute.tiers")
    while tiers and not tiers.WORKER.jobs.empty():
        tiers.WORKER.jobs.get_nowait()


@pytest.fixture(scope="session")
def tf112_python():
    """The path of a Python that has TensorFlow 1.12."""
    return interpreter("TF112_PYTHON")


@pytest.fixture(scope="session")
def tf221_python():
    """The path of a Python that has TensorFlow 2.21."""
    return interpreter("TF221_PYTHON")


@pytest.fixture(scope="session")
def fresh():
    """A process that has only imported twinflow, for programs to be children of."""
    with Zygote() as process:
        yield process


@pytest.fixture(scope="session")
def loaded():
    """The same with everything loaded."""
    with Zygote("loaded") as process:
        yield process


def pytest_terminal_summary(terminalreporter):
    """Print what tests left with `record_property("summary", text)`, in any worker."""
    for report in terminalreporter.getreports("passed"):
        for name, text in report.user_properties:
            if name == "summary":
                terminalreporter.write_line(text)
