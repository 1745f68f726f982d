"""Computations on several shards: replicate, shard, batch_parallel and rewrite.

There is no TPU: shards are towers of this process; see Note [Shards] in `cross_shard`.
"""

from collections.abc import Callable
from typing import Any

from twinflow.contrib.tpu.cross_shard import over_shards
from twinflow.contrib.tpu.function import check_function_argument_count
from twinflow.graph.node import Node
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.joining import concat, split


def replicate(
    computation: Callable[..., Any], inputs: Any = None, infeed_queue: Any = None,
    device_assignment: Any = None, name: str | None = None,
) -> list[Any]:  # fmt: skip
    """What a computation gives for each replica.

    Args:
        computation: of n tensors. inputs: a list of n tensors for each replica; one
            replica without inputs by default.
        infeed_queue, device_assignment: refused. name: accepted.
    Returns:
        A list of outputs for each replica.
    Raises:
        TypeError: the inputs do not fit. ValueError: something else is given.
    Example:
        double = lambda x: x * 2.0
        with tf.Graph().as_default(), tf.Session() as sess:
            ys = tf.contrib.tpu.replicate(double, [[1.0], [4.0]])
            [y[0] for y in sess.run(ys)]  # [2.0, 8.0]
    """
    if infeed_queue is not None or device_assignment is not None:
        raise ValueError(
            "There is no TPU: leave infeed_queue and device_assignment out"
        )
    given = [[]] if inputs is None else [list(row) for row in inputs]
    if not given:
        return []
    if len({len(row) for row in given}) > 1:
        raise ValueError(
            "Input lists for each replica must have the same length, got "
            f"{[len(row) for row in given]}"
        )
    wrong = check_function_argument_count(computation, len(given[0]), None)
    if wrong is not None:
        raise TypeError(
            "Supplied computation cannot be called with the specified inputs. You "
            f"specified {len(given[0])} inputs, but the computation needs {wrong}"
        )
    rows = [[convert_to_tensor(x) for x in row] for row in given]
    return over_shards(len(rows), lambda i: _listed(computation(*rows[i])))


def _listed(outputs: Any) -> list:
    outputs = () if outputs is None else outputs
    outputs = outputs if isinstance(outputs, list | tuple) else [outputs]
    return [o if isinstance(o, Node) else convert_to_tensor(o) for o in outputs]


def shard(
    computation: Callable[..., Any], inputs: Any = None, num_shards: int = 1,
    input_shard_axes: Any = None, outputs_from_all_shards: Any = True,
    output_shard_axes: Any = None, infeed_queue: Any = None,
    device_assignment: Any = None, name: str | None = None,
) -> list[Any]:  # fmt: skip
    """What a computation gives for parts of its inputs, joined.

    Args:
        computation: of n tensors. inputs: n tensors. num_shards: how many parts.
        input_shard_axes, output_shard_axes: the axis that each is cut and joined along,
            0 by default; None for one that is not.
        outputs_from_all_shards: for each output whether it is joined; else it is that
            of the first shard. infeed_queue, device_assignment, name: see `replicate`.
    Raises:
        ValueError: numbers do not fit.
    Example:
        with tf.Graph().as_default(), tf.Session() as sess:
            x = tf.constant([1.0, 2.0, 3.0, 4.0])
            total = lambda x: x - tf.reduce_sum(x)
            sess.run(tf.contrib.tpu.shard(total, [x], 2))  # [[-2., -1., -4., -3.]]
    """
    if num_shards <= 0:
        raise ValueError("num_shards must be a positive integer.")
    given = [convert_to_tensor(x) for x in inputs or []]
    axes = _each(input_shard_axes, 0, len(given), "input_shard_axes")
    columns = [
        [x] * num_shards if axis is None else split(x, num_shards, axis)
        for x, axis in zip(given, axes, strict=True)
    ]
    rows = [[c[i] for c in columns] for i in range(num_shards)]
    found = replicate(computation, rows, infeed_queue, device_assignment, name)
    count = len(found[0])
    axes = _each(output_shard_axes, 0, count, "output_shard_axes")
    joined = _each(outputs_from_all_shards, True, count, "outputs_from_all_shards")
    results = []
    for outs, axis, whole in zip(zip(*found, strict=True), axes, joined, strict=True):
        if isinstance(outs[0], Node) or axis is None or not whole:
            results.append(outs[0])
        else:
            results.append(outs[0] if num_shards == 1 else concat(list(outs), axis))
    return results


def _each(given: Any, default: Any, count: int, what: str) -> list:
    if not isinstance(given, list | tuple):
        return [default if given is None else given] * count
    if len(given) != count:
        raise ValueError(f"Length of {what} must be {count}, got {len(given)}")
    return list(given)


def batch_parallel(
    computation: Callable[..., Any], inputs: Any = None, num_shards: int = 1,
    infeed_queue: Any = None, device_assignment: Any = None, name: str | None = None,
) -> list[Any]:  # fmt: skip
    """`shard` along the first axis of everything."""
    return shard(
        computation, inputs, num_shards, infeed_queue=infeed_queue,
        device_assignment=device_assignment, name=name,
    )  # fmt: skip


def rewrite(
    computation: Callable[..., Any], inputs: Any = None, infeed_queue: Any = None,
    device_assignment: Any = None, name: str | None = None,
) -> list[Any]:  # fmt: skip
    """What a computation gives, a list; see `replicate`.

    Args:
        inputs: its tensors.
    """
    row = None if inputs is None else [inputs]
    return replicate(computation, row, infeed_queue, device_assignment, name)[0]
