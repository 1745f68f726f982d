"""Fourier transforms by native/fourier.c, held against numpy.fft in float64."""

import numpy as np
import pytest

from tests.support.cases import run_cases, run_narrow
from twinflow.base import native
from twinflow.ops.signal import lanes

pytestmark = pytest.mark.skipif(
    not hasattr(native.fast, "fourier"), reason="there is no C module"
)
SHORT = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 20, 22, 25, 26, 30, 31, 49, 64]
LONG = [100, 121, 169, 256, 360, 1000, 1024, 1155, 2048, 4096, 5000, 8192, 10_000]
LONGER = [16_384, 30_030, 65_536, 100_000]


def close(found, wanted, shape):
    assert (found.dtype.itemsize, found.shape) == (wanted.itemsize // 2, wanted.shape)
    size = np.sqrt(np.mean(np.abs(wanted) ** 2))
    error = np.sqrt(np.mean(np.abs(found - wanted) ** 2))
    assert error <= 1e-6 * max(size, 1e-30), (shape, error / size)


def case(random):
    rank = int(random.integers(1, 4))
    if rank == 1:
        n = random.choice([SHORT, LONG, LONGER][random.choice(3, p=[0.4, 0.5, 0.1])])
        rows = [1, 2] if n > 20_000 else [1, 2, 5, 16, 17, 40]
        shape = int(random.choice(rows)), int(n)
    else:
        shape = tuple(
            int(n) for n in (random.integers(1, 4), *random.choice(SHORT, rank))
        )
    x = random.standard_normal((2, *shape)).astype(np.float32)
    x = x[0] + 1j * x[1]
    axes, wide = tuple(range(-rank, 0)), x.astype(complex)
    close(lanes.transform(x, rank, False), np.fft.fftn(wide, axes=axes), shape)
    close(lanes.transform(x, rank, True), np.fft.ifftn(wide, axes=axes), shape)
    if shape[-1] % 2 == 0:
        wanted = np.fft.rfftn(wide.real, axes=axes)
        close(lanes.to_half(x.real, rank), wanted, shape)
    n = 2 * (shape[-1] - 1)
    found = lanes.from_half(x, n, rank)
    if found is not None:
        sizes = (*shape[-rank:-1], n)
        close(found, np.fft.irfftn(wide, s=sizes, axes=axes), shape)


def test_random_cases():
    run_cases(case)


@pytest.mark.parametrize("width", ["4", "8"])
def test_narrow_vectors(width):
    run_narrow("tests.ops.test_lanes", width)


def test_what_is_left_to_numpy():
    x = np.ones((2, 67), np.complex64)  # a large prime
    assert lanes.transform(x, 1, False) is None
    assert lanes.transform(x.astype(complex), 1, False) is None
    assert lanes.to_half(np.ones((2, 7), np.float32), 1) is None


def test_more_lengths_than_plans_are_kept():
    for n in range(1, 61):
        x = np.ones((3, n), np.complex64)
        found = lanes.transform(x, 1, False)
        np.testing.assert_allclose(found, np.eye(1, n) * n + x * 0, atol=1e-4)


def test_sizes_that_do_not_fit_are_refused():
    x, real = np.ones(8, np.complex64), np.ones(8, np.float32)
    for arguments in (
        (x, x.copy(), 0, 0, 1, 9, 1, 1), (x, x.copy(), 0, 0, 3, 2, 1, 1),
        (real, x[:4].copy(), 1, 0, 1, 4, 1, 1), (x, real, 2, 0, 1, 4, 2, 1),
        (x, x.copy(), 3, 0, 1, 8, 1, 1), (x, x.copy(), 0, 0, 0, 8, 1, 1),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="the sizes are not those of the arrays"):
            native.fast.fourier(*arguments)
