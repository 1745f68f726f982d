"""Running one piece of a program eagerly and in a graph."""

import numpy as np
import pytest

from twinflow.base import dispatch, nest
from twinflow.eager.mode import MODE
from twinflow.execute.session import Session
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.graph import Graph
from twinflow.ops.random.streams import set_random_seed
from twinflow.ops.variables.collections import global_variables_initializer


def fresh():
    """Forget what the eager mode remembers between tests, and seed it."""
    set_random_seed(1)
    for key in ("slot_names", "keras_uids"):
        get_default_graph().state.pop(key, None)
    MODE.state.pop("last loss reduction", None)
    get_default_graph().collections.pop("global_step", None)


def arrays(value):
    """A structure of tensors and variables as one of arrays."""
    return nest.map_structure(lambda t: np.asarray(t.numpy()), value)


def eagerly(build):
    """What `build()` returns, as arrays."""
    with dispatch.entered(MODE):
        fresh()
        return arrays(build())


def in_graph(build):
    """The same in a graph of its own, run once in a Session."""
    with Graph().as_default(), Session() as session:
        found = build()
        session.run(global_variables_initializer())
        return nest.map_structure(np.asarray, session.run(found))


def both(function):
    """Run a test with `run` eagerly and in a graph."""
    return pytest.mark.parametrize("run", [eagerly, in_graph])(function)


@pytest.fixture
def eager():
    """Eager mode for the whole test."""
    with dispatch.entered(MODE):
        fresh()
        yield


@pytest.fixture
def graph():
    """A graph of its own for the whole test."""
    with Graph().as_default() as g:
        yield g


def close(found, wanted, ulps=4):
    """Hold two float arrays against each other, in units in the last place."""
    wanted = np.asarray(wanted, np.asarray(found).dtype)
    np.testing.assert_array_max_ulp(np.asarray(found), wanted, ulps)
