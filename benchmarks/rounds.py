"""Runs every row of every framework in turn, in processes of their own."""

# Note [Rows in turn]: rows one by one
# On a shared machine a minute can be twice as slow as the next. The rows of a page of
# many (`run_turns`) are therefore taken one by one: each framework's process measures
# the row right after the other's, so that a ratio compares neighbours. Processes are
# new in every round: what one of them was lucky with, the next is not.

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import models
from benchmarks.problem import ALONE, ROWS

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 900  # after which a process has failed; large graphs take TensorFlow 300
TOLERANCE = 1e-4  # relative; everybody computes in float32
ON_CPU = {"CUDA_VISIBLE_DEVICES": "", "JAX_PLATFORMS": "cpu"}
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3"}
# What would change a measurement: an override of the kernels of a BLAS, or that nothing
# is kept compiled (what pip installs is, a checkout would be compiled at each start).
NOT_PASSED_ON = (
    "TWINFLOW_CHECKS", "TWINFLOW_NATIVE", "TWINFLOW_PRODUCTS",
    "JAX_COMPILATION_CACHE_DIR",
    "OPENBLAS_CORETYPE", "PYTHONDONTWRITEBYTECODE",
)  # fmt: skip
IMPORT = (
    "import time; start = time.perf_counter(); import {0}; "
    "print(time.perf_counter() - start)"
)


@dataclass
class Cell:
    """What one framework needed for one row: seconds of each round, per variant."""

    variants: dict[str, list[float]] = field(default_factory=dict)
    facts: dict[str, dict] = field(default_factory=dict)  # of models; see model_case
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
        titles: {row: what it is called}.
        tolerances: {row: how much its values may differ}, where not TOLERANCE.
    """

    def __init__(self, rows, titles=ROWS, tolerances=None):
        self.rows, self.titles = rows, titles
        self.tolerances = tolerances or {}
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
                cell.facts[variant] = found.get("facts", {})

    def problems(self):
        """What failed, and rows in which two frameworks computed different things."""
        failed = [f"{f}, {r}: {c.error}" for (f, r), c in self.cells.items() if c.error]
        edited = ["twinflow's source changed during the run"] * self.edited
        return edited + failed + [text for row in self.rows for text in self._odd(row)]

    def _odd(self, row):
        """A line if frameworks computed different values, with the names of those."""
        found = [(f, c.values) for (f, r), c in self.cells.items() if r == row]
        values = [(f, value) for f, all_of_f in found for value in all_of_f if value]
        tolerance = self.tolerances.get(row, TOLERANCE)
        odd = {f for f, v in values if not close(v, values[0][1], tolerance)}
        if not odd:
            return []
        names = ", ".join([values[0][0], *sorted(odd - {values[0][0]})])
        return [f"{self.titles[row]}: the values differ ({names})"]


def close(a, b, tolerance=TOLERANCE):
    """Whether two nested lists hold the same numbers within the tolerance."""
    if isinstance(a, list):
        pairs = zip(a, b)
        return len(a) == len(b) and all(close(*pair, tolerance) for pair in pairs)
    return abs(a - b) <= tolerance * max(1.0, abs(b))


def fingerprint(folder=ROOT / "twinflow"):
    """What the source is: numbers from before and after an edit do not mix."""
    files = sorted(p for p in folder.rglob("*") if p.suffix in (".py", ".c", ".so"))
    return hashlib.sha256(b"".join(p.read_bytes() for p in files)).hexdigest()


def run_rounds(pythons, results, rounds, loops, say):
    """Measure, a process of its own for all rows or for one.

    Args:
        pythons: {framework: path of its Python}.
        results: Results of the rows; they are filled in.
        rounds: how often each process is started.
        loops: arguments of measure.py.
        say: shows progress.
    """
    for turn in range(rounds):
        for framework in _rotated(pythons, turn):
            say(f"round {turn + 1} of {rounds}: {framework}")
            _one_round(results, framework, pythons[framework], loops)


def run_turns(pythons, results, rounds, loops, say):
    """Measure row by row, see Note [Rows in turn]; the arguments are run_rounds'."""
    for turn in range(rounds):
        with ExitStack() as stack:
            asked = {}
            for framework in _rotated(pythons, turn):
                process = Asked(pythons[framework], framework, loops)
                asked[framework] = stack.enter_context(process)
            for row in results.rows:
                say(f"round {turn + 1} of {rounds}: {row}")
                for framework, process in asked.items():
                    _take(results, framework, process.measure(row))


