"""tf.contrib.checkpoint's containers: parts under names that checkpoints keep."""

from typing import Any

from twinflow.base.tensor import ResourceHandle
from twinflow.base.trackable import Trackable, children, is_part, leaves


class CheckpointableDataStructure:
    """What containers of layers and variables say about them."""

    @property
    def layers(self) -> Any:
        """The layers and models in it."""
        return [part for part in self._leaves() if hasattr(part, "weights")]

    def _leaves(self):
        found = [leaf for _, part in children(self) for leaf in leaves(part)]
        return list({id(leaf): leaf for leaf in found}.values())

    def _each(self, name):
        return [v for layer in self.layers for v in getattr(layer, name)]

    @property
    def _own(self):
        return [part for part in self._leaves() if isinstance(part, ResourceHandle)]

    @property
    def trainable_weights(self) -> Any:
        """The variables that are trained, its own and those of its layers."""
        own = [v for v in self._own if v.trainable]
        return self._each("trainable_weights") + own

    @property
    def non_trainable_weights(self) -> Any:
        """The variables that are not trained."""
        own = [v for v in self._own if not v.trainable]
        return self._each("non_trainable_weights") + own

    @property
    def weights(self) -> Any:
        """All variables, first those that are trained."""
        return self.trainable_weights + self.non_trainable_weights

    @property
    def updates(self) -> Any:
        """The updates of its layers."""
        return self._each("updates")

    @property
    def losses(self) -> Any:
        """The losses of its layers."""
        return self._each("losses")

    @property
    def trainable(self) -> bool:
        """Whether its variables are trained: its layers say so for themselves."""
        return True

    @property
    def built(self) -> bool:
        """Whether all its layers have their variables."""
        return all(getattr(layer, "built", True) for layer in self.layers)

    trainable_variables = trainable_weights
    non_trainable_variables = non_trainable_weights
    variables = weights


class List(CheckpointableDataStructure, list):
    """A list of parts, named by their places.

    Example:
        cells = tf.contrib.checkpoint.List([tf.nn.rnn_cell.GRUCell(4)])
        cells.append(tf.nn.rnn_cell.GRUCell(8))
        len(cells)  # 2
    """

    __hash__ = object.__hash__

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(map(_stored, list(*args, **kwargs)))

    def append(self, value: Any) -> None:
        """Take a part.

        Raises:
            ValueError: it is none.
        """
        super().append(_stored(value))

    def extend(self, values: Any) -> None:
        """Take several parts."""
        super().extend(map(_stored, values))

    def __iadd__(self, values):
        self.extend(values)
        return self

    def __add__(self, other):
        return List(list.__add__(self, list(other)))

    def __radd__(self, other):
        return List(list(other) + list(self))

    def __repr__(self):
        return f"List({list.__repr__(self)})"


def _stored(value):
    if not is_part(value):
        raise ValueError(
            "Only checkpointable objects (such as Layers or Optimizers) may be stored "
            f"in a List object. Got {value}, which does not inherit from "
            "CheckpointableBase."
        )
    return value


class Mapping(CheckpointableDataStructure, dict):
    """A dict of parts, named by their keys, which are strings and stay.

    Raises:
        TypeError: a key is no string. ValueError: a key gets another value.
    """

    __hash__ = object.__hash__

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self.update(*args, **kwargs)

    def __setitem__(self, key, value):
        if not isinstance(key, str):
            raise TypeError(f"Mapping accepts only string keys, but got a key {key!r}.")
        if self.setdefault(key, _stored(value)) is not value:
            raise ValueError(
                f"Mappings are an append-only data structure. Tried to overwrite the "
                f"key '{key}' with value {value}, but it already contains {self[key]}"
            )

    def __repr__(self):
        return f"Mapping({dict.__repr__(self)})"

    def update(self, *args: Any, **kwargs: Any) -> Any:
        """Add the pairs of a dict, and keywords."""
        for key, value in dict(*args, **kwargs).items():
            self[key] = value


class UniqueNameTracker(CheckpointableDataStructure, Trackable):
    """Parts under names that are numbered where they are taken.

    Example:
        tracker = tf.contrib.checkpoint.UniqueNameTracker()
        v = tracker.track(tfe.Variable(1.), "x")  # saved as x
        w = tracker.track(tfe.Variable(2.), "x")  # saved as x_1
        [v.numpy(), w.numpy()]  # [1.0, 2.0]
    """

    def __init__(self) -> None:
        self._parts: dict[Any, Any] = {}

    def track(self, checkpointable: Any, base_name: Any) -> Any:
        """Keep a part; returns it.

        Raises:
            ValueError: it is none.
        """
        if not isinstance(checkpointable, Trackable | ResourceHandle):
            raise ValueError(
                f"Expected a checkpointable value, got {checkpointable} which does not "
                "inherit from CheckpointableBase."
            )
        name, count = base_name, 0
        while name in self._parts:
            count += 1
            name = f"{base_name}_{count}"
        self._parts[name] = checkpointable
        return checkpointable

    def _children(self):
        return list(self._parts.items())
