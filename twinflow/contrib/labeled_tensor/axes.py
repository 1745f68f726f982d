"""The axes of labeled tensors: names, with a size or labels."""

import collections.abc
from collections.abc import Iterator
from typing import Any

import numpy as np

from twinflow.base.dimension import Dimension


class Error(TypeError):
    """An argument is of a type that labeled tensors do not take."""


class AxisOrderError(ValueError):
    """Axes are not in the order that is wanted."""


def checked(value: Any, types: Any, what: str) -> Any:
    """A value of the types.

    Raises:
        Error: it is of another type.
    """
    if not isinstance(value, types):
        raise Error(
            f"{value!r} of type {type(value)} is not an instance of the allowed type "
            f"{types} for {what}"
        )
    return value


_LABELS = (np.ndarray, range, list, tuple)


class Axis:
    """A name, and the labels along it or how many there are.

    Args:
        name: str. value: a sequence of labels, each once, or a size; None if unknown.
    Raises:
        ValueError: a label comes twice, or the size is negative.
        TypeError: it is neither.
    Example:
        axis = tf.contrib.labeled_tensor.Axis("channel", ["red", "green"])
        axis.index("green")  # 1
    """

    def __init__(self, name: str, value: Any) -> None:
        self._name = checked(name, str, "the name of an Axis")
        self._labels = self._places = None
        if isinstance(value, _LABELS):
            found = value.tolist() if isinstance(value, np.ndarray) else value
            self._labels = tuple(found)
            self._places = {label: i for i, label in enumerate(self._labels)}
            if len(self._places) < len(self._labels):
                raise ValueError(f"Tick labels must be unique, but got {self._labels}")
            value = len(self._labels)
        checked(value, (Dimension, int, np.integer, type(None)), "the value of an Axis")
        self._dimension = value if isinstance(value, Dimension) else Dimension(value)

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def value(self) -> Any:
        """The labels, or the Dimension where there are none."""
        return self._dimension if self._labels is None else self._labels

    @property
    def labels(self) -> Any:
        """The labels, or None."""
        return self._labels

    @property
    def dimension(self) -> Dimension:
        """The size as a Dimension."""
        return self._dimension

    @property
    def size(self) -> Any:
        """The size, or None if it is not known."""
        return self._dimension.value

    def index(self, value: Any) -> int:
        """The place of a label.

        Raises:
            ValueError: there are no labels. KeyError: there is none of this value.
        """
        if self._places is None:
            raise ValueError("Axis does not have tick labels")
        return self._places[value]

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Axis):
            return False
        if self._labels is not None or other._labels is not None:
            same = self._labels == other._labels
        else:
            same = self.size == other.size
        return self._name == other._name and same

    def __hash__(self) -> int:
        return hash((self._name, self.size, self._labels))

    def __repr__(self) -> str:
        return f"Axis({self._name!r}, {self.value!r})"


def as_axis(axis_data: Any) -> Axis:
    """An Axis, or what makes one: a pair of a name and a value.

    Raises:
        TypeError: it is neither.
    """
    if isinstance(axis_data, tuple) and len(axis_data) == 2:
        return Axis(*axis_data)
    return checked(axis_data, Axis, "as_axis")


class Axes(collections.abc.Mapping):
    """The axes of a tensor by their names, in order.

    Args:
        axes: a list of Axis objects or pairs.
    Raises:
        ValueError: a name comes twice.
    """

    def __init__(self, axes: Any) -> None:
        self._axes: dict[str, Axis] = {}
        for axis in map(as_axis, checked(axes, list, "Axes")):
            if axis.name in self._axes:
                raise ValueError(f"Duplicate axis name: {axis.name}")
            self._axes[axis.name] = axis

    def __iter__(self) -> Iterator[str]:
        return iter(self._axes)

    def __len__(self) -> int:
        return len(self._axes)

    def __getitem__(self, name: str) -> Axis:
        return self._axes[checked(name, str, "the name of an Axis")]

    def __contains__(self, name: object) -> bool:
        return name in self._axes

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._axes)

    def __hash__(self) -> int:
        return hash(tuple(self._axes.items()))

    def remove(self, axis_name: str) -> "Axes":
        """The others.

        Raises:
            KeyError: there is none of this name.
        """
        if axis_name not in self:
            raise KeyError(axis_name)
        return Axes([a for a in self.values() if a.name != axis_name])

    def __repr__(self) -> str:
        # Axes([('x', Dimension(2)),
        #       ('y', ['a', 'b', 'c']),
        shown = [f"({a.name!r}, {a.value!r})" for a in self.values()]
        return f"Axes([{(',' + chr(10) + ' ' * 6).join(shown)}])"
