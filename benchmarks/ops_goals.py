"""How fast the ops at size are meant to be, next to PyTorch."""

import json
import math
from pathlib import Path

from benchmarks.ops import ROWS, SIZES

BEFORE = Path(__file__).with_name("before.json")  # the larger of two ratios at 1e3
PEER = "torch"
MEAN, WORST = 0.95, 1.5
NOISE = 1.1  # two measurements of the same thing differ by less, of a microsecond too
SHOWN = 12


def geometric_mean(ratios):
    """The geometric mean of positive numbers."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def ratios(results, size, peer=PEER, slopes=None):
    """{row: twinflow's time divided by the peer's} of the rows of a size.

    Args:
        results: Results. size: one of SIZES. peer: a framework.
        slopes: only gradients, or only what is none; None for both.
    """
    rows = [row for row in results.rows if ROWS[row][1] == size]
    kept = [row for row in rows if slopes is None or ROWS[row][2] == slopes]
    found = {row: results.ratio(row, peer) for row in kept}
    return {row: ratio for row, ratio in found.items() if ratio is not None}


def check(results):
    """One line per goal: what it is, and whether it holds."""
    return [*_at_size(results), *_small(results)]


def summary(results, peers):
    """Lines: the geometric means of every size and peer, and the worst rows."""
    lines = []
    for peer in peers:
        for size in SIZES:
            lines += _means(results, size, peer)
    return lines + _worst(results)


def _means(results, size, peer):
    kinds = {"forward": False, "gradient": True}
    found = {k: ratios(results, size, peer, v) for k, v in kinds.items()}
    found["both"] = {**found["forward"], **found["gradient"]}
    means = [f"{k} {geometric_mean(v.values()):.2f}" for k, v in found.items() if v]
    count = len(found["both"])
    return [f"{size}, {peer}: {', '.join(means)} ({count} rows)"] if means else []


def _worst(results):
    lines = []
    for size in SIZES:
        found = sorted(ratios(results, size).items(), key=lambda pair: -pair[1])
        above = [f"{row} {ratio:.2f}" for row, ratio in found[:SHOWN] if ratio > 1]
        lines += [f"slowest at {size}: {', '.join(above)}"] if above else []
    return lines


def _line(holds, number, goal):
    return f"{'holds' if holds else 'falls short'} ({number}): {goal}"


def _at_size(results):
    found = ratios(results, SIZES[-1])
    if not found:
        return []
    mean, above = geometric_mean(found.values()), max(found.values())
    count = sum(ratio > WORST for ratio in found.values())
    return [
        _line(mean <= MEAN, f"{mean:.2f}",
              f"{len(found)} rows at 1e6 at most {MEAN} of PyTorch, geometric mean"),
        _line(not count, f"{count} rows, {above:.1f}",
              f"none at 1e6 above {WORST} of PyTorch"),
    ]  # fmt: skip


def _small(results):
    """The ratios at 1e3 next to those that were measured before there were kernels."""
    before = json.loads(BEFORE.read_text()) if BEFORE.exists() else {}
    found = ratios(results, SIZES[0])
    slower = [
        f"{row} {ratio:.2f} for {before[row]:.2f}"
        for row, ratio in found.items()
        if row in before and ratio > NOISE * before[row]
    ]
    if not found or not before:
        return []
    goal = "none at 1e3 slower, next to PyTorch, than before there were kernels"
    rows = f" ({', '.join(slower[:SHOWN])})" if slower else ""
    return [_line(not slower, f"{len(slower)} rows", goal + rows)]
