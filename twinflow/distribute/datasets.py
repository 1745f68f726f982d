"""Datasets that give each tower an element at each step."""

from collections.abc import Sequence
from typing import Any

from twinflow.base import nest
from twinflow.base.tensor import Composite
from twinflow.distribute.values import regroup
from twinflow.graph.scopes import device
from twinflow.ops.core.shape import shape


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


class SplitIterator(PerDeviceIterator):
    """Splits the next element of a dataset among the towers, in order.

    Args:
        iterator: of the dataset. devices: of the towers.
        first: the number of the first tower here. count: how many there are.
    """

    def __init__(
        self, iterator: Any, devices: Sequence[str], first: int = 0, count: int = 0
    ) -> None:
        super().__init__(iterator, devices)
        self._first, self._count = first, count or len(self._devices)

    def get_next(self, name: str | None = None) -> Any:
        """The part of an element for each tower, by device."""
        return self._split(self._iterator.get_next(name))

    def __next__(self) -> Any:
        return self._split(next(self._iterator))

    def _split(self, element: Any) -> Any:
        found, count = [], self._count
        for i, place in enumerate(self._devices, self._first):
            with device(place):
                part = nest.map_structure(lambda t, i=i: _part(t, i, count), element)
            found.append((place, part))
        return regroup(found)


def _part(tensor: Any, i: int, count: int) -> Any:
    """The rows of a batch that the tower `i` gets: as many as the others, at most."""
    if isinstance(tensor, Composite):
        raise ValueError(
            f"A batch of {tensor!r} cannot be split among the replicas: make a dataset "
            "of the batches of each, with `make_input_fn_iterator`."
        )
    known = tensor._shape[0] if tensor._shape else None
    rows = known if known is not None else shape(tensor)[0]
    size = (rows + count - 1) // count
    return tensor[i * size : (i + 1) * size]


class PerDeviceDataset:
    """A dataset whose elements go to the towers in turn.

    Args:
        dataset: a tf.data.Dataset. devices: of the towers.
    """

    _taken = PerDeviceIterator

    def __init__(self, dataset: Any, devices: Sequence[str]) -> None:
        self._dataset = dataset
        self._how: tuple = (tuple(devices),)  # the further arguments of `_taken`

    def make_one_shot_iterator(self) -> PerDeviceIterator:
        """An iterator that begins by itself."""
        return self._taken(self._dataset.make_one_shot_iterator(), *self._how)

    def make_initializable_iterator(
        self, shared_name: str | None = None
    ) -> PerDeviceIterator:
        """An iterator that begins with its `initializer` (graph)."""
        made = self._dataset.make_initializable_iterator(shared_name)
        return self._taken(made, *self._how)

    def __iter__(self) -> PerDeviceIterator:
        return self._taken(iter(self._dataset), *self._how)


class SplitDataset(PerDeviceDataset):
    """A dataset whose batches are split among the towers.

    Args:
        dataset: a tf.data.Dataset. devices: of the towers.
        first: the number of the first tower here, where other processes have others.
        count: how many there are, if not as many as devices.
    """

    _taken = SplitIterator

    def __init__(
        self, dataset: Any, devices: Sequence[str], first: int = 0, count: int = 0
    ) -> None:
        super().__init__(dataset, devices)
        self._how = (*self._how, first, count)
