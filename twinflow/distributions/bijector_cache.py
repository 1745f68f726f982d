"""What a bijector has computed: the x of a y, the y of an x, and the log Jacobians."""

from typing import Any

_KEPT_EAGERLY = 4  # tensors of a graph stay anyway; eager ones would never be let go


class Mapping:
    """An x and its y, as far as they are known.

    Args:
        x, y: tensors or None. ildj_map: {event_ndims: tensor}.
        kwargs: the other arguments that they depend on.
    """

    def __init__(
        self, x: Any = None, y: Any = None, ildj_map: Any = None, kwargs: Any = None
    ) -> None:
        self.x, self.y, self.ildj_map = x, y, ildj_map or {}
        self.kwargs = kwargs or {}

    def merge(self, x: Any = None, y: Any = None, ildj_map: Any = None) -> "Mapping":
        """The mapping with what is known now."""
        return Mapping(
            self.x if x is None else x, self.y if y is None else y,
            {**self.ildj_map, **(ildj_map or {})}, self.kwargs,
        )  # fmt: skip


class Cache:
    """The mappings of one bijector, by x and by y."""

    def __init__(self) -> None:
        self._by_x: dict[Any, Mapping] = {}
        self._by_y: dict[Any, Mapping] = {}

    def find(self, x: Any = None, y: Any = None, kwargs: Any = None) -> Mapping:
        """The mapping of a tensor, or one that knows only that."""
        kept, t = (self._by_x, x) if y is None else (self._by_y, y)
        found = kept.get(_key(t, kwargs))
        return Mapping(x, y, kwargs=kwargs) if found is None else found

    def keep(self, mapping: Mapping) -> None:
        """Remember what a mapping knows of each of its tensors."""
        for kept, t in ((self._by_x, mapping.x), (self._by_y, mapping.y)):
            if t is None:
                continue
            key = _key(t, mapping.kwargs)
            kept.pop(key, None)
            kept[key] = mapping
            while not t.symbolic and len(kept) > _KEPT_EAGERLY:
                del kept[next(iter(kept))]


def _key(t, kwargs):
    """What tells a tensor and other arguments from all others that are kept."""
    return (id(t), *_frozen(kwargs or {}))


def _frozen(value):
    if isinstance(value, dict):
        return tuple((k, _frozen(value[k])) for k in sorted(value))
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    return id(value)
