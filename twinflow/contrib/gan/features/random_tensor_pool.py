"""A pool of what was generated before."""

from typing import Any

from twinflow.base import nest
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.constant import identity
from twinflow.ops.queues.kinds import RandomShuffleQueue
from twinflow.ops.random.draws import random_uniform


def tensor_pool(
    input_values: Any, pool_size: int = 50, pooling_probability: float = 0.5,
    name: str = "tensor_pool",
) -> Any:  # fmt: skip
    """What comes in, or instead of it something that came in before.

    Until the pool is full, what comes in is put there and given back. Then it replaces
    something that is drawn from the pool, and one of the two is given back.

    Args:
        input_values: a tensor or a structure of them.
        pool_size: how many it holds; 0 for none.
        pooling_probability: of giving the one from the pool. name: the name scope.
    Raises:
        ValueError: pool_size is negative.
    Reference: Shrivastava et al., Learning from simulated and unsupervised images
        through adversarial training (2016).
    Example:
        x = tf.placeholder(tf.float32, [2])
        tf.contrib.gan.features.tensor_pool(x)  # float32[2]
    """
    if pool_size < 0:
        raise ValueError("`pool_size` is negative.")
    if pool_size == 0:
        return input_values
    flat = nest.flatten(input_values)
    with name_scope(f"{name}_pool_queue", values=flat):
        pool = RandomShuffleQueue(
            capacity=pool_size, min_after_dequeue=0, dtypes=[v.dtype for v in flat]
        )
        found = cond(
            pool.size() < pool_size,
            lambda: _kept(pool, flat),
            lambda: _exchanged(pool, flat, pooling_probability),
        )
    found = list(found) if isinstance(found, list | tuple) else [found]
    for value, given in zip(found, flat, strict=True):
        value.set_shape(given.shape)
    return nest.pack_sequence_as(input_values, found)


def _kept(pool, values):
    with control_dependencies([pool.enqueue(values)]):
        return [identity(v) for v in values]


def _exchanged(pool, values, probability):
    old = pool.dequeue()
    old = list(old) if isinstance(old, list | tuple) else [old]
    with control_dependencies(old), control_dependencies([pool.enqueue(values)]):
        return cond(
            random_uniform([]) < probability,
            lambda: [identity(v) for v in old],
            lambda: [identity(v) for v in values],
        )
