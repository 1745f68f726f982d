"""The modes of tests.modes as fixtures."""

from tests.modes import eager

__all__ = ["eager"]
