"""`make sanitize`: the C module under AddressSanitizer, UBSan and debug allocators.

Builds native/*.c with both sanitizers into build/sanitize, and runs with it the
tests of what calls it: the eager core, tapes, products, convolutions, the table of ops,
threads beside each other. Then the same with the usual build under PYTHONMALLOC=debug.
It needs gcc on Linux. Arguments are handed on to pytest.
"""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "sanitize" / "_fast.so"
CORE = [
    "tests/eager", "tests/autodiff", "tests/base/test_products.py",
    "tests/compat/test_surroundings.py", "tests/ops/test_original_draws.py",
    "tests/execute/test_steps.py", "tests/execute/test_lifetimes.py",
]  # fmt: skip
KERNELS = [
    "tests/ops/test_op_cases.py", "tests/ops/test_direct.py",
    "tests/ops/test_ordered.py", "tests/ops/test_lapack.py",
    "tests/ops/test_lanes.py", "tests/base/test_pieces.py",
    "tests/base/test_movement.py", "tests/base/test_pictures.py",
    "tests/ops/test_rows.py",
    "tests/ops/test_direct_windows.py", "tests/ops/test_borders.py",
    "tests/ops/test_product_xla.py", "tests/ops/test_lstm_step.py",
    "tests/ops/test_lstm_walk.py", "tests/ops/test_neighbors.py",
    "tests/ops/test_fake_quant_kernels.py", "tests/ops/test_sampling.py",
    "tests/ops/test_update_lists.py", "tests/contrib/test_linear_optimizer.py",
    "tests/ops/test_quick_forms.py",
]  # fmt: skip
THREADS = ["tests/test_threads.py"]
# A report of UBSan ends the process; memory comes from malloc, so that ASan sees it.
FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"


def build() -> Path:
    """The module with sanitizers, made anew."""
    BUILD.parent.mkdir(parents=True, exist_ok=True)
    include = sysconfig.get_paths()["include"]
    command = ["gcc", "-shared", "-fPIC", "-g", "-O1", *FLAGS.split(), f"-I{include}"]
    sources = sorted(map(str, (ROOT / "native").glob("*.c")))
    command += [*sources, "-o", str(BUILD), "-lpthread", "-lm"]
    subprocess.run(command, check=True)
    return BUILD


def _library(name: str) -> str:
    command = ["gcc", f"-print-file-name={name}"]
    return subprocess.run(
        command, check=True, capture_output=True, text=True
    ).stdout.strip()


def run(tests: list[str], arguments: list[str], **environment: str) -> int:
    """Run pytest on tests; its exit status."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    print(" ".join(f"{k}={v}" for k, v in environment.items()), *tests, flush=True)
    done = subprocess.run(
        [*command, *tests, *arguments], cwd=ROOT, env={**os.environ, **environment}
    )
    return done.returncode


def main(arguments: list[str]) -> int:
    """Run everything; 0 if nothing was found."""
    sanitized = {
        "TWINFLOW_NATIVE": str(build()),
        "LD_PRELOAD": " ".join(map(_library, ("libasan.so", "libstdc++.so.6"))),
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
        "TWINFLOW_SECONDS": "60",
    }
    found = run([*CORE, *KERNELS, *THREADS], arguments, **sanitized)
    debug = {"PYTHONMALLOC": "debug", "TWINFLOW_SECONDS": "60"}
    return run([*CORE, *KERNELS, *THREADS], arguments, **debug) or found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
