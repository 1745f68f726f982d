"""Functions for tests/data/test_processes.py, which worker processes import."""

import os
import signal
import sys

import numpy as np

from twinflow.base import dtypes
from twinflow.execute.py_func import py_func
from twinflow.ops.core.constant import constant
from twinflow.ops.strings.number import as_string


def of_arrays(function, x, dtype=dtypes.int64, shape=()):
    """`function` of an array as a map function."""
    y = py_func(function, [x], dtype)
    y.set_shape(shape)
    return y


def process(x):
    """An element and the process that works on it."""
    return x, of_arrays(lambda x: np.int64(os.getpid()), x)


def of_kinds(x):
    """Results of several kinds: ops and Python, strings, shapes that differ."""
    row = of_arrays(lambda x: np.full(x % 3, x), x, shape=[None])
    return {
        "twice": of_arrays(lambda x: x + 1, x) * 2,
        "row": row,
        "text": as_string(x),
    }


def image(x):
    """A large array."""
    draw = lambda x: np.full((64, 300), x, np.float32)
    return of_arrays(draw, x, dtypes.float32, (64, 300))


def fails_at_ten(x):
    """An error of number 10."""

    def function(x):
        if x == 10:
            raise ValueError("ten is too much")
        return x

    return of_arrays(function, x)


def dies_at_ten(x, how):
    """The process ends at number 10."""

    def function(x):
        if x == 10:
            os._exit(3) if how == "exit" else os.kill(os.getpid(), signal.SIGKILL)
        return x

    return of_arrays(function, x)


def has_jax(x):
    """Whether jax was imported."""
    return of_arrays(lambda x: np.int64("jax" in sys.modules), x)


class Plus:
    """A function with a value of its own: a tensor."""

    def __init__(self, number):
        self.number = constant(number, dtypes.int64)

    def __call__(self, x):
        return x + self.number


class Odd(Exception):
    """An exception that cannot be pickled."""

    def __init__(self, text):
        super().__init__(text)
        self.function = lambda: text
