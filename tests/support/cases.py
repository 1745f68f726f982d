"""Random cases of kernels: how many there are, and in every width of vectors."""

import os

import numpy as np

from tests.children import words_of
from twinflow.base import native

COUNT = int(os.environ.get("TWINFLOW_CASES", 200))  # 50,000 under the sanitizers


def run_cases(case, first=0, count=COUNT):
    """Call `case` with generators of the numbers from `first` on; the last is done."""
    for number in range(first, first + count):
        try:
            case(np.random.default_rng(number))
        except AssertionError as error:
            raise AssertionError(f"case {number}: {error}") from error


def with_and_without(run):
    """What `run` gives with the C module, and what without it."""
    fast = native.fast
    with np.errstate(all="ignore"):
        try:
            found, native.fast = run(), None
            return found, run()
        finally:
            native.fast = fast


def run_narrow(module, width, count=40):
    """The cases of a test module in a process with vectors of `width` floats."""
    program = (
        f"from {module} import case\nfrom tests.support.cases import run_cases\n"
        f"run_cases(case, 10**6, {count})\nprint('done')"
    )
    assert words_of(program, TWINFLOW_VECTOR=width) == ["done"]
