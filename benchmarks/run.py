"""Measures twinflow against PyTorch, TensorFlow and jax; `make bench` runs it.

    python benchmarks/run.py
    python benchmarks/run.py --quick --only add --only mlp_eager

Prints one table and whether our goals hold. A full run also writes docs/benchmarks.md
and docs/benchmarks.png. TWINFLOW_BENCH_TORCH, TWINFLOW_BENCH_TF221 and
TWINFLOW_BENCH_JAX may name a Python that has the framework; without them each gets an
environment below .venv/bench.
"""

import argparse
import importlib.util
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT)  # a script starts with its own folder there

from benchmarks import environments, goals, report, rounds  # noqa: E402 - needs ROOT
from benchmarks.problem import ROWS  # noqa: E402 - needs ROOT

DOCUMENT = ROOT / "docs" / "benchmarks.md"


def arguments():
    """What the user asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = ", ".join(ROWS)
    parser.add_argument("--only", action="append", choices=list(ROWS), metavar="CASE",
                        help=f"a row to measure; may be repeated: {names}")  # fmt: skip
    parser.add_argument("--rounds", type=int, help="rounds (5; 2 with --quick)")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter loops")
    args = parser.parse_args()
    args.rounds = args.rounds or (2 if args.quick else 5)
    args.repeats, args.least = (2, 0.005) if args.quick else (5, 0.02)
    return args


def write_documents(results, args, seconds, load):
    """docs/benchmarks.md, and its plot where matplotlib is installed."""
    how = {"rounds": args.rounds, "repeats": args.repeats,
           "least": round(1000 * args.least), "seconds": round(seconds)}  # fmt: skip
    facts = {**report.machine(results), "load before the run": f"{load:.1f}"}
    DOCUMENT.write_text(report.document(results, facts, how))
    written = [DOCUMENT]
    if importlib.util.find_spec("matplotlib"):
        plot = importlib.import_module("benchmarks.plot")
        written.append(DOCUMENT.with_suffix(".png"))
        plot.draw(results, written[-1])
    print("\nWritten:", ", ".join(str(path.relative_to(ROOT)) for path in written))


def main():
    args = arguments()
    found = environments.prepare()
    start, load = time.monotonic(), os.getloadavg()[0]
    rows = [row for row in ROWS if not args.only or row in args.only]
    loops = [f"--repeats={args.repeats}", f"--least={args.least}"]
    results = rounds.run_rounds(
        found.pythons, rows, args.rounds, loops, rounds.progress
    )
    rounds.progress("")
    print(report.plain(report.table(results)))
    print("\nGoals\n" + report.bullets(goals.check(results)))
    problems = results.problems()
    if problems:
        sys.exit("\nNot valid, nothing is written\n" + report.bullets(problems))
    if not (args.quick or args.only):
        write_documents(results, args, time.monotonic() - start, load)


if __name__ == "__main__":
    main()
