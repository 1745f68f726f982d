"""Learning rates that change with the number of steps.

In a graph each function gives a tensor. Eagerly it gives a function of no arguments,
which optimizers call at each step: the rate for the global step at that time.
"""

import functools
import inspect
import math
from typing import Any

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.base.written import optional, public_form
from twinflow.graph.case import case
from twinflow.graph.cond import cond
from twinflow.ops.core.compare import equal, logical_and
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.division import div
from twinflow.ops.core.elementwise import (
    add,
    exp,
    log,
    minimum,
    multiply,
    negative,
    pow,
    sqrt,
)
from twinflow.ops.core.rounding import ceil, floor
from twinflow.ops.math.trigonometry import cos
from twinflow.ops.random.draws import random_normal


def _decay(scope_name, rate_name="learning_rate"):
    """A decorator: the decay of a function that gives the rate of a step.

    The function gets the first rate as a tensor, `like`, a function that casts to its
    dtype, and `name`, the name of the result.
    """

    def decorate(function):
        kind = function.__name__
        own = inspect.signature(function).parameters.values()
        own = [p for p in own if p.kind is not p.KEYWORD_ONLY]

        def now(name, learning_rate, **arguments):
            with current_mode().name_scope(name or scope_name) as scope:
                rate = convert_to_tensor(learning_rate, name=rate_name)
                like = functools.partial(_cast, rate.dtype)
                return function(rate, like=like, name=scope, **arguments)

        def later(arguments):
            if arguments["global_step"] is None:
                raise ValueError(
                    f"{kind.replace('_', ' ')} requires global_step"
                    if "cosine" in kind
                    else f"global_step is required for {kind}."
                )
            rate = functools.partial(now, **arguments)
            return rate if current_mode().eager else rate()

        return public_form(function, [*own, *optional(name=None)], later)

    return decorate


def _cast(dtype, value):
    return cast(value, dtype)


@_decay("ExponentialDecay")
def exponential_decay(
    learning_rate, global_step, decay_steps, decay_rate, staircase=False, *, like, name
):
    """learning_rate * decay_rate ** (global_step / decay_steps)

    Args:
        learning_rate: a number or float scalar: the first rate; its dtype is that of
            the result.
        global_step: an integer scalar, variable or tensor.
        decay_steps: after how many steps `decay_rate` has been applied once.
        decay_rate: the factor. staircase: whether the exponent is rounded down.
        name: the name scope.
    Returns:
        A scalar tensor (graph), or a function that gives it (eager).
    Raises:
        ValueError: `global_step` is None.
    Example:
        step = tfe.Variable(2500)
        rate = tf.train.exponential_decay(1.0, step, 1000, 0.5, staircase=True)
        rate().numpy()  # 0.25
    """
    steps, base = like(decay_steps), like(decay_rate)
    times = like(global_step) / steps
    times = floor(times) if staircase else times
    return multiply(learning_rate, pow(base, times), name=name)


def piecewise_constant(
    x: Any, boundaries: Any, values: Any, name: str | None = None
) -> Any:
    """values[i] for the first i with x <= boundaries[i], else values[-1].

    Args:
        x: a scalar, most often the global step.
        boundaries: n increasing numbers in the dtype of `x`.
        values: n + 1 numbers of one dtype. name: the name scope.
    Returns:
        A scalar tensor (graph), or a function that gives it (eager).
    Raises:
        ValueError: the numbers of numbers do not fit, or their dtypes.
    Example:
        step = tfe.Variable(1500)
        rate = tf.train.piecewise_constant(step, [1000, 2000], [1.0, 0.5, 0.25])
        rate().numpy()  # 0.5
    """
    if len(boundaries) != len(values) - 1:
        raise ValueError(
            "The length of boundaries should be 1 less than the length of values"
        )
    rate = functools.partial(_piecewise, x, boundaries, values, name)
    return rate if current_mode().eager else rate()


