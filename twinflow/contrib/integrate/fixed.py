"""odeint_fixed: steps whose lengths are given."""

from collections.abc import Callable
from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import control_dependencies
from twinflow.graph.while_loop import while_loop
from twinflow.ops.core.compare import greater, less
from twinflow.ops.core.constant import cast, constant, convert_to_tensor, identity
from twinflow.ops.core.creation import fill
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.core.rounding import ceil
from twinflow.ops.core.size import size
from twinflow.ops.debugging.checks import Assert
from twinflow.ops.tensor_array.arrays import TensorArray


def odeint_fixed(
    func: Callable[..., Any], y0: TensorValue, t: TensorValue, dt: Any = None,
    method: str = "rk4", name: str | None = None,
) -> Tensor:  # fmt: skip
    """Solve dy/dt = func(y, t) with steps of given lengths.

    Args:
        func: from y and t, a scalar, to the derivative of y.
        y0: y at t[0], of any shape. t: float[n], ascending.
        dt: how long steps are at most, float[] or [n - 1]; one step from each time to
            the next if not given.
        method: "rk4" or "midpoint". name: the name scope in a graph.
    Returns:
        y at all times, [n, ...]
    Raises:
        ValueError: another method, or as many steps as do not fit.
        InvalidArgumentError: t does not ascend.
    Example:
        tf.contrib.integrate.odeint_fixed(lambda y, _: -y, 1., [0., 1.], 0.1)[1]
    """
    if method not in _RULES:
        raise ValueError(f"method not supported: {method}")
    rule = _RULES[method]
    with dispatch.current_mode().name_scope(name or "odeint_fixed"):
        t = convert_to_tensor(t, preferred_dtype=dtypes.float64, name="t")
        y0 = convert_to_tensor(y0, name="y0")
        lengths = _lengths(t, dt)
        ascends = reduce_all(greater(t[1:], t[:-1]))
        ascending = Assert(ascends, ["`t` must be monotonic increasing"])
        with control_dependencies([ascending] if ascending is not None else []):
            numbers = ceil((t[1:] - t[:-1]) / lengths)
        numbers = maximum(numbers, cast(1, t.dtype))
        found = TensorArray(y0.dtype, size=size(t), element_shape=y0.get_shape())

        def interval(found: Any, y: Tensor, i: Tensor) -> tuple:
            count = numbers[i]
            step = (t[i + 1] - t[i]) / count

            def one(y: Tensor, k: Tensor) -> tuple:
                return y + rule(func, y, t[i] + k * step, step), k + 1

            start = (y, cast(0, t.dtype))
            y, _ = while_loop(lambda y, k: less(k, count), one, start)
            return found.write(i + 1, y), y, i + 1

        loop = (found.write(0, y0), identity(y0), constant(0))
        last = size(t) - 1
        found, _, _ = while_loop(lambda *v: less(v[-1], last), interval, loop)
        stacked = found.stack()
        if stacked.symbolic:
            stacked.set_shape(t.get_shape().concatenate(y0.get_shape()))
        return stacked


def _lengths(t: Tensor, dt: Any) -> Tensor:
    """How long the steps from each time to the next are at most."""
    if dt is None:
        return t[1:] - t[:-1]
    dt = convert_to_tensor(dt, t.dtype, name="dt")
    if dt.get_shape().ndims == 0:
        return fill([size(t) - 1], dt)
    times, steps = t.get_shape().as_list()[0], dt.get_shape().as_list()[0]
    if None not in (times, steps) and times != steps + 1:
        raise ValueError("t and dt have incompatible lengths, must be N and N-1")
    return dt


def rk4(func: Callable, y: Tensor, t: Tensor, dt: Tensor) -> Tensor:
    """The step of Runge and Kutta of order 4."""
    step = cast(dt, y.dtype)
    half, middle = step / 2, t + dt / 2
    k1 = func(y, t)
    k2 = func(y + half * k1, middle)
    k3 = func(y + half * k2, middle)
    k4 = func(y + step * k3, t + dt)
    return step * (k1 + 2 * k2 + 2 * k3 + k4) / 6


def midpoint(func: Callable, y: Tensor, t: Tensor, dt: Tensor) -> Tensor:
    """The step along the slope in the middle."""
    step = cast(dt, y.dtype)
    return step * func(y + func(y, t) * (step / 2), t + dt / 2)


_RULES = {"rk4": rk4, "midpoint": midpoint}
