"""The eager core without the optional C module: the Python functions mean the same.

tests/eager/test_one_meaning.py holds the calls against each other, and what is here
runs the functions by themselves; `make test-native` runs every test of the eager core
and of the ops this way.
"""

import os
import subprocess
import sys

import pytest

from tests.children import words_of
from tests.source_tree import ROOT

TESTS = [
    "tests/eager/test_callbacks.py", "tests/eager/test_operators.py",
    "tests/eager/test_tensor.py", "tests/autodiff", "tests/test_tiny.py",
    "tests/test_threads.py",
    "tests/ops/test_op_cases.py::test_kernel_gives_the_reference",
]  # fmt: skip


@pytest.mark.slow
def test_it_passes_without_the_c_module():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS]
    done = subprocess.run(
        [*command, "-m", "not slow"], cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "TWINFLOW_NATIVE": "0"}, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]


STALE = """
import sys, types, warnings
module = sys.modules["twinflow.base._fast"] = types.ModuleType("_fast")
module.__file__, module.sources = "_fast.so", 1  # its Fast is not there either
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    import twinflow as tf
tf.enable_eager_execution()
print((tf.constant(1) + 1).numpy(), *[str(w.message) for w in seen])
"""


def test_a_module_of_other_sources_is_left_out_and_said_so():
    value, *words = words_of(STALE, TWINFLOW_NATIVE="")
    assert value == "2"
    assert " ".join(words) == (
        "_fast.so was built from other C sources than those of this checkout and is "
        "left out: everything runs, only slower. Build it anew: pip install -e ."
    )
