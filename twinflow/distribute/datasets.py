"""Datasets that give each tower an element at each step."""

from collections.abc import Sequence
from typing import Any

from twinflow.distribute.values import regroup
from twinflow.graph.scopes import device


class PerDeviceIterator:
    """Gives the next element of a dataset to each tower, the first tower first.

    Args:
        iterator: of the dataset. devices: of the towers.
    """

    def __init__(self, iterator: Any, devices: Sequence[str]) -> None:
        self._iterator, self._devices = iterator, tuple(devices)

    @property
    def initializer(self) -> Any:
        """The node that begins the dataset (graph)."""
        return self._iterator.initializer

    output_shapes = property(lambda self: self._iterator.output_shapes)
    output_types = property(lambda self: self._iterator.output_types)
    output_classes = property(lambda self: self._iterator.output_classes)

    def get_next(self, name: str | None = None) -> Any:
        """An element for each tower, by device."""
        found = []
        for place in self._devices:
            with device(place):
                found.append((place, self._iterator.get_next(name)))
        return regroup(found)

    def __iter__(self) -> "PerDeviceIterator":
        return self

    def __next__(self) -> Any:
        found = [(place, next(self._iterator)) for place in self._devices]
        return regroup(found)

    next = __next__


class PerDeviceDataset:
    """A dataset whose elements go to the towers in turn.

    Args:
        dataset: a tf.data.Dataset. devices: of the towers.
    """

    def __init__(self, dataset: Any, devices: Sequence[str]) -> None:
        self._dataset, self._devices = dataset, tuple(devices)

    def make_one_shot_iterator(self) -> PerDeviceIterator:
        """An iterator that begins by itself."""
        return PerDeviceIterator(self._dataset.make_one_shot_iterator(), self._devices)

    def make_initializable_iterator(
        self, shared_name: str | None = None
    ) -> PerDeviceIterator:
        """An iterator that begins with its `initializer` (graph)."""
        made = self._dataset.make_initializable_iterator(shared_name)
        return PerDeviceIterator(made, self._devices)

    def __iter__(self) -> PerDeviceIterator:
        return PerDeviceIterator(iter(self._dataset), self._devices)
