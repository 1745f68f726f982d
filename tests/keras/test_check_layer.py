"""Every layer of the table against TensorFlow 1.12, in every mode."""

from pathlib import Path

import pytest

from twinflow.testing.check_layer import check_layer, load
from twinflow.testing.layer_rows import ROWS

GOLDEN = load(Path(__file__).parent)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_layer(row):
    check_layer(row, GOLDEN[row[0]])


def test_the_checker_sees_a_small_difference():
    row = next(r for r in ROWS if r[0] == "dense")
    golden = load(Path(__file__).parent)["dense"]
    golden.arrays["grad0"] = golden.arrays["grad0"] * 1.0005
    with pytest.raises(AssertionError, match="gradient 0"):
        check_layer(row, golden)
