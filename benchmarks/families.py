"""`python -m benchmarks.families`: families of tf.contrib beside TensorFlow 1.12.

Each row is measured by turns in a process of each (TF112_PYTHON names a Python 3.6 with
TensorFlow 1.12), in graphs and eagerly where 1.12 has both: the smallest of many short
loops in each of some rounds, once what twinflow compiles in the background has been
swapped in, where it is faster. Without --only it writes docs/families.md.
"""

import argparse
import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from benchmarks import family_cases, family_learning, family_training, report, rounds
from benchmarks.family_tools import CASES

assert family_cases and family_learning and family_training  # they register their cases
ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "families.md"
GOAL, CLOSE, OURS = 1.0, 1e-3, sys.executable
# They depend on random numbers.
DRAWN = ("sample", "gan", "specs", "grid_rnn", "beam", "ARModel", "SDCA")


class Asked:
    """A process that measures rows.

    Args:
        python: its Python. framework: "twinflow" or "tensorflow". mode: "graph" or
            "eager". clock: of the module time.
    """

    def __init__(self, python, framework, mode, clock):
        self.command = [python, "-m", "benchmarks.family_measure"]
        self.command += [framework, mode, clock]

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, env=rounds.environment(), text=True, cwd=ROOT,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        return self

    def __exit__(self, *_):
        self.process.communicate()

    def measure(self, row):
        """{"seconds", "spread", "values"}, or {"error"}."""
        self.process.stdin.write(row + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": "the process has ended"}


def measured(rows, mode, python, count, clock):
    """{row: {framework: what was found, the smallest of all rounds}}."""
    pythons = {"tensorflow": python, "twinflow": OURS}
    best: dict = {row: {} for row in rows}
    for turn in range(count):
        with ExitStack() as stack:
            asked = {
                f: stack.enter_context(Asked(p, f, mode, clock))
                for f, p in pythons.items()
            }
            for row in rows:
                rounds.progress(f"{mode}, round {turn + 1} of {count}: {row}")
                for framework, process in asked.items():
                    found, old = process.measure(row), best[row].get(framework)
                    if old is None or found.get("seconds", 9e9) < old["seconds"]:
                        best[row][framework] = {"seconds": 9e9, **found}
    rounds.progress("")
    return best


def line_of(row, mode, cell):
    """A line of the table; the ratio, or None; whether the values agree."""
    ours, theirs = cell["twinflow"], cell["tensorflow"]
    if "error" in ours or "error" in theirs:
        text = ours.get("error") or theirs["error"]
        return [f"{row}, {mode}", text[:60], "-", "-"], None, True
    ratio = ours["seconds"] / theirs["seconds"]
    times = [
        f"{report.duration(c['seconds'])} +{c['spread']:.0%}" for c in (ours, theirs)
    ]
    return [f"{row}, {mode}", *times, f"{ratio:.2f}"], ratio, agree(row, ours, theirs)


def agree(row, ours, theirs):
    """Whether what was found of a row has the same values, or draws its own."""
    if any(word in row for word in DRAWN):
        return "values" in ours and "values" in theirs
    values = ours.get("values", ()), theirs.get("values", ())
    return len(values[0]) == len(values[1]) and rounds.close(*values, CLOSE)


def arguments():
    """What the user asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", help="a row, or the start of some")
    parser.add_argument("--mode", choices=["graph", "eager"], help="in this mode only")
    parser.add_argument("--rounds", type=int, default=3)
    text = "count the processor's time: on a busy machine"
    parser.add_argument("--processor", action="store_true", help=text)
    return parser.parse_args()


def rows_of(mode, only):
    """The rows of a mode that were asked for."""
    return [
        name for name, (_, eager) in CASES.items()
        if (mode == "graph" or eager)
        and (not only or any(name.startswith(start) for start in only))
    ]  # fmt: skip


def main():
    args, python = arguments(), os.environ.get("TF112_PYTHON")
    if not python:
        sys.exit("TF112_PYTHON must name a Python 3.6 with TensorFlow 1.12.")
    table = [["", "twinflow", "TensorFlow 1.12", "ratio"]]
    slower, wrong = [], []
    clock = "process_time" if args.processor else "perf_counter"
    for mode in [args.mode] if args.mode else ["graph", "eager"]:
        rows = rows_of(mode, args.only)
        found = measured(rows, mode, python, args.rounds, clock)
        for row in rows:
            line, ratio, same = line_of(row, mode, found[row])
            table.append(line)
            slower += [line[0]] if ratio is not None and ratio > GOAL else []
            wrong += [] if same and ratio is not None else [line[0]]
    print(report.plain(table))
    print(f"\nslower than TensorFlow 1.12: {', '.join(slower) or 'none'}")
    print(f"other values, or none: {', '.join(wrong) or 'none'}")
    if not args.only and not args.mode:
        write(table, slower, args, clock)
    sys.exit(bool(wrong))


def write(table, slower, args, clock):
    """docs/families.md."""
    text = __doc__.partition("\n\n")[2].strip()
    DOCUMENT.write_text(
        f"# Families of tf.contrib beside TensorFlow 1.12\n\n{text}\n\n"
        f"- processor: {report.processor()}; {args.rounds} rounds, `{clock}`\n"
        f"- slower than TensorFlow 1.12: {', '.join(slower) or 'none'}\n\n"
        f"{report.markdown_table(table)}\n"
    )


if __name__ == "__main__":
    main()
