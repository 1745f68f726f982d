"""odeint: steps of Dormand and Prince, as long as the errors allow.

Each step is tried with the orders 4 and 5; their difference says whether it is taken,
and how long the next one is. The times asked for lie between steps, on a quartic.
Shampine, "Some Practical Runge-Kutta Formulas", 1986.
"""

import collections
from collections.abc import Callable
from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.dtypes import DType
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies
from twinflow.graph.while_loop import while_loop
from twinflow.ops.core.compare import greater, less, less_equal
from twinflow.ops.core.constant import cast, constant, convert_to_tensor, identity
from twinflow.ops.core.elementwise import (
    abs,
    add_n,
    maximum,
    minimum,
    pow,
    sqrt,
    square,
)
from twinflow.ops.core.reduction import reduce_all, reduce_mean
from twinflow.ops.core.size import size
from twinflow.ops.debugging.checks import Assert
from twinflow.ops.tensor_array.arrays import TensorArray

TIMES = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
STAGES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
ERROR = (
    35 / 384 - 1951 / 21600, 0, 500 / 1113 - 22642 / 50085, 125 / 192 - 451 / 720,
    -2187 / 6784 - -12231 / 42400, 11 / 84 - 649 / 6300, -1 / 60,
)  # fmt: skip
MIDDLE = (
    6025192743 / 30085553152 / 2, 0, 51252292925 / 65400821598 / 2,
    -2691868925 / 45128329728 / 2, 187940372067 / 1594534317056 / 2,
    -1776094331 / 19743644256 / 2, 11237099 / 235043384 / 2,
)  # fmt: skip


_ORDER = 5
_State = collections.namedtuple("_State", "y f t0 t1 dt curve")
_Notes = collections.namedtuple("_Notes", "evals points ratios")


