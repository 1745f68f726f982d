"""Rows of the table of op cases as GraphDefs: written, read again, and run."""

from typing import Any, NamedTuple

import numpy as np

from tests.support import op_checks
from tests.support.engine_checks import samples
from twinflow.base import dispatch
from twinflow.base.op_defs import find
from twinflow.base.tensor import Tensor
from twinflow.eager.tensor import EagerTensor
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph
from twinflow.graph.graph_def.import_def import import_graph_def
from twinflow.ops.arrays.placeholder import placeholder


class Written(NamedTuple):
    """A row as a graph.

    Attributes:
        graph: the Graph. feeds: {name of a placeholder: array}. names: of the outputs.
    """

    graph: Any
    feeds: dict
    names: list


def written(row, dtype):
    """The graph of a row: a placeholder for each tensor that goes in."""
    graph, feeds = Graph(), {}
    with dispatch.entered(graph):
        placed = [_placed(x, feeds) for x in samples(row, dtype)]
        attrs = dict(row.attrs)
        if "stream" in attrs:  # rows share it; each graph needs its own
            attrs["stream"] = type(attrs["stream"])(attrs["stream"].seeds)
        found = op_checks.call(row, placed, attrs)
    return Written(graph, feeds, [t.name for t in found if isinstance(t, Tensor)])


def _placed(x, feeds):
    if isinstance(x, list):
        return [_placed(v, feeds) for v in x]
    if not isinstance(x, EagerTensor):
        return x
    t = placeholder(x.dtype, x._shape)
    feeds[t.name] = x._a
    return t


def run(graph, feeds, names):
    """The arrays that a session gives for `names`."""
    with Session(graph=graph) as session:
        return [np.asarray(a) for a in session.run(names, feeds)]


def read_again(graph):
    """A graph made from the GraphDef of another."""
    again = Graph()
    with dispatch.entered(again):
        import_graph_def(graph.as_graph_def(), name="")
    return again


def draws(graph):
    """Whether a graph draws numbers without a seed, or holds ops of twinflow alone."""
    return any(
        find(n.type) is None or ("stream" in n.attrs and not n.attrs["seed"])
        for n in graph.nodes
    )


def check_round_trip(row, dtype):
    """A row gives the same numbers after its GraphDef was written and read."""
    made = written(row, dtype)
    before = run(*made)
    again = read_again(made.graph)
    lost = _nodes(made.graph) - _nodes(again)
    assert not lost, f"{row.name}: {lost}"
    after = run(again, made.feeds, made.names)
    if draws(made.graph):
        return
    for a, b in zip(before, after, strict=True):
        assert a.dtype == b.dtype, f"{row.name}: {a.dtype}, then {b.dtype}"
        assert np.array_equal(a, b, equal_nan=a.dtype.kind in "fc"), f"{row.name}"


def _nodes(graph):
    return {n.name for n in graph.nodes}
