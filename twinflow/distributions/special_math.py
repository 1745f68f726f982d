"""The normal distribution function, its logarithm and inverse, far into the tails."""

import numpy as np

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import greater, less, less_equal, where
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.creation import fill, zeros_like
from twinflow.ops.core.elementwise import (
    abs as absolute,
)
from twinflow.ops.core.elementwise import (
    exp,
    log,
    log1p,
    maximum,
    minimum,
    sqrt,
    square,
)  # fmt: skip
from twinflow.ops.core.shape import shape
from twinflow.ops.special.error_function import erf, erfc

# Where the three forms of log_ndtr meet: below, the series; above, -ndtr(-x).
LOGNDTR_FLOAT64_LOWER = np.array(-20, np.float64)
LOGNDTR_FLOAT32_LOWER = np.array(-10, np.float32)
LOGNDTR_FLOAT64_UPPER = np.array(8, np.float64)
LOGNDTR_FLOAT32_UPPER = np.array(5, np.float32)


def _argument(x, letter, what="handled, see docstring for supported types."):
    """A tensor of float32 or float64."""
    x = convert_to_tensor(x, name=letter)
    if x.dtype.as_numpy_dtype not in (np.float32, np.float64):
        raise TypeError(f"{letter}.dtype={x.dtype} is not {what}")
    return x


def ndtr(x: TensorValue, name: str | None = "ndtr") -> Tensor:
    """The distribution function of the standard normal distribution.

    Args:
        x: float32 or float64. name: the name scope in a graph.
    Returns:
        A tensor like x.
    Raises:
        TypeError: another dtype.
    """
    with name_scope(name, values=[x]):
        return _ndtr(_argument(x, "x"))


def _ndtr(x):
    half = constant(0.5 * np.sqrt(2.0), dtype=x.dtype, name="half_sqrt_2")
    w = x * half
    z = absolute(w)
    y = where(
        less(z, half),
        1.0 + erf(w),
        where(greater(w, 0.0), 2.0 - erfc(z), erfc(z)),
    )
    return 0.5 * y


# Cephes' ndtri: P / Q in the middle and in two parts of the tail, highest power first.
_P0 = [
    -5.99633501014107895267e1, 9.80010754185999661536e1, -5.66762857469070293439e1,
    1.39312609387279679503e1, -1.23916583867381258016e0,
]  # fmt: skip
_Q0 = [
    1.0, 1.95448858338141759834e0, 4.67627912898881538453e0, 8.63602421390890590575e1,
    -2.25462687854119370527e2, 2.00260212380060660359e2, -8.20372256168333339912e1,
    1.59056225126211695515e1, -1.18331621121330003142e0,
]  # fmt: skip
_P1 = [
    4.05544892305962419923e0, 3.15251094599893866154e1, 5.71628192246421288162e1,
    4.40805073893200834700e1, 1.46849561928858024014e1, 2.18663306850790267539e0,
    -1.40256079171354495875e-1, -3.50424626827848203418e-2, -8.57456785154685413611e-4,
]  # fmt: skip
_Q1 = [
    1.0, 1.57799883256466749731e1, 4.53907635128879210584e1, 4.13172038254672030440e1,
    1.50425385692907503408e1, 2.50464946208309415979e0, -1.42182922854787788574e-1,
    -3.80806407691578277194e-2, -9.33259480895457427372e-4,
]  # fmt: skip
_P2 = [
    3.23774891776946035970e0, 6.91522889068984211695e0, 3.93881025292474443415e0,
    1.33303460815807542389e0, 2.01485389549179081538e-1, 1.23716634817820021358e-2,
    3.01581553508235416007e-4, 2.65806974686737550832e-6, 6.23974539184983293730e-9,
]  # fmt: skip
_Q2 = [
    1.0, 6.02427039364742014255e0, 3.67983563856160859403e0, 1.37702099489081330271e0,
    2.16236993594496635890e-1, 1.34204006088543189037e-2, 3.28014464682127739104e-4,
    2.89247864745380683936e-6, 6.79019408009981274425e-9,
]  # fmt: skip


def ndtri(p: TensorValue, name: str | None = "ndtri") -> Tensor:
    """The inverse of the distribution function of the standard normal distribution.

    Args:
        p: float32 or float64 in [0, 1]. name: the name scope in a graph.
    Returns:
        A tensor like p.
    Raises:
        TypeError: another dtype.
    """
    with name_scope(name, values=[p]):
        return _ndtri(_argument(p, "p"))


