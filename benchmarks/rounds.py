"""Runs every row of every framework in turn, in processes of their own."""

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.problem import ALONE, ROWS

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 300  # after which a process has failed
TOLERANCE = 1e-4  # relative; everybody computes in float32
ON_CPU = {"CUDA_VISIBLE_DEVICES": "", "JAX_PLATFORMS": "cpu"}
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3"}
# What would change a measurement, an override of the kernels of a BLAS among it.
NOT_PASSED_ON = (
    "TWINFLOW_CHECKS", "TWINFLOW_NATIVE", "TWINFLOW_PRODUCTS",
    "JAX_COMPILATION_CACHE_DIR",
    "OPENBLAS_CORETYPE",
)  # fmt: skip
IMPORT = (
    "import time; start = time.perf_counter(); import {0}; "
    "print(time.perf_counter() - start)"
)


@dataclass
class Cell:
    """What one framework needed for one row: seconds of each round, per variant."""

    variants: dict[str, list[float]] = field(default_factory=dict)
    values: list = field(default_factory=list)
    error: str | None = None

    @property
    def variant(self):
        """The fastest way of doing the row; None if there is none."""
        return min(self.variants, key=lambda v: min(self.variants[v]), default=None)

    @property
    def seconds(self):
        """The smallest time of all rounds; None if nothing was measured."""
        return None if self.variant is None else min(self.variants[self.variant])

    @property
    def spread(self):
        """How much slower the slowest round was: 0.05 is 5 %."""
        return max(self.variants[self.variant]) / self.seconds - 1


class Results:
    """All cells, and the versions of each framework and of its Python.

    Args:
        rows: names of the rows, in the order of the table.
    """

    def __init__(self, rows):
        self.rows = rows
        self.cells: dict = {}
        self.versions: dict = {}
        self.pythons: dict = {}
        self.edited = False  # whether twinflow's source changed meanwhile

    def cell(self, framework, row):
        """The Cell of a framework in a row; an empty one if it was not measured."""
        return self.cells.setdefault((framework, row), Cell())

    def ratio(self, row, peer):
        """twinflow's time divided by the peer's, or None."""
        ours, theirs = self.cell("twinflow", row), self.cell(peer, row)
        if ours.seconds is None or theirs.seconds is None:
            return None
        return ours.seconds / theirs.seconds

    def add(self, framework, row, variants):
        """Take in what a process has measured; see measure.measure."""
        cell = self.cell(framework, row)
        for variant, found in variants.items():
            if "error" in found:
                cell.error = found["error"]
            else:
                cell.variants.setdefault(variant, []).append(found["seconds"])
                cell.values.append(found.get("values"))

    def problems(self):
        """What failed, and rows in which two frameworks computed different things."""
        failed = [f"{f}, {r}: {c.error}" for (f, r), c in self.cells.items() if c.error]
        differ = [row for row in self.rows if not self._agree(row)]
        edited = ["twinflow's source changed during the run"] * self.edited
        return edited + failed + [f"{ROWS[row]}: the values differ" for row in differ]

    def _agree(self, row):
        cells = [cell for (_, r), cell in self.cells.items() if r == row]
        values = [value for cell in cells for value in cell.values if value]
        return all(close(value, values[0]) for value in values)


def close(a, b):
    """Whether two nested lists hold the same numbers within the tolerance."""
    if isinstance(a, list):
        return len(a) == len(b) and all(map(close, a, b))
    return abs(a - b) <= TOLERANCE * max(1.0, abs(b))


def fingerprint(folder=ROOT / "twinflow"):
    """What the source is: numbers from before and after an edit do not mix."""
    files = sorted(p for p in folder.rglob("*") if p.suffix in (".py", ".c", ".so"))
    return hashlib.sha256(b"".join(p.read_bytes() for p in files)).hexdigest()


def run_rounds(pythons, rows, rounds, loops, say):
    """Measure.

    Args:
        pythons: {framework: path of its Python}.
        rows: names of rows. rounds: how often each process is started.
        loops: arguments of measure.py.
        say: shows progress.
    Returns:
        Results.
    """
    results, frameworks = Results(rows), list(pythons)
    before = fingerprint()
    for turn in range(rounds):
        shift = turn % len(frameworks)  # nobody is always the first
        for framework in frameworks[shift:] + frameworks[:shift]:
            say(f"round {turn + 1} of {rounds}: {framework}")
            _one_round(results, framework, pythons[framework], loops)
    results.edited = fingerprint() != before
    return results


def _one_round(results, framework, python, loops):
    together = [row for row in results.rows if row not in ALONE]
    for rows in [together, *([row] for row in ALONE if row in results.rows)]:
        if rows == ["import"]:
            found = {"import": {"": _import(framework, python)}}
        else:
            found = _measure(results, framework, python, rows, loops) if rows else {}
        for row, variants in found.items():
            results.add(framework, row, variants)


def _measure(results, framework, python, rows, loops):
    command = ["-m", "benchmarks.measure", framework, *rows, *loops]
    text, error = _output(python, command)
    if error:
        return {rows[0]: {"": {"error": error}}}
    found = json.loads(text)
    results.versions[framework] = found["version"]
    results.pythons[framework] = found["python"]
    return found["rows"]


def _import(framework, python):
    text, error = _output(python, ["-c", IMPORT.format(framework)])
    return {"error": error} if error else {"seconds": float(text)}


def _output(python, arguments):
    """The last line that a process prints, and how it failed or None."""
    kept = {k: v for k, v in os.environ.items() if k not in NOT_PASSED_ON}
    try:
        done = subprocess.run(
            [python, *arguments], cwd=ROOT, env={**kept, **ON_CPU, **QUIET},
            capture_output=True, text=True, timeout=SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "", f"not finished after {SECONDS} s"
    lines = (done.stderr if done.returncode else done.stdout).strip().splitlines()
    last = lines[-1] if lines else f"exit status {done.returncode}"
    return last, last if done.returncode else None


def progress(text):
    """Show a line that the next one replaces."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
