"""Eager execution, unless a test enters a graph."""

import pytest

from twinflow.base import dispatch
from twinflow.eager.mode import MODE


@pytest.fixture(autouse=True)
def eager():
    """What is called outside a graph is done at once."""
    with dispatch.entered(MODE):
        yield
