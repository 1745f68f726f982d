"""Special functions and their slopes against SciPy over wide domains, in engines."""

import numpy as np
import pytest
from scipy import special

import twinflow as tf
from tests import ways

RIGHT = np.concatenate([
    [1e-300, 1e-30, 1e-5], np.linspace(0.013, 12, 57), [17.2, 99.5, 1e3, 1e8, 1e30],
])  # fmt: skip
LEFT = -np.concatenate([[1e-5], np.linspace(0.013, 35.2, 83), [99.75, 1000.25]])
ALL = np.concatenate([RIGHT, LEFT])
HALF = np.concatenate([[1e-6], np.linspace(0.05, 0.95, 19), [1 - 1e-6]])
A, X = (g.ravel() for g in np.meshgrid(
    [1e-3, 0.3, 1.0, 2.5, 17.0, 120.0, 3000.0], [1e-6, 0.02, 0.7, 1.0, 3.3, 25.0, 140.0]
))  # fmt: skip
N, Q = (g.ravel() for g in np.meshgrid(
    [2.0, 3.0, 4.0, 7.0], [0.01, 0.5, 3.3, 40.0, -0.25, -7.75, -10.75, -30.5, -99.5]
))  # fmt: skip


def _gamma_density(a, x):
    return np.exp(special.xlogy(a - 1, x) - x - special.gammaln(a))


def _beta_density(a, b, x):
    return np.exp(
        special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b)
    )


def _bell(x):
    return 2 / np.sqrt(np.pi) * np.exp(-x * x)


def _trigamma(x):
    return special.zeta(2.0, x)


# name: function, inputs, which is differentiated, value, slope
FUNCTIONS = {
    "lgamma": (tf.lgamma, [ALL], special.gammaln, special.psi),
    "digamma": (tf.digamma, [ALL], special.psi, _trigamma),
    "erf": (tf.erf, [np.linspace(-5, 5, 81)], special.erf, _bell),
    "erfc": (tf.erfc, [np.linspace(-5, 5, 81)], special.erfc, lambda x: -_bell(x)),
    "expm1": (tf.math.expm1, [np.linspace(-40, 40, 81)], np.expm1, np.exp),
    "log1p": (
        tf.math.log1p, [np.append(RIGHT, -HALF)], np.log1p, lambda x: 1 / (1 + x),
    ),
    "bessel_i0e": (
        tf.math.bessel_i0e, [np.linspace(-60, 60, 80)], special.i0e,
        lambda x: special.i1e(x) - np.sign(x) * special.i0e(x),
    ),
    "bessel_i1e": (
        tf.math.bessel_i1e, [np.linspace(-60, 60, 80)], special.i1e,
        lambda x: special.i0e(x) - special.i1e(x) * (np.sign(x) + 1 / x),
    ),
    "polygamma": (
        tf.polygamma, [N - 1, Q],
        lambda n, x: (-1) ** (n + 1) * special.gamma(n + 1) * special.zeta(n + 1, x),
        lambda n, x: (-1) ** n * special.gamma(n + 2) * special.zeta(n + 2, x),
    ),
    "zeta": (
        tf.zeta, [N, Q], special.zeta, lambda n, x: -n * special.zeta(n + 1, x),
    ),
    "igamma": (tf.igamma, [A, X], special.gammainc, _gamma_density),
    "igammac": (
        tf.igammac, [A, X], special.gammaincc, lambda a, x: -_gamma_density(a, x),
    ),
    "betainc": (
        tf.betainc, [np.tile([0.3, 1.0, 7.5], 21), np.repeat([0.4, 1.0, 12.0], 21),
                     np.repeat(HALF, 3)],
        special.betainc, _beta_density,
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", ["eager", "compiled function"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_and_slopes(name, dtype, way):
    function, inputs, value, slope = FUNCTIONS[name]
    inputs = [np.float64(x.astype(dtype)) for x in inputs]
    if dtype == np.float32:
        inputs[-1] = np.clip(inputs[-1], -np.inf, 1e30)

    def both():
        def run(*xs):
            with tf.GradientTape() as tape:
                tape.watch(xs[-1])
                y = function(*xs)
            return y, tape.gradient(y, xs[-1])

        return run

    found = ways.run(way, both, *(x.astype(dtype) for x in inputs))
    for f, exact in zip(found, (value, slope), strict=True):
        _close(f, exact(*inputs), dtype, inputs[-1])


def _close(found, wanted, dtype, x):
    """Up to 1e-12 or 2e-6, of the value or of 1, and so much of x as was rounded."""
    with np.errstate(over="ignore"):
        wanted = wanted.astype(dtype)
    limit = 2e-6 if dtype == np.float32 else 1e-11
    finite = np.isfinite(wanted) & (np.abs(wanted) < np.finfo(dtype).max / 4)
    gap = np.abs(found[finite] - wanted[finite])
    bad = gap > limit * np.maximum(1, np.abs(wanted[finite]))
    assert not bad.any(), (x[finite][bad], found[finite][bad], wanted[finite][bad])
    assert np.array_equal(np.isnan(found), np.isnan(wanted))


def test_long_sums_do_not_hang_when_compiled():
    big = np.array([1e15, 1.0, 1e300, 5.0]), np.array([1e15, 2.0, 1e300, np.inf])
    found = ways.run("compiled function", lambda: tf.igamma, *big)
    np.testing.assert_allclose(found, special.gammainc(*big), rtol=1e-12)
