"""Heat maps, histograms and curves draw what the numbers say."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from twinflow.drawing import plots

BLUE, ORANGE, RED = plots._ABOVE, plots._BELOW, plots._WRONG


def cells(svg):
    """{(row, column): (color, opacity)} of the cells that a heat map paints."""
    found = {}
    for path in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}path"):
        look = path.get("fill"), float(path.get("fill-opacity", 1))
        for x, y, w in re.findall(r"M(\d+),(\d+)h(\d+)", path.get("d")):
            for i in range(int(w)):
                found[int(y), int(x) + i] = look
    return found


def test_a_heat_map_has_a_shade_for_each_cell():
    values = np.array([[0, 1, 2, -4], [4, np.nan, np.inf, -0.1]])
    assert cells(plots.heat_map(values)) == {
        (0, 1): (BLUE, 0.25), (0, 2): (BLUE, 0.5), (0, 3): (ORANGE, 1.0),
        (1, 0): (BLUE, 1.0), (1, 1): (RED, 1), (1, 2): (RED, 1),
        (1, 3): (ORANGE, 0.12),
    }  # fmt: skip


def test_a_large_heat_map_has_means():
    values = np.zeros((400, 90))
    values[:10] = 3.0
    found = cells(plots.heat_map(values))
    assert found == {(0, column): (BLUE, 1.0) for column in range(40)}
    assert len(plots.heat_map(np.random.default_rng(0).normal(size=(999, 999)))) < 30000


@pytest.mark.parametrize("value", [0.0, np.nan, 1e-300, -1e308])
def test_a_heat_map_of_one_value(value):
    found = cells(plots.heat_map(np.full((2, 3), value)))
    assert len(found) == (0 if value == 0 else 6)


def test_a_histogram_counts():
    svg = plots.histogram(np.repeat([0.0, 3.0, 30.0], [1, 4, 2]))
    bars = re.findall(r"M([\d.]+),70v-([\d.]+)", svg)
    assert [(float(x) / 7, float(h)) for x, h in bars] == [
        (0, 16.0), (3, 64.0), (29, 32.0),
    ]  # fmt: skip
    assert ElementTree.fromstring(plots.histogram(np.ones(5))) is not None
    assert plots.histogram(np.zeros(0)) == ""


def test_curves_leave_out_what_is_no_number():
    svg = plots.curves("loss", {"a": [2.0, 1.0, 0.0], "b": [np.nan, "x", 1.0, np.inf]})
    lines = re.findall(r"polyline points='([^']*)'", svg)
    assert lines == ["46.0,20.0 146.0,59.0 246.0,98.0", "246.0,59.0"]
    assert plots.curves("none", {"a": [], "b": [np.nan]}) == ""
    many = plots.curves("many", {"a": np.sin(np.arange(100_000))})
    assert len(many) < 6000 and ElementTree.fromstring(many) is not None
