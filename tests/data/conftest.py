"""Programs of data that run in both modes."""

import pytest

from twinflow.base import dispatch, errors
from twinflow.data import structure
from twinflow.eager.mode import MODE
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph
from twinflow.ops.streams import set_random_seed


@pytest.fixture(autouse=True)
def eager():
    """Eager execution without a seed, unless a test enters a graph."""
    with dispatch.entered(MODE):
        set_random_seed(None)
        yield


def plain(element):
    """An element with lists and numbers in place of arrays."""
    flat = [v.numpy() if hasattr(v, "numpy") else v for v in structure.flatten(element)]
    return structure.pack(element, [v.tolist() if hasattr(v, "tolist") else v for v in flat])


def drained(session, element):
    """What fetching `element` gives until the end of its iterator."""
    found = []
    while True:
        try:
            found.append(plain(session.run(element)))
        except errors.OutOfRangeError:
            return found


def in_eager(make):
    """The elements of the dataset that `make()` gives, in eager mode."""
    set_random_seed(None)
    return [plain(element) for element in make()]


def in_graph(make, initializable=False):
    """The elements of the dataset that `make()` gives, in a graph."""
    with Graph().as_default(), Session() as session:
        dataset = make()
        if not initializable:
            return drained(session, dataset.make_one_shot_iterator().get_next())
        iterator = dataset.make_initializable_iterator()
        element = iterator.get_next()
        session.run(iterator.initializer)
        return drained(session, element)


@pytest.fixture(params=["eager", "one_shot", "initializable"])
def elements(request):
    """A function from a maker of datasets to their elements, in one of the modes."""
    if request.param == "eager":
        return in_eager
    return lambda make: in_graph(make, request.param == "initializable")


