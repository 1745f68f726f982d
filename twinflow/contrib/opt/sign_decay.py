"""How the signs of AddSign and PowerSign fade away over the steps."""

import math
from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.base.tensor import Tensor
from twinflow.ops.core.compare import greater_equal, where
from twinflow.ops.core.constant import cast
from twinflow.ops.core.division import mod
from twinflow.ops.core.elementwise import maximum, minimum
from twinflow.ops.math.trigonometry import cos


def get_linear_decay_fn(decay_steps: Any) -> Callable[[Any], Tensor]:
    """A function of the global step that goes from 1 to 0 in a line.

    Args:
        decay_steps: after how many steps it is 0.
    Example:
        from tensorflow.contrib.opt.python.training.sign_decay import *
        get_linear_decay_fn(8)(tf.constant(2))  # 0.75
    """

    def linear_decay_fn(global_step: Any) -> Tensor:
        if global_step is None:
            raise ValueError("global_step is required for linear_decay.")
        step = minimum(global_step, decay_steps)
        left = cast(decay_steps, dtypes.int32) - cast(step, dtypes.int32)
        share = cast(left, dtypes.float32) / cast(decay_steps, dtypes.float32)
        return maximum(0.0, share)

    return linear_decay_fn


def get_cosine_decay_fn(
    decay_steps: Any, num_periods: float = 0.5, zero_after: float | None = None
) -> Callable[[Any], Tensor]:
    """A function of the global step that is half of 1 plus a cosine.

    Args:
        decay_steps: after how many steps it stays as it is.
        num_periods: how many periods of the cosine there are until then.
        zero_after: it is 0 from this many periods on.
    Example:
        from tensorflow.contrib.opt.python.training.sign_decay import *
        get_cosine_decay_fn(8)(tf.constant(4))  # 0.5
    """

    def cosine_decay_fn(global_step: Any) -> Tensor:
        share = _share(global_step, decay_steps)
        periods = num_periods * share
        faded = 0.5 * (1.0 + cos(2.0 * math.pi * periods))
        return _until(faded, periods, zero_after)

    return cosine_decay_fn


def get_restart_decay_fn(
    decay_steps: Any, num_periods: float = 1, zero_after: float | None = None
) -> Callable[[Any], Tensor]:
    """A function of the global step that goes from 1 to 0 again and again.

    Args:
        decay_steps: after how many steps it stays as it is.
        num_periods: how many times it goes to 0 until then.
        zero_after: it is 0 from this many times on.
    Example:
        from tensorflow.contrib.opt.python.training.sign_decay import *
        get_restart_decay_fn(8, num_periods=2)(tf.constant(2))  # 0.5
    """

    def restart_decay_fn(global_step: Any) -> Tensor:
        _check(global_step)
        step = cast(minimum(global_step, decay_steps), dtypes.float32)
        steps = cast(decay_steps, dtypes.float32)
        faded = 0.5 * (1.0 + cos(math.pi * (mod(num_periods * step, steps) / steps)))
        return _until(faded, num_periods * (step / steps), zero_after)

    return restart_decay_fn


def _check(global_step):
    if global_step is None:
        raise ValueError("global_step is required for cosine_decay.")


def _share(global_step, decay_steps):
    """Which part of the steps is done."""
    _check(global_step)
    step = cast(minimum(global_step, decay_steps), dtypes.float32)
    return step / cast(decay_steps, dtypes.float32)


def _until(faded, periods, zero_after):
    if zero_after is None:
        return faded
    return where(greater_equal(periods, zero_after), faded * 0.0, faded)
