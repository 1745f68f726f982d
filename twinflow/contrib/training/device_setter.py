"""Which parameter server a variable is put on, for tf.train.replica_device_setter."""

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np


class RandomStrategy:
    """A task for each name of an operation, the same in every run.

    Args:
        num_ps_tasks: how many there are. seed: another one gives other tasks.
    Example:
        with tf.Graph().as_default(): op = tf.Variable(0., name="v").op
        tf.contrib.training.RandomStrategy(2)(op)  # 1
    """

    def __init__(self, num_ps_tasks: int, seed: int = 0) -> None:
        self._num_tasks, self._seed = num_ps_tasks, seed

    def __call__(self, op: Any) -> int:
        """The index of a task."""
        key = f"{op.name}_{self._seed}".encode()
        return int(hashlib.md5(key).hexdigest(), 16) % self._num_tasks


class GreedyLoadBalancingStrategy:
    """Always the task that has least.

    Args:
        num_tasks: how many there are. load_fn: from an operation to what it weighs.
    Example:
        strategy = tf.contrib.training.GreedyLoadBalancingStrategy(2, lambda op: op)
        [strategy(weight) for weight in (3, 1, 1, 2)]  # [0, 1, 1, 1]
    """

    def __init__(self, num_tasks: int, load_fn: Callable[..., Any]) -> None:
        self._num_tasks, self._load_fn = num_tasks, load_fn
        self._ps_loads = np.zeros(num_tasks)

    def __call__(self, op: Any) -> int:
        """The index of a task."""
        task = int(np.argmin(self._ps_loads))
        self._ps_loads[task] += self._load_fn(op)
        return task


def byte_size_load_fn(op: Any) -> int:
    """How many bytes the output of an operation takes.

    Args:
        op: an Operation with one output of a known shape.
    Raises:
        ValueError: it has several, or an unknown shape.
    Example:
        with tf.Graph().as_default(): op = tf.Variable(tf.zeros([3])).op
        tf.contrib.training.byte_size_load_fn(op)  # 12
    """
    if len(op.outputs) != 1:
        raise ValueError(f"Op {op} must have a single output")
    output = op.outputs[0]
    output.shape.assert_is_fully_defined()
    return output.dtype.size * output.shape.num_elements()
