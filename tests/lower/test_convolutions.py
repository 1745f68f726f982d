"""What XLA is told, and forms of rules that are there for their speed."""

import jax
import numpy as np
import pytest

from twinflow.lower import compile as compiling
from twinflow.ops.nn import pool_windows, xla_pool


def test_this_jaxlib_knows_the_options():
    assert compiling._options() == compiling._LIBRARIES | compiling._EXACT


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize("size", [4, 5, 6])
@pytest.mark.parametrize("k", [2, 3])
def test_the_first_of_equal_entries_gets_the_slope(k, size, padding):
    random = np.random.default_rng(size)
    x = random.integers(0, 3, (2, size, size, 3)).astype(np.float32)
    x[0, :2] = -np.inf  # the padding is no smaller than these
    facts = ((1, k, k, 1), (1, k, k, 1), padding, "NHWC")
    y = pool_windows.max_pool(x, *facts)
    dy = random.standard_normal(y.shape).astype(np.float32)
    want = pool_windows.max_pool_grad(x, y, dy, *facts)
    found = xla_pool.max_pool_grad(jax)(x, y, dy, *facts)
    np.testing.assert_array_equal(found, want)
