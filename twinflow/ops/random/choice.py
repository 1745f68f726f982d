"""Ops that choose at random: orders, classes, places."""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes, errors, native
from twinflow.base.annotations import DTypeValue
from twinflow.base.convert import holds_tensor
from twinflow.base.op import InferError
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.division import floormod
from twinflow.ops.core.elementwise import add, subtract
from twinflow.ops.core.infer import host_ranked, ints, ranked, text
from twinflow.ops.core.shape import shape
from twinflow.ops.core.slicing import slice
from twinflow.ops.random import original, philox
from twinflow.ops.random.draws import random_uniform, scoped
from twinflow.ops.random.streams import Original, define_draw, draw

_ROWS = 4096  # classes * samples from which NumPy does better row by row


def _shuffled(xp, key, position, value):
    if np.ndim(value) == 0:
        return value
    order = philox.permutation(xp, key, position, value.shape[0])
    return xp.take(value, order, axis=0, mode="clip")


def _exchanged(jax, key, position, value):
    if np.ndim(value) == 0 or value.shape[0] <= 1 or 0 in value.shape:
        return value
    order = original.order(jax, key, position, value.shape[0])
    xp = np if jax is None else jax.numpy
    return xp.take(value, order, axis=0, mode="clip")


def _exchanges(value, **_):
    count = np.shape(value)[0] if np.ndim(value) and 0 not in np.shape(value) else 1
    return (count - 1 + 3) // 4


RandomShuffle = define_draw(
    "RandomShuffle",
    infer=lambda value, **_: value._shape,
    draw=_shuffled,
    original=Original(_exchanged, _exchanges),
)


def random_shuffle(
    value: TensorValue, seed: int | None = None, name: str | None = None
) -> Tensor:
    """The slices of `value` along its first axis, in random order.

    Args:
        value: a tensor of any dtype.
        seed: an int; see tf.set_random_seed.
        name: the name of the result in a graph.
    Returns:
        A tensor like `value`; in the same order in every mode.
    Example:
        tf.random_shuffle([[1, 2], [3, 4], [5, 6]])  # int32[3, 2]
    """
    return draw(RandomShuffle, (value,), {}, seed, name)


def infer_multinomial(logits, num_samples, *_, **__):
    """int[batch, num_samples] of logits[batch, classes]."""
    message = "logits should be a matrix, got shape {}"
    batch, classes = ranked(logits._shape, 2, message)
    if classes == 0:
        raise InferError("num_classes should be positive, got 0", later=True)
    if num_samples is None or type(num_samples) is tuple:
        return (batch, None)
    host_ranked(num_samples, 0, "num_samples should be a scalar, got shape {}")
    n = np.asarray(num_samples)
    if n < 0:
        raise InferError(
            f"num_samples should be nonnegative, got {n}",
            f"Dimension size, given by scalar input 1, must be non-negative but is {n}",
        )
    return (batch, int(n))


def _sampled(xp, key, position, logits, num_samples, output_dtype):
    draws = (logits.shape[0], int(num_samples))
    u = philox.uniform(xp, key, position, draws, np.float64)
    return chosen(xp, logits, u).astype(output_dtype.np)


def _chosen_in_c(logits, u):
    """`chosen` by the C module (native/draws.c), or None."""
    wide = logits.dtype == np.float64
    if not (wide or logits.dtype == np.float32) or not (logits.size and u.size):
        return None
    if not hasattr(native.fast, "chosen"):
        return None
    x, out = np.ascontiguousarray(logits), np.empty(u.shape, np.int64)
    good = native.fast.chosen(x, u, out, wide, x.shape[1], philox.THREADS)
    return out if good else None


def chosen(xp, logits, u):
    """The classes that uniform numbers float64[batch, n] stand for."""
    found = _chosen_in_c(logits, u) if xp is np else None
    if found is not None:
        return found
    x = logits.astype(np.float64)
    cdf = xp.cumsum(xp.exp(x - xp.max(x, axis=1, keepdims=True)), axis=1)
    return xp.minimum(_classes(xp, cdf, u * cdf[:, -1:]), x.shape[1] - 1)


