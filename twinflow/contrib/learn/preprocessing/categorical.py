"""Columns of categories as columns of numbers."""

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from twinflow.contrib.learn.preprocessing.vocabulary import CategoricalVocabulary


def _is_nan(value):
    return isinstance(value, float | np.floating) and math.isnan(value)


class CategoricalProcessor:
    """Numbers for the categories in each column of a table.

    Args:
        min_frequency: categories that come this often or less are unknown, number 0.
        share: have one vocabulary for all columns.
        vocabularies: those of the columns; each grows as it is asked otherwise.
    Example:
        columns = tf.contrib.learn.preprocessing.CategoricalProcessor()
        list(columns.fit_transform([["a", "x"], ["b", "x"]]))[1]  # [2, 1]
    """

    def __init__(
        self, min_frequency: int = 0, share: bool = False, vocabularies: Any = None
    ) -> None:
        self.min_frequency, self.share = min_frequency, share
        self.vocabularies_ = vocabularies

    def freeze(self, freeze: bool = True) -> None:
        """Take no more new categories, or take them again."""
        for vocabulary in self.vocabularies_ or []:
            vocabulary.freeze(freeze)

    def fit(self, x: Iterable[Any], unused_y: Any = None) -> "CategoricalProcessor":
        """Learn the categories of the rows of `x`."""
        for row in x:
            self._prepare(len(row))
            for vocabulary, value in zip(self.vocabularies_, row, strict=False):
                if not _is_nan(value):
                    vocabulary.add(value)
        if self.min_frequency > 0:
            for vocabulary in self.vocabularies_:
                vocabulary.trim(self.min_frequency)
        self.freeze()
        return self

    def _prepare(self, columns):
        if self.vocabularies_ is None:
            if self.share:
                self.vocabularies_ = [CategoricalVocabulary()] * columns
            else:
                self.vocabularies_ = [CategoricalVocabulary() for _ in range(columns)]

    def fit_transform(
        self, x: Iterable[Any], unused_y: Any = None
    ) -> Iterator[np.ndarray]:
        """`fit`, then `transform` of the same rows."""
        self.fit(x)
        return self.transform(x)

    def transform(self, x: Iterable[Any]) -> Iterator[np.ndarray]:
        """Each row as int64[columns]."""
        self.freeze()
        for row in x:
            self._prepare(len(row))
            pairs = zip(self.vocabularies_, row, strict=False)
            yield np.array([0 if _is_nan(v) else k.get(v) for k, v in pairs], np.int64)
