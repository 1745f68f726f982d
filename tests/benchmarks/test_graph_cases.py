"""The cases of large graphs compute what their rows say."""

import numpy as np
import pytest

import twinflow as tf
from benchmarks.graphs import ROWS
from benchmarks.tensorflow_graphs import GraphCases

UNITS = {"first": 333, "step": 333, "slope": 111}  # of three nodes, or of nine


def values(phase):
    """What float64 arithmetic gives: y, or the gradient of its sum for x."""
    x = np.ones([4, 4])
    y, slope = x, np.ones_like(x)
    for _ in range(UNITS[phase]):
        y = np.tanh(y / 2 + x)  # w is half the identity
        slope = (1 - y * y) * (slope / 2 + 1)  # dy/dx, entry by entry
    return slope if phase == "slope" else y


@pytest.mark.parametrize("row", [row for row in ROWS if row.endswith("1e3")])
def test_twinflow_computes_what_the_row_says(row):
    (make,) = GraphCases(tf).cases()[row].values()
    for found in make().values():
        phase = ROWS[row][0]
        wanted = values(phase).ravel() if phase in UNITS else [4, 4]
        np.testing.assert_allclose(found, wanted, rtol=1e-4)
