"""The table and the goals say what was measured, and what was not."""

import pytest

from benchmarks import goals, models_goals, ops_goals, report
from benchmarks.environments import PEERS, prepare
from benchmarks.pages import PAGES
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
    texts = {
        "facts": "- cores: 2", "goals": report.bullets(goals.check(found)),
        "table": report.table(found), "rounds": 5, "loops": "", "seconds": 200,
    }  # fmt: skip
    text = report.part("calls", found, texts)
    assert "| a + b | 1.00 us +0% | - |" in text
    assert "- not measured: a + b at most 0.7 of PyTorch" in text


def test_a_part_of_the_document_is_written_anew():
    first = report.joined("", "## One\n\n1\n")
    assert first.startswith("# Benchmarks\n") and first.endswith("\n## One\n\n1\n")
    both = report.joined(first, "## Two\n\n### Goals\n")
    assert report.joined(both, "## One\n\n2\n") == both.replace("1", "2")


def page(name, rows):
    """Empty Results of some rows of a page."""
    return Results(rows, PAGES[name].titles, PAGES[name].tolerances)


def test_ops_are_chosen_with_their_gradients_and_sizes():
    chosen = PAGES["ops"].chosen
    assert chosen(["relu"], ["1e3"]) == ["relu@1e3", "relu_gradient@1e3"]
    assert chosen(["relu_gradient"], ["1e3"]) == ["relu_gradient@1e3"]
    assert len(chosen(None, ["1e6"])) == 82
    assert PAGES["models"].chosen(["tiny"], None) == [
        "tiny@eager", "tiny@function", "tiny@graph"
    ]  # fmt: skip


def test_the_goals_of_ops_are_means_and_the_worst():
    found = page("ops", ["add@1e6", "exp@1e6"])
    times = {"twinflow": (1e-3, 8e-3), "torch": (4e-3, 2e-3)}
    for framework, seconds in times.items():
        for row, s in zip(found.rows, seconds, strict=True):
            found.add(framework, row, {"": {"seconds": s}})
    assert ops_goals.check(found) == [
        "falls short (1.00): 2 rows at 1e6 at most 0.95 of PyTorch, geometric mean",
        "falls short (1 rows, 4.0): none at 1e6 above 1.5 of PyTorch",
    ]
    assert "slowest at 1e6: exp@1e6 4.00" in ops_goals.summary(found, ["torch"])


def test_the_goals_of_models_take_the_fastest_peer():
    found = page("models", ["mlp@eager", "mlp@function"])
    facts = {"first": 0.1, "settled": 0.2, "peak": 2e8}
    for framework, row, s in [
        ("twinflow", "mlp@eager", 3e-3), ("twinflow", "mlp@function", 2e-3),
        ("torch", "mlp@eager", 2e-3), ("torch", "mlp@function", 4e-3),
        ("jax", "mlp@function", 2.5e-3),
    ]:  # fmt: skip
        found.add(framework, row, {"": {"seconds": s, "facts": facts}})
    lines = [line.partition(": ")[0] for line in models_goals.check(found)]
    assert lines == ["falls short (1.50)"] + ["holds (1.00)"] * 3


@pytest.mark.parametrize("name", list(PAGES))
def test_every_page_fills_its_template(name):
    found = page(name, list(PAGES[name].titles))
    texts = dict.fromkeys(
        ["facts", "goals", "summary", "rounds", "loops", "seconds"], ""
    )
    text = report.part(name, found, {**texts, **PAGES[name].made(found)})
    assert text.startswith("## ") and "\n# " not in text
