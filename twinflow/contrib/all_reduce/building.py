"""Reductions across devices by the algorithms of tf.contrib.all_reduce.

Note [Reductions in parts]: a ring cuts the tensors into a chunk for each device, and
each chunk goes round beginning with another one; halving and doubling reduces in pairs;
a shuffle gathers chunks on devices of its own. What they give is the same but for the
order of the sums. Hybrids do one of them among the devices of a worker, and another one
across workers. Here all devices are those of this process.
"""

import functools
import itertools
from collections.abc import Callable
from typing import Any

from twinflow.base.devices import DeviceSpec
from twinflow.contrib.nccl.collectives import all_sum
from twinflow.graph.scopes import device
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import reshape


def build_ring_all_reduce(
    input_tensors: Any, num_workers: int, num_subchunks: int, gpu_perm: Any,
    red_op: Callable[..., Any], un_op: Callable[..., Any] | None = None,
) -> list[Any]:  # fmt: skip
    """Reduce tensors chunk by chunk, in rings; see Note [Reductions in parts].

    Args:
        input_tensors: two or more tensors of one known shape, each on a device.
        num_workers: how many workers the devices are on.
        num_subchunks: into how many parts a chunk is cut; gpu_perm: the order of the
            devices of a worker.
        red_op: of two tensors. un_op: of the reduced tensor, elementwise; or None.
    Returns:
        The reduced tensor on each device.
    Raises:
        ValueError: there are fewer tensors, or their shape is not known.
    Example:
        x = [tf.constant([1.0, 2.0, 3.0]), tf.constant([4.0, 5.0, 6.0])]
        y = tf.contrib.all_reduce.build_ring_all_reduce(x, 1, 1, [0, 1], tf.add)
        y[1]  # [5.0, 7.0, 9.0]
    """
    if len(input_tensors) < 2:
        raise ValueError("input_tensors must be length 2 or longer")
    flat, shape = _flat(input_tensors)
    if num_subchunks > max(len(gpu_perm), 1):
        raise ValueError(
            f"num_subchunks {num_subchunks} must be <= num_gpus {len(gpu_perm)}"
        )
    count = len(flat)
    ring = [w * len(gpu_perm) + p for w in range(num_workers) for p in gpu_perm]
    if sorted(ring) != list(range(count)):
        raise ValueError(
            f"gpu_perm {list(gpu_perm)} for {num_workers} workers does not name each "
            f"of the {count} tensors once"
        )
    chunks = []
    for i, (start, stop) in enumerate(_cuts(flat[0], count * num_subchunks)):
        order = [ring[(i + k) % count] for k in range(count)]
        with device(_place(flat[order[-1]])):
            parts = [flat[k][start:stop] for k in order]
            chunks.append(_applied(un_op, functools.reduce(red_op, parts)))
    return _spread(chunks, flat, shape)


def build_recursive_hd_all_reduce(
    input_tensors: Any,
    red_op: Callable[..., Any],
    un_op: Callable[..., Any] | None = None,
) -> list[Any]:
    """Reduce tensors in pairs, then pairs of pairs; see Note [Reductions in parts].

    Args:
        input_tensors: a power of 2 of tensors. Others: see `build_ring_all_reduce`.
    Raises:
        ValueError: their number is not a power of 2.
    """
    flat, shape = _flat(input_tensors)
    if len(flat) & (len(flat) - 1):
        raise ValueError("num_devices must be a power of 2")
    left = flat
    while len(left) > 1:
        pairs = zip(left[::2], left[1::2], strict=True)
        left = [_pair(red_op, a, b) for a, b in pairs]
    return _spread([_applied(un_op, left[0])], flat, shape)


def _pair(red_op: Callable, a: Any, b: Any) -> Any:
    with device(_place(a)):
        return red_op(a, b)


def build_shuffle_all_reduce(
    input_tensors: Any, gather_devices: Any, red_op: Callable[..., Any],
    un_op: Callable[..., Any] | None = None,
) -> list[Any]:  # fmt: skip
    """Reduce each chunk on a device of its own; see Note [Reductions in parts].

    Args:
        gather_devices: the names of these devices, one for each chunk.
        red_op: of a list of tensors, such as tf.add_n.
        input_tensors, un_op: see `build_ring_all_reduce`.
    """
    flat, shape = _flat(input_tensors)
    chunks = []
    for (start, stop), place in zip(
        _cuts(flat[0], len(gather_devices)), gather_devices, strict=True
    ):
        with device(place):
            chunks.append(_applied(un_op, red_op([t[start:stop] for t in flat])))
    return _spread(chunks, flat, shape)


def build_nccl_all_reduce(
    input_tensors: Any,
    red_op: Callable[..., Any],
    un_op: Callable[..., Any] | None = None,
) -> list[Any]:
    """Add tensors up, as tf.contrib.nccl.all_sum does.

    Args:
        red_op: tf.add. input_tensors, un_op: see `build_ring_all_reduce`.
    Raises:
        ValueError: `red_op` is another function.
    """
    if getattr(red_op, "__name__", None) not in ("add", "add_n"):
        raise ValueError("red_op not supported by NCCL all-reduce: ", red_op)
    found = []
    for t in all_sum(list(input_tensors)):
        with device(_place(t)):
            found.append(_applied(un_op, t))
    return found


