"""Every row in graphs with unknown dimensions and ranks, fed with two sizes."""

import pytest

from tests import ways
from tests.support import op_cases  # noqa: F401 - loads the rows
from tests.support import partial_checks as checks
from tests.support.engine_checks import samples
from tests.support.op_cases.table import CASES


@pytest.mark.parametrize("unknown", [checks.DIMENSIONS, checks.RANK])
@pytest.mark.parametrize("row", CASES, ids=str)
def test_a_graph_runs_with_two_sizes(row, unknown):
    with ways.interpreted():
        checks.check_partial(row, unknown)


@pytest.mark.parametrize("row", [*filter(checks.has_hosts, CASES)], ids=str)
def test_host_inputs_are_fed(row):
    with ways.interpreted():
        checks.check_partial(row, checks.HOSTS)


def test_most_rows_have_a_second_size(record_property):
    alone = []
    for row in CASES:
        first = samples(row, row.dtypes[0])
        if checks.resizable(first) and not checks.second_sample(row, first):
            alone.append(row.name)
    record_property(
        "summary",
        f"{len(CASES) - len(alone)} of {len(CASES)} rows ran in graphs with two sizes, "
        f"or have no size; one size has {', '.join(alone)}",
    )
    assert len(alone) < 0.1 * len(CASES)


def test_a_size_that_was_built_in_is_found():
    """A function that takes its first input's size for all."""
    row = next(r for r in CASES if r.name == "Tanh-0")
    first = samples(row, "float32")
    graph = checks.PartialGraph(row, first, checks.DIMENSIONS)
    with graph.graph.as_default():
        graph.ys = [y[: first[0]._shape[0]] for y in graph.ys]
    checks.compare(row, graph, first)
    with pytest.raises(AssertionError, match="Tanh-0"):
        checks.compare(row, graph, checks.second_sample(row, first))