def odeint(
    func: Callable[..., Any], y0: TensorValue, t: TensorValue,
    rtol: TensorValue = 1e-06, atol: TensorValue = 1e-12, method: str | None = None,
    options: dict[Any, Any] | None = None,
    full_output: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """Solve dy/dt = func(y, t), with steps as long as the errors allow.

    Args:
        func: from y and t, a scalar, to the derivative of y.
        y0: y at t[0], float or complex of any shape.
        t: float[n], ascending; ints are taken as float64.
        rtol, atol: what errors may be, as a part of y and beside it.
        method: "dopri5", the one there is. options: a dict, where the method is given:
            first_step, safety, ifactor, dfactor and max_num_steps.
        full_output: also give a dict of what happened.
        name: the name scope in a graph.
    Returns:
        y at all times, [n, ...]; or (that, {num_func_evals, integrate_points,
        error_ratio}).
    Raises:
        ValueError: another method or option. TypeError: y0 or t is of no such dtype.
        InvalidArgumentError: t does not ascend, or the steps get too many or short.
    Example:
        tf.contrib.integrate.odeint(lambda y, _: -y, 1., [0., 1.])[1]  # 0.36788
    """
    if method is not None and method != "dopri5":
        raise ValueError(f"invalid method: {method!r}")
    if options is None:
        options = {}
    elif method is None:
        raise ValueError("cannot supply `options` without specifying `method`")
    with dispatch.current_mode().name_scope(name or "odeint"):
        y0 = convert_to_tensor(y0, name="y0")
        if not (y0.dtype.is_floating or y0.dtype.is_complex):
            raise TypeError("`y0` must have a floating point or complex floating point "
                            "dtype")  # fmt: skip
        t = convert_to_tensor(t, preferred_dtype=dtypes.float64, name="t")
        if not t.dtype.is_floating:
            t = cast(t, dtypes.float64) if t.dtype.is_integer else t
        if not t.dtype.is_floating:
            raise TypeError("`t` must have a floating point dtype")
        solver = _Solver(func, y0, t, rtol, atol, **options)
        found, notes = solver.solve()
        if not full_output:
            return found
        return found, {
            "num_func_evals": notes.evals, "integrate_points": notes.points.stack(),
            "error_ratio": notes.ratios.stack(),
        }  # fmt: skip


class _Solver:
    """One call of odeint: its function, tolerances and options."""

    def __init__(
        self, func: Callable, y0: Tensor, t: Tensor, rtol: Any, atol: Any,
        first_step: float = 1.0, safety: float = 0.9, ifactor: float = 10.0,
        dfactor: float = 0.2, max_num_steps: int = 1000,
    ) -> None:  # fmt: skip
        self.func, self.y0, self.t = func, y0, t
        real = y0.dtype.real_dtype
        self.rtol, self.atol = cast(rtol, real), cast(atol, real)
        self.first_step, self.safety = first_step, safety
        self.ifactor, self.dfactor, self.most = ifactor, dfactor, max_num_steps

    def solve(self) -> tuple:
        """y at all times, and the _Notes."""
        dtype, t = self.y0.dtype, self.t
        count = size(t)
        ascends = reduce_all(greater(t[1:], t[:-1]))
        ascending = Assert(ascends, ["`t` must be monotonic increasing"])
        with control_dependencies([ascending] if ascending is not None else []):
            start = identity(t[0])
        f0 = identity(self.func(self.y0, start))
        state = _State(
            self.y0, f0, start, start, cast(self.first_step, t.dtype), [self.y0] * 5
        )
        found = TensorArray(dtype, size=count, element_shape=self.y0.get_shape())
        notes = _Notes(constant(1), _growing(t.dtype), _growing(dtype.real_dtype))

        def step(found: Any, state: Any, notes: Any, i: Any) -> tuple:
            at = t[i]
            state, notes = self._until(at, state, notes)
            return found.write(i, _value(state, at)), state, notes, i + 1

        loop = (found.write(0, self.y0), state, notes, constant(1))
        found, _, notes, _ = while_loop(lambda *v: less(v[-1], count), step, loop)
        stacked = found.stack()
        if stacked.symbolic:
            stacked.set_shape(t.get_shape().concatenate(self.y0.get_shape()))
        return stacked, notes

    def _until(self, at: Tensor, state: _State, notes: _Notes) -> tuple:
        """Take steps until the last one reaches a time."""

        def more(state: Any, notes: Any, number: Any) -> Tensor:
            return greater(at, state.t1)

        def step(state: Any, notes: Any, number: Any) -> tuple:
            few = Assert(less(number, self.most), ["max_num_steps exceeded"])
            moves = greater(state.t1 + state.dt, state.t1)
            longer = Assert(moves, ["underflow in dt"])
            with control_dependencies([c for c in (few, longer) if c is not None]):
                state = state._replace(dt=identity(state.dt))
            return (*self._step(state, notes), number + 1)

        return while_loop(more, step, (state, notes, constant(0)))[:2]

    def _step(self, state: _State, notes: _Notes) -> tuple:
        """Try one step: take it where its error is small, else shorten it."""
        y0, t0, dt = state.y, state.t1, state.dt
        slopes = [state.f]
        short = cast(dt, y0.dtype)
        for time, shares in zip(TIMES, STAGES):
            y1 = y0 + _mixed(short, shares, slopes)
            slopes.append(identity(self.func(y1, t0 + time * dt)))
        error = _mixed(short, ERROR, slopes)
        allowed = self.atol + self.rtol * maximum(abs(y0), abs(y1))
        ratio = sqrt(reduce_mean(square(abs(error) / allowed)))
        taken = less_equal(ratio, cast(1, ratio.dtype))
        middle = y0 + _mixed(short, MIDDLE, slopes)
        curve = quartic(y0, y1, middle, slopes[0], slopes[-1], short)

        def chosen(new: Any, old: Any) -> Any:
            return cond(taken, lambda: new, lambda: old)

        after = _State(
            chosen(y1, y0),
            chosen(slopes[-1], state.f),
            t0,
            chosen(t0 + dt, t0),
            self._next(dt, ratio),
            [chosen(new, old) for new, old in zip(curve, state.curve)],
        )
        after = after._replace(t0=chosen(t0, state.t0))
        place = notes.points.size()
        noted = _Notes(
            notes.evals + 6, notes.points.write(place, t0 + dt),
            notes.ratios.write(place, ratio),
        )  # fmt: skip
        return after, noted

    def _next(self, dt: Tensor, ratio: Tensor) -> Tensor:
        """How long the next step is."""
        ratio = cast(ratio, dt.dtype)
        wanted = pow(ratio, cast(1 / _ORDER, dt.dtype)) / self.safety
        factor = maximum(
            cast(1 / self.ifactor, dt.dtype),
            minimum(wanted, cast(1 / self.dfactor, dt.dtype)),
        )
        return dt / factor


def _growing(dtype: DType) -> TensorArray:
    return TensorArray(dtype, size=0, dynamic_size=True, element_shape=[])


def _mixed(dt: Tensor, shares: tuple, slopes: list) -> Tensor:
    """dt times the sum of slopes, each with its share."""
    dtype = slopes[0].dtype
    parts = [cast(a, dtype) * s for a, s in zip(shares, slopes) if a]
    return dt * add_n(parts)


def quartic(y0: Tensor, y1: Tensor, mid: Tensor, f0: Any, f1: Any, dt: Any) -> list:
    """The coefficients of the quartic through a step, the highest first."""
    return [
        -2 * dt * f0 + 2 * dt * f1 - 8 * y0 - 8 * y1 + 16 * mid,
        5 * dt * f0 - 3 * dt * f1 + 18 * y0 + 14 * y1 - 32 * mid,
        -4 * dt * f0 + dt * f1 - 11 * y0 - 5 * y1 + 16 * mid,
        dt * f0,
        y0,
    ]


def _value(state: _State, t: Tensor) -> Tensor:
    """The quartic of the last step at a time in it."""
    x = cast((t - state.t0) / (state.t1 - state.t0), state.y.dtype)
    total = state.curve[0]
    for c in state.curve[1:]:
        total = total * x + c
    return total
