"""Initializers of tf.contrib.layers."""

import math
from typing import Any

from twinflow.base import dtypes
from twinflow.ops.random.draws import random_uniform, truncated_normal


def variance_scaling_initializer(
    factor: Any = 2.0, mode: Any = "FAN_IN", uniform: bool = False, seed: Any = None,
    dtype: Any = dtypes.float32,
) -> Any:  # fmt: skip
    """An initializer with variance factor / n, whatever the shape.

    Args:
        factor: a number. mode: n is that of the inputs ("FAN_IN"), the outputs
            ("FAN_OUT"), or their mean ("FAN_AVG").
        uniform: uniform, or normal without what is far off.
        seed: an int. dtype: a float DType.
    Raises:
        TypeError: dtype or mode is not one of these.
    Reference: He et al., Delving deep into rectifiers (ICCV 2015).
    """
    if not dtypes.as_dtype(dtype).is_floating:
        raise TypeError("Cannot create initializer for non-floating point type.")
    if mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
        raise TypeError(f"Unknown mode {mode} [FAN_IN, FAN_OUT, FAN_AVG]")

    def initializer(shape, dtype=dtype, partition_info=None):
        if not dtypes.as_dtype(dtype).is_floating:
            raise TypeError("Cannot create initializer for non-floating point type.")
        n = _fan(shape, mode)
        if uniform:
            limit = math.sqrt(3.0 * factor / n)
            return random_uniform(shape, -limit, limit, dtype, seed=seed)
        return truncated_normal(shape, 0.0, math.sqrt(1.3 * factor / n), dtype, seed)

    return initializer


def _fan(shape, mode):
    """How many numbers go into (or come out of) one sum; fields of filters count."""
    dims = [float(d) for d in shape]
    ins, outs = (dims[-2] if len(dims) > 1 else dims[-1], dims[-1]) if dims else (1, 1)
    field = math.prod(dims[:-2])
    ins, outs = ins * field, outs * field
    n = {"FAN_IN": ins, "FAN_OUT": outs, "FAN_AVG": (ins + outs) / 2.0}[mode]
    if n < 1:
        raise ValueError(f"The shape {list(shape)} has an axis of size 0.")
    return n


def xavier_initializer(
    uniform: bool = True, seed: Any = None, dtype: Any = dtypes.float32
) -> Any:
    """An initializer that keeps the size of gradients about the same in all layers.

    Args: see variance_scaling_initializer.
    Reference: Glorot and Bengio, Understanding the difficulty of training deep
    feedforward neural networks (AISTATS 2010).
    """
    return variance_scaling_initializer(1.0, "FAN_AVG", uniform, seed, dtype)
