"""Which parameter server gets a variable."""

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np


class RandomStrategy:
    """A server for each node, by a hash of its name.

    Args:
        num_ps_tasks: how many servers. seed: goes into the hash.
    """

    def __init__(self, num_ps_tasks: int, seed: int = 0) -> None:
        self._num_tasks, self._seed = num_ps_tasks, seed

    def __call__(self, op: Any) -> int:
        key = f"{op.name}_{self._seed}".encode("utf-8", "ignore")
        return int(hashlib.md5(key).hexdigest(), 16) % self._num_tasks


class GreedyLoadBalancingStrategy:
    """The server with the least load so far.

    Args:
        num_tasks: how many servers. load_fn: of an op, its load.
    Example:
        choose = tf.contrib.training.GreedyLoadBalancingStrategy(2, lambda op: op)
        [choose(3), choose(1), choose(1), choose(2)]  # [0, 1, 1, 1]
    """

    def __init__(self, num_tasks: int, load_fn: Callable) -> None:
        self._num_tasks, self._load_fn = num_tasks, load_fn
        self._ps_loads = np.zeros(num_tasks)

    def __call__(self, op: Any) -> int:
        task = int(np.argmin(self._ps_loads))
        self._ps_loads[task] += self._load_fn(op)
        return task


def byte_size_load_fn(op: Any) -> int:
    """How many bytes the first output of a node has.

    Args:
        op: a node whose one output has a known shape.
    Raises:
        ValueError: the node has several outputs, or the shape is not known.
    """
    if len(op.outputs) != 1:
        raise ValueError(f"Op {op} must have a single output")
    output = op.outputs[0]
    shape = output.get_shape()
    shape.assert_is_fully_defined()
    return shape.num_elements() * output.dtype.size
