"""Sums of gradients and hessians by partition (a leaf of the tree) and feature.

Rows are in the order of (partition, dimension, feature), and sums are taken one after
the other in float32, as TensorFlow does: equal gains are so as well.
"""

from typing import NamedTuple

import numpy as np

from twinflow.base.annotations import Array

_DIRECT = 4  # ranges up to so many times the rows are counted, not sorted


class Sums(NamedTuple):
    """Rows: int32[n] partitions, int64[n, 2] features (a number and a dimension),
    float32[n, ...] gradients and hessians."""

    partitions: Array
    features: Array
    gradients: Array
    hessians: Array


def _ranks(column):
    """(int[n], the place of each value among those there are; how many there are)"""
    if not column.size:
        return column, 1
    low, high = int(column.min()), int(column.max())
    if high - low <= _DIRECT * column.size + 64:
        return column - low, high - low + 1
    values, found = np.unique(column, return_inverse=True)
    return found.reshape(-1), len(values)


def summed(partitions, features, gradients, hessians):
    """The Sums of rows, one for each partition and feature."""
    partitions = np.asarray(partitions, np.int32)
    features = np.asarray(features, np.int64).reshape(-1, 2)
    keys = np.zeros(len(partitions), np.int64)
    for column in (partitions.astype(np.int64), features[:, 1], features[:, 0]):
        place, count = _ranks(column)
        keys = keys * count + place
    first, slots = _first_of_each(keys)
    return Sums(
        partitions[first], features[first],
        *(_added(a, slots, len(first)) for a in (gradients, hessians)),
    )  # fmt: skip


def _first_of_each(keys):
    """(the first row of each key, by key; the number of each row's key)"""
    place, count = _ranks(keys)
    if count > _DIRECT * len(keys) + 64:
        _, first, slots = np.unique(keys, return_index=True, return_inverse=True)
        return first, slots.reshape(-1)
    first = np.full(count, len(keys), np.int64)
    first[place[::-1]] = np.arange(len(keys))[::-1]
    there = first < len(keys)
    return first[there], (np.cumsum(there) - 1)[place]


def _added(array, slots, count):
    array = np.asarray(array, np.float32)
    out = np.zeros((count, *array.shape[1:]), np.float32)
    np.add.at(out, slots, array)
    return out


def empty(gradient_shape=(), hessian_shape=()):
    """No Sums."""
    return Sums(
        np.zeros(0, np.int32), np.zeros((0, 2), np.int64),
        np.zeros((0, *gradient_shape), np.float32),
        np.zeros((0, *hessian_shape), np.float32),
    )  # fmt: skip


def together(a, b):
    """The Sums of the rows of both."""
    return summed(*(np.concatenate(pair) for pair in zip(a, b)))
