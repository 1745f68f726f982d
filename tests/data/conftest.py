"""Programs of data that run in both modes."""

import pytest

from tests.data.programs import in_eager, in_graph
from twinflow.base import dispatch
from twinflow.eager.mode import MODE
from twinflow.ops.random.streams import set_random_seed


@pytest.fixture(autouse=True)
def eager():
    """Eager execution without a seed, unless a test enters a graph."""
    with dispatch.entered(MODE):
        set_random_seed(None)
        yield


@pytest.fixture(params=["eager", "one_shot", "initializable"])
def elements(request):
    """A function from a maker of datasets to their elements, in one of the modes."""
    if request.param == "eager":
        return in_eager
    return lambda make: in_graph(make, request.param == "initializable")
