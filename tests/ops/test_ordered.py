"""Orders, the largest entries and distinct values by native/sorting.c, as by NumPy."""

import numpy as np
import pytest

from tests.support.cases import run_cases, run_narrow
from twinflow.base import native
from twinflow.ops.arrays import ordered, topk, unique

pytestmark = pytest.mark.skipif(
    not hasattr(native.fast, "top"), reason="there is no C module"
)
DTYPES = ["f4", "f4", "f8", "i4", "i8", "u1", "f2", "u4"]
LENGTHS = [1, 2, 3, 7, 16, 17, 63, 255, 256, 257, 600, 3000, 70_000]
ODD = (np.nan, -np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-40)


def numbers(random):
    """Rows of numbers of any dtype, many of them equal or odd."""
    n, dtype = int(random.choice(LENGTHS)), np.dtype(random.choice(DTYPES))
    rows = int(random.choice([1, 2, 3, 20]))
    x = random.standard_normal((rows, n)) * random.choice([1, 5, 1e3])
    x = np.abs(x) % 200 if dtype.kind == "u" else x
    x = (x if random.random() < 0.5 else np.round(x)).astype(dtype)
    if dtype.kind == "f":
        for odd in ODD:
            share = random.choice([0, 0.1, 0.5], p=[0.6, 0.3, 0.1])
            x[random.random(x.shape) < share] = odd
    return x


def by_numpy(function, *args):
    """What `function` gives without the C module."""
    fast, ordered._fast = ordered._fast, None
    try:
        return function(*args)
    finally:
        ordered._fast = fast


def same(found, wanted):
    for a, b in zip(found, wanted, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        assert a.tobytes() == b.tobytes(), (a.dtype, a.shape)


def case(random):
    x = numbers(random)
    n = x.shape[1]
    k = max(
        1, min(n, int(random.choice([1, 2, 5, 16, 17, 100, 300, n // 4, n // 3, n])))
    )
    arguments = (x, k, True)
    same(topk._top_kernel(*arguments), by_numpy(topk._top_kernel, *arguments))
    same(unique._groups(x[0]), by_numpy(unique._groups, x[0]))
    if x.dtype == np.float32:
        target = random.integers(0, n, len(x))
        kernel = topk._in_top_kernel(np)
        arguments = (x, target, np.int32(k))
        same([kernel(*arguments)], [by_numpy(kernel, *arguments)])


def test_random_cases():
    run_cases(case)


@pytest.mark.parametrize("width", ["4", "8"])
def test_narrow_vectors(width):
    run_narrow("tests.ops.test_ordered", width)


def test_arrays_that_are_not_contiguous():
    x = np.random.default_rng(0).standard_normal((50, 40, 2)).astype(np.float32)
    same(topk._top_kernel(x.T, 3, True), topk._top_kernel(x.T.copy(), 3, True))


def test_sizes_that_do_not_fit_are_refused():
    x, places = np.zeros(6, np.float32), np.zeros(6, np.int32)
    for call in (
        lambda: native.fast.top(1, 4, x, x[:2].copy(), places[:2].copy(), 1, 6, 3),
        lambda: native.fast.top(1, 4, x, x.copy(), places, 1, 6, 7),
        lambda: native.fast.top(3, 4, x, x.copy(), places, 1, 6, 6),
        lambda: native.fast.top(1, 2, x, x.copy(), places, 2, 6, 6),
        lambda: native.fast.in_top(x, np.zeros(2, np.int64), np.zeros(2, bool), 4, 1),
        lambda: native.fast.groups(1, 4, x, *[np.zeros(5, np.int64)] * 3),
    ):
        with pytest.raises(ValueError, match="the sizes are not those of the arrays"):
            call()
    assert native.fast.in_top(x, np.full(1, 6), np.zeros(1, bool), 6, 1) == 0
