"""A vocabulary that grows while it is asked, and is cut by how often words came."""

from collections import defaultdict
from typing import Any


class CategoricalVocabulary:
    """Numbers for categories, 0 for the unknown one.

    Args:
        unknown_token: the category of number 0.
        support_reverse: whether `reverse` is to work.
    Example:
        words = tf.contrib.learn.preprocessing.CategoricalVocabulary()
        [words.get("a"), words.get("b"), words.get("a")]  # [1, 2, 1]
    """

    def __init__(
        self, unknown_token: str = "<UNK>", support_reverse: bool = True
    ) -> None:
        self._unknown_token = unknown_token
        self._support_reverse = support_reverse
        self._mapping = {unknown_token: 0}
        self._reverse_mapping = [unknown_token] if support_reverse else []
        self._freq: Any = defaultdict(int)
        self._freeze = False

    def __len__(self) -> int:
        return len(self._mapping)

    def freeze(self, freeze: bool = True) -> None:
        """Take no more new categories, or take them again."""
        self._freeze = freeze

    def get(self, category: Any) -> int:
        """The number of a category: a new one, or 0 where the vocabulary is frozen."""
        if category not in self._mapping:
            if self._freeze:
                return 0
            self._append(category)
        return self._mapping[category]

    def _append(self, category):
        self._mapping[category] = len(self._mapping)
        if self._support_reverse:
            self._reverse_mapping.append(category)

    def add(self, category: Any, count: int = 1) -> None:
        """Count a category, by `count`."""
        if self.get(category) > 0:  # that which is unknown is not counted
            self._freq[category] += count

    def trim(self, min_frequency: int, max_frequency: int = -1) -> None:
        """Number the categories anew, the most frequent first, and drop others.

        Args:
            min_frequency: those that came this often or less are dropped.
            max_frequency: those that came this often or more are, if it is above 0.
        """
        counted = sorted(
            sorted(self._freq.items(), key=lambda item: _order(item[0])),
            key=lambda item: item[1],
            reverse=True,
        )
        self._mapping = {self._unknown_token: 0}
        self._reverse_mapping = [self._unknown_token] if self._support_reverse else []
        for category, count in counted:
            if count > min_frequency and not 0 < max_frequency <= count:
                self._append(category)
        self._freq = defaultdict(int, counted[: len(self._mapping) - 1])

    def reverse(self, class_id: int) -> Any:
        """The category of a number.

        Raises:
            ValueError: the vocabulary was made without support_reverse.
        """
        if not self._support_reverse:
            raise ValueError(
                "This vocabulary wasn't initialized with support_reverse to support "
                "reverse() function."
            )
        return self._reverse_mapping[class_id]


def _order(category):
    """What categories of the same count are ordered by: text and numbers together."""
    return (isinstance(category, str), category)
