"""Measures twinflow against PyTorch, TensorFlow and jax; `make bench` runs it.

    python benchmarks/run.py
    python benchmarks/run.py --quick --only add --only mlp_eager
    python benchmarks/run.py --page ops --quick --size 1e6 --peer torch
    python benchmarks/run.py --page ops --quick --only relu --only softmax

Prints one table a page and whether our goals hold. A full run also writes
docs/benchmarks.md and docs/benchmarks.png. TWINFLOW_BENCH_TORCH, TWINFLOW_BENCH_TF221
and TWINFLOW_BENCH_JAX may name a Python that has the framework; without them each gets
an environment below .venv/bench. --save keeps ratios to PyTorch as a file.
"""

import argparse
import importlib.util
import json
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT)  # a script starts with its own folder there

from benchmarks import environments, ops_goals, report, rounds  # noqa: E402 - needs ROOT
from benchmarks.pages import PAGES  # noqa: E402 - needs ROOT

DOCUMENT = ROOT / "docs" / "benchmarks.md"


def arguments():
    """What the user asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--page", choices=list(PAGES), default="calls")
    parser.add_argument("--only", action="append", metavar="CASE",
                        help="a row to measure, or an op: in all sizes, with its "
                        "gradient; may be repeated")  # fmt: skip
    parser.add_argument("--size", action="append", help="only rows of this size")
    parser.add_argument("--peer", action="append", choices=list(environments.PEERS),
                        help="measure next to this one only")  # fmt: skip
    parser.add_argument("--rounds", type=int, help="rounds (5; 2 with --quick)")
    parser.add_argument("--cores", type=int,
                        help="how many to run on; with 1, what else runs disturbs "
                        "little")  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="fewer and shorter loops")
    parser.add_argument("--save", help="a file for the ratios to PyTorch")
    args = parser.parse_args()
    args.rounds = args.rounds or (2 if args.quick else 5)
    page = PAGES[args.page]
    args.loops = page.quick if args.quick else page.loops
    args.rows = page.chosen(args.only, args.size)
    if not args.rows:
        parser.error(f"no such row; there are: {', '.join(page.titles)}")
    return args


def write_documents(results, args, seconds, load):
    """docs/benchmarks.md, and its plot where matplotlib is installed."""
    how = {"rounds": args.rounds, "repeats": args.repeats,
           "least": round(1000 * args.least), "seconds": round(seconds)}  # fmt: skip
    facts = {**report.machine(results), "load before the run": f"{load:.1f}"}
    goals = PAGES[args.page].check(results)
    DOCUMENT.write_text(report.document(results, goals, facts, how))
    written = [DOCUMENT]
    if importlib.util.find_spec("matplotlib"):
        plot = importlib.import_module("benchmarks.plot")
        written.append(DOCUMENT.with_suffix(".png"))
        plot.draw(results, written[-1])
    print("\nWritten:", ", ".join(str(path.relative_to(ROOT)) for path in written))


def measure(args, pythons):
    """Results of the chosen rows."""
    page = PAGES[args.page]
    results = rounds.Results(args.rows, page.titles, page.tolerances)
    before = rounds.fingerprint()
    page.run(pythons, results, args.rounds, args.loops, rounds.progress)
    results.edited = rounds.fingerprint() != before
    rounds.progress("")
    return results


def show(args, results):
    """The table, the goals and, of ops, a summary."""
    print(report.plain(report.table(results, report.measured(results))))
    if args.page == "ops":
        lines = ops_goals.summary(results, report.measured(results))
        print("\nGeometric means\n" + report.bullets(lines))
    print("\nGoals\n" + report.bullets(PAGES[args.page].check(results)))
    if args.save:
        found = {row: results.ratio(row, "torch") for row in results.rows}
        kept = {row: round(ratio, 3) for row, ratio in found.items() if ratio}
        Path(args.save).write_text(json.dumps(kept, indent=0) + "\n")


def main():
    args = arguments()
    found = environments.prepare(args.peer or environments.PEERS)
    start, load = time.monotonic(), os.getloadavg()[0]
    if args.cores:  # the processes inherit it
        kept = sorted(os.sched_getaffinity(0), key=lambda core: hash((core, start)))
        os.sched_setaffinity(0, kept[: args.cores])
    results = measure(args, found.pythons)
    show(args, results)
    problems = results.problems()
    if problems:
        sys.exit("\nNot valid, nothing is written\n" + report.bullets(problems))
    if args.page == "calls" and not (args.quick or args.only or args.peer):
        write_documents(results, args, time.monotonic() - start, load)


if __name__ == "__main__":
    main()