def _piecewise(x, boundaries, values, name):
    with current_mode().name_scope(name or "PiecewiseConstant"):
        boundaries = [convert_to_tensor(b) for b in boundaries]
        values = [convert_to_tensor(v) for v in values]
        x = convert_to_tensor(x)
        boundaries = [_bound(b, x) for b in boundaries]
        for v in values[1:]:
            if v.dtype.base_dtype != values[0].dtype.base_dtype:
                raise ValueError(
                    "Values must have elements all with the same dtype "
                    f"({values[0].dtype.base_dtype} vs {v.dtype.base_dtype})."
                )
        pairs = [
            (x <= boundaries[0], lambda: values[0]),
            (x > boundaries[-1], lambda: values[-1]),
        ]
        inner = zip(boundaries[:-1], boundaries[1:], values[1:-1], strict=True)
        for low, high, v in inner:
            pairs.append((logical_and(x > low, x <= high), _constantly(v)))
        return case(pairs, lambda: values[0], exclusive=True)


def _constantly(value):
    return lambda: value


def _bound(b, x):
    if b.dtype.base_dtype == x.dtype.base_dtype:
        return b
    if b.dtype.base_dtype == dtypes.int32 and x.dtype.base_dtype == dtypes.int64:
        return cast(b, x.dtype.base_dtype)
    raise ValueError(
        f"Boundaries ({b.dtype.base_dtype}) must have the same dtype as x "
        f"({x.dtype.base_dtype})."
    )


@_decay("PolynomialDecay")
def polynomial_decay(
    learning_rate, global_step, decay_steps, end_learning_rate=0.0001, power=1.0,
    cycle=False, *, like, name,
):  # fmt: skip
    """(learning_rate - end) * (1 - step / decay_steps) ** power + end

    Args:
        learning_rate, global_step, name: see exponential_decay.
        decay_steps: after how many steps `end_learning_rate` is reached.
        end_learning_rate: `end`, the rate from there on. power: of the polynomial.
        cycle: whether to go on from there, with as many times `decay_steps` as needed.
    Returns, Raises: see exponential_decay.
    Example:
        rate = tf.train.polynomial_decay(1.0, tfe.Variable(750), 1000, 0.0, power=0.5)
        rate().numpy()  # 0.5
    """
    numbers = end_learning_rate, power, global_step, decay_steps
    end, power, step, steps = map(like, numbers)
    if cycle:
        first = equal(step, 0)
        times = cond(first, lambda: like(1.0), lambda: ceil(step / steps))
        steps = multiply(steps, times)
    else:
        step = minimum(step, steps)
    left = pow(1 - div(step, steps), power)
    return add(multiply(learning_rate - end, left), end, name=name)


@_decay("NaturalExpDecay")
def natural_exp_decay(
    learning_rate, global_step, decay_steps, decay_rate, staircase=False, *, like, name
):
    """learning_rate * exp(-decay_rate * global_step / decay_steps)

    Args, Returns, Raises: see exponential_decay.
    Example:
        rate = tf.train.natural_exp_decay(1.0, tfe.Variable(1000), 1000, 0.5)
        round(float(rate()), 3)  # 0.607
    """
    times = like(global_step) / like(decay_steps)
    decay_rate = like(decay_rate)
    times = floor(times) if staircase else times
    factor = exp(multiply(negative(decay_rate), times))
    return multiply(learning_rate, factor, name=name)


@_decay("InverseTimeDecay")
def inverse_time_decay(
    learning_rate, global_step, decay_steps, decay_rate, staircase=False, *, like, name
):
    """learning_rate / (1 + decay_rate * global_step / decay_steps)

    Args, Returns, Raises: see exponential_decay.
    Example:
        rate = tf.train.inverse_time_decay(1.0, tfe.Variable(2000), 1000, 0.5)
        rate().numpy()  # 0.5
    """
    steps, decay_rate = like(decay_steps), like(decay_rate)
    times = like(global_step) / steps
    times = floor(times) if staircase else times
    one = like(constant(1))
    return div(learning_rate, add(one, multiply(decay_rate, times)), name=name)


def _wave(times):
    """(1 + cos(pi * times)) / 2"""
    return 0.5 * (1.0 + cos(constant(math.pi) * times))


@_decay("CosineDecay")
def cosine_decay(learning_rate, global_step, decay_steps, alpha=0.0, *, like, name):
    """learning_rate * ((1 - alpha) * (1 + cos(pi * step / decay_steps)) / 2 + alpha)

    Args:
        learning_rate, global_step, name: see exponential_decay.
        decay_steps: after how many steps the end is reached.
        alpha: the last rate, as a part of the first.
    Returns, Raises: see exponential_decay.
    Example:
        rate = tf.train.cosine_decay(1.0, tfe.Variable(500), 1000)
        round(float(rate()), 3)  # 0.5
    Reference: Loshchilov and Hutter, SGDR: stochastic gradient descent with warm
    restarts (ICLR 2017), equation 5.
    """
    steps = like(decay_steps)
    step = minimum(like(global_step), steps)
    decayed = (1 - alpha) * _wave(step / steps) + alpha
    return multiply(learning_rate, decayed)


