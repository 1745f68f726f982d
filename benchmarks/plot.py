"""The plots of docs/benchmarks.md."""

import math

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from benchmarks import graphs as large
from benchmarks.environments import PEERS, TITLES
from benchmarks.ops import GRADIENT, OPS, ROWS, SIZES

STYLES = {
    "twinflow": ("D", "#111111"),
    "torch": ("o", "#d1495b"),
    "tensorflow": ("s", "#edae49"),
    "jax": ("^", "#30638e"),
}
COLUMNS = 8  # of the small plots


def sized(width, height):
    """A figure of so many inches."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def calls(results, path):
    """How long each framework takes, relative to twinflow: a line a row."""
    figure = sized(8, 0.35 * len(results.rows) + 1.2)
    _relative(figure.add_subplot(), results, results.ratio, "time")
    _legend(figure, results, PEERS)
    figure.savefig(path, dpi=110)


def models(results, path):
    """The time and the peak memory of each framework, relative to twinflow."""
    figure = sized(12, 0.35 * len(results.rows) + 1.2)
    left, right = figure.subplots(1, 2, sharey=True)
    _relative(left, results, results.ratio, "time")
    _relative(right, results, _memory(results), "peak memory")
    _legend(figure, results, PEERS)
    figure.savefig(path, dpi=110)


def _memory(results):
    """A function of row and peer: the ratio of the peaks, or None."""

    def ratio(row, peer):
        cells = [results.cell(framework, row) for framework in ("twinflow", peer)]
        peaks = [cell.facts.get(cell.variant, {}).get("peak") for cell in cells]
        return peaks[0] / peaks[1] if all(peaks) else None

    return ratio


def _relative(axes, results, ratio_of, what):
    """A mark for each peer, twinflow at 1."""
    axes.axvline(1, color="black", linewidth=1)
    for peer in PEERS:
        ratios = [ratio_of(row, peer) for row in results.rows]
        points = [(1 / ratio, i) for i, ratio in enumerate(ratios) if ratio]
        marker, color = STYLES[peer]
        axes.plot(*(zip(*points) if points else ([], [])), marker, color=color)
    axes.set_xscale("log")
    titles = [results.titles[row] for row in results.rows]
    axes.set_yticks(range(len(titles)), titles)
    axes.set_ylim(len(titles) - 0.5, -0.5)
    axes.set_xlabel(f"{what} next to twinflow's\n(right of the line: more)")
    axes.grid(axis="both", alpha=0.3)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter(NullFormatter())


def _legend(figure, results, frameworks):
    measured = {f for (f, _), cell in results.cells.items() if cell.seconds}
    shown = [f for f in frameworks if f in measured]
    lines = [
        figure.axes[0].plot([], [], STYLES[f][0], color=STYLES[f][1], label=TITLES[f])[
            0
        ]
        for f in shown
    ]
    figure.legend(handles=lines, loc="outside upper center", ncols=len(lines))


def ops(results, path):
    """The time of each op over its size: a small plot each; dotted: the gradient."""
    names = dict.fromkeys(ROWS[row][0] for row in results.rows)
    lines = math.ceil(len(names) / COLUMNS)
    figure = sized(2 * COLUMNS, 1.8 * lines + 0.6)
    grid = figure.subplots(lines, COLUMNS, squeeze=False, sharex=True).ravel()
    for axes, name in zip(grid, names):
        for framework in TITLES:
            for ending, style in (("", "-"), (GRADIENT, ":")):
                _over_size(axes, results, framework, name + ending, style)
        axes.set_title(OPS[name].title, fontsize="small")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.tick_params(labelsize="x-small")
        axes.grid(alpha=0.3)
    for axes in grid[max(0, len(names) - COLUMNS) : len(names)]:
        axes.tick_params(labelbottom=True)  # nothing is below it
    for axes in grid[len(names) :]:
        axes.set_visible(False)
    figure.supxlabel("numbers in the input")
    figure.supylabel("microseconds (dotted: with the gradient)")
    _legend(figure, results, TITLES)
    figure.savefig(path, dpi=80)


def graphs(results, path):
    """The time of each phase over the number of nodes."""
    figure = sized(3 * len(large.PHASES), 3.2)
    grid = figure.subplots(1, len(large.PHASES), sharex=True)
    for axes, (phase, what) in zip(grid, large.PHASES.items()):
        for framework in TITLES:
            _over_size(axes, results, framework, phase, "-", large.SIZES)
        axes.set_title(what, fontsize="small")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.grid(alpha=0.3)
    figure.supxlabel("nodes")
    figure.supylabel("microseconds")
    _legend(figure, results, TITLES)
    figure.savefig(path, dpi=90)


def _over_size(axes, results, framework, name, style, sizes=SIZES):
    points = []
    for size in sizes:
        seconds = results.cell(framework, f"{name}@{size}").seconds
        if seconds is not None:
            points.append((float(size), 1e6 * seconds))
    if points:
        marker, color = STYLES[framework]
        axes.plot(*zip(*points), style, marker=marker, color=color, markersize=3)
