"""How the cost of large graphs is meant to grow, and what it may be."""

from benchmarks.environments import TITLES
from benchmarks.graphs import PHASES, ROWS

MOST = 1.0  # of TensorFlow's time
GROWTH = 1.3  # of the time a node takes, from one size to ten times that


def check(results):
    """One line per goal of the measured rows: what it is, and whether it holds."""
    lines = []
    for row in results.rows:
        ratio = results.ratio(row, "tensorflow")
        if ratio is not None:
            goal = f"{results.titles[row]}, at most {MOST} of {TITLES['tensorflow']}"
            lines.append(_line(ratio, MOST, goal))
    return lines + [line for phase in PHASES for line in _growth(results, phase)]


def _growth(results, phase):
    """Whether the two largest graphs of a phase cost the same by the node."""
    sizes = [size for name, size in ROWS.values() if name == phase]
    seconds = [results.cell("twinflow", f"{phase}@{size}").seconds for size in sizes]
    known = [(float(n), s) for n, s in zip(sizes, seconds, strict=True) if s]
    if len(known) < 2:
        return []
    (few, short), (many, long) = known[-2:]
    goal = f"{PHASES[phase]}: {many:,.0f} nodes cost {GROWTH} of {few:,.0f} by the node"
    return [_line(long / many / (short / few), GROWTH, goal)]


def _line(value, most, goal):
    return f"{'holds' if value <= most else 'falls short'} ({value:.2f}): {goal}"