@_decay("SGDRDecay", "initial_learning_rate")
def cosine_decay_restarts(
    learning_rate, global_step, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0, *,
    like, name,
):  # fmt: skip
    """Cosine decays one after the other, each from the start.

    Args:
        learning_rate, global_step, name: see exponential_decay.
        first_decay_steps: the length of the first decay.
        t_mul, m_mul: factors on length and height from one decay to the next.
        alpha: see cosine_decay.
    Returns, Raises: see exponential_decay.
    Example:
        rate = tf.train.cosine_decay_restarts(1.0, tfe.Variable(500), 1000)
        round(float(rate()), 3)  # 0.5
    Reference: see cosine_decay.
    """
    steps, alpha, t_mul, m_mul = map(like, (first_decay_steps, alpha, t_mul, m_mul))
    passed = like(global_step) / steps

    def growing():
        restarts = floor(log(1.0 - passed * (1.0 - t_mul)) / log(t_mul))
        before = (1.0 - t_mul**restarts) / (1.0 - t_mul)
        return restarts, (passed - before) / t_mul**restarts

    def constant_length():
        restarts = floor(passed)
        return restarts, passed - restarts

    restarts, part = cond(equal(t_mul, 1.0), constant_length, growing)
    height = m_mul**restarts
    wave = 0.5 * height * (1.0 + cos(constant(math.pi) * part))
    return multiply(learning_rate, (1 - alpha) * wave + alpha, name=name)


def _line_and_wave(step, steps, num_periods, like):
    """The line from 1 to 0, and the wave of `num_periods` along it."""
    steps, num_periods = like(steps), like(num_periods)
    step = minimum(like(step), steps)
    line = (steps - step) / steps
    return step, line, _wave(2.0 * num_periods * (step / steps))


@_decay("LinearCosineDecay")
def linear_cosine_decay(
    learning_rate, global_step, decay_steps, num_periods=0.5, alpha=0.0, beta=0.001, *,
    like, name,
):  # fmt: skip
    """learning_rate * ((alpha + line) * wave + beta)

    The line goes from 1 to 0 in `decay_steps`, the wave is
    (1 + cos(2 * pi * num_periods * step / decay_steps)) / 2.

    Args:
        learning_rate, global_step, decay_steps, name: see cosine_decay.
        num_periods: of the wave. alpha, beta: see above.
    Returns, Raises: see exponential_decay.
    Example:
        rate = tf.train.linear_cosine_decay(1.0, tfe.Variable(500), 1000)
        round(float(rate()), 3)  # 0.251
    Reference: Bello et al., Neural optimizer search with reinforcement learning (ICML
    2017), section 4.
    """
    _, line, wave = _line_and_wave(global_step, decay_steps, num_periods, like)
    return multiply(learning_rate, (like(alpha) + line) * wave + like(beta), name=name)


@_decay("NoisyLinearCosineDecay")
def noisy_linear_cosine_decay(
    learning_rate, global_step, decay_steps, initial_variance=1.0, variance_decay=0.55,
    num_periods=0.5, alpha=0.0, beta=0.001, *, like, name,
):  # fmt: skip
    """As linear_cosine_decay, with noise on the line.

    Args:
        initial_variance: the variance of the noise at first.
        variance_decay: it is divided by (1 + step) ** variance_decay.
        Others: see linear_cosine_decay.
    Returns, Raises: see exponential_decay.
    Example:
        rate = tf.train.noisy_linear_cosine_decay(1.0, tfe.Variable(1000), 1000)
        round(float(rate()), 3)  # 0.001
    Reference: see linear_cosine_decay.
    """
    variance, variance_decay = like(initial_variance), like(variance_decay)
    step, line, wave = _line_and_wave(global_step, decay_steps, num_periods, like)
    spread = sqrt(variance / pow(1.0 + step, variance_decay))
    noise = random_normal(line.shape, stddev=spread)
    return multiply(
        learning_rate, (like(alpha) + line + noise) * wave + like(beta), name=name
    )
