"""Each row of benchmarks/families.py runs, and computes what TensorFlow 1.12 does."""

import pytest

from benchmarks import families, rounds

STEPS = "gan step", "model_pruning step"
SLOW = "tensor_forest training"  # makes an estimator, and trains it


@pytest.fixture(scope="module", params=["graph", "eager"])
def both(request):
    """The mode, and what small ones of all its rows compute."""
    with families.Asked(families.OURS, "twinflow", request.param, "values") as asked:
        rows = [r for r in families.rows_of(request.param, ()) if r != SLOW]
        return request.param, {row: asked.measure(row) for row in rows}


def test_every_row_computes_something(both):
    mode, found = both
    assert len(found) > (60 if mode == "graph" else 30)
    assert {row: f["error"] for row, f in found.items() if "error" in f} == {}
    steps = {row for row in found if not found[row]["values"]}  # ops without a result
    assert all(row.startswith("opt.") or row in STEPS for row in steps)


@pytest.mark.interop
def test_tensorflow_computes_the_same(both, tf112_python):
    mode, found = both
    other = []
    with families.Asked(tf112_python, "tensorflow", mode, "values") as asked:
        for row, ours in found.items():
            theirs = asked.measure(row)
            if not families.agree(row, ours, theirs):
                other.append((row, ours, theirs))
    assert other == []


def test_a_row_that_fails_says_why_and_others_are_compared():
    cell = {"twinflow": {"seconds": 1, "spread": 0, "values": [1.0]}}
    fails = {**cell, "tensorflow": {"error": "ValueError: no"}}
    assert families.line_of("x", "graph", fails)[:2] == (
        ["x, graph", "ValueError: no", "-", "-"], None
    )  # fmt: skip
    cell["tensorflow"] = {"seconds": 2, "spread": 0, "values": [1.1]}
    line, ratio, same = families.line_of("x", "graph", cell)
    assert (line[-1], ratio, same) == ("0.50", 0.5, False)
    assert families.line_of("gan step", "graph", cell)[2]
    assert rounds.close([1.0], [1.0], families.CLOSE)
