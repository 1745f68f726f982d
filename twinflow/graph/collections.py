"""The named lists of a graph."""

import re
from typing import Any


class Collections:
    """What a graph has of collections: lists of anything, by name.

    Attributes:
        collections: dict from name to list.
    """

    collections: dict[Any, Any]

    def add_to_collection(self, name: str, value: Any) -> None:
        """Append to a named list."""
        self.collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Append to several named lists (or one), once to each."""
        for name in [names] if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection(self, name: str, scope: str | None = None) -> list[Any]:
        """A copy of a named list, of those whose name starts with `scope`."""
        found = list(self.collections.get(name, []))
        if scope is None:
            return found
        return [v for v in found if re.match(scope, getattr(v, "name", ""))]

    def get_collection_ref(self, name: Any) -> list[Any]:
        """The named list itself."""
        return self.collections.setdefault(name, [])

    def get_all_collection_keys(self) -> list[str]:
        """The names of the lists that are names of the program's own."""
        return [name for name in self.collections if isinstance(name, str)]

    def clear_collection(self, name: str) -> None:
        """Forget a named list."""
        self.collections.pop(name, None)
