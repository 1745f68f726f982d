"""docs/benchmarks.png: how long each framework takes, relative to twinflow."""

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from benchmarks.environments import PEERS, TITLES
from benchmarks.problem import ROWS

STYLES = {
    "torch": ("o", "#d1495b"),
    "tensorflow": ("s", "#edae49"),
    "jax": ("^", "#30638e"),
}


def draw(results, path):
    """Write the plot: one line per row, one mark per framework, twinflow at 1."""
    figure = Figure(figsize=(8, 0.35 * len(results.rows) + 1.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.axvline(1, color="black", linewidth=1)
    for peer in PEERS:
        _marks(axes, results, peer)
    axes.set_xscale("log")
    axes.set_yticks(range(len(results.rows)), [ROWS[row] for row in results.rows])
    axes.invert_yaxis()
    axes.set_xlabel("time relative to twinflow (right of the line: twinflow is faster)")
    axes.grid(axis="both", alpha=0.3)
    axes.xaxis.set_major_formatter("{x:g}")
    figure.legend(loc="outside upper center", ncols=len(PEERS))
    figure.savefig(path, dpi=110)


def _marks(axes, results, peer):
    ratios = [results.ratio(row, peer) for row in results.rows]
    points = [(1 / ratio, i) for i, ratio in enumerate(ratios) if ratio]
    marker, color = STYLES[peer]
    if points:
        axes.plot(*zip(*points), marker, color=color, label=TITLES[peer])
