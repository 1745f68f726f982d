"""Running a dataset in eager mode and in a graph."""

from twinflow.base import errors
from twinflow.data import structure
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph
from twinflow.ops.random.streams import set_random_seed


def plain(element):
    """An element with lists and numbers in place of arrays."""
    return structure.with_leaves(element, map(_plain, structure.flatten(element)))


def _plain(value):
    value = value.numpy() if hasattr(value, "numpy") else value
    return value.tolist() if hasattr(value, "tolist") else value


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
