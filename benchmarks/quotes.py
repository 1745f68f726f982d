"""What other documents quote of docs/benchmarks.md, so that they cannot differ.

    python -m benchmarks.quotes

writes the tables of README.md and docs/start/why.md from the page as it stands; a run
that writes the page does it too.
"""

import re
from pathlib import Path

from benchmarks import marked

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
MODELS, OPS = "models", "ops"  # the names of the marks
QUOTING = {
    ROOT / "README.md": [MODELS],
    ROOT / "docs" / "start" / "why.md": [MODELS, OPS],
}


def texts(page):
    """{name of the marks: what stands between them}, of the parts that the page has."""
    found = {MODELS: _models(page), OPS: _ops(page)}
    return {name: text for name, text in found.items() if text}


def write(page=PAGE, quoting=None):
    """Put the page's numbers into the documents that quote them."""
    found = texts(page.read_text())
    for document, names in (QUOTING if quoting is None else quoting).items():
        for name in found.keys() & set(names):
            marked.write(document, name, found[name])


def _models(page):
    """A step of training next to the fastest peer: as a function and as a graph."""
    name, number = r"(.+?)", r"([\d.]+)"
    cells = rf"\| {name} \|[^|]*\| {number} \| {number} \| \w+, [\d.]+ \w+ \|"
    rows = re.findall(rf"^{cells}$", page, re.MULTILINE)
    header = ["| a step of | as a function | as a graph |", "|---|---:|---:|"]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(header + lines) if lines else ""


def _ops(page):
    """Operations by themselves: the geometric mean, and how many are slower."""
    mean = re.search(r"^- 1e6, torch: .*both ([\d.]+) \((\d+) rows\)", page, re.M)
    most = re.search(r"\((\d+) rows, ([\d.]+)\): none at 1e6 above ([\d.]+)", page)
    if not mean or not most:
        return ""
    slow, slowest, limit = most.groups()
    above = f"{slow} of them take more than {limit}, at most {slowest}"
    if slow == "0":
        above = f"none takes more than {slowest}"
    return (
        "Operations by themselves, at a million numbers each: "
        f"{mean[1]} of PyTorch's time in the\ngeometric mean of {mean[2]}; {above}."
    )


if __name__ == "__main__":
    write()
