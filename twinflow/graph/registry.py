"""Registries: values under names, for what programs add to graphs."""

from typing import Any

from twinflow.base.frames import place_of_program


class Registry:
    """Values under names, each once.

    Args:
        name: what kind of values these are, for errors.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._values: dict[str, Any] = {}
        self._places: dict[str, str] = {}

    def register(self, candidate: Any, name: str | None = None) -> None:
        """Keep a value under a name, its own if not given.

        Raises:
            KeyError: the name is taken.
        """
        name = name or candidate.__name__
        if name in self._values:
            raise KeyError(
                f"Registering two {self._name} with name '{name}' !(Previous "
                f"registration was in {self._places[name]})"
            )
        self._values[name], self._places[name] = candidate, place_of_program()

    def list(self) -> Any:
        """The names."""
        return self._values.keys()

    def lookup(self, name: str) -> Any:
        """The value of a name.

        Raises:
            LookupError: there is none.
        """
        if name not in self._values:
            raise LookupError(f"{self._name} registry has no entry for: {name}")
        return self._values[name]
