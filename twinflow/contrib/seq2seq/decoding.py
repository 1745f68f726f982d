"""Small parts of decoders."""

from typing import Any

from twinflow.base import nest
from twinflow.base.shapes import TensorShape
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.joining import concat, tile
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.math.positions import argmax


def hardmax(logits: Any, name: str | None = None) -> Any:
    """1 at the largest number of each row, 0 elsewhere.

    Args:
        logits: float[..., n].
    """
    with name_scope(name, "Hardmax", [logits]):
        logits = convert_to_tensor(logits, name="logits")
        depth = logits.shape[-1].value
        depth = shape(logits)[-1] if depth is None else depth
        return one_hot(argmax(logits, -1), depth, dtype=logits.dtype)


def tile_batch(t: Any, multiplier: Any, name: str | None = None) -> Any:
    """Each example `multiplier` times, one after the other.

    Args:
        t: a tensor [batch, ...], or a structure of them. multiplier: an int.
    Returns:
        [batch * multiplier, ...]
    """
    with name_scope(name, "tile_batch", [*nest.flatten(t), multiplier]):
        return nest.map_structure(lambda x: tile_one(x, multiplier), t)


def tile_one(x, n):
    """Each row of `x` n times, one after the other."""
    x = convert_to_tensor(x, name="t")
    if x.shape.ndims is None:
        raise ValueError("t must have statically known rank")
    sizes = shape(x)
    repeats = [1] * (x.shape.ndims + 1)
    repeats[1] = n
    found = reshape(
        tile(expand_dims(x, 1), repeats), concat([[sizes[0] * n], sizes[1:]], 0)
    )
    batch = x.shape[0].value
    known = TensorShape([None if batch is None else batch * n])
    found.set_shape(known.concatenate(x.shape[1:]))
    return found
