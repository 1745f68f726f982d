"""Values that differ by device: of each tower, or the same in all."""

from collections.abc import Callable, Sequence
from typing import Any

from twinflow.base import devices as names
from twinflow.base import nest
from twinflow.distribute import contexts


def canonical(device: Any) -> str:
    """The name of a device, as values know it.

    Args:
        device: a name, or a DeviceSpec.
    Example:
        from twinflow.distribute import values
        values.canonical("/cpu:0")  # "/replica:0/task:0/device:CPU:0"
    """
    asked = names.DeviceSpec.from_string(
        device if isinstance(device, str) else device.to_string()
    )
    spec = names.DeviceSpec.from_string("/replica:0/task:0/device:CPU:0")
    spec.merge_from(asked)
    return spec.to_string()


class DistributedValues:
    """A value for each of some devices.

    Args:
        index: {name of a device: value}, in the order of the towers.
    """

    def __init__(self, index: dict) -> None:
        self._index = {canonical(d): v for d, v in index.items()}

    def get(self, device: Any = None) -> Any:
        """The value for a device, or for that of the tower (or update) that this is in.

        Args:
            device: a name.
        Raises:
            ValueError: there is none.
        """
        if device is None:
            place = contexts.place_of_values(len(self._index))
            return [*self._index.values()][0 if place is None else place]
        found = canonical(device)
        if found not in self._index:
            raise ValueError(
                f"Device {found} not found in {[*self._index]} (current device "
                f"{device})"
            )
        return self._index[found]

    def on_device(self, device: Any) -> bool:
        """Whether there is a value for a device."""
        return canonical(device) in self._index

    @property
    def devices(self) -> list[str]:
        """The names of the devices."""
        return [*self._index]

    def values(self) -> list:
        """The values, in the order of the towers."""
        return [*self._index.values()]

    def __str__(self) -> str:
        return f"{type(self).__name__}:{self._index}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._index!r})"


class DistributedDelegate(DistributedValues):
    """A value for each device that is used as the one of this tower."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_index":
            raise AttributeError(name)
        return getattr(self.get(), name)

    def _as_tensor(self, dtype: Any = None, name: Any = None) -> Any:
        return self.get()


def _delegated(name: str) -> Callable:
    def call(self: DistributedDelegate, *args: Any) -> Any:
        return getattr(self.get(), name)(*args)

    call.__name__ = name
    return call


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
    for _form in (f"__{_name}__", f"__r{_name}__"):
        setattr(DistributedDelegate, _form, _delegated(_form))
for _name in ("neg", "abs", "getitem", "lt", "le", "gt", "ge", "and", "or", "invert"):
    setattr(DistributedDelegate, f"__{_name}__", _delegated(f"__{_name}__"))


class PerDevice(DistributedDelegate):
    """A value of each tower."""


class Mirrored(DistributedDelegate):
    """The same value on each device."""


def by_device(devices: Sequence[str], values: Sequence) -> Any:
    """The values of towers as one; of a single tower its value itself.

    Args:
        devices: the names of the devices. values: one for each of them.
    """
    if len(values) == 1:
        return values[0]
    return PerDevice(dict(zip(devices, values, strict=True)))


def regroup(towers: list[tuple[str, Any]], kind: type = PerDevice) -> Any:
    """The values of towers as one nest whose leaves are values by device.

    What is the same object in all towers stays as it is; variables of several devices
    are put together again.

    Args:
        towers: (name of the device, what its tower gave).
        kind: of the leaves, a class of DistributedValues.
    Raises:
        ValueError: the towers gave different structures.
    """
    first = towers[0][1]
    given = [v for _, v in towers]
    if isinstance(first, list | tuple | dict):
        _check_alike(given)
        parts = [_entries(v) for v in given]
        joined = [
            regroup([(d, p[i]) for (d, _), p in zip(towers, parts, strict=True)], kind)
            for i in range(len(parts[0]))
        ]
        return _rebuilt(first, joined)
    if all(v is first for v in given):
        return first
    whole = [getattr(v, "_distributed_container", None) for v in given]
    if whole[0] is not None and all(w is whole[0] for w in whole):
        return whole[0]
    return kind(dict(towers))


def _check_alike(given: list) -> None:
    first = given[0]
    for other in given[1:]:
        same = type(other) is type(first) and len(other) == len(first)
        if not same or (isinstance(first, dict) and other.keys() != first.keys()):
            raise ValueError(
                "The towers must return the same structure; got "
                f"{first!r} and {other!r}."
            )


def _entries(value: Any) -> list:
    return [*value.values()] if isinstance(value, dict) else [*value]


def _rebuilt(like: Any, entries: list) -> Any:
    if isinstance(like, dict):
        return type(like)(zip(like, entries, strict=True))
    return type(like)(*entries) if hasattr(like, "_fields") else type(like)(entries)


def _picked(structure: Any, pick: Callable) -> Any:
    def leaf(v: Any) -> Any:
        return pick(v) if isinstance(v, DistributedValues) else v

    return nest.map_structure(leaf, structure)


def select_tower(tower: int, structured: Any) -> Any:
    """A nest in which values by device are those of one tower.

    Args:
        tower: its number. structured: a nest.
    """
    return _picked(structured, lambda v: v.values()[min(tower, len(v.values()) - 1)])


def select_device(device: str, structured: Any) -> Any:
    """A nest in which values by device are those of one device.

    Args:
        device: its name. structured: a nest.
    """
    return _picked(structured, lambda v: v.get(device))
