"""native/quantizing.c: the bits of the ways in NumPy, but for the order of the sums."""

import numpy as np
import pytest

from tests.support.cases import run_cases, run_narrow, with_and_without
from twinflow.base import native
from twinflow.ops.math import fake_quant

needs_module = pytest.mark.skipif(
    not hasattr(native.fast, "fake_quantized"), reason="no C module, or Windows"
)
ODD = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, 3e38, -3e38]
SUMS = 1e-5  # of the largest sum: NumPy's are float32, these double


def case(random):
    low, high = np.float32(random.normal(-1)), np.float32(random.normal(2))
    bits, narrow = int(random.integers(2, 17)), bool(random.integers(2))
    size = random.choice([random.integers(0, 70), random.integers(16000, 40000)])
    x = (random.standard_normal(size) * 3).astype(np.float32)
    if size and random.random() < 0.3:
        x[random.integers(0, size, 5)] = random.choice(ODD, 5)
    slopes = random.standard_normal(size).astype(np.float32)
    gradient = fake_quant._vars_grad_kernel(lambda x: None)(np)

    def run():
        rounded = fake_quant._vars_kernel(np)(x, low, high, bits, narrow)
        return rounded, *gradient(slopes, x, low, high, bits, narrow)

    found, wanted = with_and_without(run)
    for one, other in zip(found, wanted, strict=True):
        assert np.asarray(one).dtype == np.float32
        if np.ndim(one):
            np.testing.assert_array_equal(one, other)
    most = np.abs(slopes).sum() + 1
    np.testing.assert_allclose(found[2:], wanted[2:], rtol=0, atol=SUMS * most)


@needs_module
def test_random_cases():
    run_cases(case)


@needs_module
@pytest.mark.parametrize("width", ["4", "8"])
def test_random_cases_in_narrow_vectors(width):
    run_narrow("tests.ops.test_fake_quant_kernels", width)


@needs_module
@pytest.mark.parametrize("call", [
    lambda fast, x: fast.fake_quantized(x, 0.0, 1.0, 0.5, x[1:]),
    lambda fast, x: fast.fake_quantized(x.view(np.int8)[1:], 0.0, 1.0, 0.5, x[1:]),
    lambda fast, x: fast.fake_quant_slopes(x, x, 0.0, 1.0, x[1:]),
    lambda fast, x: fast.fake_quant_slopes(x[1:], x, 0.0, 1.0, x),
])  # fmt: skip
def test_wrong_sizes_are_refused(call):
    with pytest.raises(ValueError, match="sizes are not those of the arrays"):
        call(native.fast, np.zeros(4, np.float32))


def test_numbers_of_one_range_are_those_of_arrays():
    random = np.random.default_rng(0)
    for _ in range(300):
        low, high = np.sort(random.standard_normal((2, 5)).astype(np.float32), 0)
        bits, narrow = int(random.integers(2, 17)), bool(random.integers(2))
        low[0], high[0], high[1] = 0, 0, np.nan
        many = fake_quant._nudged(np, low, high, bits, narrow)
        for i in range(5):
            one = fake_quant._nudged(np, low[i], high[i], bits, narrow)
            assert [n.dtype for n in one] == [np.float32] * 3
            np.testing.assert_array_equal(one, [found[i] for found in many])