# ------------------------------------------------------------------ two levels
def build_nccl_then_ring(
    input_tensors: Any,
    subdiv: int,
    red_op: Callable[..., Any],
    un_op: Callable[..., Any] | None = None,
) -> list[Any]:
    """NCCL among the devices of a worker, a ring across workers.

    Args:
        subdiv: num_subchunks of the ring. Others: see `build_ring_all_reduce`.
    """
    upper = lambda ts: build_ring_all_reduce(ts, len(ts), subdiv, [0], red_op, un_op)
    return _two_levels(input_tensors, _sum_of(red_op), upper, un_op)


def build_nccl_then_recursive_hd(
    input_tensors: Any,
    red_op: Callable[..., Any],
    un_op: Callable[..., Any] | None = None,
) -> list[Any]:
    """NCCL among the devices of a worker, halving and doubling across workers."""
    upper = lambda ts: build_recursive_hd_all_reduce(ts, red_op, un_op)
    return _two_levels(input_tensors, _sum_of(red_op), upper, un_op)


def build_nccl_then_shuffle(
    input_tensors: Any, gather_devices: Any, nccl_red_op: Callable[..., Any],
    shuffle_red_op: Callable[..., Any], un_op: Callable[..., Any] | None = None,
) -> list[Any]:  # fmt: skip
    """NCCL among the devices of a worker, a shuffle across workers."""
    upper = lambda ts: build_shuffle_all_reduce(
        ts, gather_devices, shuffle_red_op, un_op
    )
    return _two_levels(input_tensors, _sum_of(nccl_red_op), upper, un_op)


def build_shuffle_then_ring(
    input_tensors: Any, gather_devices: Any, subdiv: int, red_n_op: Callable[..., Any],
    red_op: Callable[..., Any], un_op: Callable[..., Any] | None = None,
) -> list[Any]:  # fmt: skip
    """A shuffle among the devices of a worker, a ring across workers."""
    upper = lambda ts: build_ring_all_reduce(ts, len(ts), subdiv, [0], red_op, un_op)
    return _two_levels(input_tensors, red_n_op, upper, un_op, gather_devices)


def build_shuffle_then_shuffle(
    input_tensors: Any, first_gather_devices: Any, second_gather_devices: Any,
    red_op: Callable[..., Any], un_op: Callable[..., Any] | None = None,
) -> list[Any]:  # fmt: skip
    """A shuffle among the devices of a worker, another one across workers."""
    upper = lambda ts: build_shuffle_all_reduce(
        ts, second_gather_devices, red_op, un_op
    )
    return _two_levels(input_tensors, red_op, upper, un_op, first_gather_devices)


def _sum_of(red_op: Callable) -> Callable:
    return lambda tensors: build_nccl_all_reduce(tensors, red_op)[0]


def _two_levels(
    input_tensors: Any, lower: Callable, upper: Callable, un_op: Callable | None,
    gather_devices: Any = None,
) -> list:  # fmt: skip
    """Reduce on each worker, then across workers, and copy to all devices."""
    flat, shape = _flat(input_tensors)
    workers: dict = {}
    for i, t in enumerate(flat):
        spec = DeviceSpec.from_string(_place(t))
        workers.setdefault((spec.job, spec.replica, spec.task), []).append(i)
    if gather_devices is not None and len(gather_devices) < len(workers):
        raise ValueError(
            "For shuffle hybrid, gather_devices must contain one device per worker. "
        )
    sums = []
    for number, places in enumerate(workers.values()):
        on = gather_devices[number] if gather_devices else _place(flat[places[0]])
        with device(on):
            sums.append(lower([flat[i] for i in places]))
    if len(sums) > 1:
        sums = upper(sums)
    else:
        sums = [_applied(un_op, sums[0])]
    found: list = [None] * len(flat)
    for total, places in zip(sums, workers.values(), strict=True):
        for i in places:
            found[i] = _back(total, flat[i], shape)
    return found


# ------------------------------------------------------------------ pieces
def _flat(tensors: Any) -> tuple[list, Any]:
    """(the tensors as vectors, their shape)."""
    if not tensors:
        raise ValueError("tensors cannot be empty")
    tensors = [convert_to_tensor(t) for t in tensors]
    shape = functools.reduce(lambda s, t: s.merge_with(t.shape), tensors[1:],
                             tensors[0].shape)  # fmt: skip
    if not shape.is_fully_defined():
        raise ValueError("Tensors must have statically known shape.")
    vectors = []
    for t in tensors:
        with device(_place(t)):
            vectors.append(reshape(t, [-1]))
    return vectors, shape.as_list()


def _cuts(vector: Any, count: int) -> list[tuple[int, int]]:
    """Pairs of (begin, end) that cut a vector; the first ones are longer by one."""
    size = vector.shape.as_list()[0]
    starts = [i * (size // count) + min(i, size % count) for i in range(count + 1)]
    return list(itertools.pairwise(starts))


def _place(tensor: Any) -> str:
    return getattr(tensor, "device", "") or ""


def _applied(un_op: Callable | None, tensor: Any) -> Any:
    return tensor if un_op is None else un_op(tensor)


def _spread(chunks: list, like: list, shape: list) -> list:
    """The chunks joined on the device of each tensor."""
    found = []
    for t in like:
        with device(_place(t)):
            whole = concat(chunks, 0) if len(chunks) > 1 else chunks[0]
        found.append(_back(whole, t, shape))
    return found


def _back(vector: Any, like: Any, shape: list) -> Any:
    with device(_place(like)):
        return reshape(identity(vector), shape)
