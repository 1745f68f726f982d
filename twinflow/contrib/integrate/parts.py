"""The steps of odeint by themselves: tableaus, interpolation, the length of steps."""

import collections
from collections.abc import Callable
from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import Tensor
from twinflow.contrib.integrate import adaptive, fixed
from twinflow.graph.scopes import control_dependencies
from twinflow.graph.while_loop import while_loop
from twinflow.ops.core.compare import (
    equal,
    greater,
    less,
    less_equal,
    logical_and,
    where,
)
from twinflow.ops.core.complex import imag, real
from twinflow.ops.core.constant import cast, constant, convert_to_tensor, identity
from twinflow.ops.core.elementwise import (
    add_n,
    maximum,
    minimum,
    pow,
    square,
)
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.core.size import size
from twinflow.ops.debugging.checks import Assert
from twinflow.ops.tensor_array.arrays import TensorArray

ButcherTableau = collections.namedtuple(
    "_ButcherTableau", "alpha beta c_sol c_mid c_error"
)
RungeKuttaState = collections.namedtuple(
    "_RungeKuttaState", "y1, f1, t0, t1, dt, interp_coeff"
)
History = collections.namedtuple("_History", "integrate_points, error_ratio")

DORMAND_PRINCE = ButcherTableau(
    list(adaptive.TIMES),
    [list(row) for row in adaptive.STAGES],
    [*adaptive.STAGES[-1], 0],
    list(adaptive.MIDDLE),
    list(adaptive.ERROR),
)


def possibly_nonzero(x: Any) -> bool:
    """Whether this is a tensor, or a number other than 0."""
    return isinstance(x, Tensor) or x != 0


def scaled_dot_product(scale: Any, xs: Any, ys: Any, name: str | None = None) -> Any:
    """The sum of scale * x * y, without the x that are 0."""
    with current_mode().name_scope(name or "scaled_dot_product"):
        pairs = zip(xs, ys, strict=True)
        return add_n([(scale * x) * y for x, y in pairs if possibly_nonzero(x)])


def dot_product(xs: Any, ys: Any, name: str | None = None) -> Any:
    """The sum of x * y."""
    with current_mode().name_scope(name or "dot_product"):
        return add_n([x * y for x, y in zip(xs, ys, strict=True)])


def runge_kutta_step(
    func: Callable, y0: Any, f0: Any, t0: Any, dt: Any,
    tableau: Any = DORMAND_PRINCE, name: str | None = None,
) -> tuple:  # fmt: skip
    """One step: (y1, the slope there, an estimate of the error, all slopes).

    Args:
        func: the slope for (y, t). y0, f0, t0: where the step starts. dt: its length.
        tableau: the shares of the slopes.
    """
    with current_mode().name_scope(name or "runge_kutta_step"):
        y0, f0, t0, dt = map(convert_to_tensor, (y0, f0, t0, dt))
        step, slopes = cast(dt, y0.dtype), [f0]
        for alpha, row in zip(tableau.alpha, tableau.beta, strict=True):
            y = y0 + scaled_dot_product(step, row, slopes)
            slopes.append(func(y, t0 + alpha * dt))
        if not (tableau.c_sol[-1] == 0 and tableau.c_sol[:-1] == tableau.beta[-1]):
            y = y0 + scaled_dot_product(step, tableau.c_sol, slopes)
        error = scaled_dot_product(step, tableau.c_error, slopes)
        return identity(y), identity(slopes[-1]), identity(error), slopes


def interp_fit(y0: Any, y1: Any, y_mid: Any, f0: Any, f1: Any, dt: Any) -> list:
    """The quartic through three values and two slopes, the highest power first."""
    with current_mode().name_scope("interp_fit"):
        return adaptive.quartic(y0, y1, y_mid, f0, f1, cast(dt, y0.dtype))


def interp_fit_rk(
    y0: Any, y1: Any, k: Any, dt: Any, tableau: Any = DORMAND_PRINCE
) -> list:
    """`interp_fit` of a step with the slopes `k`."""
    with current_mode().name_scope("interp_fit_rk"):
        dt = cast(dt, y0.dtype)
        y_mid = y0 + scaled_dot_product(dt, tableau.c_mid, k)
        return interp_fit(y0, y1, y_mid, k[0], k[-1], dt)


def interp_evaluate(coefficients: Any, t0: Any, t1: Any, t: Any) -> Tensor:
    """A quartic over t0 to t1 at a time t between them.

    Raises:
        InvalidArgumentError: t is not between them.
    """
    with current_mode().name_scope("interp_evaluate"):
        t0, t1, t = map(convert_to_tensor, (t0, t1, t))
        text = "invalid interpolation, fails `t0 <= t <= t1`:"
        inside = logical_and(less_equal(t0, t), less_equal(t, t1))
        with control_dependencies(_done(Assert(inside, [text, t0, t, t1]))):
            x = cast((t - t0) / (t1 - t0), coefficients[0].dtype)
        powers = [constant(1, x.dtype), x]
        for _ in range(2, len(coefficients)):
            powers.append(powers[-1] * x)
        return dot_product(coefficients, reversed(powers))


