"""The pages of the benchmarks: their rows, how these are measured, and the goals."""

from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks import (
    goals,
    models,
    models_goals,
    ops,
    ops_goals,
    problem,
    rounds,
)


@dataclass(frozen=True)
class Page:
    """Rows that are measured together.

    Args:
        titles: {row: what it is called}.
        run: measures them; see rounds.run_rounds.
        check: lines about the goals of Results.
        loops: arguments of measure.py; quick: the same with --quick.
        tolerances: {row: how much its values may differ}, where it is a number of
            its own.
    """

    titles: dict
    run: Callable
    check: Callable
    loops: tuple
    quick: tuple
    tolerances: dict = field(default_factory=dict)

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
        problem.ROWS, rounds.run_rounds, goals.check, LOOPS, QUICK_LOOPS
    ),
    "ops": Page(
        {row: ops.title(row) for row in ops.ROWS}, rounds.run_turns,
        ops_goals.check, ("--repeats=60", "--least=0.0003"),
        ("--repeats=40", "--least=0.0001"),
        {row: ops.OPS[name].tolerance for row, (name, *_) in ops.ROWS.items()},
    ),
    "models": Page(
        {row: models.title(row) for row in models.ROWS}, rounds.run_models,
        models_goals.check, ("--settle=10", "--least=0.5"),
        ("--settle=2", "--least=0.2"), dict.fromkeys(models.ROWS, models.TOLERANCE),
    ),
}  # fmt: skip
