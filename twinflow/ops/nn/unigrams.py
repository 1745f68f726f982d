"""Counts of classes that candidate samplers draw by, given or gathered."""

import functools
import os
import threading

import numpy as np

from twinflow.base import errors


class Counts:
    """How often each class was seen, plus one."""

    def __init__(self):
        self._lock, self._weights = threading.Lock(), None

    def weights(self, range_max):
        """The counts of all classes, as they are now."""
        with self._lock:
            if self._weights is None:
                self._weights = np.ones(range_max)
            return self._weights.copy()

    def add(self, classes):
        """Count `classes`; those that there are not are left out."""
        with self._lock:
            flat = classes[(classes >= 0) & (classes < len(self._weights))]
            np.add.at(self._weights, flat, 1.0)

    def __deepcopy__(self, memo):
        new = type(self)()
        new._weights = None if self._weights is None else self._weights.copy()
        return new

    def __reduce__(self):
        return type(self), ()


def fixed_weights(
    range_max, vocab_file, distortion, num_reserved_ids, num_shards, shard, unigrams
):
    """The weights of `range_max` classes from a file or a list of counts.

    Raises:
        InvalidArgumentError: see ops.nn.samplers.
        NotFoundError: there is no such file.
    """
    if bool(vocab_file) == bool(unigrams):
        raise _invalid(
            "Must only provide one of vocab_file and unigrams."
            if vocab_file
            else "Must provide either vocab_file or unigrams."
        )
    if num_reserved_ids < 0:
        raise _invalid(f"num_reserved_ids must not be < 0, got {num_reserved_ids}.")
    shards = (num_reserved_ids, num_shards, shard)
    written = _written(vocab_file) if vocab_file else None
    weights = _weights(vocab_file, written, unigrams, distortion, *shards)
    if len(weights) != range_max:
        raise _invalid(
            f"There are {len(weights)} counts of classes for range_max = {range_max}."
        )
    return weights


def _written(path):
    try:
        return os.stat(path).st_mtime_ns
    except FileNotFoundError:
        text = f"{path}; No such file or directory"
        raise errors.NotFoundError(None, None, text) from None


@functools.lru_cache(maxsize=16)
def _weights(path, written, unigrams, distortion, num_reserved_ids, num_shards, shard):
    counts = _read(path) if path else unigrams
    weights = np.array(counts, np.float64) ** distortion
    return np.concatenate([np.zeros(num_reserved_ids), weights])[shard::num_shards]


def _read(path):
    try:
        with open(path, encoding="utf-8") as lines:
            return [float(line.rsplit(",", 1)[1]) for line in lines if line.strip()]
    except (IndexError, ValueError):
        text = f"Each line of {path} must end with a comma and a count."
        raise _invalid(text) from None


def _invalid(message):
    return errors.InvalidArgumentError(None, None, message)
