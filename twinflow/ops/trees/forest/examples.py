"""The examples that the ops of a forest get: features, dense and sparse, and labels."""

import functools
import re
from typing import NamedTuple

import numpy as np

from twinflow.base.errors import invalid

FLOAT, CATEGORICAL = 0, 1
_COLUMN = re.compile(r"\{name:\s*(.*?)\s+original_type:\s*(-?\d+)\s+size:\s*(-?\d+)\}")


class Columns(NamedTuple):
    """What an `input_spec` says.

    Attributes:
        dense_size: how many dense features there are. kinds: the type of each.
        sparse_kind: the type of the sparse ones.
    """

    dense_size: int
    kinds: list
    sparse_kind: int


@functools.lru_cache(maxsize=64)
def columns_of(spec):
    """The Columns of an `input_spec`, the text that data_ops makes.

    Raises:
        InvalidArgumentError: it is none.
    """
    text = spec.decode("utf-8") if isinstance(spec, bytes) else spec
    size = re.search(r"dense_features_size:\s*(\d+)", text)
    if size is None:
        raise invalid(
            f"input_spec: got {text!r}, expected the text of a TensorForestDataSpec."
        )
    dense, _, sparse = text.partition("sparse: [")
    kinds = [
        int(kind)
        for _, kind, count in _COLUMN.findall(dense)
        for _ in range(int(count))
    ]
    first = _COLUMN.search(sparse)
    return Columns(int(size[1]), kinds, int(first[2]) if first else CATEGORICAL)


class Examples:
    """A batch.

    Args:
        spec: an `input_spec`. dense: float32[n, features], or empty.
        indices, values, shape: a sparse matrix, or empty.
    """

    def __init__(self, spec, dense, indices, values, shape):
        self.columns = columns_of(spec)
        self._dense = np.asarray(dense, np.float32)
        self._indices = np.asarray(indices, np.int64).reshape(-1, 2)
        self._values = np.asarray(values, np.float32)
        sparse = np.size(shape) > 0
        self.count = int(shape[0]) if sparse else len(self._dense)
        if self._dense.size and self._dense.ndim != 2:
            raise invalid(
                "input_data: expected the shape [examples, features], got "
                f"{list(self._dense.shape)}."
            )
        if self._dense.size:
            self.count = len(self._dense)
        elif self._dense.ndim != 2:
            self._dense = self._dense.reshape(0, 0)
        self._wide = int(self._indices[:, 1].max(initial=0)) + 1
        self._keys = self._indices @ np.array([self._wide, 1])

    def values(self, rows, features):
        """float32, features of examples: arrays of one shape."""
        size = self.columns.dense_size
        within = features < size
        width = self._dense.shape[1]
        if within.any() and int(features[within].max()) >= width:
            raise invalid(
                f"The tree asks for feature {int(features[within].max())}, input_data "
                f"has {width} features."
            )
        if within.all():
            return self._dense[rows, features]
        out = np.zeros(within.shape, np.float32)
        rows = np.broadcast_to(rows, within.shape)
        out[within] = self._dense[rows[within], features[within]]
        # The number itself is the column, as in 1.12, which adds `size` to it before.
        out[~within] = self._sparse(rows[~within], features[~within])
        return out

    def _sparse(self, rows, columns):
        keys = rows.astype(np.int64) * self._wide + columns
        at = np.minimum(np.searchsorted(self._keys, keys), max(len(self._keys) - 1, 0))
        known = columns < self._wide
        known &= self._keys[at] == keys if len(self._keys) else False
        return np.where(known, self._values[at] if len(self._keys) else 0, 0)

    def sample(self, row, draw):
        """A random feature of an example.

        Args:
            row: the example. draw: gives a random int below a bound.
        Returns:
            feature: int. value: float. kind: FLOAT or CATEGORICAL.
        """
        start, end = np.searchsorted(self._indices[:, 0], [row, row + 1])
        size = self.columns.dense_size
        choice = draw(size + int(end - start))
        if choice < len(self.columns.kinds):
            feature, kind = choice, self.columns.kinds[choice]
        elif start == end:
            raise invalid(f"Example {row} has no features.")
        else:
            at = start + choice - size
            feature = int(self._indices[at, 1]) + size
            kind = self.columns.sparse_kind
        value = self.values(np.array([row]), np.array([feature]))
        return feature, value[0], kind


class Targets:
    """The labels and weights of a batch.

    Args:
        labels: float32[n] or [n, outputs]. weights: float32[n], or empty.
    """

    def __init__(self, labels, weights):
        self.values = np.asarray(labels, np.float32)
        if self.values.ndim == 0:
            raise invalid("input_labels: expected at least one dimension, got none.")
        self.values = self.values.reshape(len(self.values), -1)
        self.count = len(self.values)
        given = np.ravel(np.asarray(weights, np.float32))
        self.weights = given if len(given) else np.ones(self.count, np.float32)
        if len(self.weights) != self.count:
            raise invalid(
                f"input_weights: got {len(given)}, expected none or {self.count}."
            )

    def classes(self, outputs):
        """int[n], the labels as classes.

        Raises:
            InvalidArgumentError: one is not below `outputs`.
        """
        found = self.values[:, 0].astype(np.int64)
        bad = found[(found < 0) | (found >= outputs)]
        if len(bad):
            raise invalid(f"The label {bad[0]} is not in [0, {outputs}).")
        return found

    def outputs(self, count):
        """float32[n, count], the numbers that a regression has to find."""
        if self.values.shape[1] < count:
            raise invalid(
                f"input_labels: expected {count} numbers an example, got "
                f"{self.values.shape[1]}."
            )
        return self.values[:, :count]
