"""The derivative of the incomplete gamma function by its first argument, in NumPy.

P(a, x) is written as x^a e^-x / Gamma(a + 1) times the series

    S = sum of x^n / ((a + 1) ... (a + n))                      for x <= 1 or x <= a

and 1 - P as x^a e^-x / Gamma(a) times a continued fraction C elsewhere; both are
summed together with their derivatives by a.

Reference: Moshier, Methods and programs for mathematical functions (1989), igam.c;
Figurnov, Mohamed, Mnih: Implicit reparameterization gradients (2018), appendix D.
"""

import numpy as np
from scipy import special

_STEPS = 2000
_EPS = np.finfo(np.float64).eps
_BIG = 2.0**52


def _series(a, x):
    """S and its derivative."""
    term, slope = np.ones_like(x), np.zeros_like(x)
    total, total_slope = term.copy(), slope.copy()
    for n in range(1, _STEPS):
        ratio = x / (a + n)
        slope = (slope - term / (a + n)) * ratio
        term = term * ratio
        total += term
        total_slope += slope
        small = (term <= _EPS * total) & (np.abs(slope) <= _EPS * np.abs(total_slope))
        if small.all():
            break
    return total, total_slope


def _fraction(a, x):
    """C and its derivative: convergents p / q, each with derivatives dp, dq by a."""
    y, z = 1 - a, x - a + 2
    p2, q2, p1, q1 = np.ones_like(x), x.copy(), x + 1, z * x
    dp2, dq2, dp1, dq1 = np.zeros_like(x), np.zeros_like(x), np.zeros_like(x), -x
    value = p1 / q1
    slope = (dp1 - value * dq1) / q1
    for n in range(1, _STEPS):
        y, z = y + 1, z + 2
        c = y * n
        p, q = p1 * z - p2 * c, q1 * z - q2 * c
        dp = dp1 * z - p1 - dp2 * c + p2 * n
        dq = dq1 * z - q1 - dq2 * c + q2 * n
        last, last_slope = value, slope
        value = np.where(q != 0, p / q, last)
        slope = np.where(q != 0, (dp - value * dq) / q, last_slope)
        moved = np.abs(value - last) > _EPS * np.abs(value)
        if not (moved | (np.abs(slope - last_slope) > _EPS * np.abs(slope))).any():
            break
        scale = np.where(np.abs(p) > _BIG, 1 / _BIG, 1.0)
        p2, q2, dp2, dq2 = (v * scale for v in (p1, q1, dp1, dq1))
        p1, q1, dp1, dq1 = (v * scale for v in (p, q, dp, dq))
    return value, slope


def _per_density(a, x):
    """-(dP/da) / p(x), where p is the density x^(a-1) e^-x / Gamma(a)."""
    out = np.empty_like(x)
    low = (x <= 1) | (x <= a)
    for chosen, sums, shift in ((low, _series, 1), (~low, _fraction, 0)):
        if chosen.any():
            b, v = a[chosen], x[chosen]
            total, slope = sums(b, v)
            found = v * (total * (np.log(v) - special.psi(b + shift)) + slope)
            out[chosen] = -found / b if shift else found
    return out


def _inside(function):
    """`function` on flat float64 arrays where a > 0 and 0 < x < inf."""

    def kernel(a, x):
        dtype = a.dtype
        a, x = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
        good = (a > 0) & (x > 0) & np.isfinite(x) & np.isfinite(a)
        out = np.where((a > 0) & (x >= 0), 0.0, np.nan)
        out[good] = function(a[good], x[good])
        return out.astype(dtype)

    return kernel


def _log_density(a, x):
    return special.xlogy(a - 1, x) - x - special.gammaln(a)


@_inside
def igamma_grad_a(a, x):
    """dP(a, x)/da."""
    density = np.exp(_log_density(a, x))
    return np.where(density == 0, 0.0, -_per_density(a, x) * density)


@_inside
def gamma_sample_grad(alpha, sample):
    """d sample/d alpha of a gamma-distributed sample at a fixed value of P."""
    return _per_density(alpha, sample)
