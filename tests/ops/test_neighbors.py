"""native/nearest.c, clusters.c and fingerprints.c: the bits of the ways in NumPy."""

import numpy as np
import pytest

from tests.support.cases import run_cases, run_narrow, with_and_without
from twinflow.base import native
from twinflow.ops.core.fingerprint import farm64
from twinflow.ops.core.fingerprint128 import farm128
from twinflow.ops.math import clustering, hyperplanes
from twinflow.ops.random import first_centers

pytestmark = pytest.mark.skipif(
    not hasattr(native.fast, "nearest"), reason="no C module, or Windows"
)
GOLDEN = [[9, 8, 0, 10], [8, 10, 5, 7], [8, 10, 5, 3]]
CHAINS = [7, 7, 7, 8, 5, 8]
ODD = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, 3e38]


def numbers(random, *shape, dtype=np.float32):
    """Often with equal ones, now and then with odd ones."""
    if random.random() < 0.5:
        return random.integers(-2, 3, shape).astype(dtype)
    x = random.standard_normal(shape).astype(dtype)
    if random.random() < 0.3 and x.size:
        x.ravel()[random.integers(0, x.size, 3)] = random.choice(ODD, 3)
    return x


def nearest_case(random):
    rows, centers = random.integers(0, 70), random.integers(1, random.choice([90, 400]))
    points = numbers(random, rows, wide := random.integers(1, 9))
    others, k = (
        numbers(random, centers, wide),
        random.choice([1, 2, 7, 16, 40, centers]),
    )
    return lambda: clustering._nearest(np)(points, others, k)


def hyperplane_case(random):
    tables, planes = random.integers(1, 5), random.integers(1, 9)
    dtype = random.choice([np.float32, np.float64])
    x = numbers(random, random.integers(0, 40), tables * planes, dtype=dtype)
    count = random.integers(1, min(60, tables << planes) + 1)
    return lambda: hyperplanes._probes(x, tables, planes, count)


def centers_case(random):
    points = numbers(random, n := random.integers(1, 150), random.integers(1, 8))
    count, seed = random.integers(1, min(n, 12) + 1), random.integers(-(2**63), 2**63)
    retries = random.integers(-1, 6)
    return lambda: (first_centers._plus_plus(points, count, seed, retries),)


def fingerprint_case(random):
    sizes = random.choice([3, 20, 70, 300], 5) + random.integers(-3, 20, 5)
    texts = [random.bytes(size) for size in sizes]
    if random.random() < 0.5:
        texts = np.array(texts, object)
    return lambda: (farm64(texts), farm128(texts))


def case(random):
    kinds = [nearest_case, hyperplane_case, centers_case, fingerprint_case]
    run = random.choice(kinds)(random)
    found, wanted = with_and_without(run)
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def test_random_cases():
    run_cases(case)


@pytest.mark.parametrize("width", ["4", "8"])
def test_random_cases_in_narrow_vectors(width):
    run_narrow("tests.ops.test_neighbors", width)


def test_large_ones_on_all_threads():
    random = np.random.default_rng(0)
    points = random.standard_normal((3000, 50)).astype(np.float32)
    near = clustering._nearest(np)(points, points[:200], 3)
    assert (near[0][:200, 0] == np.arange(200)).all() and (
        near[1][:200, 0] < 1e-4
    ).all()
    _, tables = hyperplanes._probes(points[:, :48], 4, 12, 40)

    np.testing.assert_array_equal(tables[:, :4], np.tile(np.arange(4), (3000, 1)))
    centers = first_centers._plus_plus(points, 10, 1, 2)
    assert len(np.unique(centers, axis=0)) == 10


def test_centers_are_those_of_tensorflow():
    """Of np.random.RandomState(0).randn(12, 2): made by TensorFlow 1.12."""
    points = np.random.RandomState(0).randn(12, 2).astype(np.float32)
    found = [
        [int((points == row).all(1).argmax())
         for row in first_centers._plus_plus(points, 4, seed, retries)]
        for seed, retries in ((0, 0), (11, 3), (2**40 + 5, -1))
    ]  # fmt: skip
    assert found == GOLDEN
    distances = np.linspace(0.1, 2, 9).astype(np.float32)[::-1].copy()
    assert [int(first_centers._chain(distances, seed)) for seed in range(6)] == CHAINS


@pytest.mark.parametrize("call", [
    lambda fast, x, n: fast.nearest(x, x, x, 1, n, x),
    lambda fast, x, n: fast.buckets(x, 2, 3, False, n, n),
    lambda fast, x, n: fast.buckets(x, 0, 2, True, n, n),
    lambda fast, x, n: fast.first_centers(x, 3, 0, 1, n),
    lambda fast, x, n: fast.first_centers(x, 2, 0, -1, n),
    lambda fast, x, n: fast.fingerprints([b"a"], n, 1),
    lambda fast, x, n: fast.fingerprints(["a", "b"], n, 1),
    lambda fast, x, n: fast.fingerprints(x, n, 2),
])  # fmt: skip
def test_wrong_sizes_are_refused(call):
    with pytest.raises(ValueError, match="sizes are not those of the arrays"):
        call(native.fast, np.zeros(4, np.float32), np.zeros(2, np.int64))
