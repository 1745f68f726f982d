"""Hashes of points by the sides of hyperplanes on which they lie."""

import functools
from typing import Any

import numpy as np

from twinflow.base import dtypes, native
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor

_ROWS = 1 << 22  # scores that are looked at at once
_MOST_PLANES = 62  # that the C module knows


@functools.lru_cache(maxsize=64)
def _candidates(planes, count):
    """Sets of crossed planes, planes by nearness: bool[sets, planes].

    All that may be among the `count` best: a set is worse than every one whose planes
    are nearer one by one, so those with `count` better ones are left out.
    """
    found, waiting, seen = [], [()], {()}
    while waiting:
        crossed = waiting.pop(0)
        if _better(crossed) >= count:
            continue
        found.append(crossed)
        for more in _worse(crossed, planes):
            if more not in seen:
                seen.add(more)
                waiting.append(more)
    found.sort(key=lambda crossed: sum(1 << place for place in crossed))
    out = np.zeros((len(found), planes), bool)
    for i, crossed in enumerate(found):
        out[i, list(crossed)] = True
    return out


def _worse(crossed, planes):
    """The sets that are one step worse: with the nearest plane, or one a plane on."""
    if planes and 0 not in crossed:
        yield (0, *crossed)
    for i, p in enumerate(crossed):
        if p + 1 < planes and p + 1 not in crossed:
            yield (*crossed[:i], p + 1, *crossed[i + 1 :])


@functools.lru_cache(maxsize=1 << 16)
def _better(crossed):
    """How many other sets are at least as good, whatever the distances are."""
    return _below(tuple(reversed(crossed)), None) - 1


@functools.lru_cache(maxsize=1 << 16)
def _below(limits, last):
    """Sets whose i-th largest plane is at most limits[i], all smaller than `last`."""
    if not limits:
        return 1
    top = limits[0] if last is None else min(limits[0], last - 1)
    return 1 + sum(_below(limits[1:], p) for p in range(top + 1))


def _checked(product, num_tables, num_hyperplanes_per_table, num_probes):
    if np.ndim(product) != 2:
        return (
            "Need a two-dimensional products tensor, got "
            f"{np.ndim(product)} dimensions."
        )
    for value, what in ((num_hyperplanes_per_table, "num_hyperplanes_per_table"),
                        (num_tables, "num_tables")):  # fmt: skip
        if value < 1:
            return f"{what} must be at least 1 but got {value}."
    if num_probes < 1:
        return "num_probes must be at least 1."
    total = num_tables * num_hyperplanes_per_table
    if product.shape[1] != total:
        return (
            f"Expected number of hyperplanes is {total} but received "
            f"{product.shape[1]} inner products per point."
        )
    return None


def _probes(product, num_tables, num_hyperplanes_per_table, num_probes):
    tables, planes, count = map(
        int, (num_tables, num_hyperplanes_per_table, num_probes)
    )
    if planes < 31 and count > tables << planes and len(product):
        raise invalid(
            f"Failed to get probe number {tables << planes} for point number 0."
        )
    if hasattr(native.fast, "buckets") and planes <= _MOST_PLANES:
        return _by_native(product, tables, planes, count)
    sets = _candidates(planes, max(1, count - tables + 1))
    step = max(1, _ROWS // (tables * len(sets)))
    parts = [
        _some(product[i : i + step].reshape(-1, tables, planes), sets, count)
        for i in range(0, len(product), step)
    ]
    none = np.zeros((0, count), np.int32)
    return tuple(np.concatenate([none, *(p[i] for p in parts)]) for i in range(2))


def _by_native(product, tables, planes, count):
    out = np.empty((2, len(product), count), np.int32)
    wide = product.dtype == np.float64
    native.fast.buckets(np.ascontiguousarray(product), tables, planes, wide, *out)
    return out[0], out[1]


def _some(product, sets, count):
    """The probes of some points, [points, tables, planes]: the best sets of planes."""
    points, tables, planes = product.shape
    bits = 1 << np.arange(planes - 1, -1, -1, dtype=np.int64)
    own = (product >= 0) @ bits
    squares = np.square(product)
    near = planes - 1 - np.argsort(squares[..., ::-1], axis=2, kind="stable")
    squares = np.take_along_axis(squares, near, 2)[..., None]
    scores = np.zeros((points, tables, len(sets)), product.dtype)
    for plane, crossed in enumerate(sets.T):  # summed up in this order, from 0
        np.add(scores, squares[:, :, plane], out=scores, where=crossed)
    scores[..., 0] = -1  # each table's own come first
    ranks = np.argsort(scores.reshape(points, -1), axis=1, kind="stable")
    best = ranks[:, :count]
    table, which = best // len(sets), best % len(sets)
    flips = np.take_along_axis(bits[near], table[..., None], 1)
    crossed = (flips * sets[which]).sum(2)
    probes = np.take_along_axis(own, table, 1) ^ crossed
    return probes.astype(np.int32), table.astype(np.int32)


def _infer_probes(
    point_hyperplane_product, num_tables, num_hyperplanes_per_table, num_probes
):
    s = point_hyperplane_product._shape
    if s is not None and len(s) != 2:
        raise InferError(f"Shape must be rank 2 but is rank {len(s)}", later=True)
    size = (
        None if s is None else s[0],
        None if num_probes is None else int(num_probes),
    )
    return [size, size]


HyperplaneLSHProbes = define(
    "HyperplaneLSHProbes(point_hyperplane_product: CoordinateType, num_tables: host "
    "int32, num_hyperplanes_per_table: host int32, num_probes: host int32) -> (probes: "
    "int32, table_ids: int32)",
    types={"CoordinateType": (dtypes.float32, dtypes.float64)},
    infer=_infer_probes,
    host=_probes,
    check=_checked,
    strict=True,
)


def hyperplane_lsh_probes(
    point_hyperplane_product: TensorValue, num_tables: Any,
    num_hyperplanes_per_table: Any, num_probes: Any, name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The buckets in which to look for the neighbors of points, the best ones first.

    A bucket of a table says on which side of each of its hyperplanes a point lies;
    after the point's own buckets come those across the planes that are nearest to it.

    Args:
        point_hyperplane_product: float[points, tables * planes], the inner products.
        num_tables, num_hyperplanes_per_table: how many.
        num_probes: how many buckets for each point.
        name: the name of the node in a graph.
    Returns:
        int32[points, probes], the buckets, the first plane being the highest bit; and
        int32[points, probes], their tables.
    Raises:
        InvalidArgumentError: a number is below 1, or the products are others.
    Reference: Lv et al.: Multi-probe LSH (2007).
    Example:
        x = tf.constant([[-1.2, 0.1, 0.4, 0.3]])
        probes, tables = tf.contrib.nearest_neighbor.hyperplane_lsh_probes(x, 2, 2, 3)
        probes  # [[1, 3, 0]]
    """
    numbers = num_tables, num_hyperplanes_per_table, num_probes
    return apply(HyperplaneLSHProbes, (point_hyperplane_product, *numbers), {}, name)
