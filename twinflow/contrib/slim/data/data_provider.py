"""What gives the items of one example after another."""

import abc
from typing import Any


class DataProvider(abc.ABC):  # noqa: B024 - as in TensorFlow, it is made by subclasses
    """The items of examples.

    Args:
        items_to_tensors: {name of an item: tensor}. num_samples: how many examples.
    """

    def __init__(self, items_to_tensors: dict[Any, Any], num_samples: Any) -> None:
        self._items_to_tensors, self._num_samples = items_to_tensors, num_samples

    def get(self, items: Any) -> list[Any]:
        """The tensors of the items named.

        Raises:
            ValueError: there is no such item.
        """
        self._check(items)
        return [self._items_to_tensors[item] for item in items]

    def list_items(self) -> list[Any]:
        """The names of all items."""
        return list(self._items_to_tensors)

    def num_samples(self) -> Any:
        """How many examples there are."""
        return self._num_samples

    def _check(self, items):
        known = set(self.list_items())
        for item in items:
            if item not in known:
                raise ValueError(f"Items are not valid: {items}")