def _ndtri(p):
    """By quotients of polynomials: of (q - 1/2)^2 in the middle, of 1/z outside."""
    high = greater(p, -np.expm1(-2.0))
    folded = where(high, 1.0 - p, p)
    q = where(less_equal(folded, 0.0), fill(shape(p), _number(p, 0.5)), folded)
    w = q - 0.5
    ww = w**2.0
    middle = w + w * ww * (_polynomial(ww, _P0) / _polynomial(ww, _Q0))
    middle *= -np.sqrt(2.0 * np.pi)
    z = sqrt(-2.0 * log(q))
    first = z - log(z) / z
    inverse = 1.0 / z
    far = _polynomial(inverse, _P2) / _polynomial(inverse, _Q2) / z
    near = _polynomial(inverse, _P1) / _polynomial(inverse, _Q1) / z
    tail = where(less(z, 8.0), first - near, first - far)
    x = where(greater(q, np.exp(-2.0)), middle, tail)
    x = where(greater(p, 1.0 - np.exp(-2.0)), x, -x)
    infinity = fill(shape(p), _number(p, np.inf))
    return where(less_equal(p, 0.0), -infinity, where(less(p, 1.0), x, infinity))


def _number(like, value):
    return np.array(value, like.dtype.as_numpy_dtype)


def _polynomial(x, coefficients):
    """By Horner's rule, the highest power first."""
    total = zeros_like(x)
    for c in coefficients:
        total = _number(x, c) + total * x
    return total


def log_ndtr(
    x: TensorValue, series_order: int = 3, name: str | None = "log_ndtr"
) -> Tensor:
    """The logarithm of the normal distribution function, far into the tails.

    Args:
        x: float32 or float64. series_order: int <= 30, the terms of the asymptotic
            series that stands far below 0. name: the name scope in a graph.
    Returns:
        A tensor like x.
    Raises:
        TypeError: another dtype, or the order is no int. ValueError: the order.
    """
    if not isinstance(series_order, int):
        raise TypeError("series_order must be a Python integer.")
    if series_order < 0:
        raise ValueError("series_order must be non-negative.")
    if series_order > 30:
        raise ValueError("series_order must be <= 30.")
    with name_scope(name, values=[x]):
        x = _argument(x, "x")
        if x.dtype.as_numpy_dtype is np.float64:
            lower, upper = LOGNDTR_FLOAT64_LOWER, LOGNDTR_FLOAT64_UPPER
        else:
            lower, upper = LOGNDTR_FLOAT32_LOWER, LOGNDTR_FLOAT32_UPPER
        # Each form sees only numbers that it can take: slopes of the others are finite.
        return where(
            greater(x, upper),
            -_ndtr(-x),
            where(
                greater(x, lower),
                log(_ndtr(maximum(x, lower))),
                _log_ndtr_lower(minimum(x, lower), series_order),
            ),
        )


def _log_ndtr_lower(x, order):
    """-x^2/2 - log(-x) - log(2 pi)/2 + log(sum), where x is far below 0."""
    xx = square(x)
    scale = -0.5 * xx - log(-x) - 0.5 * np.log(2.0 * np.pi)
    return scale + log(_asymptotic_series(x, order))


def _asymptotic_series(x, order):
    """1 - 1/x^2 + 3/x^4 - 15/x^6 ..."""
    if order <= 0:
        return _number(x, 1)
    xx, even, odd, power = square(x), zeros_like(x), zeros_like(x), square(x)
    for n in range(1, order + 1):
        y = _number(x, float(np.prod(np.arange(2 * n - 1, 1, -2.0)))) / power
        even, odd = (even, odd + y) if n % 2 else (even + y, odd)
        power *= xx
    return 1.0 + even - odd


def erfinv(x: TensorValue, name: str | None = "erfinv") -> Tensor:
    """The inverse of the error function.

    Args:
        x: float32 or float64 in [-1, 1]. name: the name scope in a graph.
    Returns:
        A tensor like x.
    Raises:
        TypeError: another dtype.
    """
    with name_scope(name, values=[x]):
        x = _argument(x, "x")
        return ndtri((x + 1.0) / 2.0) / np.sqrt(2)


def log_cdf_laplace(x: TensorValue, name: str | None = "log_cdf_laplace") -> Tensor:
    """The logarithm of the distribution function of the Laplace distribution.

    Args:
        x: float. name: the name scope in a graph.
    Returns:
        A tensor like x.
    """
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        lower = -np.log(2.0) + x
        safe = exp(-absolute(x))
        return where(less(x, 0.0), lower, log1p(-0.5 * safe))
