"""What `import twinflow` and a first step bring into a process."""

import subprocess
import sys

from tests.source_tree import ROOT

# Each of these is for programs that ask for it; at the start it would only cost time.
LATER = {
    "ssl", "socket", "http", "email", "urllib.request", "subprocess", "xml",
    "pdb", "unittest", "multiprocessing", "asyncio", "sqlite3", "curses", "pydoc",
    "jax", "scipy", "h5py", "PIL", "google", "grpc", "malt", "IPython",
    "twinflow.graph.picture.picture", "twinflow.debugger", "twinflow.verification",
    "twinflow.profiling", "twinflow.tfdbg", "twinflow.autograph", "twinflow.explaining",
    "twinflow.estimator", "twinflow.contrib", "twinflow.cli",
    "twinflow.autodiff.reasons.history", "twinflow.autodiff.reasons.why",
}  # fmt: skip
FIRST_STEP = """
import sys
before = set(sys.modules)
import twinflow as tf
tf.enable_eager_execution()
x = tf.Variable([1., 2.])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(x * x)
x.assign_sub(tape.gradient(loss, x))
print(*sorted(set(sys.modules) - before))
"""


def too_early(modules):
    """The modules that are, or belong to, one of those for later."""
    return [m for m in modules if any(f"{m}.".startswith(f"{x}.") for x in LATER)]


def test_a_first_step_imports_nothing_that_is_for_later():
    done = subprocess.run(
        [sys.executable, "-c", FIRST_STEP], cwd=ROOT, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    modules = done.stdout.split()
    assert "twinflow" in modules
    assert too_early(modules) == []


def test_a_planted_import_is_found():
    assert too_early(["json", "http.client", "httpx", "ssl"]) == ["http.client", "ssl"]
