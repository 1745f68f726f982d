"""Tests run eagerly where they ask for it, whatever mode the process is in."""

import pytest

from twinflow.base import dispatch
from twinflow.eager.mode import MODE


@pytest.fixture
def eager():
    with dispatch.entered(MODE):
        yield
