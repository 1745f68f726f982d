"""How a structure is taken apart into its children, and made anew of others."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

_KINDS: dict = {}
_MAX_KINDS = 4096  # classes made in a loop (namedtuples) must not pile up here


def kind_of(cls: type) -> Any:
    """How to reach the children of a class: a function, or None for a leaf class."""
    try:
        return _KINDS[cls]
    except KeyError:
        if len(_KINDS) >= _MAX_KINDS:
            _KINDS.clear()
        kind = _KINDS[cls] = _find_kind(cls)
        return kind


def _find_kind(cls: type) -> Callable | None:
    if issubclass(cls, (str, bytes)):
        return None
    if issubclass(cls, Mapping):
        return _mapping_values
    if issubclass(cls, (list, tuple)):
        return _itself
    if issubclass(cls, Sequence):
        return list
    return _attrs_values if hasattr(cls, "__attrs_attrs__") else None


def _itself(sequence: Any) -> Sequence:
    return sequence


def _mapping_values(mapping: dict) -> list:
    return [mapping[key] for key in sorted_keys(mapping)]


def _attrs_values(instance: Any) -> list:
    return [getattr(instance, name) for name in _attrs_names(instance)]


def _attrs_names(instance: Any) -> list:
    return [field.name for field in type(instance).__attrs_attrs__]


def sorted_keys(mapping: Any) -> list:
    try:
        return sorted(mapping)
    except TypeError:
        raise TypeError("nest only supports dicts with sortable keys.") from None


def values_of(structure: Any) -> Sequence:
    return kind_of(type(structure))(structure)


def keys_of(structure: Any) -> Any:
    if isinstance(structure, Mapping):
        return sorted_keys(structure)
    if is_namedtuple(structure):
        return structure._fields
    if hasattr(type(structure), "__attrs_attrs__"):
        return _attrs_names(structure)
    return range(len(structure))


def is_namedtuple(structure: Any) -> bool:
    return isinstance(structure, tuple) and hasattr(structure, "_fields")


def rebuilt(structure: Any, values: Any) -> Any:
    """A structure of the same class with other children (given in sorted order)."""
    cls = type(structure)
    if cls is list or cls is range or cls is tuple:
        return tuple(values) if cls is tuple else values
    if isinstance(structure, Mapping):
        return _rebuild_mapping(structure, dict(zip(sorted_keys(structure), values)))
    if is_namedtuple(structure) or hasattr(cls, "__attrs_attrs__"):
        return cls(*values)
    return cls(values)


def _rebuild_mapping(structure: Any, values: dict) -> dict:
    items = {key: values[key] for key in structure}
    if isinstance(structure, defaultdict):
        return type(structure)(structure.default_factory, items)
    return type(structure)(items)
