"""The tables of the ops at size and of the models."""

from benchmarks import models_goals, ops, report
from benchmarks.environments import PEERS, TITLES
from benchmarks.models import ROWS as MODEL_ROWS
from benchmarks.models import WAYS

OTHERS = ("tensorflow", "jax")  # of which ops have the ratio at the largest size only


def of_ops(results):
    """A row an op and its gradient, its header first: times at 1e6, ratios at all."""
    *small, large = ops.SIZES
    header = ["", "twinflow", "PyTorch", f"ratio at {large}"]
    header += [f"at {size}" for size in reversed(small)]
    header += [f"ratio to {TITLES[peer]}" for peer in OTHERS]
    lines = [header]
    for row in results.rows:
        name, _, size = row.partition("@")
        if size == large:
            lines.append(_op_line(results, name, small, row))
    return lines


def _op_line(results, name, small, row):
    cells = [results.cell(framework, row) for framework in ("twinflow", "torch")]
    ratios = [results.ratio(row, "torch")]
    ratios += [results.ratio(f"{name}@{size}", "torch") for size in reversed(small)]
    ratios += [results.ratio(row, peer) for peer in OTHERS]
    times = [report.cell_text(cell) for cell in cells]
    return [results.titles[row], *times, *map(report.ratio_text, ratios)]


def of_ops_shapes():
    """The shapes of each op at the three sizes, its header first."""
    lines = [["", *ops.SIZES]]
    for op in ops.OPS.values():
        lines.append([op.title, *("x".join(map(str, shape)) for shape in op.shapes)])
    return lines


def of_memory(results):
    """Peak MB, and seconds to the first step and to full speed, its header first."""
    frameworks = [f for f in TITLES if f == "twinflow" or f in results.versions]
    lines = [["", *(TITLES[f] for f in frameworks)]]
    for row in results.rows:
        cells = [results.cell(framework, row) for framework in frameworks]
        lines.append([results.titles[row], *map(_facts, cells)])
    return lines


def _facts(cell):
    facts = cell.facts.get(cell.variant)
    if not facts:
        return report.DASH
    first, settled = (report.duration(facts[key]) for key in ("first", "settled"))
    return f"{facts['peak'] / 1e6:.0f} MB, {first}, {settled}"


def of_best(results):
    """Next to the fastest of all peers, its header first."""
    lines = [["", *WAYS, "the fastest peer"]]
    for name in dict.fromkeys(MODEL_ROWS[row][0] for row in results.rows):
        peers = models_goals.fastest(results, name)
        if not peers:
            continue
        best = min(peers, key=peers.get)
        times = [results.cell("twinflow", f"{name}@{way}").seconds for way in WAYS]
        ratios = [seconds and seconds / peers[best] for seconds in times]
        text = f"{PEERS[best].title}, {report.duration(peers[best])}"
        title = results.titles[f"{name}@eager"].removesuffix(", eager")
        lines.append([title, *map(report.ratio_text, ratios), text])
    return lines
