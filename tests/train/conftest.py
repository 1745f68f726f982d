"""The modes of tests.modes as fixtures; sessions whose threads all end."""

import pytest

from tests import threads
from tests.modes import eager, graph
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph

__all__ = ["eager", "graph"]


@pytest.fixture
def sess():
    """A Session of a new graph, which is the default one; no thread may stay."""
    before = threads.others()
    with Graph().as_default(), Session() as session:
        yield session
    threads.check_none_stays(before)
