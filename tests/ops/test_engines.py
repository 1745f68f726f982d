"""Every op row: eager = interpreted = with passes = compiled, gradients included.

XLA's own passes are those of every program. LLVM optimizes what they leave in
`make fuzz` only, which takes half as long again; tests/lower/test_special_values.py and
tests/fuzz hold what it makes of the numbers.
"""

import collections

import pytest
from hypothesis import settings

from tests.support import op_cases  # noqa: F401 - loads the rows
from tests.support.engine_checks import check_batch
from tests.support.op_cases.table import CASES
from twinflow.lower import compile as xla

pytestmark = pytest.mark.hypothesis  # what `make fuzz` runs

MANY = settings().max_examples > 1000  # the profile of `make fuzz`
SIZE = 48  # rows in one compiled graph


def _batches():
    by_dtype = collections.defaultdict(list)
    for row in CASES:
        for dtype in dict.fromkeys((row.dtypes[0], "bfloat16")):
            if dtype in row.dtypes:
                by_dtype[dtype].append(row)
    for dtype, rows in by_dtype.items():
        for start in range(0, len(rows), SIZE):
            yield pytest.param(
                rows[start : start + SIZE], dtype, id=f"{dtype}-{start // SIZE}"
            )


@pytest.fixture
def llvm(monkeypatch):
    options = xla._options("cpu")
    if not MANY:
        options = options | {"xla_backend_optimization_level": 0}
    monkeypatch.setattr(xla, "_options", lambda platform: options)


@pytest.mark.usefixtures("llvm")
@pytest.mark.parametrize(("rows", "dtype"), list(_batches()))
def test_engines_agree(rows, dtype):
    try:
        check_batch(rows, dtype)
    except Exception:
        for row in rows:  # name the row at fault
            check_batch([row], dtype)
        raise
