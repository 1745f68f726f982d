"""The table and the goals say what was measured, and what was not."""

import pytest

from benchmarks import goals, report
from benchmarks.environments import PEERS, prepare
from benchmarks.rounds import Results, fingerprint


def results(rows, **seconds):
    """Results of rows, for example twinflow={"add": [1e-6, 2e-6]}."""
    found = Results(rows)
    for framework, cells in seconds.items():
        for row, rounds in cells.items():
            for s in rounds:
                found.add(framework, row, {"": {"seconds": s, "values": [[1.0]]}})
    return found


def test_the_table_shows_minimum_spread_and_ratio():
    found = results(
        ["add"], twinflow={"add": [2e-6, 1e-6, 1.1e-6]}, torch={"add": [4e-6]}
    )
    header, line = report.table(found)
    assert header[1:4] == ["twinflow", "PyTorch", "ratio"]
    assert line == ["a + b", "1.00 us x2.0", "4.00 us +0%", "0.25", "-", "-", "-", "-"]


def test_the_fastest_variant_counts():
    found = Results(["mlp_eager"])
    variants = {"slow": {"seconds": 2e-3}, "fast": {"seconds": 1e-3}}
    found.add("torch", "mlp_eager", variants)
    assert found.cell("torch", "mlp_eager").seconds == 1e-3
    assert report.variants(found) == [
        "MLP step, eager, PyTorch: `slow` 2.00 ms, `fast` 1.00 ms"
    ]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(2.5, "2.50 s"), (0.0123, "12.3 ms"), (1.23e-4, "123 us"), (3e-7, "0.30 us")],
)
def test_durations_have_three_digits(seconds, text):
    assert report.duration(seconds) == text


@pytest.mark.parametrize(
    ("ours", "line"),
    [
        ([1e-6], "does not hold (0.71): a + b at most 0.7 of PyTorch"),
        ([0.9e-6], "holds (0.64): a + b at most 0.7 of PyTorch"),
        ([], "not measured: a + b at most 0.7 of PyTorch"),
    ],
)
def test_goals_are_checked(ours, line):
    found = results(["add"], twinflow={"add": ours}, torch={"add": [1.4e-6]})
    assert goals.check(found) == [line]


def test_errors_and_different_values_are_problems():
    found = results(["add", "sum"], twinflow={"add": [1.0]})
    found.add("torch", "add", {"": {"seconds": 1.0, "values": [[1.001]]}})
    found.add("jax", "sum", {"": {"error": "TypeError: no"}})
    assert found.problems() == [
        "jax, sum: TypeError: no",
        "a + b: the values differ (twinflow, torch)",
    ]


def test_an_edit_during_the_run_is_a_problem(tmp_path):
    source = tmp_path / "a.py"
    source.write_text("x = 1")
    before = fingerprint(tmp_path)
    source.write_text("x = 2")
    assert fingerprint(tmp_path) != before
    found = results(["add"])
    found.edited = True
    assert found.problems() == ["twinflow's source changed during the run"]


def test_a_peer_without_environment_is_named(monkeypatch, tmp_path):
    for peer in PEERS.values():
        monkeypatch.setenv(peer.variable, str(tmp_path / "none"))
    said = []
    found = prepare(folder=tmp_path, say=said.append)
    assert list(found.pythons) == ["twinflow"]
    assert list(found.missing) == list(PEERS)
    assert "TWINFLOW_BENCH_TORCH=" in said[0] and "not a Python with torch" in said[0]


def test_the_page_is_complete():
    found = results(["add"], twinflow={"add": [1e-6]})
    how = {"rounds": 5, "repeats": 5, "least": 20, "seconds": 200}
    text = report.document(found, goals.check(found), report.machine(found), how)
    assert "| a + b | 1.00 us +0% | - |" in text
    assert "- not measured: a + b at most 0.7 of PyTorch" in text
