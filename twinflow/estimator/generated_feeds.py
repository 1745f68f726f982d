"""What queues are fed from a Python generator of rows, filled up to one shape."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import errors


def fill_array(arr: np.ndarray, seq: Any, fillvalue: Any = 0) -> None:
    """Write nested lists into an array, and a value where they have none.

    Args:
        arr: the array, as deep as the lists. seq: the lists.
    """
    if arr.ndim == 1:
        arr[: len(seq)], arr[len(seq) :] = seq, fillvalue
        return
    for part, inner in itertools.zip_longest(arr, seq, fillvalue=()):
        fill_array(part, inner, fillvalue)


def pad_if_needed(batch_key_item: list, fillvalue: Any = 0) -> list:
    """Arrays of one shape: the greatest sizes.

    Raises:
        ValueError: they have different numbers of axes.
    """
    shapes = [np.asarray(x).shape for x in batch_key_item]
    if len(set(map(len, shapes))) > 1:
        raise ValueError("Array shapes must match.")
    if len(set(shapes)) == 1:
        return batch_key_item
    greatest, found = np.max(shapes, axis=0), []
    for item in batch_key_item:
        padded = np.empty(greatest, np.asarray(batch_key_item[0]).dtype)
        fill_array(padded, item, fillvalue)
        found.append(padded)
    return found


class GeneratorFeedFn:
    """Gives the next rows of what a generator of dicts yields, again and again.

    Args:
        placeholders: what is fed: each column, by sorted key.
        generator: () -> an iterator over dicts. batch_size: rows at a time.
        random_start, seed: accepted. num_epochs: passes; None: no end.
        pad_value: what fills rows up to one shape; None: they have one.
    Raises:
        ValueError: there are not as many placeholders as keys.
    """

    def __init__(
        self, placeholders: list, generator: Callable, batch_size: int,
        random_start: bool = False, seed: Any = None, num_epochs: int | None = None,
        pad_value: Any = None,
    ) -> None:  # fmt: skip
        first = next(generator())
        if len(placeholders) != len(first):
            raise ValueError(
                f"Expected {len(first)} placeholders; got {len(placeholders)}."
            )
        self._keys, self._placeholders = sorted(first), placeholders
        self._generator, self._iterator = generator, generator()
        self._batch_size, self._pad_value = batch_size, pad_value
        self._num_epochs, self._epoch = num_epochs, 0

    def __call__(self) -> dict:
        """Dict from placeholders to rows.

        Raises:
            OutOfRangeError: all passes are done. KeyError: a dict has other keys.
        """
        if self._num_epochs and self._epoch >= self._num_epochs:
            text = f"Already emitted {self._epoch} epochs."
            raise errors.OutOfRangeError(None, None, text)
        rows = [self._row() for _ in range(self._batch_size)]
        columns = [list(column) for column in zip(*rows, strict=True)]
        if self._pad_value is not None:
            columns = [pad_if_needed(c, self._pad_value) for c in columns]
        return dict(zip(self._placeholders, map(np.asarray, columns), strict=True))

    def _row(self):
        row = next(self._iterator, None)
        if row is None:
            self._epoch += 1
            self._iterator = self._generator()
            row = next(self._iterator)
        for key in self._keys:
            if key not in row:
                raise KeyError(
                    f"key mismatch between dicts emitted by GenFun Expected "
                    f"{self._keys} keys; got {row.keys()}"
                )
        return [row[key] for key in self._keys]