def _done(op: Any) -> list:
    return [] if op is None else [op]


def optimal_step_size(
    last_step: Any, error_ratio: Any, safety: Any = 0.9, ifactor: Any = 10.0,
    dfactor: Any = 0.2, order: int = 5, name: str | None = None,
) -> Tensor:  # fmt: skip
    """How long the next step is.

    Args:
        last_step: the length of the last one. error_ratio: its error as a part of what
            is allowed. safety, ifactor, dfactor: see odeint. order: of the method.
    """
    with current_mode().name_scope(name or "optimal_step_size"):
        ratio = cast(error_ratio, last_step.dtype)
        exponent = cast(1 / order, last_step.dtype)
        least = where(less(ratio, 1.0), constant(1.0, ratio.dtype), dfactor)
        wanted = minimum(pow(ratio, exponent) / safety, 1.0 / least)
        factor = maximum(1.0 / ifactor, wanted)
        longest = last_step * ifactor
        return where(equal(ratio, 0.0), longest, last_step / factor)


def abs_square(x: Any) -> Tensor:
    """|x|**2, also of complex numbers."""
    if x.dtype.is_complex:
        return square(real(x)) + square(imag(x))
    return square(x)


def ta_append(tensor_array: TensorArray, value: Any) -> TensorArray:
    """A tensor array with one more value."""
    return tensor_array.write(tensor_array.size(), value)


def assert_increasing(t: Any) -> Any:
    """A block whose ops run only if times ascend."""
    ascends = reduce_all(greater(t[1:], t[:-1]))
    text = "`t` must be monotonic increasing"
    return control_dependencies(_done(Assert(ascends, [text])))


def check_input_types(y0: Any, t: Any, dt: Any = None) -> None:
    """Raise TypeError where values or times are of no floating dtype."""
    if not (y0.dtype.is_floating or y0.dtype.is_complex):
        raise TypeError(
            "`y0` must have a floating point or complex floating point dtype"
        )
    if not t.dtype.is_floating:
        raise TypeError("`t` must have a floating point dtype")
    if dt is not None and not dt.dtype.is_floating:
        raise TypeError("`dt` must have a floating point dtype")


def check_input_sizes(t: Any, dt: Any) -> None:
    """Raise ValueError where there are not as many steps as there are intervals."""
    if len(t.get_shape().as_list()) > 1:
        raise ValueError("t must be a 1D tensor")
    if len(dt.get_shape().as_list()) > 1:
        raise ValueError("t must be a 1D tensor")
    if t.get_shape()[0] != dt.get_shape()[0] + 1:
        raise ValueError("t and dt have incompatible lengths, must be N and N-1")


class FixedGridIntegrator:
    """Steps of given lengths; a subclass says what a step is."""

    rule: Callable

    def integrate(
        self, evol_func: Callable, y0: Any, time_grid: Any, dt_grid: Any,
        steps_on_intervals: Any,
    ) -> Tensor:  # fmt: skip
        """y at the times of a grid.

        Args:
            evol_func: the slope for (y, t). y0: the value at the first time.
            time_grid, dt_grid: the times, and the length of the steps between two.
            steps_on_intervals: how many there are between two.
        """
        found = TensorArray(y0.dtype, size(time_grid), element_shape=y0.get_shape())

        def interval(found: Any, y: Any, i: Any) -> tuple:
            count = steps_on_intervals[i]

            def one(y: Any, t: Any, k: Any) -> tuple:
                dt = dt_grid[i]
                return y + self._step_func(evol_func, t, dt, y), t + dt, k + 1

            start = (y, time_grid[i], constant(0, count.dtype))
            y = while_loop(lambda y, t, k: less(k, count), one, start)[0]
            return found.write(i + 1, y), y, i + 1

        loop = (found.write(0, y0), identity(y0), constant(0))
        last = size(time_grid) - 1
        found = while_loop(lambda *v: less(v[-1], last), interval, loop)[0]
        return found.stack()

    def _step_func(self, evol_func: Callable, t: Any, dt: Any, y: Any) -> Tensor:
        return type(self).rule(evol_func, y, t, dt)


class MidpointFixedGridIntegrator(FixedGridIntegrator):
    """Steps along the slope in the middle."""

    rule = staticmethod(fixed.midpoint)


class RK4FixedGridIntegrator(FixedGridIntegrator):
    """Steps of Runge and Kutta of order 4."""

    rule = staticmethod(fixed.rk4)