def _classes(xp, cdf, u):
    """For each row, how many entries of the sums `cdf` are not above `u`."""
    if xp is np and cdf.shape[1] * u.shape[1] > _ROWS:
        out = np.empty(u.shape, np.int64)
        for row, sums, values in zip(out, cdf, u):
            row[:] = sums.searchsorted(values, "right")
        return out
    return xp.sum(cdf[:, None, :] <= u[:, :, None], axis=2)


def _sampled_originally(jax, key, position, logits, num_samples, output_dtype):
    xp = np if jax is None else jax.numpy
    draws = (logits.shape[0], int(num_samples))
    u = original.uniform(xp, key, position, draws, np.float64)
    return chosen(xp, logits, u).astype(output_dtype.np)


def _blocks(logits, num_samples, **_):
    rounded = -(-int(num_samples) // 4) * 4
    return original.elements(logits.shape[0] * rounded * 2)


Multinomial = define_draw(
    "Multinomial",
    on_host="num_samples",
    infer=infer_multinomial,
    draw=_sampled,
    original=Original(_sampled_originally, _blocks),
)


def multinomial(
    logits: TensorValue, num_samples: Any, seed: int | None = None,
    name: str | None = None, output_dtype: Any = None,
) -> Tensor:  # fmt: skip
    """Classes drawn with the probabilities softmax(logits), by inverting their sum.

    Args:
        logits: T[batch, classes], log probabilities up to a constant; -inf = never.
        num_samples: int32[], how many to draw for each row.
        seed: an int; see tf.set_random_seed.
        name: the name scope in a graph.
        output_dtype: int64 (by default) or int32.
    Returns:
        output_dtype[batch, num_samples], entries in [0, classes).
    Raises:
        tf.errors.InvalidArgumentError: `logits` is no matrix, or has no classes.
    Example:
        tf.multinomial(tf.log([[0.9, 0.1]]), 5)  # int64[1, 5]
    """
    attrs = {"output_dtype": dtypes.as_dtype(output_dtype or dtypes.int64)}
    with scoped(name, "multinomial"):
        logits = convert_to_tensor(logits, name="logits")
        return draw(Multinomial, (logits, num_samples), attrs, seed)


def categorical(
    logits: TensorValue, num_samples: Any, dtype: DTypeValue | None = None,
    seed: int | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """As `tf.multinomial`, with the later name and order of arguments."""
    return multinomial(logits, num_samples, seed, name or "categorical", dtype)


def random_crop(
    value: TensorValue, size: TensorValue, seed: int | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """A block of `value` at a random place.

    Args:
        value: T[...].
        size: int32[rank of value], the shape of the block.
        seed: an int; see tf.set_random_seed.
        name: the name of the result in a graph.
    Returns:
        T[size], from the same place in every mode.
    Raises:
        tf.errors.InvalidArgumentError: `value` is smaller than `size`.
    Example:
        tf.random_crop(tf.ones([32, 32, 3]), [24, 24, 3]).shape  # (24, 24, 3)
    """
    mode = dispatch.current_mode()
    with scoped(name, "random_crop") as scope:
        mode.leave_ids(7)
        value = convert_to_tensor(value, name="value")
        _check_crop(value._shape, size)
        size = convert_to_tensor(size, dtypes.int32, name="size")
        have = shape(value)
        limit = add(subtract(have, size, "sub"), 1, "add")
        any_place = random_uniform(
            shape(have), dtype=size.dtype, maxval=size.dtype.max, seed=seed
        )
        place = floormod(any_place, limit, "mod")
        return slice(value, place, size, scope)


def _check_crop(have, size):
    known = isinstance(size, dispatch.EagerTensor) or not holds_tensor(size)
    if have is None or not known:
        return
    size = ints(np.asarray(size))
    if len(size) == len(have) and any(
        h is not None and h < s for h, s in zip(have, size)
    ):
        raise errors.InvalidArgumentError(
            None, None, f"Need value.shape >= size, got {text(have)} and {text(size)}"
        )
