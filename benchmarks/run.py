"""Measures twinflow against PyTorch, TensorFlow and jax; `make bench` runs it.

    python benchmarks/run.py
    python benchmarks/run.py --quick --only add --only mlp_eager
    python benchmarks/run.py --page ops --quick --size 1e6 --peer torch --cores 1
    python benchmarks/run.py --page ops --quick --only relu --only softmax
    python benchmarks/run.py --page models --only tiny@function --peer jax
    python benchmarks/run.py --page models --gpu --quick --peer torch
    python benchmarks/run.py --page graphs --size 1e4 --peer tensorflow

Prints the table of each page and whether our goals hold. A full run of a page also
writes its part of docs/benchmarks.md, and its plot; with --write one of some sizes or
peers does. TWINFLOW_BENCH_TORCH,
TWINFLOW_BENCH_TF221 and TWINFLOW_BENCH_JAX may name a Python that has the framework;
without them each gets an environment below .venv/bench.
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

from benchmarks import (  # noqa: E402 - needs ROOT
    environments,
    jpegs,
    models,
    ops_goals,
    quotes,
    report,
    rounds,
)
from benchmarks.pages import PAGES  # noqa: E402 - needs ROOT

DOCUMENT = ROOT / "docs" / "benchmarks.md"


def arguments():
    """What the user asks for; `write`: whether it is for docs/benchmarks.md."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--page", choices=list(PAGES), help="all, or calls with --only")
    parser.add_argument("--only", action="append", metavar="CASE",
                        help="a row to measure, an op or a model: all of its rows; "
                        "may be repeated")  # fmt: skip
    parser.add_argument("--size", action="append", help="only rows of this size")
    parser.add_argument("--peer", action="append", choices=list(environments.PEERS),
                        help="measure next to this one only")  # fmt: skip
    parser.add_argument("--rounds", type=int, help="rounds (5; 2 with --quick)")
    parser.add_argument("--cores", type=int,
                        help="how many to run on; with 1, what else runs disturbs "
                        "little")  # fmt: skip
    parser.add_argument("--gpu", action="store_true",
                        help="train on the first GPU: with --page models")  # fmt: skip
    parser.add_argument("--processor", action="store_true",
                        help="count the processor's time, not the clock's: with "
                        "--cores 1, on a busy machine")  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="fewer and shorter loops")
    parser.add_argument("--save", help="a file for the ratios to PyTorch")
    parser.add_argument("--write", action="store_true",
                        help="write the page although not all sizes or peers were "
                        "measured: dashes stand for the others")  # fmt: skip
    args = parser.parse_args()
    if args.gpu:
        os.environ[models.ON_GPU] = "1"
        if args.page != "models":
            parser.error("--gpu is for --page models")
    odd = any((args.quick, args.only, args.cores, args.gpu, args.processor))
    if args.write and odd:
        parser.error("--write is for whole runs on all cores, by the clock")
    args.write = args.write or not (odd or args.size or args.peer)
    args.rounds = args.rounds or (2 if args.quick else 5)
    names = [args.page] if args.page else ["calls"] if args.only else list(PAGES)
    chosen = {name: PAGES[name].chosen(args.only, args.size) for name in names}
    args.rows = {name: rows for name, rows in chosen.items() if rows}
    if not args.rows:
        known = ", ".join(row for name in names for row in PAGES[name].titles)
        parser.error(f"no such row; there are: {known}")
    return args


def measure(args, name, pythons):
    """Results of the chosen rows of a page."""
    page = PAGES[name]
    results = rounds.Results(args.rows[name], page.titles, page.tolerances)
    before = rounds.fingerprint()
    loops = page.loops_of(args.quick)
    if args.processor:
        loops = [*loops, "--clock=process_time"]
    page.run(pythons, results, args.rounds, loops, rounds.progress)
    results.edited = rounds.fingerprint() != before
    rounds.progress("")
    return results


def show(name, results):
    """The tables, and the goals."""
    tables = {"table": report.table(results, report.measured(results))}
    if name == "models":
        tables = {**PAGES[name].made(results), **tables}
    print("\n\n".join(report.plain(lines) for lines in tables.values()))
    if name == "ops":
        print("\nGeometric means\n" + means(name, results))
    print("\nGoals\n" + report.bullets(PAGES[name].check(results)))


def means(name, results):
    """What the ops come to; the other pages have nothing of the kind."""
    peers = report.measured(results)
    return report.bullets(ops_goals.summary(results, peers) if name == "ops" else [])


def save(results, path):
    """The ratios to PyTorch, as benchmarks/before.json has them."""
    found = {row: results.ratio(row, "torch") for row in results.rows}
    kept = {row: round(ratio, 3) for row, ratio in found.items() if ratio}
    Path(path).write_text(json.dumps(kept, indent=0) + "\n")


def write_documents(args, name, results, seconds, load):
    """A page's part of docs/benchmarks.md; its plot where matplotlib is there."""
    page = PAGES[name]
    facts = {**report.machine(results), "load before the run": f"{load:.1f}"}
    texts = {
        **page.made(results),
        "facts": report.bullets(f"{name}: {value}" for name, value in facts.items()),
        "goals": report.bullets(page.check(results)),
        "summary": means(name, results),
        "rounds": args.rounds, "loops": " ".join(page.loops_of(args.quick)),
        "seconds": round(seconds),
    }  # fmt: skip
    old = DOCUMENT.read_text() if DOCUMENT.exists() else ""
    DOCUMENT.write_text(report.joined(old, report.part(name, results, texts)))
    quotes.write(DOCUMENT)
    written = [DOCUMENT]
    if importlib.util.find_spec("matplotlib"):
        plot = importlib.import_module("benchmarks.plot")
        written.append(DOCUMENT.with_name(page.plot))
        getattr(plot, name)(results, written[-1])
    print("\nWritten:", ", ".join(str(path.relative_to(ROOT)) for path in written))


def run_page(args, name, pythons):
    """Measure and show a page; what is not valid about it."""
    start, load = time.monotonic(), os.getloadavg()[0]
    results = measure(args, name, pythons)
    show(name, results)
    if args.save:
        save(results, args.save)
    problems = results.problems()
    if problems:
        print("\nNot valid, nothing is written\n" + report.bullets(problems))
    elif args.write:
        write_documents(args, name, results, time.monotonic() - start, load)
    return problems


def main():
    args = arguments()
    found = environments.prepare(args.peer or environments.PEERS)
    if args.cores:  # the processes inherit it
        kept = sorted(
            os.sched_getaffinity(0), key=lambda core: hash((core, os.getpid()))
        )
        os.sched_setaffinity(0, kept[: args.cores])
    if jpegs.ROWS.keys() & set(args.rows.get("calls", ())):
        jpegs.make()
    wrong = [run_page(args, name, found.pythons) for name in args.rows]
    sys.exit(any(wrong))


if __name__ == "__main__":
    main()
