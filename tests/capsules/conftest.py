"""The modes of tests.modes as fixtures."""

from tests.modes import eager, graph

__all__ = ["eager", "graph"]