def run_models(pythons, results, rounds, loops, say):
    """Measure models, each framework's variants by turns, each in its process.

    All begin with their first steps, one after the other; then come the rounds. The
    arguments are run_rounds'.
    """
    names = dict.fromkeys(models.ROWS[row][0] for row in results.rows)
    for name in names:
        rows = [row for row in results.rows if models.ROWS[row][0] == name]
        with ExitStack() as stack:
            asked = []
            for row, framework, variant in _trained(rows, pythons):
                say(f"{row}: {variant} of {framework}")
                how = [*loops, f"--variant={variant}"]
                process = Asked(pythons[framework], framework, how)
                asked.append((framework, row, stack.enter_context(process)))
                _take(results, framework, process.measure(row))
            for turn in range(1, rounds):
                for framework, row, process in asked:
                    say(f"{row}, round {turn + 1} of {rounds}: {framework}")
                    _take(results, framework, process.measure(row))


def _trained(rows, pythons):
    """(row, framework, variant) of each process."""
    return [
        (row, framework, variant)
        for row in rows
        for framework in pythons
        for variant in models.variants(row, framework)
    ]


def _rotated(pythons, turn):
    """The frameworks: nobody is always the first."""
    frameworks, shift = list(pythons), turn % len(pythons)
    return frameworks[shift:] + frameworks[:shift]


class Asked:
    """A process of measure.py that is asked for one row after the other.

    Args:
        python: the path of its Python. framework: a name. loops: its arguments.
    """

    def __init__(self, python, framework, loops):
        self.command = [python, "-m", "benchmarks.measure", framework, *loops]

    def __enter__(self):
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            self.command, cwd=ROOT, env=environment(), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
        )  # fmt: skip
        return self

    def __exit__(self, *_):
        self.process.communicate()
        self.errors.close()

    def measure(self, row):
        """What measure.py prints for a row; its error if the process has ended."""
        timer = threading.Timer(SECONDS, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(f"{row}\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())
        except (OSError, ValueError):
            self.errors.seek(0)
            lines = self.errors.read().strip().splitlines() or ["no answer"]
            return {"rows": {row: {"": {"error": lines[-1]}}}}
        finally:
            timer.cancel()


def _take(results, framework, found):
    """What a process has printed."""
    if "version" in found:
        results.versions[framework] = found["version"]
        results.pythons[framework] = found["python"]
    for row, variants in found["rows"].items():
        results.add(framework, row, variants)


def _one_round(results, framework, python, loops):
    together = [row for row in results.rows if row not in ALONE]
    for rows in [together, *([row] for row in ALONE if row in results.rows)]:
        if rows == ["import"]:
            results.add(framework, "import", {"": _import(framework, python)})
        elif rows:
            _take(results, framework, _measure(framework, python, rows, loops))


def _measure(framework, python, rows, loops):
    command = ["-m", "benchmarks.measure", framework, *rows, *loops]
    text, error = _output(python, command)
    if error:
        return {"rows": {rows[0]: {"": {"error": error}}}}
    return json.loads(text)


def _import(framework, python):
    text, error = _output(python, ["-c", IMPORT.format(framework)])
    return {"error": error} if error else {"seconds": float(text)}


def environment():
    """The environment of every process that is measured."""
    kept = {k: v for k, v in os.environ.items() if k not in NOT_PASSED_ON}
    return {**kept, **({} if models.on_gpu() else ON_CPU), **QUIET}


def _output(python, arguments):
    """The last line that a process prints, and how it failed or None."""
    try:
        done = subprocess.run(
            [python, *arguments], cwd=ROOT, env=environment(),
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
