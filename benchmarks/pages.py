"""The pages of the benchmarks: their rows, how these are measured, and the goals."""

from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks import (
    goals,
    graphs,
    graphs_goals,
    jpegs,
    models,
    models_goals,
    ops,
    ops_goals,
    problem,
    report,
    rounds,
    tables,
)


@dataclass(frozen=True)
class Page:
    """Rows that are measured together.

    Args:
        titles: {row: what it is called}.
        run: measures them; see rounds.run_rounds.
        check: lines about the goals of Results.
        loops: arguments of measure.py; quick: the same with --quick.
        plot: the file of its plot; a function of plot.py of the page's name draws it.
        tolerances: {row: how much its values may differ}, where it is a number of
            its own.
        tables: {field of its template: what makes the table from Results}.
    """

    titles: dict
    run: Callable
    check: Callable
    loops: tuple
    quick: tuple
    plot: str
    tolerances: dict = field(default_factory=dict)
    tables: dict = field(default_factory=dict)

    def loops_of(self, quick):
        """The arguments of measure.py."""
        return self.quick if quick else self.loops

    def made(self, results):
        """{field of its template: a table}."""
        return {name: make(results) for name, make in self.tables.items()}

    def chosen(self, only, sizes):
        """The rows of a choice; all without one.

        Args:
            only: names of rows; for an op also the start, without its size.
            sizes: ends of rows, for example "1e6".
        """
        return [
            row for row in self.titles
            if (not only or row in only or ops.names_of(row) & set(only))
            and (not sizes or row.partition("@")[2] in sizes)
        ]  # fmt: skip


LOOPS = "--repeats=5", "--least=0.02"
QUICK_LOOPS = "--repeats=2", "--least=0.005"
PAGES = {
    "calls": Page(
        problem.ROWS, rounds.run_rounds, goals.check, LOOPS, QUICK_LOOPS,
        "benchmarks.png", dict.fromkeys(jpegs.ROWS, jpegs.TOLERANCE),
        {"table": report.table},
    ),
    "ops": Page(
        {row: ops.title(row) for row in ops.ROWS}, rounds.run_turns,
        ops_goals.check, ("--repeats=60", "--least=0.0003"),
        ("--repeats=40", "--least=0.0001"), "benchmarks_ops.png",
        {row: ops.OPS[name].tolerance for row, (name, *_) in ops.ROWS.items()},
        {"table": tables.of_ops, "shapes": lambda results: tables.of_ops_shapes()},
    ),
    "models": Page(
        {row: models.title(row) for row in models.ROWS}, rounds.run_models,
        models_goals.check, ("--settle=10", "--least=0.5"),
        ("--settle=2", "--least=0.2"), "benchmarks_models.png",
        dict.fromkeys(models.ROWS, models.TOLERANCE),
        {"table": report.table, "best": tables.of_best, "memory": tables.of_memory},
    ),
    "graphs": Page(
        {row: graphs.title(row) for row in graphs.ROWS}, rounds.run_rounds,
        graphs_goals.check, ("--repeats=3", "--least=0.02"),
        ("--repeats=1", "--least=0.005"), "benchmarks_graphs.png", {},
        {"table": report.table},
    ),
}  # fmt: skip
