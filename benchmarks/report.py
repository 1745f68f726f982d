"""The table, and docs/benchmarks.md."""

import os
import platform
import re
from pathlib import Path

import numpy as np

from benchmarks.environments import PEERS, TITLES

DASH = "-"
OPENING = """# Benchmarks

`make bench` wrote this page: each part, with what it says of its machine, in one run.
`make bench ARGS='--page ops'` writes that part alone; `--page models` the last.
"""
TABLES = ("table", "shapes", "memory", "best")
UNITS = [(1.0, "s"), (1e-3, "ms"), (1e-6, "us")]
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def duration(seconds):
    """Seconds with three digits and the unit that fits: 0.000123 is '123 us'."""
    scale, unit = next((u for u in UNITS if seconds >= u[0]), UNITS[-1])
    number = seconds / scale
    return f"{number:.{0 if number >= 100 else 1 if number >= 10 else 2}f} {unit}"


def cell_text(cell):
    """The smallest time and the spread over the rounds."""
    if cell.seconds is None:
        return DASH
    factor = 1 + cell.spread
    spread = f"x{factor:.1f}" if factor >= 2 else f"+{100 * cell.spread:.0f}%"
    return f"{duration(cell.seconds)} {spread}"


def ratio_text(ratio):
    return DASH if ratio is None else f"{ratio:.2f}"


def measured(results):
    """The peers that were measured."""
    return [peer for peer in PEERS if peer in results.versions]


def table(results, peers=tuple(PEERS)):
    """The one table as rows of texts, its header first."""
    titles = {f: f"{TITLES[f]} {_version(results, f)}".strip() for f in TITLES}
    lines = [["", titles["twinflow"]]]
    for peer in peers:
        lines[0] += [titles[peer], "ratio"]
    for row in results.rows:
        line = [results.titles[row], cell_text(results.cell("twinflow", row))]
        for peer in peers:
            line.append(cell_text(results.cell(peer, row)))
            line.append(ratio_text(results.ratio(row, peer)))
        lines.append(line)
    return lines


def _version(results, framework):
    return results.versions.get(framework, "").partition("+")[0]


def plain(lines):
    """The table for a terminal."""
    widths = [max(map(len, column)) for column in zip(*lines)]
    texts = [
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])])
        for line in lines
    ]
    return "\n".join([texts[0], "-" * len(texts[0]), *texts[1:]])


def markdown_table(lines):
    """The table in Markdown, numbers on the right."""
    rule = ["---"] + ["---:"] * (len(lines[0]) - 1)
    return "\n".join(f"| {' | '.join(line)} |" for line in [lines[0], rule, *lines[1:]])


def processor():
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if "model name" in line]
    return names[0] if names else platform.processor() or platform.machine()


def machine(results):
    """What the numbers depend on: {fact: value}."""
    pythons = [f"{python} ({TITLES[f]})" for f, python in results.pythons.items()]
    limits = [f"{name}={os.environ[name]}" for name in THREADS if name in os.environ]
    return {
        "processor": processor(),
        "cores": str(len(os.sched_getaffinity(0))),
        "threads": ", ".join(limits) or "the default of each framework",
        "system": f"{platform.system()} {platform.release()}",
        "Python": ", ".join(pythons),
        "NumPy (twinflow)": np.__version__,
    }


def variants(results):
    """The times of each way where a framework has several."""
    found = [(f, r, c) for (f, r), c in results.cells.items() if len(c.variants) > 1]
    return [f"{results.titles[r]}, {TITLES[f]}: {_all(c)}" for f, r, c in found]


def _all(cell):
    times = {v: duration(min(rounds)) for v, rounds in cell.variants.items()}
    return ", ".join(f"`{variant}` {time}" for variant, time in times.items())


def bullets(lines):
    return "\n".join(f"- {line}" for line in lines)


def part(page, results, texts):
    """The text of a page's part of docs/benchmarks.md.

    Args:
        page: its name. results: Results of a full run.
        texts: {field of the page's template: text}, what `machine` gives among it.
    """
    template = Path(__file__).with_name(f"{page}.md").read_text()
    tabular = {k: markdown_table(v) if k in TABLES else v for k, v in texts.items()}
    return template.format(variants=bullets(variants(results)) or "- none", **tabular)


def joined(document, text):
    """A document with this part in the place of the one of the same heading."""
    heading = text.partition("\n")[0]
    parts = re.split(r"(?m)^(?=## )", document or OPENING)
    found = [i for i, old in enumerate(parts) if old.partition("\n")[0] == heading]
    place = found[0] if found else len(parts)
    parts[place : place + 1] = [text]
    return "\n".join(old.strip() + "\n" for old in parts)
